import { useState } from 'react';
import { useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/detail.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { CheckField, TextArea, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { changed, type Project } from './project.ts';

/** Names of the project, and the rules for names of secrets. */
export function General({ project }: { readonly project: Project }) {
  const may = useProjectRights(project.id);
  const { id, name, slug, description, autoCapitalization, createdAt } = project;
  return (
    <>
      <Facts
        of={[
          ['ID', <code key="id">{id}</code>],
          ['Created', <Time key="created" at={createdAt} />],
        ]}
      />
      {may('settings', 'edit') ? (
        <Fields project={project} mayEditSlug={may('workspace', 'edit')} />
      ) : (
        <Facts
          of={[
            ['Name', name],
            ['Slug', <code key="slug">{slug}</code>],
            ['Description', description],
            ['Names of secrets', autoCapitalization ? 'in capital letters only' : 'as they are'],
          ]}
        />
      )}
    </>
  );
}

function Fields({ project, mayEditSlug }: { readonly project: Project; readonly mayEditSlug: boolean }) {
  const { id: projectId, name, slug, autoCapitalization, hasDeleteProtection } = project;
  const stored = { name, slug, description: project.description ?? '', autoCapitalization, hasDeleteProtection };
  const [fields, setFields] = useState(stored);
  const set = (change: Partial<typeof stored>) => setFields({ ...fields, ...change });
  const update = useChange('projects', 'update', ['projects']);
  const changes = changed(fields, stored);
  const form = useForm(async () => {
    await update.mutateAsync({ projectId, ...changes });
    toast('The settings are saved');
  });
  return (
    <form onSubmit={form.submit}>
      <TextField
        label="Name"
        required
        maxLength={64}
        value={fields.name}
        onChange={({ target }) => set({ name: target.value })}
      />
      <TextArea
        label="Description"
        rows={2}
        value={fields.description}
        onChange={({ target }) => set({ description: target.value })}
      />
      {mayEditSlug && (
        <TextField
          label="Slug"
          isMono
          required
          maxLength={64}
          hint="Machines may name the project by it. The former one stays reserved for 30 days."
          value={fields.slug}
          onChange={({ target }) => set({ slug: target.value })}
        />
      )}
      <CheckField
        label="Names of new secrets are in capital letters only"
        checked={fields.autoCapitalization}
        onChange={({ target }) => set({ autoCapitalization: target.checked })}
      />
      <CheckField
        label="Protect the project against deletion"
        checked={fields.hasDeleteProtection}
        onChange={({ target }) => set({ hasDeleteProtection: target.checked })}
      />
      {form.error !== undefined && <ErrorNote error={form.error} />}
      <Button kind="primary" type="submit" isBusy={form.isBusy} disabled={Object.keys(changes).length === 0}>
        Save settings
      </Button>
    </form>
  );
}

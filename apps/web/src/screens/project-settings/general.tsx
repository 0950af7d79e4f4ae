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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** Names of the project, and the rules for names of secrets. */
export function General({ project }: { readonly project: Project }) {
  const may = useProjectRights(project.id);
  const { id, name, slug, description, autoCapitalization, createdAt } = project;
  return (
    <>
      <Facts
        of={[
          [texts.id, <code key="id">{id}</code>],
          [words.created, <Time key="created" at={createdAt} />],
        ]}
      />
      {may('settings', 'edit') ? (
        <Fields project={project} mayEditSlug={may('workspace', 'edit')} />
      ) : (
        <Facts
          of={[
            [words.name, name],
            [words.slug, <code key="slug">{slug}</code>],
            [words.description, description],
            [texts.namesOfSecrets, autoCapitalization ? texts.inCapitalLettersOnly : texts.asTheyAre],
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
    toast(texts.settingsAreSaved);
  });
  return (
    <form onSubmit={form.submit}>
      <TextField
        label={words.name}
        required
        maxLength={64}
        value={fields.name}
        onChange={({ target }) => set({ name: target.value })}
      />
      <TextArea
        label={words.description}
        rows={2}
        value={fields.description}
        onChange={({ target }) => set({ description: target.value })}
      />
      {mayEditSlug && (
        <TextField
          label={words.slug}
          isMono
          required
          maxLength={64}
          hint={texts.machinesMayNameProject}
          value={fields.slug}
          onChange={({ target }) => set({ slug: target.value })}
        />
      )}
      <CheckField
        label={texts.namesOfNewSecrets}
        checked={fields.autoCapitalization}
        onChange={({ target }) => set({ autoCapitalization: target.checked })}
      />
      <CheckField
        label={texts.protectProjectAgainstDeletion}
        checked={fields.hasDeleteProtection}
        onChange={({ target }) => set({ hasDeleteProtection: target.checked })}
      />
      {form.error !== undefined && <ErrorNote error={form.error} />}
      <Button kind="primary" type="submit" isBusy={form.isBusy} disabled={Object.keys(changes).length === 0}>
        {texts.saveSettings}
      </Button>
    </form>
  );
}

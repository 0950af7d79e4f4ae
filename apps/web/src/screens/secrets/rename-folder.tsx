import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, queryClient } from '../../app/ask.ts';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { explain } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { toastOutcome } from '../../ui/requested.tsx';
import { Environments } from './environments.tsx';
import { FolderUses } from './folder-uses.tsx';
import type { Overview } from './pages.ts';
import { childPath, type Place } from './place.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface RenameFolderProps {
  readonly place: Place;
  readonly folder: Overview['folders'][number];
  /** Those in which it may be renamed. */
  readonly environments: Overview['environments'];
  readonly onClose: () => void;
}

/** Another name for a folder, in all its environments at once. */
export function RenameFolder({ place, folder, environments, onClose }: RenameFolderProps) {
  const { projectId, path } = place;
  const [name, setName] = useState(folder.name);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(environments.map(({ slug }) => slug)));
  const project = useQuery(ask('projects', 'get', { projectId }));
  const at = [...chosen].map((environment) => ({ environment, path: childPath(path, folder.name) }));
  const form = useForm(async () => {
    const folders = await Promise.all(
      at.map(async (one) => {
        const { folder: found } = await coffer.folders.getAt.query({ projectId, ...one });
        return { id: found.id, environment: one.environment, name: name.trim() };
      }),
    );
    const answer = await coffer.folders.updateMany.mutate({ projectSlug: project.data!.project.slug, folders });
    await queryClient.invalidateQueries({ queryKey: ['secrets'] });
    toastOutcome(projectId, [answer], texts.renamed);
    onClose();
  });
  return (
    <Dialog title={texts.renameFolder(folder.name)} onClose={onClose}>
      <form onSubmit={form.submit}>
        <TextField
          label={texts.newName}
          isMono
          required
          autoFocus
          maxLength={255}
          pattern="[A-Za-z0-9_\-]+"
          title={texts.lettersDigitsAnd}
          value={name}
          onChange={({ target }) => setName(target.value)}
          error={form.error ? explain(form.error) : undefined}
        />
        <Environments environments={environments} chosen={chosen} onChange={setChosen} />
        <FolderUses projectId={projectId} places={at} of="rename" />
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            isBusy={form.isBusy}
            disabled={chosen.size === 0 || name.trim() === folder.name || !project.isSuccess}
          >
            {texts.rename}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

import { useState } from 'react';
import { queryClient } from '../../app/ask.ts';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { useForm } from '../../ui/form.ts';
import { toastOutcome } from '../../ui/requested.tsx';
import { FolderUses } from './folder-uses.tsx';
import type { Overview } from './pages.ts';
import { childPath, type Place } from './place.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface DeleteFoldersProps {
  readonly place: Place;
  readonly folders: Overview['folders'];
  readonly onDone: () => void;
}

export function DeleteFolders(props: DeleteFoldersProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {texts.openDeleteFolders(props.folders.length)}
      </Button>
      {isOpen && <DeleteFoldersDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Deletes folders with all that is below them, at once. The history of the project can restore them. */
export function DeleteFoldersDialog({
  place: { projectId, path },
  folders,
  onDone,
  onClose,
}: DeleteFoldersProps & { readonly onClose: () => void }) {
  const all = folders.flatMap(({ name, environments }) => environments.map((environment) => ({ name, environment })));
  const form = useForm(async () => {
    const answers: object[] = [];
    try {
      for (const { name, environment } of all) {
        answers.push(await coffer.folders.delete.mutate({ projectId, environment, path, folderId: name }));
      }
    } finally {
      toastOutcome(projectId, answers);
      await queryClient.invalidateQueries({ queryKey: ['secrets'] });
    }
    onClose();
    onDone();
  });
  return (
    <Dialog title={texts.deleteFoldersQuestion(folders.length)} onClose={onClose}>
      <form onSubmit={form.submit}>
        <p>
          {texts.withAllSecretsAndFolders(
            folders.map(({ name }) => name).join(', '),
            [...new Set(all.map(({ environment }) => environment))].join(', '),
          )}
        </p>
        <FolderUses
          projectId={projectId}
          places={all.map(({ name, environment }) => ({ environment, path: childPath(path, name) }))}
          of="delete"
        />
        {form.error !== undefined && <ErrorNote error={form.error} />}
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="danger" type="submit" isBusy={form.isBusy}>
            {texts.deleteFolders(folders.length)}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

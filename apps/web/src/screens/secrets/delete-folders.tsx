import { queryClient } from '../../app/ask.ts';
import { coffer } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { count } from '../../ui/count.ts';
import { toast } from '../../ui/toast.tsx';
import type { Overview } from './pages.ts';
import type { Place } from './place.ts';

interface DeleteFoldersProps {
  readonly place: Place;
  readonly folders: Overview['folders'];
  readonly onDone: () => void;
}

/** Deletes folders with all that is below them, at once. The history of the project can restore them. */
export function DeleteFolders({ place: { projectId, path }, folders, onDone }: DeleteFoldersProps) {
  const remove = async () => {
    let requests = 0;
    try {
      for (const { name, environments } of folders)
        for (const environment of environments) {
          const answer = await coffer.folders.delete.mutate({ projectId, environment, path, folderId: name });
          if ('approval' in answer) requests++;
        }
    } finally {
      await queryClient.invalidateQueries({ queryKey: ['secrets'] });
    }
    if (requests > 0) toast(`A change policy covers this: ${count(requests, 'approval')} requested.`);
    onDone();
  };
  return (
    <Act
      label={`Delete ${count(folders.length, 'folder')}…`}
      kind="danger"
      run={remove}
      ask={{
        title: `Delete ${count(folders.length, 'folder')}?`,
        children: (
          <p>
            {folders.map(({ name }) => name).join(', ')}: with all secrets and folders below, in all environments, at
            once. References to these secrets break. The history can restore them.
          </p>
        ),
      }}
    />
  );
}

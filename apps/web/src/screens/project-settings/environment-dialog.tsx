import { useChange } from '../../app/ask.ts';
import { Act } from '../../ui/act.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Project } from './project.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Environment = Project['environments'][number];

/** What is read again after a change of environments. */
export const AFFECTED = ['projects', 'environments', 'secrets'] as const;

interface EnvironmentDialogProps {
  readonly projectId: string;
  readonly of: Environment | 'new';
  readonly onClose: () => void;
}

/** A new environment, or the name and slug of one. */
export function EnvironmentDialog({ projectId, of, onClose }: EnvironmentDialogProps) {
  const shared = { area: 'environments', hidden: ['position'], affects: AFFECTED, onCancel: onClose } as const;
  if (of === 'new')
    return (
      <Dialog title={texts.newEnvironment} onClose={onClose}>
        <OperationForm
          {...shared}
          procedure="create"
          given={{ projectId }}
          submit={words.create}
          onDone={({ environment }) => {
            toast(texts.isCreated(environment.name));
            onClose();
          }}
        />
      </Dialog>
    );
  return (
    <Dialog title={texts.renameEnvironment(of.name)} onClose={onClose}>
      <OperationForm
        {...shared}
        procedure="update"
        given={{ projectId, id: of.id }}
        update={{ current: of }}
        submit={words.save}
        onDone={() => {
          toast(texts.savedReferencesAndImports);
          onClose();
        }}
      />
    </Dialog>
  );
}

export function DeleteEnvironment({ projectId, of }: { readonly projectId: string; readonly of: Environment }) {
  const remove = useChange('environments', 'delete', AFFECTED);
  return (
    <Act
      label={words.delete}
      kind="danger"
      run={() => remove.mutateAsync({ projectId, id: of.id })}
      done={texts.nameIsDeleted(of.name)}
      ask={{
        title: texts.deleteEnvironment(of.name),
        children: <p>{texts.itsSecretsFoldersAndImports}</p>,
      }}
    />
  );
}

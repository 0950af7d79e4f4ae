import { useChange } from '../../app/ask.ts';
import { Act } from '../../ui/act.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Project } from './project.ts';

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
      <Dialog title="New environment" onClose={onClose}>
        <OperationForm
          {...shared}
          procedure="create"
          given={{ projectId }}
          submit="Create"
          onDone={({ environment }) => {
            toast(`${environment.name} is created`);
            onClose();
          }}
        />
      </Dialog>
    );
  return (
    <Dialog title={`Rename the environment ${of.name}`} onClose={onClose}>
      <OperationForm
        {...shared}
        procedure="update"
        given={{ projectId, id: of.id }}
        update={{ current: of }}
        submit="Save"
        onDone={() => {
          toast('Saved. References and imports follow another slug; machines have to be told.');
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
      label="Delete"
      kind="danger"
      run={() => remove.mutateAsync({ projectId, id: of.id })}
      done={`${of.name} is deleted. It can be restored for 30 days.`}
      ask={{
        title: `Delete the environment ${of.name}?`,
        children: (
          <p>
            Its secrets, folders and imports can be restored for 30 days. Dynamic secrets, replications, webhooks,
            integrations and policies of it are gone.
          </p>
        ),
      }}
    />
  );
}

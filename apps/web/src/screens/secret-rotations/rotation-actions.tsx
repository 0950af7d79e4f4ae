import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { areaOf } from '../../ui/schema-form/area.ts';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { labelOf } from '../../ui/schema-form/words.ts';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { toast } from '../../ui/toast.tsx';
import { refOf, type SecretRotation } from './rotation.ts';

/** What can be done with a rotation. */
export function RotationActions({ of: rotation }: { readonly of: SecretRotation }) {
  const { name, projectId } = rotation;
  const may = useProjectRights(projectId);
  const [isUpdating, setUpdating] = useState(false);
  const rotate = useChange('secretRotations', 'rotate', ['secretRotations', 'secrets']);
  const reconcile = useChange('secretRotations', 'reconcile', ['secretRotations', 'secrets']);
  return (
    <>
      {may('secret-rotation', 'rotate-secrets') && (
        <Act
          label="Rotate now"
          kind="primary"
          run={() => rotate.mutateAsync(refOf(rotation))}
          done={`${name} has a new credential`}
        />
      )}
      {may('secret-rotation', 'rotate-secrets') && (
        <Act
          label="Check the credential"
          run={async () => toast((await reconcile.mutateAsync(refOf(rotation))).message)}
          ask={{
            title: `Check the credential of ${name}?`,
            children: <p>The active credential is tried. If it no longer works, another one takes its place.</p>,
          }}
        />
      )}
      {may('secret-rotation', 'read-generated-credentials') && <Credentials of={rotation} />}
      {may('secret-rotation', 'edit') && <Button onClick={() => setUpdating(true)}>Update</Button>}
      {may('secret-rotation', 'delete') && <Delete of={rotation} />}
      {isUpdating && <UpdateRotation of={rotation} onClose={() => setUpdating(false)} />}
    </>
  );
}

type Shown = readonly (readonly [name: string, value: string])[];

/** The credentials that work now; each look at them is recorded. */
function Credentials({ of: rotation }: { readonly of: SecretRotation }) {
  const [shown, setShown] = useState<Shown>();
  return (
    <>
      <Act
        label="Show credentials"
        run={async () => {
          const { generatedCredentials, activeIndex } = await coffer.secretRotations.generatedCredentials.query(
            refOf(rotation),
          );
          setShown(
            generatedCredentials.flatMap((credential, index) =>
              Object.entries(credential).map(
                ([field, value]) =>
                  [`${labelOf(field)} (${index === activeIndex ? 'active' : 'previous'})`, value] as const,
              ),
            ),
          );
        }}
      />
      {shown && (
        <ShownOnce
          title={`Credentials of ${rotation.name}`}
          note="This look is recorded. The active credential is in the secrets; the previous one may still work."
          values={shown}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

function Delete({ of: rotation }: { readonly of: SecretRotation }) {
  const [deleteSecrets, setDeleteSecrets] = useState(false);
  const [revokeGeneratedCredentials, setRevoke] = useState(false);
  const remove = useChange('secretRotations', 'delete', ['secretRotations', 'secrets', 'appConnections']);
  const navigate = useNavigate();
  const { projectId, name } = rotation;
  return (
    <Act
      label="Delete"
      kind="danger"
      done={`The rotation ${name} is deleted`}
      run={async () => {
        await remove.mutateAsync({ ...refOf(rotation), deleteSecrets, revokeGeneratedCredentials });
        await navigate({ to: '/projects/$projectId/secret-rotations', params: { projectId } });
      }}
      ask={{
        title: `Delete the rotation ${name}?`,
        children: (
          <>
            <CheckField
              label="Delete its secrets, too"
              checked={deleteSecrets}
              onChange={(event) => setDeleteSecrets(event.target.checked)}
            />
            <CheckField
              label="First revoke its credentials; otherwise they go on to work"
              checked={revokeGeneratedCredentials}
              onChange={(event) => setRevoke(event.target.checked)}
            />
          </>
        ),
      }}
    />
  );
}

function UpdateRotation({ of: rotation, onClose }: { readonly of: SecretRotation; readonly onClose: () => void }) {
  const { id, type, name } = rotation;
  return (
    <Dialog look="wide" title={`Update ${name}`} onClose={onClose}>
      <OperationForm
        area={areaOf(type, 'Rotations')}
        procedure="update"
        like="create"
        given={{ rotationId: id }}
        update={{ current: rotation }}
        affects={['secretRotations', 'secrets']}
        submit="Save"
        onCancel={onClose}
        onDone={() => {
          toast(`${name} is updated`);
          onClose();
        }}
      />
    </Dialog>
  );
}

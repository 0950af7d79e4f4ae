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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

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
          label={texts.rotateNow}
          kind="primary"
          run={() => rotate.mutateAsync(refOf(rotation))}
          done={texts.hasNewCredential(name)}
        />
      )}
      {may('secret-rotation', 'rotate-secrets') && (
        <Act
          label={texts.checkCredential}
          run={async () => toast((await reconcile.mutateAsync(refOf(rotation))).message)}
          ask={{
            title: texts.checkCredentialOf(name),
            children: <p>{texts.activeCredentialIsTried}</p>,
          }}
        />
      )}
      {may('secret-rotation', 'read-generated-credentials') && <Credentials of={rotation} />}
      {may('secret-rotation', 'edit') && <Button onClick={() => setUpdating(true)}>{words.update}</Button>}
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
        label={texts.showCredentials}
        run={async () => {
          const { generatedCredentials, activeIndex } = await coffer.secretRotations.generatedCredentials.query(
            refOf(rotation),
          );
          setShown(
            generatedCredentials.flatMap((credential, index) =>
              Object.entries(credential).map(
                ([field, value]) =>
                  [
                    index === activeIndex ? texts.labelActive(labelOf(field)) : texts.labelPrevious(labelOf(field)),
                    value,
                  ] as const,
              ),
            ),
          );
        }}
      />
      {shown && (
        <ShownOnce
          title={texts.credentialsOf(rotation.name)}
          note={texts.thisLookIsRecorded}
          values={shown}
          isRepeatable
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
      label={words.delete}
      kind="danger"
      done={texts.rotationIsDeleted(name)}
      run={async () => {
        await remove.mutateAsync({ ...refOf(rotation), deleteSecrets, revokeGeneratedCredentials });
        await navigate({ to: '/projects/$projectId/secret-rotations', params: { projectId } });
      }}
      ask={{
        title: texts.deleteRotation(name),
        children: (
          <>
            <CheckField
              label={texts.deleteItsSecretsToo}
              checked={deleteSecrets}
              onChange={(event) => setDeleteSecrets(event.target.checked)}
            />
            <CheckField
              label={texts.firstRevokeItsCredentials}
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
    <Dialog look="wide" title={texts.updateName(name)} onClose={onClose}>
      <OperationForm
        area={areaOf(type, 'Rotations')}
        procedure="update"
        like="create"
        given={{ rotationId: id }}
        update={{ current: rotation }}
        affects={['secretRotations', 'secrets']}
        submit={words.save}
        onCancel={onClose}
        onDone={() => {
          toast(texts.isUpdated(name));
          onClose();
        }}
      />
    </Dialog>
  );
}

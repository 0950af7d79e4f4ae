import { useState } from 'react';
import { useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import type { Key } from './key.ts';

interface OfKey {
  readonly of: Key;
}

/** What may be done with a key besides updating and deleting it. */
export function KeyActions({ of: key }: OfKey) {
  const { id: keyId, name, projectId, isDisabled, isExportable, deletionDate } = key;
  const may = useProjectRights(projectId);
  const rotate = useChange('kmsKeys', 'rotate');
  const update = useChange('kmsKeys', 'update');
  const cancel = useChange('kmsKeys', 'cancelDeletion');
  if (deletionDate !== null)
    return (
      may('cmek', 'delete') && (
        <Act
          label="Cancel the deletion"
          kind="primary"
          run={() => cancel.mutateAsync({ keyId })}
          done={`${name} is not deleted`}
        />
      )
    );
  return (
    <>
      {!isDisabled && may('cmek', 'rotate') && (
        <Act
          label="Rotate"
          run={() => rotate.mutateAsync({ keyId })}
          done={`${name} has a new version`}
          ask={{
            title: `Rotate ${name}?`,
            children: <p>A new version is used from now on. Older ones still decrypt and verify.</p>,
          }}
        />
      )}
      {isExportable && !isDisabled && may('cmek', 'export-private-key') && <Export of={key} />}
      {may('cmek', 'edit') && (
        <Act
          label={isDisabled ? 'Enable' : 'Disable'}
          run={() => update.mutateAsync({ keyId, isDisabled: !isDisabled })}
          done={`${name} is ${isDisabled ? 'enabled' : 'disabled'}`}
          {...(!isDisabled && {
            ask: { title: `Disable ${name}?`, children: <p>Whatever uses it fails until it is enabled again.</p> },
          })}
        />
      )}
    </>
  );
}

/** Its material, for those who may take it away. */
function Export({ of: { id: keyId, name } }: OfKey) {
  const [shown, setShown] = useState<readonly (readonly [string, string])[]>();
  return (
    <>
      <Act
        label="Export"
        run={async () => {
          const { privateKey, version } = await coffer.kmsKeys.export.query({ keyId });
          setShown([[`Version ${version}, base64`, privateKey]]);
        }}
        ask={{
          title: `Export ${name}?`,
          children: <p>Whoever has its material can use it elsewhere. The audit log records that you exported it.</p>,
        }}
      />
      {shown && (
        <ShownOnce
          title={`The material of ${name}`}
          note="It is in this dialog only."
          values={shown}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

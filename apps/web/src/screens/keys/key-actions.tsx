import { useState } from 'react';
import { useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import type { Key } from './key.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface OfKey {
  readonly of: Key;
}

/** What may be done with a key besides updating and deleting it. */
export function KeyActions({ of: key }: OfKey) {
  const { id: keyId, name, projectId, isDisabled, isExportable, deletionDate, rotationPeriodDays } = key;
  const may = useProjectRights(projectId);
  // Its schedule goes on with it.
  const mayRevive = rotationPeriodDays === null || may('cmek', 'rotate');
  const rotate = useChange('kmsKeys', 'rotate');
  const update = useChange('kmsKeys', 'update');
  const cancel = useChange('kmsKeys', 'cancelDeletion');
  if (deletionDate !== null)
    return (
      may('cmek', 'delete') &&
      may('cmek', 'create') &&
      mayRevive && (
        <Act
          label={texts.cancelDeletion}
          kind="primary"
          run={() => cancel.mutateAsync({ keyId })}
          done={texts.isNotDeleted(name)}
        />
      )
    );
  return (
    <>
      {!isDisabled && may('cmek', 'rotate') && (
        <Act
          label={texts.rotate}
          run={() => rotate.mutateAsync({ keyId })}
          done={texts.hasNewVersion(name)}
          ask={{
            title: texts.rotateName(name),
            children: <p>{texts.newVersionIsUsed}</p>,
          }}
        />
      )}
      {isExportable && !isDisabled && may('cmek', 'export-private-key') && <Export of={key} />}
      {may('cmek', 'edit') && (!isDisabled || mayRevive) && (
        <Act
          label={isDisabled ? texts.enable : texts.disable}
          run={() => update.mutateAsync({ keyId, isDisabled: !isDisabled })}
          done={isDisabled ? texts.isEnabled(name) : texts.isDisabled(name)}
          {...(!isDisabled && {
            ask: { title: texts.disableName(name), children: <p>{texts.whateverUsesItFails}</p> },
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
        label={words.export}
        run={async () => {
          const { privateKey, version } = await coffer.kmsKeys.export.query({ keyId });
          setShown([[texts.versionBase64(version), privateKey]]);
        }}
        ask={{
          title: texts.exportName(name),
          children: <p>{texts.whoeverHasItsMaterial}</p>,
        }}
      />
      {shown && (
        <ShownOnce
          title={texts.materialOf(name)}
          note={texts.itIsInThisDialog}
          values={shown}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

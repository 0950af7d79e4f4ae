import { useState } from 'react';
import { useChange } from '../../app/ask.ts';
import { Act } from '../../ui/act.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Part } from '../../ui/detail.tsx';
import { areaOf } from '../../ui/schema-form/area.ts';
import { Plan } from './plan.tsx';
import { refOf, type SecretSync } from './sync.ts';
import { texts } from './texts.ts';

/** Before anything is written: what would be, and the decision. */
export function FirstSync({ of: sync }: { readonly of: SecretSync }) {
  const [isKept, setKept] = useState(true);
  const update = useChange(areaOf(sync.destination, 'Syncs'), 'update', ['secretSyncs']);
  const start = useChange('secretSyncs', 'syncSecrets');
  return (
    <Part title={texts.beforeFirstSync}>
      <p>{texts.nothingHasBeenWritten}</p>
      <Plan of={sync} />
      <CheckField
        label={texts.alsoWriteLaterChanges}
        checked={isKept}
        onChange={(event) => setKept(event.target.checked)}
      />
      <Act
        label={texts.startFirstSync}
        kind="primary"
        done={texts.syncIsStarted(sync.name)}
        run={async () => {
          if (isKept && !sync.isAutoSyncEnabled) await update.mutateAsync({ syncId: sync.id, isAutoSyncEnabled: true });
          await start.mutateAsync(refOf(sync));
        }}
      />
    </Part>
  );
}

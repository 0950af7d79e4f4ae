import { coffer } from '../../app/session.ts';
import { SyncPlan } from '../../ui/sync-plan.tsx';
import { refOf, type SecretSync } from './sync.ts';
import { texts } from './texts.ts';

/** What the next sync does. */
export function Plan({ of: sync }: { readonly of: SecretSync }) {
  const ref = refOf(sync);
  return (
    <SyncPlan
      queryKey={['secretSyncs', 'plan', ref, sync.version]}
      read={(signal) => coffer.secretSyncs.plan.mutate(ref, { signal })}
      effectsOf={({ create, change, remove, import: imported, rejected }) => [
        [texts.createsThere, create],
        [texts.changesThere, change],
        [texts.removesThere, remove],
        [texts.importsIntoFolderFirst, imported],
        [texts.cannotBeStoredThere, rejected.map(({ name, reason }) => `${name} (${reason})`)],
      ]}
    />
  );
}

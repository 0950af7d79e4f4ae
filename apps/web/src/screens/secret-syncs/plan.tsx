import type { CofferError, Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/detail.tsx';
import { Queried } from '../../ui/query.tsx';
import { refOf, type SecretSync } from './sync.ts';

type SyncPlan = Outputs['secretSyncs']['plan']['plan'];

/** What the next sync does: names, without values. Both sides are read for it. */
export function Plan({ of: sync }: { readonly of: SecretSync }) {
  const ref = refOf(sync);
  const plan = useQuery<{ plan: SyncPlan }, CofferError>({
    queryKey: ['secretSyncs', 'plan', ref, sync.version],
    queryFn: ({ signal }) => coffer.secretSyncs.plan.mutate(ref, { signal }),
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Queried query={plan}>
      {({ plan: { create, change, remove, import: imported, rejected } }) => {
        const isNothing = [create, change, remove, imported, rejected].every(({ length }) => length === 0);
        return (
          <>
            {isNothing ? (
              <p>Both sides are the same: a sync changes nothing.</p>
            ) : (
              <Facts
                of={[
                  ['Creates there', names(create)],
                  ['Changes there', names(change)],
                  ['Removes there', names(remove)],
                  ['Imports into the folder first', names(imported)],
                  ['Cannot be stored there', names(rejected.map(({ name, reason }) => `${name} (${reason})`))],
                ]}
              />
            )}
            <Button kind="quiet" isBusy={plan.isFetching} onClick={() => void plan.refetch()}>
              Compare again
            </Button>
          </>
        );
      }}
    </Queried>
  );
}

const names = (all: readonly string[]) => (all.length === 0 ? undefined : `${all.length}: ${all.join(', ')}`);

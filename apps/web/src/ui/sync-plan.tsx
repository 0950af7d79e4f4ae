import type { CofferError } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Button } from './button.tsx';
import { Facts } from './detail.tsx';
import { Queried } from './query.tsx';
import { texts } from './texts.ts';

interface SyncPlanProps<Plan> {
  /** Names the plan among the queries: another version of the sync has another one. */
  readonly queryKey: readonly unknown[];
  readonly read: (signal: AbortSignal) => Promise<{ readonly plan: Plan }>;
  /** What it does, by name. */
  readonly effectsOf: (plan: Plan) => readonly (readonly [effect: string, names: readonly string[]])[];
}

/** What the next run of a sync does: names, without values. Both sides are read for it. */
export function SyncPlan<Plan>({ queryKey, read, effectsOf }: SyncPlanProps<Plan>) {
  const plan = useQuery<{ readonly plan: Plan }, CofferError>({
    queryKey,
    queryFn: ({ signal }) => read(signal),
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Queried query={plan}>
      {({ plan: planned }) => {
        const effects = effectsOf(planned).filter(([, names]) => names.length > 0);
        return (
          <>
            {effects.length === 0 ? (
              <p>{texts.bothSidesAreTheSame}</p>
            ) : (
              <Facts
                of={effects.map(([effect, names]) => [effect, texts.namesOfEffect(names.length, names.join(', '))])}
              />
            )}
            <Button kind="quiet" isBusy={plan.isFetching} onClick={() => void plan.refetch()}>
              {texts.compareAgain}
            </Button>
          </>
        );
      }}
    </Queried>
  );
}

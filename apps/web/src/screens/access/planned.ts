import type { CofferError, Inputs, Outputs } from '@coffer/client';
import { useMutation } from '@tanstack/react-query';
import { queryClient } from '../../app/ask.ts';
import { coffer } from '../../app/session.ts';

type Area = keyof Inputs;
type Mutate = Readonly<Record<string, Readonly<Record<string, { mutate: (input: unknown) => Promise<never> }>>>>;

type Plan = Outputs['access']['plan'];

interface Running {
  readonly isPending: boolean;
  readonly error: CofferError | null;
}

/** A change of rights, and its dry run. */
export interface PlannedChange<Input, Output = unknown> {
  /** `groups.update` */
  readonly operation: string;
  readonly change: Running & { mutate(input: Input, options: { onSuccess(output: Output): void }): void };
  readonly plan: Running & { readonly data: Plan | undefined; mutate(input: Input): void };
}

/**
 * Like `useChange`, with the effect of the change before it is made: what `access.plan` answers for the same input. `common`
 * are the fields that all inputs of a screen have alike: `{ projectId }`.
 */
export function usePlannedChange<
  A extends Area,
  P extends keyof Inputs[A] & keyof Outputs[A] & string,
  Field extends keyof Inputs[A][P] = never,
>(
  area: A,
  procedure: P,
  {
    affects = [area],
    common,
  }: { readonly affects?: readonly Area[]; readonly common?: Pick<Inputs[A][P], Field> } = {},
): PlannedChange<Omit<Inputs[A][P], Field>, Outputs[A][P]> {
  type Input = Omit<Inputs[A][P], Field>;
  const change = useMutation<Outputs[A][P], CofferError, Input>({
    gcTime: 0,
    mutationFn: (input) => (coffer as unknown as Mutate)[area]![procedure]!.mutate({ ...common, ...input }),
    onSuccess: () =>
      Promise.all([...affects, ...ALWAYS].map((one) => queryClient.invalidateQueries({ queryKey: [one] }))),
  });
  const operation = `${area}.${procedure}`;
  const plan = useMutation<Plan, CofferError, Input>({
    mutationFn: (input) => coffer.access.plan.mutate({ operation, input: { ...common, ...input } }),
  });
  return { operation, change, plan };
}

/** What shows the rights of somebody, the caller included. */
const ALWAYS: readonly Area[] = ['access', 'projectMembersV1', 'organizations'];

import type { CofferError, Inputs, Outputs } from '@coffer/client';
import {
  QueryClient,
  useMutation,
  type QueryKey,
  type UseMutationResult,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { coffer, session } from './session.ts';

type Area = keyof Inputs;
type Procedure<A extends Area> = keyof Inputs[A] & keyof Outputs[A] & string;
type Verbs = Readonly<
  Record<string, Readonly<Record<string, Record<'query' | 'mutate', (...args: unknown[]) => Promise<never>>>>>
>;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Whether the server is there is asked of the server.
      networkMode: 'always',
      staleTime: 10_000,
      // The client itself repeats what may be repeated.
      retry: false,
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: 'always' },
  },
});

// Nothing of one user, or one organization, is shown to the next.
let shownTo = '';
session.subscribe(() => {
  const now = session.get();
  const next =
    now.state === 'signed-in' ? `${now.user.id} ${now.organizationId}` : now.state === 'locked' ? shownTo : '';
  if (next === shownTo) return;
  shownTo = next;
  queryClient.clear();
});

/** A read, for `useQuery`: `ask('projects', 'get', { projectId })`. Its key begins with the area, by which it is invalidated. */
export const ask = <A extends Area, P extends Procedure<A>>(
  area: A,
  procedure: P,
  input: Inputs[A][P],
): UseQueryOptions<Outputs[A][P], CofferError> & { readonly queryKey: QueryKey } => ({
  queryKey: [area, procedure, input],
  queryFn: ({ signal }) => (coffer as unknown as Verbs)[area]![procedure]!.query(input, { signal }),
});

/**
 * A change, for buttons and forms: `const rename = useChange('projects', 'update', ['projects'])`. Afterwards what is shown of
 * these areas is asked for again.
 */
export function useChange<A extends Area, P extends Procedure<A>>(
  area: A,
  procedure: P,
  affects: readonly Area[] = [area],
): UseMutationResult<Outputs[A][P], CofferError, Inputs[A][P]> {
  return useMutation({
    // What was sent, and what came, may be secret: it is not kept longer than the form that sent it.
    gcTime: 0,
    mutationFn: (input) => (coffer as unknown as Verbs)[area]![procedure]!.mutate(input),
    onSuccess: () => Promise.all(affects.map((one) => queryClient.invalidateQueries({ queryKey: [one] }))),
  });
}

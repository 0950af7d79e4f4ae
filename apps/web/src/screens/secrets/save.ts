import type { Inputs } from '@coffer/client';
import { coffer } from '../../app/session.ts';
import { queryClient } from '../../app/ask.ts';
import { hideAll } from '../../app/reveal.ts';
import { discard, type Draft } from './drafts.ts';

type Change = Inputs['secrets']['change']['changes'][number];

/** Drafts as one change: what belongs to a folder of an environment together. */
function changesOf(drafts: Iterable<Draft>): Change[] {
  const folders = Map.groupBy(drafts, ({ environment, secretPath }) => `${environment}\n${secretPath}`);
  return [...folders.values()].map((some) => {
    const [{ environment, secretPath }] = some as [Draft];
    const of = (kind: Draft['kind']) => some.filter((draft) => draft.kind === kind);
    return {
      environment,
      secretPath,
      create: of('create').map(({ secretKey, value = '', details }) => ({
        secretKey,
        secretValue: value,
        ...details,
      })),
      update: of('update').map(({ secretKey, value, details, expectedVersion }) => ({
        secretKey,
        ...(value !== undefined && { secretValue: value }),
        ...details,
        ...(expectedVersion !== undefined && { expectedVersion }),
      })),
      delete: of('delete').map(({ secretKey, expectedVersion }) => ({
        secretKey,
        ...(expectedVersion !== undefined && { expectedVersion }),
      })),
    };
  });
}

/**
 * Saves drafts, all or none. Where a change policy covers them, approval is requested instead: the answer has that request.
 *
 * @throws CofferError 409 if somebody has changed one of them since; the drafts stay.
 */
export async function save(projectId: string, drafts: readonly Draft[], message: string): Promise<object> {
  const answer = await coffer.secrets.change.mutate({
    projectId,
    changes: changesOf(drafts),
    ...(message && { message }),
  });
  discard(projectId, drafts);
  // What is shown may not be the newest any more.
  hideAll();
  await queryClient.invalidateQueries({ queryKey: ['secrets'] });
  return answer;
}

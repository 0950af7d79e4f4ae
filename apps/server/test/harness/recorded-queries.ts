import type { Coffer } from '@coffer/domain';
import { onEveryQuery } from './every-query.ts';

/** The texts of all queries without a name from now on: those of the entity manager. */
export function recordedQueries(coffer: Coffer): ReadonlySet<string> {
  const texts = new Set<string>();
  onEveryQuery(coffer, () => ({ name, text }, send) => {
    if (name === text) texts.add(text);
    return send();
  });
  return texts;
}

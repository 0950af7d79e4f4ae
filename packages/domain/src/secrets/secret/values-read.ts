import type { ReadPlace } from './secret.ts';

/** Folders that one event names. */
const MAX_NAMED = 100;

/** A secret of an answer, with its value or without. */
export interface MaybeRead {
  readonly environment: string;
  readonly secretPath: string;
  readonly secretValueHidden: boolean;
}

/** For the event of a read of several folders: how many values the answer has, and of which folders. */
export function valuesRead(secrets: Iterable<MaybeRead>): { numberOfValues: number; values: ReadPlace[] } {
  const places = new Map<string, ReadPlace>();
  let numberOfValues = 0;
  for (const { environment, secretPath, secretValueHidden } of secrets) {
    if (secretValueHidden) continue;
    numberOfValues++;
    const name = `${environment}:${secretPath}`;
    const place = places.get(name) ?? { environment, secretPath, numberOfSecrets: 0 };
    place.numberOfSecrets++;
    if (places.size < MAX_NAMED) places.set(name, place);
  }
  return { numberOfValues, values: [...places.values()] };
}

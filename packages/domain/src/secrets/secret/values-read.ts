import { placesRead } from './read-places.ts';
import type { ReadPlace } from './secret.ts';

/** A secret of an answer, with its value or without. */
interface MaybeRead {
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
    const numberOfSecrets = (places.get(name)?.numberOfSecrets ?? 0) + 1;
    places.set(name, { environment, secretPath, numberOfSecrets });
  }
  return { numberOfValues, values: placesRead([...places.values()]) };
}

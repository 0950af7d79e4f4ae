import { placesOf } from './read-places.ts';
import type { ReadPlace } from './secret.ts';

/** A secret of an answer, with its value or without. */
interface MaybeRead {
  readonly environment: string;
  readonly secretPath: string;
  readonly secretValueHidden: boolean;
}

/** For the event of a read of several folders: how many values the answer has, and of which folders. */
export function valuesRead(secrets: readonly MaybeRead[]): { numberOfValues: number; values: ReadPlace[] } {
  const read = secrets.filter(({ secretValueHidden }) => !secretValueHidden);
  return { numberOfValues: read.length, values: placesOf(read) };
}

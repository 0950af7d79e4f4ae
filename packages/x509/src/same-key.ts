import type { KeyObject } from 'node:crypto';
import { spkiOf } from './algorithm.ts';

/**
 * Whether two public keys are equal. For keys of different types, `KeyObject.equals` leaves an error in OpenSSL's
 * queue, which the next key parser reports.
 */
export const sameKey = (one: KeyObject, other: KeyObject): boolean => spkiOf(one).equals(spkiOf(other));

import type { KeyObject } from 'node:crypto';
import { spkiOf } from './algorithm.ts';

/**
 * Whether two public keys are one. Of keys of different kinds, `KeyObject.equals` leaves an error behind in OpenSSL, which
 * whatever reads a key next is blamed for.
 */
export const sameKey = (one: KeyObject, other: KeyObject): boolean => spkiOf(one).equals(spkiOf(other));

import type { Credentials } from '../../connection/index.ts';

/** Of a rotation type, for the suites that all of them share. */
export interface RotationExample {
  /** Parameters that its schema accepts, and that fit to the connection. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Pairs of parameters with which the system would change the same accounts; none where names are compared as they are. */
  readonly spellings: readonly (readonly [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>])[];
  /** Credentials of the app. */
  readonly connection: Credentials;
  readonly temporaryParameters?: Readonly<Record<string, unknown>>;
}

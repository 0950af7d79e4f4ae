import type { Credentials } from '../../connection/index.ts';

/** Of a rotation type, for the suites that all of them share. */
export interface RotationExample {
  /** Parameters that its schema accepts, and that fit to the connection. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Credentials of the app. */
  readonly connection: Credentials;
  readonly temporaryParameters?: Readonly<Record<string, unknown>>;
}

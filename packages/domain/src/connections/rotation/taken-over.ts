import type { StoredCredential } from './credentials.ts';
import { exists } from './end-credential.ts';
import { loginsOf, type Rotation } from './rotation.ts';

/**
 * The logins of the credentials that a rotation has made. It goes on with them, whatever uses them by now: whoever has read a
 * credential could stop it otherwise.
 */
export const takenOver = (rotation: Rotation, stored: readonly StoredCredential[]): ReadonlySet<string> =>
  new Set(stored.filter(exists).flatMap((one) => loginsOfOne(rotation, one)));

function loginsOfOne(rotation: Rotation, { credential, parameters }: StoredCredential): readonly string[] {
  const login = credential && rotation.loginOf({ ...credential, method: '' });
  return login === undefined ? loginsOf(rotation, parameters) : [login];
}

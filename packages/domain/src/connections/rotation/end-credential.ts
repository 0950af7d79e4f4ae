import { isRemote } from '../../family/index.ts';
import type { StoredCredential } from './credentials.ts';
import type { Rotation, RotationTarget } from './rotation.ts';

/** Whether the other system has it: its answer to `apply` is stored, whatever it says of the credential afterwards. */
export const exists = ({ credential, isMade = false }: StoredCredential): boolean => credential !== undefined || isMade;

/**
 * Ends a credential at the other system. Only of one that does not surely exist, a rejection means that there is nothing to
 * end, such as that of an account that does not exist.
 *
 * @throws DomainError `remote.*`
 */
export async function endCredential(
  rotation: Rotation,
  target: RotationTarget<unknown>,
  stored: StoredCredential,
): Promise<void> {
  try {
    await rotation.revoke(target, stored);
  } catch (error) {
    if (exists(stored) || !isRemote(error, 'rejected')) throw error;
  }
}

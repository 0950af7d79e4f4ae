import { addMember } from '../access/membership/index.ts';
import type { Coffer } from '../app/coffer.ts';
import { hashPassword } from '../crypto/index.ts';
import { inTransaction, newId, type UserActor } from '../kernel/index.ts';
import { openSession } from '../users/session/index.ts';
import { UserEntity } from '../users/user/index.ts';

export interface MakeUser {
  /** Default: a new address. */
  readonly email?: string;
  /** Default: none; such a user cannot log in, but has a session already. */
  readonly password?: string;
  /** The organization that the user belongs to and that the token speaks for. */
  readonly organizationId?: string;
  /** A built-in role of the organization, or the slug of a custom one; default `no-access`. */
  readonly role?: string;
  readonly isSuperAdmin?: boolean;
}

export interface MadeUser {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly actor: UserActor;
}

/** A person with an open session and a token for it. */
export async function makeUser(coffer: Coffer, make: MakeUser = {}): Promise<MadeUser> {
  const { email = `${newId()}@example.com`, password, organizationId, role = 'no-access', isSuperAdmin = false } = make;
  const passwordHash =
    password === undefined ? null : await hashPassword(coffer, password, { key: email, isStranger: false });
  return inTransaction(coffer.contextFor({ type: 'platform', organizationId }), async (tx) => {
    const user = tx.em.create(UserEntity, {
      id: newId(),
      username: email,
      email,
      firstName: 'Ann',
      lastName: 'Lee',
      passwordHash,
      isAccepted: true,
      isSuperAdmin,
    });
    await tx.em.persist(user).flush();
    if (organizationId) await addMember(tx, { organizationId, userId: user.id, roles: [{ role, isTemporary: false }] });
    await tx.em.flush();
    const { accessToken } = await openSession(tx, user, organizationId ?? null);
    return { id: user.id, email, token: accessToken, actor: tx.actor as UserActor };
  });
}

import type { Actor, Transaction } from '../../kernel/index.ts';
import type { UserEntity } from '../user/index.ts';

interface Continuing {
  /** None if the user has proved to be it without one: by a code that was mailed. */
  readonly sessionId?: string;
  readonly organizationId?: string | null;
}

/** The transaction, of nobody until now, continues as this user, who is authenticated: its events have the user as actor. */
export function continueAs(tx: Transaction, user: UserEntity, { sessionId, organizationId }: Continuing = {}): void {
  const call = tx as { -readonly [Key in 'actor']: Actor };
  call.actor = {
    type: 'user',
    id: user.id,
    name: [user.firstName, user.lastName].filter(Boolean).join(' ') || user.username,
    email: user.email ?? null,
    username: user.username,
    sessionId,
    isSuperAdmin: user.isSuperAdmin,
    organizationId: organizationId ?? undefined,
  };
}

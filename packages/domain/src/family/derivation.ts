import { CallerLimiter, type OutboundConnect, type OutboundConnection } from '../kernel/index.ts';

/** What a client that logs in with a password needs from the engine that uses it. */
export interface LoginIo {
  readonly connect: OutboundConnect;
  /** Whose credentials these are. */
  readonly organizationId: string;
}

/** One at a time: it occupies one of the threads that all of the process shares, for half a second at most. */
const derivations = new CallerLimiter(1);

/**
 * Derives a key from a password as often as a remote asks for, once it is the turn of the organization, unless the connection has
 * ended by then.
 *
 * @throws DomainError `outbound.*` for such a connection; whatever the work throws.
 */
export const deriveInTurn = <T>(
  organizationId: string,
  connection: OutboundConnection,
  work: () => Promise<T>,
): Promise<T> =>
  derivations.runAnyway(organizationId, () => {
    if (connection.failure) throw connection.failure;
    return work();
  });

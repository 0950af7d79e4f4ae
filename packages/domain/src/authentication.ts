import { authenticateService, SERVICE_TOKEN } from './access/service-token/index.ts';
import type { Call } from './call.ts';
import { refusedToken, type Actor } from './kernel/index.ts';
import { IDENTITY_TOKEN } from './identities/access-token/access-token.ts';
import { authenticateIdentity } from './identities/access-token/authenticate.ts';
import { authenticateUser, USER_TOKEN } from './users/session/index.ts';

/** Each kind of credential has a prefix of its own. */
const KINDS: readonly (readonly [prefix: string, authenticate: (call: Call, token: string) => Promise<Actor>])[] = [
  [IDENTITY_TOKEN, (call, token) => authenticateIdentity(call, call.coffer.identityTokens, token)],
  [USER_TOKEN, (call, token) => authenticateUser(call, call.coffer.userTokens, token)],
  [SERVICE_TOKEN, (call, token) => authenticateService(call, call.coffer.serviceTokens, token)],
];

/**
 * Who a bearer token stands for.
 *
 * @throws DomainError 401 for a token that is unknown, expired, revoked or used up, and for text that is none; 403 from
 * an address that the token may not come from.
 */
export function authenticate(call: Call, token: string): Promise<Actor> {
  const kind = KINDS.find(([prefix]) => token.startsWith(prefix));
  if (!kind) throw refusedToken();
  return kind[1](call, token);
}

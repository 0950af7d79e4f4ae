import { authenticateService, SERVICE_TOKEN } from './access/service-token/index.ts';
import type { Call } from './call.ts';
import { refusedToken, type Actor } from './kernel/index.ts';
import { IDENTITY_TOKEN } from './identities/access-token/access-token.ts';
import { authenticateIdentity, recognizeIdentity } from './identities/access-token/authenticate.ts';
import { authenticateUser, recognizeUser, USER_TOKEN } from './users/session/index.ts';

type Authenticate = (call: Call, token: string) => Promise<Actor>;

/** Each kind of credential has a prefix of its own; `again` is for those who are there already, and counts no use. */
const KINDS: readonly { prefix: string; authenticate: Authenticate; again: Authenticate }[] = [
  {
    prefix: IDENTITY_TOKEN,
    authenticate: (call, token) => authenticateIdentity(call, call.coffer.identityTokens, token),
    again: (call, token) => recognizeIdentity(call, call.coffer.identityTokens, token),
  },
  {
    prefix: USER_TOKEN,
    authenticate: (call, token) => authenticateUser(call, call.coffer.userTokens, token),
    again: (call, token) => recognizeUser(call, call.coffer.userTokens, token),
  },
  {
    prefix: SERVICE_TOKEN,
    authenticate: (call, token) => authenticateService(call, call.coffer.serviceTokens, token),
    again: (call, token) => authenticateService(call, call.coffer.serviceTokens, token),
  },
];

function kindOf(token: string): (typeof KINDS)[number] {
  const kind = KINDS.find(({ prefix }) => token.startsWith(prefix));
  if (!kind) throw refusedToken();
  return kind;
}

/**
 * Who a bearer token stands for.
 *
 * @throws DomainError 401 for a token that is unknown, expired, revoked or used up, and for text that is none; 403 from
 * an address that the token may not come from.
 */
export const authenticate: Authenticate = (call, token) => kindOf(token).authenticate(call, token);

/** Who a token stands for that was authenticated before, in a call that goes on: it counts as one use. Throws the same. */
export const authenticateAgain: Authenticate = (call, token) => kindOf(token).again(call, token);

import { authenticateService, SERVICE_TOKEN } from '../access/service-token/index.ts';
import type { Call } from './call.ts';
import { refusedToken, type Actor } from '../kernel/index.ts';
import { IDENTITY_TOKEN } from '../identities/access-token/access-token.ts';
import { authenticateIdentity, recognizeIdentity } from '../identities/access-token/authenticate.ts';
import { API_KEY, authenticateApiKey, recognizeApiKey } from '../users/api-key/index.ts';
import { authenticateUser, recognizeUser, USER_TOKEN } from '../users/session/index.ts';

/** The credential of a caller and its header: the text of `Authorization: Bearer`, or of `X-API-Key`. */
export interface Credential {
  readonly header: 'authorization' | 'x-api-key';
  readonly text: string;
}

/** The access token of a machine identity, a user or a service, as a credential. */
export const bearerToken = (text: string): Credential => ({ header: 'authorization', text });

type Authenticate<Presented = string> = (call: Call, presented: Presented) => Promise<Actor>;

interface Kind {
  readonly header: Credential['header'];
  readonly prefix: string;
  readonly authenticate: Authenticate;
  readonly again: Authenticate;
}

/**
 * Each type of credential has its header and prefix; `again` reauthenticates a running call, without counting a use.
 */
const KINDS: readonly Kind[] = [
  {
    header: 'authorization',
    prefix: IDENTITY_TOKEN,
    authenticate: (call, token) => authenticateIdentity(call, call.coffer.identityTokens, token),
    again: (call, token) => recognizeIdentity(call, call.coffer.identityTokens, token),
  },
  {
    header: 'authorization',
    prefix: USER_TOKEN,
    authenticate: (call, token) => authenticateUser(call, call.coffer.userTokens, token),
    again: (call, token) => recognizeUser(call, call.coffer.userTokens, token),
  },
  {
    header: 'authorization',
    prefix: SERVICE_TOKEN,
    authenticate: (call, token) => authenticateService(call, call.coffer.serviceTokens, token),
    again: (call, token) => authenticateService(call, call.coffer.serviceTokens, token),
  },
  {
    header: 'x-api-key',
    prefix: API_KEY,
    authenticate: (call, key) => authenticateApiKey(call, call.coffer.apiKeys, key),
    again: (call, key) => recognizeApiKey(call, call.coffer.apiKeys, key),
  },
];

function kindOf({ header, text }: Credential): Kind {
  const kind = KINDS.find((one) => one.header === header && text.startsWith(one.prefix));
  if (!kind) throw refusedToken();
  return kind;
}

/**
 * The actor of a credential.
 *
 * @throws DomainError 401 for a token or key that is unknown, expired, revoked, used up, malformed or in the wrong
 * header; 403 from an address that the token does not permit.
 */
export const authenticate: Authenticate<Credential> = (call, presented) =>
  kindOf(presented).authenticate(call, presented.text);

/**
 * The actor of a credential that was authenticated before, for a running call: both count as one use. Throws the same.
 */
export const authenticateAgain: Authenticate<Credential> = (call, presented) =>
  kindOf(presented).again(call, presented.text);

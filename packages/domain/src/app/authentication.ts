import { hash } from 'node:crypto';
import { authenticateService, SERVICE_TOKEN, withoutFourthPart } from '../access/service-token/index.ts';
import { HashedToken } from '../crypto/index.ts';
import type { Call } from './call.ts';
import { refusedToken, type Actor, type MaybePromise } from '../kernel/index.ts';
import { IDENTITY_TOKEN } from '../identities/access-token/access-token.ts';
import { authenticateIdentity, recognizeIdentity } from '../identities/access-token/authenticate.ts';
import { API_KEY, authenticateApiKey, recognizeApiKey } from '../users/api-key/index.ts';
import { authenticateUser, recognizeUser, USER_TOKEN } from '../users/session/index.ts';

/** The credential of a caller and its header: the text of `Authorization: Bearer`, or of `X-API-Key`. */
export class Credential extends HashedToken {
  readonly header: 'authorization' | 'x-api-key';
  #counted: string | undefined;

  constructor(header: Credential['header'], text: string) {
    super(text);
    this.header = header;
  }

  /** What it is counted by: its key, without any suffix that its client appends. */
  get counted(): string {
    return (this.#counted ??= this.#countedKey());
  }

  #countedKey(): string {
    const counted = withoutFourthPart(this.text);
    return counted === this.text ? this.key : hash('sha256', counted, 'base64');
  }
}

/** The access token of a machine identity, a user or a service, as a credential. */
export const bearerToken = (text: string): Credential => new Credential('authorization', text);

type Authenticate = (call: Call, presented: Credential) => MaybePromise<Actor>;

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
    authenticate: (call, { text }) => authenticateService(call, call.coffer.serviceTokens, text),
    again: (call, { text }) => authenticateService(call, call.coffer.serviceTokens, text),
  },
  {
    header: 'x-api-key',
    prefix: API_KEY,
    authenticate: (call, { text }) => authenticateApiKey(call, call.coffer.apiKeys, text),
    again: (call, { text }) => recognizeApiKey(call, call.coffer.apiKeys, text),
  },
];

function kindOf({ header, text }: Credential): Kind {
  const kind = KINDS.find((one) => one.header === header && text.startsWith(one.prefix));
  if (!kind) throw refusedToken();
  return kind;
}

/**
 * The actor of a credential, without a promise if it is cached.
 *
 * @throws DomainError 401 for a token or key that is unknown, expired, revoked, used up, malformed or in the wrong
 * header; 403 from an address that the token does not permit.
 */
export const authenticate: Authenticate = (call, presented) => kindOf(presented).authenticate(call, presented);

/**
 * The actor of a credential that was authenticated before, for a running call: both count as one use. Throws the same.
 */
export const authenticateAgain: Authenticate = (call, presented) => kindOf(presented).again(call, presented);

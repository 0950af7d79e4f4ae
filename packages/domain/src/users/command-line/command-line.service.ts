import { organizationOf } from '../../access/index.ts';
import { hashOf, isToken, makeToken, sameHash } from '../../crypto/index.ts';
import {
  at,
  forbidden,
  inTransaction,
  record,
  statement,
  unauthenticated,
  type Context,
  type SessionActor,
  type Transaction,
} from '../../kernel/index.ts';
import {
  endOfLifetime,
  LOCK_USER,
  openSession,
  provesSession,
  sessionIsOver,
  sessionOf,
  userLoggedIn,
} from '../session/index.ts';
import { recordForUser, UserEntity } from '../user/index.ts';
import {
  commandLineAuthorized,
  type AuthorizeCommandLine,
  type CommandLineCode,
  type CommandLineSession,
  type ExchangeCommandLineCode,
} from './command-line.ts';

/** The prefix of the codes. */
const CODE = 'cfl_';
const CODE_LIFETIME_MS = 120_000;
/** In the list of sessions. */
const NAME = 'command line';

/** Where a user agreed: a session, in one organization. */
interface Consent {
  readonly sessionId: string;
  readonly userId: string;
  readonly organizationId: string;
}

/**
 * Creates a code for the command line that has the verifier of the challenge. `presented` is the refresh token of the calling
 * session: an access token alone opens no further session.
 *
 * @throws DomainError 403 without the refresh token of the session, and for API keys.
 */
export async function authorizeCommandLine(
  ctx: Context,
  { codeChallenge }: AuthorizeCommandLine,
  presented: string | undefined,
): Promise<CommandLineCode> {
  return agreeing(ctx, presented, async (tx, { sessionId, userId, organizationId }) => {
    const { token: code, hash } = makeToken(CODE);
    const expiresAt = new Date(tx.now().getTime() + CODE_LIFETIME_MS);
    const verifierHash = Buffer.from(codeChallenge, 'base64url');
    await tx.sql(STORE, [hash, sessionId, userId, organizationId, verifierHash, expiresAt]);
    return { code, expiresAt };
  });
}

/**
 * Opens a session for a command line that takes tokens from the page, without a code.
 *
 * @throws DomainError as `authorizeCommandLine`.
 */
export async function openCommandLine(ctx: Context, presented: string | undefined): Promise<CommandLineSession> {
  return agreeing(ctx, presented, async (tx, consent) => {
    const session = await open(tx, consent);
    if (!session) throw sessionIsOver();
    return session;
  });
}

/**
 * Exchanges a code, once, for a session. A wrong verifier ends it, too.
 *
 * @throws DomainError 401 for a code that is unknown, used, expired or of another verifier, and after the end of the session
 * in which the user agreed.
 */
export async function exchangeCommandLineCode(
  ctx: Context,
  { code, codeVerifier }: ExchangeCommandLineCode,
): Promise<CommandLineSession> {
  if (!isToken(CODE, code)) throw refused();
  // The end of the code is committed before the error is thrown, because the error rolls back its transaction.
  const session = await inTransaction(ctx, async (tx) => {
    const consent = await takeCode(tx, hashOf(code), codeVerifier);
    return consent && open(tx, consent);
  });
  if (!session) throw refused();
  return session;
}

const refused = () =>
  unauthenticated(
    'command_line.invalid_code',
    'The code is not valid: it is unknown, used, expired or for another command line; start the login again',
  );

function consentOf(ctx: Context): Consent {
  const { id: userId, sessionId }: SessionActor = sessionOf(ctx);
  return { sessionId, userId, organizationId: organizationOf(ctx) };
}

const STORE = statement(
  'command_line_codes.insert',
  `insert into command_line_codes (hash, session_id, user_id, organization_id, verifier_hash, expires_at)
   values ($1, $2, $3, $4, $5, $6)`,
);

/**
 * Does in one transaction what the user agrees to. Checked under the lock of ending all credentials, as everything that makes
 * some.
 *
 * @throws DomainError 403 without the refresh token of the calling session, and in a session of a command line. A replaced token
 * ends its session.
 */
async function agreeing<T>(
  ctx: Context,
  presented: string | undefined,
  work: (tx: Transaction, consent: Consent) => Promise<T>,
): Promise<T> {
  const consent = consentOf(ctx);
  const { sessionId, userId } = consent;
  const done = await inTransaction(ctx, async (tx) => {
    await tx.sql(LOCK_USER, [userId]);
    if (presented === undefined || !(await provesSession(tx, presented, consent))) return undefined;
    await requireBrowser(tx, sessionId);
    await recordForUser(tx, userId, commandLineAuthorized, { userId, sessionId });
    return { result: await work(tx, consent) };
  });
  // After the commit: the end of a session whose token was replaced stays.
  if (done) return done.result;
  throw forbidden(
    'command_line.refresh_token_required',
    'This needs the refresh token of the session, in the cookie `jid`, and its access token: use the browser that is signed in',
  );
}

const IN_BROWSER = statement('user_sessions.in_browser', 'select 1 from user_sessions where id = $1 and name is null');

/** Sessions of command lines open no further ones, so that all that were opened in a stolen one are known. @throws DomainError 403 */
async function requireBrowser(tx: Transaction, sessionId: string): Promise<void> {
  if ((await tx.sql(IN_BROWSER, [sessionId])).length === 0)
    throw forbidden(
      'command_line.browser_required',
      'The session of a command line opens no further one: use the browser that is signed in',
    );
}

const OWNER = statement(
  'command_line_codes.owner',
  'select user_id as "userId" from command_line_codes where hash = $1',
);
const TAKE = statement(
  'command_line_codes.take',
  `delete from command_line_codes where hash = $1
   returning session_id as "sessionId", user_id as "userId", organization_id as "organizationId", verifier_hash as "verifierHash", expires_at as "expiresAt"`,
);

interface CodeRow extends Consent {
  readonly verifierHash: Buffer;
  readonly expiresAt: string;
}

/** The user is locked first: ending the user's sessions ends their codes in this order, too. */
async function takeCode(tx: Transaction, hash: Buffer, verifier: string): Promise<Consent | undefined> {
  const [owner] = await tx.sql<{ userId: string }>(OWNER, [hash]);
  if (!owner) return undefined;
  await tx.sql(LOCK_USER, [owner.userId]);
  const [code] = await tx.sql<CodeRow>(TAKE, [hash]);
  if (!code || at(code.expiresAt) <= tx.now()) return undefined;
  return sameHash(hashOf(verifier), code.verifierHash) ? code : undefined;
}

const CONSENTED = statement(
  'user_sessions.consented',
  `select s.created_at as "createdAt", s.expires_at as "expiresAt", s.refresh_family_hash as family, o.name
   from user_sessions s
   join memberships m on m.user_id = s.user_id and m.organization_id = $3 and m.project_id is null
     and m.is_active and m.status = 'accepted'
   join organizations o on o.id = m.organization_id
   where s.id = $1 and s.user_id = $2`,
);

interface ConsentedRow {
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Null of a session of a release before families that was not refreshed since. */
  readonly family: Buffer | null;
  readonly name: string;
}

/** `undefined` if the session of the consent, or the membership, has ended. */
async function open(
  tx: Transaction,
  { sessionId, userId, organizationId }: Consent,
): Promise<CommandLineSession | undefined> {
  const [consented] = await tx.sql<ConsentedRow>(CONSENTED, [sessionId, userId, organizationId]);
  const until = consented && endOfLifetime(consented, tx.settings);
  if (!until || until <= tx.now().getTime()) return undefined;
  const user = await tx.em.findOneOrFail(UserEntity, { id: userId });
  const opened = await openSession(tx, user, organizationId, {
    name: NAME,
    until: new Date(until),
    ...(consented.family && { openerFamily: consented.family }),
  });
  record(tx, userLoggedIn, { userId, sessionId: opened.sessionId }, { organizationId });
  return {
    token: opened.accessToken,
    refreshToken: opened.refreshToken,
    email: user.email ?? user.username,
    organizationId,
    organizationName: consented.name,
    sessionId: opened.sessionId,
    expiresAt: new Date(tx.now().getTime() + opened.refreshSeconds * 1000),
  };
}

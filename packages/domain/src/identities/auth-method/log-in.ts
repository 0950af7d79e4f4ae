import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Attempt, notingThrottled, sprayingOf, useStored, type AttemptPolicies } from '../../access/index.ts';
import { noteUnknownLogin } from '../../audit/index.ts';
import type { Configuration } from '../../family/index.ts';
import { RemoteSession } from '../../family/index.ts';
import {
  badRequest,
  clientNetwork,
  DomainError,
  eventOf,
  inTransaction,
  isId,
  notFound,
  refusalOf,
  statement,
  unauthenticated,
  type Context,
  type IdentityActor,
  type KeySets,
  type Transaction,
} from '../../kernel/index.ts';
import { issueToken, type IssuedToken } from '../access-token/index.ts';
import type { AnyAuthMethod, Claims, DefinedMethod, GuessPolicy, Lockout } from './auth-method.ts';
import { SingleUseProofs } from './single-use-proofs.ts';
import { openConfiguration, storedPasswordOf } from './stored.ts';
import { requireBound } from './trust-root.ts';

/** A login method of an identity that is a member of its organization, as a login reads it. */
export interface LoginRow {
  id: string;
  organizationId: string;
  /** Of an identity that belongs to one. */
  projectId: string | null;
  identityId: string;
  identityName: string;
  isSuperAdmin: boolean;
  accessTokenTtl: number;
  accessTokenMaxTtl: number;
  accessTokenNumUsesLimit: number;
  accessTokenPeriod: number;
  config: Configuration;
  sealed: Buffer | null;
}

/** The columns of `LoginRow`. */
export const LOGIN_COLUMNS = `m.id, m.organization_id as "organizationId", i.project_id as "projectId", m.identity_id as "identityId",
  i.name as "identityName", i.is_super_admin as "isSuperAdmin", m.access_token_ttl as "accessTokenTtl",
  m.access_token_max_ttl as "accessTokenMaxTtl", m.access_token_num_uses_limit as "accessTokenNumUsesLimit",
    m.access_token_period as "accessTokenPeriod", m.config, m.sealed`;

/** Who is no (active) member of its organization does not log in. */
export const IS_MEMBER = `exists (select 1 from memberships o where o.identity_id = m.identity_id
  and o.organization_id = m.organization_id and o.project_id is null and o.is_active)`;

const FIND = statement(
  'identity_auth_methods.for_login',
  `select ${LOGIN_COLUMNS} from identity_auth_methods m join identities i on i.id = m.identity_id
   where m.identity_id = $1 and m.kind = $2 and ${IS_MEMBER}`,
);

/** The method and its identity as they are now, locked until the token is written. */
const STILL = statement(
  'identity_auth_methods.still',
  `select ${LOGIN_COLUMNS} from identity_auth_methods m join identities i on i.id = m.identity_id
   where m.id = $1 and ${IS_MEMBER} for share of m`,
);

/** The identity that logs in, as the actor of its login event. */
const actorOf = (row: LoginRow, kind: string): IdentityActor => ({
  type: 'identity',
  id: row.identityId,
  name: row.identityName,
  organizationId: row.organizationId,
  tokenId: '',
  authMethod: kind,
  isSuperAdmin: row.isSuperAdmin,
});

/** A login, as the identity's own deed: on the log of its project, if it belongs to one. */
export const loginOf = (
  method: DefinedMethod,
  row: LoginRow,
  data: { identityId: string; authMethodId: string; clientSecretId?: string },
) => ({
  actor: actorOf(row, method.kind),
  event: eventOf(method.events.loggedIn, data, { projectId: row.projectId }),
});

/** The properties of the method and its identity that `issueToken` gets. */
export const issueFor = (row: LoginRow, kind: string) => ({
  organizationId: row.organizationId,
  identityId: row.identityId,
  method: {
    id: row.id,
    kind,
    accessTokenTTL: row.accessTokenTtl,
    accessTokenMaxTTL: row.accessTokenMaxTtl,
    accessTokenNumUsesLimit: row.accessTokenNumUsesLimit,
    accessTokenPeriod: row.accessTokenPeriod,
  },
});

/**
 * Records a refused login of a known identity, with the error code. Those of unknown identities are recorded too, so
 * that response times disclose nothing.
 */
export function noteFailure(ctx: Context, method: DefinedMethod, row: LoginRow, reason: string): Promise<void> {
  const data = { identityId: row.identityId, authMethodId: row.id, reason };
  return ctx.noteRefusal(
    refusalOf(method.events.loginFailed, data, {
      organizationId: row.organizationId,
      projectId: row.projectId,
      subject: `${row.identityId} ${reason}`,
      detail: reason,
    }),
    ctx,
  );
}

/** Milliseconds. Longer than a login that uses only the database. */
const REFUSAL_TIME = 25;

/**
 * Logs an identity in with its method. A refusal is sent at a fixed time after the start of the login, so that its
 * timing does not disclose how far the login got, such as whether the client exists.
 *
 * @throws DomainError 401 for rejected credentials, 429 after too many of them if the method counts them, 403 for valid
 * but not permitted ones; 404 if the caller named an identity that does not exist or lacks the method.
 */
export async function logInWith(
  ctx: Context,
  method: AnyAuthMethod,
  credentials: Readonly<Record<string, unknown>>,
): Promise<IssuedToken> {
  // Starts before any lookup: a wait for the remaining time would have measurable differences.
  const earliestRefusal = sleep(REFUSAL_TIME, undefined, { ref: false });
  try {
    return await (method.logIn ? method.logIn(ctx, credentials as never, method) : prove(ctx, method, credentials));
  } catch (error) {
    await earliestRefusal;
    throw error;
  }
}

async function prove(
  ctx: Context,
  method: AnyAuthMethod,
  credentials: Readonly<Record<string, unknown>>,
): Promise<IssuedToken> {
  const identityId = String(credentials['identityId']);
  const [row] = isId(identityId) ? await ctx.sql<LoginRow>(FIND, [identityId, method.kind]) : [];
  if (!row) {
    await noteUnknownLogin(ctx, method.kind, identityId);
    throw notFound('login method of this identity');
  }
  const config = await openConfiguration(ctx, method, row);
  try {
    return await notingThrottled(
      () => proveWith(ctx, method, row, { config, credentials }),
      (refusal) => noteFailure(ctx, method, row, refusal.code),
    );
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const isRecorded = REFUSALS_OF_LOGINS.has(error.kind) && error.code !== NOTHING_PRESENTED;
    if (isRecorded) await noteFailure(ctx, method, row, error.code);
    if (error.kind !== 'bad_request' || FAULTS_OF_CALLERS.has(error.code)) throw error;
    ctx.log.warn({ identityId, authMethodId: row.id, reason: error.message }, 'A login could not be verified');
    throw notVerified(method);
  }
}

const REFUSALS_OF_LOGINS: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden', 'bad_request']);
/** A login without any credential is no refused one. */
const NOTHING_PRESENTED = 'tls_cert_auth.no_certificate';
/** What is wrong with a login by itself. Any other 400 is about the system that verifies it, or how that is configured. */
const FAULTS_OF_CALLERS = new Set(['aws_auth.malformed', NOTHING_PRESENTED]);
/** The code of logins that nobody could verify. */
export const NOT_VERIFIED = 'auth.not_verified';

/** Whoever has no token learns neither which system is asked nor what the network says of it: the log of the server does. */
const notVerified = ({ title }: AnyAuthMethod) =>
  badRequest(
    NOT_VERIFIED,
    `The system that verifies logins by ${title} did not answer as expected: the log of the server says why`,
  );

interface Presented {
  readonly config: Configuration;
  readonly credentials: Readonly<Record<string, unknown>>;
}

interface Verifying extends Presented {
  readonly guesses: Guesses;
  readonly proofs: SingleUseProofs;
  readonly accepted: () => Promise<void>;
}

async function proveWith(
  ctx: Context,
  method: AnyAuthMethod,
  row: LoginRow,
  presented: Presented,
): Promise<IssuedToken> {
  requireBound(method, presented.config);
  const lockout = method.lockout?.(presented.config as never, presented.credentials as never);
  const guesses = new Guesses(ctx, { kind: method.kind, identityId: row.identityId, lockout });
  const proofs = new SingleUseProofs();
  const stored = storedPasswordOf(method, row, presented.config);
  const verified = (accepted: () => Promise<void>) =>
    verify(ctx, method, row, { ...presented, guesses, proofs, accepted });
  const claims = await guesses.inTurn(() => (stored ? useStored(ctx, stored, verified) : verified(noPassword)));
  return inTransaction(ctx, async (tx) => {
    const still = await requireStill(tx, method, row, presented.config);
    await guesses.succeed(tx);
    await proofs.use(tx);
    const data = { identityId: still.identityId, authMethodId: still.id };
    const { issued } = await issueToken(tx, {
      ...issueFor(still, method.kind),
      claims,
      login: loginOf(method, still, data),
    });
    return issued;
  });
}

const noPassword = () => Promise.reject(new Error('The login method is not said to store a password'));

/**
 * The configuration is compared as it was used, sealed fields included: two changes may have one time, and what is sealed anew is
 * the same.
 *
 * @throws DomainError 401 `auth.method_changed`
 */
async function requireStill(
  tx: Transaction,
  method: AnyAuthMethod,
  { id }: LoginRow,
  used: Configuration,
): Promise<LoginRow> {
  const [row] = await tx.sql<LoginRow>(STILL, [id]);
  if (row && isDeepStrictEqual(await openConfiguration(tx, method, row), used)) return row;
  throw unauthenticated('auth.method_changed', 'The login method was changed during this login: log in again');
}

/** The limit of all unknown addresses together, as a multiple of that of one address. */
const STRANGERS = 5;

const policiesOf = ({ threshold, durationSeconds: delaySeconds, resetSeconds }: GuessPolicy): AttemptPolicies => ({
  client: { threshold, delaySeconds, resetSeconds },
  strangers: { threshold: threshold * STRANGERS, delaySeconds, resetSeconds },
});

interface GuessesOptions {
  readonly kind: string;
  readonly identityId: string;
  readonly lockout: Lockout | undefined;
}

/** The subjects of guesses in a login; none if the method counts none. */
class Guesses {
  readonly #ctx: Context;
  readonly #options: GuessesOptions;
  readonly #attempts = new Map<string, Attempt>();

  constructor(ctx: Context, options: GuessesOptions) {
    this.#ctx = ctx;
    this.#options = options;
  }

  /**
   * Bounds how many guesses at the subject are under way.
   *
   * @throws DomainError 429 while attempts at it, or from this address at all subjects of the method, have to wait.
   */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { kind, lockout } = this.#options;
    if (!lockout) return work();
    const { subject, policy } = lockout;
    const attempt = this.#attemptAt(subject, { ...(policy && policiesOf(policy)), spraying: sprayingOf(kind) });
    if (policy) return attempt.inTurn(work);
    await attempt.requireAllowed();
    return work();
  }

  /**
   * Whether the identity has logged in from this address within a year. An address is remembered by a login that succeeds.
   */
  async isFromKnownAddress(): Promise<boolean> {
    const attempt = this.#attemptAt('', {});
    await attempt.requireAllowed();
    return attempt.isKnown;
  }

  /** @throws DomainError 429 while attempts from this address at the subject have to wait. */
  async mean(subject: string): Promise<void> {
    const policy = this.#options.lockout?.policy;
    if (policy) await this.#attemptAt(subject, policiesOf(policy)).requireAllowed();
  }

  #attemptAt(subject: string, policies: AttemptPolicies): Attempt {
    const { kind, identityId } = this.#options;
    const address = clientNetwork(this.#ctx.request.ipAddress);
    const named = `${kind}:${identityId}:${subject}`;
    const attempt = new Attempt(this.#ctx, named, { known: address, unknown: address }, policies);
    this.#attempts.set(named, attempt);
    return attempt;
  }

  async countFailure(): Promise<void> {
    for (const attempt of this.#attempts.values()) await attempt.countFailure();
  }

  async succeed(tx: Transaction): Promise<void> {
    for (const attempt of this.#attempts.values()) await attempt.succeed(tx);
  }
}

/** Characters of JSON: more than a signed token or a certificate has. */
const MAX_CLAIMS = 65_536;

/**
 * What a login has verified is stored with the token, and read with each use. A directory or an authority may have named anything.
 *
 * @throws DomainError 401 `auth.claims` for facts that are too long, or no text that can be stored.
 */
function requireStorable(claims: Claims): void {
  const json = JSON.stringify(claims);
  // How JSON has NUL, and halves of surrogate pairs.
  if (json.length > MAX_CLAIMS || /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f]..)/.test(json))
    throw unauthenticated('auth.claims', 'What proves this login is too long, or has characters that cannot be stored');
}

/** The call budget of one login. */
const LOGIN_BOUNDS = { timeMs: 30_000, callMs: 10_000, maxCalls: 20 };
/**
 * Strangers send logins, from as many addresses as they have: all those of an organization have the turns of one owner together, so that a
 * flood keeps no login waiting from an address that its identity has logged in from before. Within them, addresses take turns.
 */
const turnsOf = ({ organizationId }: LoginRow, { ipAddress }: Context['request'], isKnown: boolean) =>
  [`${isKnown ? 'known' : 'strangers'}:${organizationId}`, clientNetwork(ipAddress)] as const;

/** Key sets at one origin are fetched in turns by the organizations that trust them. */
const ofOwner = (sets: KeySets, whose: string): KeySets => ({
  keysAt: (url, trust) => sets.keysAt(url, { ...trust, whose }),
  certificatesAt: (url, trust) => sets.certificatesAt(url, { ...trust, whose }),
  keysOf: (url, trust) => sets.keysOf(url, { ...trust, whose }),
});

const notElsewhere = () => Promise.reject(new Error('The login method is not said to ask another system'));
const NO_WAY_OUT = { fetch: notElsewhere, connect: notElsewhere };

async function verify(
  ctx: Context,
  method: AnyAuthMethod,
  row: LoginRow,
  { config, credentials, guesses, proofs, accepted }: Verifying,
): Promise<Claims> {
  if (!method.verify) throw new Error(`${method.kind} has no login`);
  const { keySets, request } = ctx;
  const isKnown = method.isVerifiedElsewhere === true && (await guesses.isFromKnownAddress());
  using session = new RemoteSession(ctx, { ...LOGIN_BOUNDS, whose: turnsOf(row, request, isKnown) });
  const { fetch, connect } = method.isVerifiedElsewhere ? session : NO_WAY_OUT;
  try {
    const claims = await method.verify(config as never, credentials as never, {
      identityId: row.identityId,
      fetch,
      connect,
      keySets: ofOwner(keySets, row.organizationId),
      now: session.now,
      request,
      resolveSubject: (subject) => guesses.mean(subject),
      useOnce: (proof) => proofs.add(proof),
      accepted,
    });
    requireStorable(claims);
    return claims;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'unauthenticated') await guesses.countFailure();
    throw error;
  }
}

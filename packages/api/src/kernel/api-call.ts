import {
  areSameRights,
  authenticateAgain,
  beforeOwnChanges,
  Call,
  changesRights,
  DomainError,
  hasKeptAllPassed,
  hasSameRights,
  passByRules,
  requireRightsAgain,
  RightsChanged,
  type Ability,
  type Actor,
  type Attempts,
  type CallProcess,
  type Context,
  type Credential,
  type KeySets,
  type Log,
  type MaybePromise,
  type OutboundConnect,
  type OutboundFetch,
  type OutboundNames,
  type PendingEvent,
  type Place,
  type RequestInfo,
  refusedToken,
  type Targets,
  type Transaction,
  type UsedRights,
} from '@coffer/domain';
import {
  waitFor,
  waitingAttempts,
  waitingPasswords,
  waitingConnect,
  waitingFetch,
  waitingKeySets,
  waitingNames,
  waitingTargets,
  type Waits,
} from './waiting.ts';

/**
 * The HTTP side of a call, for the few operations that need it. While a call waits for another system for long, it does
 * not count as work of this process.
 */
export interface Http extends Waits {
  /** The text after `Authorization: Bearer`; absent without such a header. */
  readonly bearer: string | undefined;
  /** What the caller authenticates with: the bearer token or the API key. Never both: such requests are refused. */
  readonly credential: Credential | undefined;
  /** All cookies of a name: pages of other hosts of its domain, or of other ports, can set one beside that of the server. */
  cookies(name: string): readonly string[];
  /** A header by its name in lower case. */
  header(name: string): string | undefined;
  /** Sets an httpOnly cookie (`undefined` clears it) for `maxAge` seconds, at `path` and below. */
  setCookie(name: string, value: string | undefined, maxAge: number, path?: string): void;
  /** Has the browser remove what it keeps of this server, other than cookies (`Clear-Site-Data`). */
  clearSiteData(): void;
  /** Counts a refused login for the address of the call; returns the error to send instead if the limit is exceeded. */
  refusedLogin(subject: string): DomainError | undefined;
  /**
   * Waits for the turn of a login that asks another system, of those from the same address as the same subject. Resolves with what
   * ends it.
   *
   * @throws DomainError 429
   */
  takeLoginTurn(subject: string): Promise<(isRefused: boolean) => void>;
  /** The same as `refusedLogin` for a rejected credential that was no login and in no header; it counts as a rejected token does. */
  refusedCredential(): DomainError | undefined;
  /**
   * Counts an expensive call for the address, and for the caller if it is known.
   *
   * @throws DomainError 429
   */
  countStrictly(operation: string, callerId?: string): void;
  /** Waits for the memory of an answer with so many more bytes of values. @throws DomainError 429 */
  announceAnswer(bytes: number, caller: string): Promise<void>;
}

export const NO_HTTP: Http = {
  bearer: undefined,
  credential: undefined,
  cookies: () => [],
  header: () => undefined,
  setCookie: () => undefined,
  clearSiteData: () => undefined,
  refusedLogin: () => undefined,
  takeLoginTurn: () => Promise.resolve(() => undefined),
  refusedCredential: () => undefined,
  countStrictly: () => undefined,
  announceAnswer: () => Promise.resolve(),
  beginWait: () => undefined,
  endWait: () => undefined,
};

/** The right to administer the instance belongs to the caller itself. */
const isSuperAdmin = (actor: Actor): boolean => 'isSuperAdmin' in actor && actor.isSuperAdmin;

/**
 * The context of one procedure call. Its actor is anonymous until the procedure's guard has authenticated the
 * credential.
 */
export class ApiCall extends Call {
  readonly http: Http;
  /** The ID of the project in the input, named by ID or slug, if it was looked up. */
  namedProject: Promise<string> | undefined;
  /**
   * Whether the credential of the request was authenticated. The actor does not tell: some public operations act for
   * the platform.
   */
  isCredentialVerified = false;
  /** Whether the answer is long, so that it is read by its schema, and written, in several turns of the event loop. */
  hasLongAnswer = false;
  /** Whether it has called another system. */
  hasAskedOthers = false;
  /** Whether a transaction of it was committed, which checks the rights before. */
  private hasCommitted = false;
  /** The first rights that it used at each place. */
  private usedRights: Map<string, UsedRights> | undefined;
  /** Whether it used different rights at one place. */
  private haveRightsChanged = false;
  /** Bytes of values for which its answer has memory. */
  private announced = 0;
  /** The events of its reads, where they are needed for the same answer again. */
  reads: PendingEvent[] | undefined;

  constructor(coffer: CallProcess, request: RequestInfo, http: Http = NO_HTTP, actor: Actor = { type: 'anonymous' }) {
    super(coffer, actor, request);
    this.http = http;
  }

  /** Every line of a call carries its request's id. */
  override get log(): Log {
    const { log } = this.coffer;
    const reqId = this.request.id;
    return {
      debug: (details, message) => log.debug({ reqId, ...details }, message),
      info: (details, message) => log.info({ reqId, ...details }, message),
      warn: (details, message) => log.warn({ reqId, ...details }, message),
      error: (details, message) => log.error({ reqId, ...details }, message),
    };
  }

  /** As `http`; also notes the call of another system. */
  private get asking(): Waits {
    return {
      beginWait: () => {
        this.hasAskedOthers = true;
        this.http.beginWait();
      },
      endWait: () => this.http.endWait(),
    };
  }
  override get fetch(): OutboundFetch {
    return waitingFetch(this.asking, this.coffer.fetch);
  }
  override get connect(): OutboundConnect {
    return waitingConnect(this.asking, this.coffer.connect);
  }
  override get names(): OutboundNames {
    return waitingNames(this.asking, this.coffer.names);
  }
  override get keySets(): KeySets {
    return waitingKeySets(this.asking, this.coffer.keySets);
  }
  override get targets(): Targets {
    return waitingTargets(this.asking, this.coffer.targets);
  }
  override get attempts(): Attempts {
    return waitingAttempts(this.http, this.coffer.attempts);
  }
  override get passwordTurns(): Context['passwordTurns'] {
    return waitingPasswords(this.http, this.coffer.passwordTurns);
  }

  override commitRead(event: PendingEvent, ctx: Context): Promise<void> {
    this.reads?.push(event);
    return super.commitRead(event, ctx);
  }

  override async announceAnswer(bytes: number): Promise<void> {
    // Work that is done again keeps the memory of the first time.
    const more = bytes - this.announced;
    if (more > 0) {
      this.announced = bytes;
      await waitFor(this.http, () => this.http.announceAnswer(more, this.caller));
    }
    await this.requireStillCalling();
  }

  override ability(ctx: Context, place: Place): MaybePromise<Ability> {
    const found = super.ability(ctx, place);
    if (found instanceof Promise) return found.then((ability) => this.use(ctx, place, ability));
    return this.use(ctx, place, found);
  }

  /** Notes rights that are used: of the caller itself, and not changed by its own transaction. */
  private use(ctx: Context, place: Place, ability: Ability): Ability {
    if (ctx.actor !== this.actor || changesRights(ctx, place)) return ability;
    const used = (this.usedRights ??= new Map());
    const key = place.projectId ?? place.organizationId;
    const first = used.get(key);
    if (!first) {
      used.set(key, { place, ability });
      passByRules(this, (again) => again.ability(again, place));
    } else if (!areSameRights(first.ability, ability)) this.haveRightsChanged = true;
    return ability;
  }

  /**
   * Whether the rights used so far are still those of the caller, so that an answer by them may be sent.
   *
   * @throws DomainError 401, 403 if the caller's token has ended.
   */
  async hasPresentRights(): Promise<boolean> {
    await this.requireStillCalling();
    return this.hasUsedPresentRights(this);
  }

  private async hasUsedPresentRights(ctx: Context, committed = ctx): Promise<boolean> {
    return (await hasSameRights(ctx, this.usedRights?.values() ?? [], committed)) && !this.haveRightsChanged;
  }

  /**
   * Checks that the result of work that may have waited may be sent. That of a change that was committed always may: the
   * transaction has checked the rights.
   *
   * @throws RightsChanged if the rights have changed, for work that can be done again, and for any read; DomainError 401, 403,
   * 404 if the token or a right has ended.
   */
  async requirePresentRights(outcome: 'read' | 'change'): Promise<void> {
    if (outcome === 'change' && this.hasCommitted) return;
    const isUnchanged = await this.mayGoOn();
    if (outcome === 'read' && !isUnchanged) throw new RightsChanged();
  }

  override async requireUnchangedRights(): Promise<void> {
    await this.mayGoOn();
  }

  /** Whether rights are unchanged; where they are not, but suffice, the call may go on all the same. @throws as `requireSufficientRights`. */
  private async mayGoOn(): Promise<boolean> {
    const isUnchanged = await this.hasPresentRights();
    if (!isUnchanged) await this.requireSufficientRights(this);
    return isUnchanged;
  }

  /**
   * For rights that have changed.
   *
   * @throws RightsChanged if the work can be done again, or has passed more checks than are kept; otherwise DomainError 403,
   * 404 unless the checks are passed again.
   */
  private async requireSufficientRights(ctx: Context, committed = ctx): Promise<void> {
    if (this.mayStartOver || !hasKeptAllPassed(this)) throw new RightsChanged();
    await requireRightsAgain(ctx, committed);
  }

  /**
   * Rights may have changed since they were used before the transaction, or before it waited for a lock. Then the
   * transaction is rolled back, and the work is done again by the present rights. What other systems were asked for, or an
   * earlier transaction has stored, is not done again: the checks are repeated instead. The token has to be valid, too.
   */
  override requireSameRights(tx: Transaction): Promise<void> | undefined {
    // What follows a call of another system stores what has become of that, such as a failure: `requireStillPermitted` comes before.
    const isOfOthers = this.hasCommitted && this.hasAskedOthers;
    if (isOfOthers) return super.requireSameRights(tx);
    return this.mayHaveWaited ? this.requireSameIn(tx) : undefined;
  }

  /** What it has checked counts until here. Rights that it has changed itself are not compared with those before. */
  override noteCommit(tx: Transaction): void {
    super.noteCommit(tx);
    this.hasCommitted = true;
    for (const { place } of this.usedRights?.values() ?? [])
      if (changesRights(tx, place)) {
        this.usedRights = undefined;
        this.haveRightsChanged = false;
        break;
      }
  }

  private async requireSameIn(tx: Transaction): Promise<void> {
    const { outside } = this;
    await outside.requireStillCalling();
    if (tx.actor !== this.actor) return super.requireSameRights(tx);
    const before = beforeOwnChanges(tx, outside);
    before.passedByRows.push(...this.passedByRows);
    if (!(await this.hasUsedPresentRights(before, outside))) await this.requireSufficientRights(before, outside);
  }

  /** Sets the authenticated caller. The time of its work begins here. */
  speakFor(actor: Actor): void {
    this.actor = actor;
    this.isCredentialVerified = true;
    this.begunAt = performance.now();
  }

  /** Whether its work can be done again: nothing of it was stored, and other systems are not called twice. */
  get mayStartOver(): boolean {
    return !this.hasStored && !this.hasAskedOthers;
  }

  /** Resets the call before its work is done again; nothing of it was stored. */
  startOver({ present }: RightsChanged): void {
    if (present) this.actor = present;
    this.begunAt = performance.now();
    this.usedRights = undefined;
    this.haveRightsChanged = false;
    this.namedProject = undefined;
    this.granted.clear();
    this.passed.length = 0;
    this.passedByRows.length = 0;
    this.comparisons.spent = 0;
    this.isUnderPolicies = false;
    if (this.reads) this.reads = [];
  }

  override async requireStillCalling(): Promise<void> {
    const { actor, http } = this;
    if (!http.credential || !('id' in actor)) return;
    const present = await authenticateAgain(this, http.credential);
    if (!('id' in present) || present.id !== actor.id) throw refusedToken();
    if (isSuperAdmin(actor) && !isSuperAdmin(present)) throw new RightsChanged(present);
  }

  /** The same request again, with nothing that another call of its batch left behind. */
  fresh(own: Partial<Http> = {}): ApiCall {
    return new ApiCall(this.coffer, this.request, Object.assign(Object.create(this.http) as Http, own));
  }
}

import {
  authenticateAgain,
  Call,
  type Ability,
  type Actor,
  type Attempts,
  type CallProcess,
  type Context,
  type Credential,
  type DomainError,
  type KeySets,
  type Log,
  type MaybePromise,
  type OutboundConnect,
  type OutboundFetch,
  type OutboundNames,
  type PendingEvent,
  type RequestInfo,
  refusedToken,
  type Targets,
} from '@coffer/domain';
import {
  waitFor,
  waitingAttempts,
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
  /** The same for a rejected credential that was no login and in no header; it counts as a rejected token does. */
  refusedCredential(): DomainError | undefined;
  /**
   * Counts an expensive call for the address, and for the caller if it is known.
   *
   * @throws DomainError 429
   */
  countStrictly(operation: string, callerId?: string): void;
  /** Waits for the memory of an answer with so many bytes of values. @throws DomainError 429 */
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
  refusedCredential: () => undefined,
  countStrictly: () => undefined,
  announceAnswer: () => Promise.resolve(),
  beginWait: () => undefined,
  endWait: () => undefined,
};

type Place = Parameters<Context['ability']>[1];

/** Whether two abilities allow the same: one that was loaded again is another object. */
const isSame = (one: Ability, other: Ability): boolean =>
  one === other || JSON.stringify(one.decidedBy) === JSON.stringify(other.decidedBy);

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
  /** Whether it has asked another system, for which it may have waited. */
  hasAskedOthers = false;
  /** The rights that have decided it outside of transactions, by project; those of the organization by an empty name. */
  readonly #decidedBy = new Map<string, { readonly place: Place; readonly ability: Ability }>();
  /** Whether others have decided another part of it. */
  #isDecidedTwice = false;
  #announced = 0;
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

  /** As `http`; notes that another system is asked. */
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

  override commitRead(event: PendingEvent, ctx: Context): Promise<void> {
    this.reads?.push(event);
    return super.commitRead(event, ctx);
  }

  override ability(ctx: Context, place: Place): MaybePromise<Ability> {
    const found = super.ability(ctx, place);
    // What acts as somebody else has its own context.
    if (ctx !== this) return found;
    if (found instanceof Promise) return found.then((ability) => this.#noteDecision(place, ability));
    return this.#noteDecision(place, found);
  }

  #noteDecision(place: Place, ability: Ability): Ability {
    const name = place.projectId ?? '';
    const known = this.#decidedBy.get(name);
    if (!known) this.#decidedBy.set(name, { place, ability });
    else if (!isSame(known.ability, ability)) this.#isDecidedTwice = true;
    return ability;
  }

  /**
   * Whether all of the call was decided by the rights that the caller has now. Where not, it forgets them: the work has to be
   * done again, since what it waited for in between may be newer than the rights.
   *
   * @throws DomainError 404, 403 where the caller is no member any more.
   */
  async isDecidedByPresentRights(): Promise<boolean> {
    let isPresent = !this.#isDecidedTwice;
    for (const { place, ability } of this.#decidedBy.values())
      isPresent &&= isSame(ability, await super.ability(this, place));
    if (isPresent) return true;
    this.#decidedBy.clear();
    this.#isDecidedTwice = false;
    if (this.reads) this.reads = [];
    return false;
  }

  override async announceAnswer(bytes: number): Promise<void> {
    // Work that is done again has its memory already.
    if (bytes <= this.#announced) return;
    this.#announced = bytes;
    await waitFor(this.http, () => this.http.announceAnswer(bytes, this.caller));
    await this.requireStillCalling();
  }

  override async requireStillCalling(): Promise<void> {
    const { actor, http } = this;
    if (!http.credential || !('id' in actor)) return;
    const present = await authenticateAgain(this, http.credential);
    if (!('id' in present) || present.id !== actor.id) throw refusedToken();
  }

  /** The same request again, with nothing that another call of its batch left behind. */
  fresh(own: Partial<Http> = {}): ApiCall {
    return new ApiCall(this.coffer, this.request, Object.assign(Object.create(this.http) as Http, own));
  }
}

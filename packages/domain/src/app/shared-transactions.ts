import { AsyncLocalStorage } from 'node:async_hooks';
import { Seat, SharedConnection } from '../database/shared-connection.ts';
import { BRIEFLY_MS, TransactionConnection } from '../database/transaction-connection.ts';
import {
  databaseFault,
  DomainError,
  LastLockHeld,
  NotTogether,
  translate,
  type Share,
  type Transaction,
} from '../kernel/index.ts';
import type { Call } from './call.ts';
import { commitAll } from './commit.ts';
import type { TransactionCall } from './transaction-call.ts';

/** At most so many calls share a transaction, and write so many things. */
const LIMIT = 50;
const MOST_NAMES = 1_000;

/** Longer than a transaction takes, in milliseconds: the next ones do not wait for one that gets no answer. */
const MOST_MS = 1_000;

interface Place {
  readonly seat: Seat;
  readonly tx: TransactionCall;
}

/** A call that waits for its turn, or has it. */
class Member {
  readonly call: Call;
  readonly names: readonly string[];
  /** See `BeginOptions`. */
  readonly waitsForLast: boolean;
  /** Its place in a shared transaction; none where it is alone. */
  readonly turn = Promise.withResolvers<Place | undefined>();
  /** Whether its work is to be committed. Rejected where the transaction cannot go on. */
  readonly worked = Promise.withResolvers<boolean>();
  /** The transaction is committed. */
  readonly ended = Promise.withResolvers<void>();

  constructor(call: Call, names: readonly string[], waitsForLast: boolean) {
    this.call = call;
    this.names = names;
    this.waitsForLast = waitsForLast;
    // Nobody may wait for them any more.
    for (const { promise } of [this.worked, this.ended]) promise.catch(() => undefined);
  }
}

/**
 * Transactions that several calls share. While one of a group is under way, others of the group wait, and the next one is
 * that of all of them. A call beside which none waits has a transaction of its own.
 */
export class SharedTransactions {
  /** Those that wait, by group; a group is there while something of it is under way. */
  readonly #groups = new Map<string, Member[]>();
  /** What is done for several calls does not end with the client of one. */
  readonly #outside = AsyncLocalStorage.snapshot();

  /**
   * Runs the work of a call; `alone` where it has none beside it, or cannot be done together with others, or something has
   * failed there, of which nothing is kept then.
   */
  async run<T>(
    call: Call,
    sharing: Share,
    work: (tx: Transaction) => Promise<T>,
    alone: () => Promise<T>,
    waitsForLast = false,
  ): Promise<T> {
    const member = new Member(call, sharing.names, waitsForLast);
    this.#join(sharing.group, member);
    const place = await member.turn.promise;
    if (!place) return alone().finally(() => member.worked.resolve(false));
    try {
      const result = await workAt(place, member, work);
      await member.ended.promise;
      call.noteCommit(place.tx);
      return result;
    } catch (error) {
      if (error instanceof LastLockHeld && !waitsForLast) return this.run(call, sharing, work, alone, true);
      if (error instanceof NotTogether) return alone();
      throw error;
    }
  }

  #join(name: string, member: Member): void {
    const waiting = this.#groups.get(name);
    if (waiting) {
      waiting.push(member);
      return;
    }
    const first = [member];
    this.#groups.set(name, first);
    this.#outside(() => setImmediate(() => void this.#serve(name, first)));
  }

  async #serve(name: string, waiting: Member[]): Promise<void> {
    while (waiting.length > 0) {
      const members = takeDistinct(waiting);
      if (members.length > 1) await atMost(MOST_MS, share(members));
      else await atMost(BRIEFLY_MS, begin(members[0]!));
    }
    this.#groups.delete(name);
  }
}

/** Waits for some work, but no longer than this: others do not wait for all that it may have to wait for. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

/** Lets a call begin that is alone; ends with its work. */
function begin({ turn, worked }: Member): Promise<boolean> {
  turn.resolve(undefined);
  return worked.promise;
}

/** Does the work of a call at its place, and says how it has ended. */
async function workAt<T>({ seat, tx }: Place, member: Member, work: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    const result = await work(tx);
    member.worked.resolve(true);
    return result;
  } catch (error) {
    seat.close();
    const mayLeave = seat.mayLeave && (error instanceof DomainError || error instanceof NotTogether);
    if (mayLeave) {
      member.worked.resolve(false);
      throw error;
    }
    member.worked.reject(error);
    await member.ended.promise;
    throw error;
  }
}

/** Takes the first ones, of which no two write the same. */
function takeDistinct(waiting: Member[]): Member[] {
  const taken: Member[] = [];
  const names = new Set<string>();
  const rest = waiting.filter((member) => {
    const isTaken =
      taken.length < LIMIT &&
      (taken.length === 0 || names.size + member.names.length <= MOST_NAMES) &&
      !member.names.some((name) => names.has(name));
    for (const name of member.names) names.add(name);
    if (isTaken) taken.push(member);
    return !isTaken;
  });
  waiting.splice(0, waiting.length, ...rest);
  return taken;
}

/** In whose name the connection is: who has the fewest, so that nobody waits for what somebody else has. */
const leaderOf = (members: readonly Member[]): Call =>
  members.map(({ call }) => call).reduce((least, call) => (heldBy(call) < heldBy(least) ? call : least));
const heldBy = ({ coffer, caller }: Call): number => coffer.database.heldBy(caller);

/** The places in which all of them work: a call does not wait for the deletion of those of another one. */
function commonPlaces(members: readonly Member[]): string[] {
  const [first, ...others] = members.map(({ call }) => call.places);
  return first!.filter((place) => others.every((places) => places.includes(place)));
}

/** One transaction for the work of some calls. Never throws: each of them learns how it has ended. */
async function share(members: readonly Member[]): Promise<void> {
  const { coffer, caller } = leaderOf(members);
  let connection: TransactionConnection | undefined;
  let refusal: unknown = new NotTogether();
  try {
    connection = await TransactionConnection.open(coffer.database, caller, {
      places: commonPlaces(members),
      waitsBriefly: true,
    });
    const shared = new SharedConnection(connection);
    const places = members.map(({ call }): Place => {
      const seat = new Seat(shared);
      return { seat, tx: call.transactionOn(seat) };
    });
    for (const [index, { turn }] of members.entries()) turn.resolve(places[index]);
    const haveWorked = await Promise.all(members.map(({ worked }) => worked.promise));
    // By a statement of a call that has left: the others have not seen it.
    if (shared.hasFailed) throw new NotTogether();
    const txs = places.flatMap(({ tx }, index) => (haveWorked[index] ? tx : []));
    if (txs.length > 0)
      await commitAll(coffer, connection, txs, {
        check: async () => {
          for (const [index, { call }] of members.entries())
            if (haveWorked[index]) await call.requireSameRights(places[index]!.tx);
        },
        last: members.some(({ waitsForLast }) => waitsForLast) ? 'before the check' : 'briefly',
        failed: (error) => {
          if (!isUndone(error)) refusal = translate(error);
          if (error instanceof LastLockHeld) refusal = error;
        },
      });
    await connection.rollback();
    for (const { ended } of members) ended.resolve();
  } catch (error) {
    await connection?.rollback();
    for (const { turn, ended } of members) {
      // Who got no connection in the name of the one that has fewest gets none alone.
      if (connection) turn.resolve(undefined);
      else turn.reject(translate(error));
      ended.reject(refusal);
    }
  }
}

/**
 * Whether PostgreSQL says that nothing was committed, for a cause that may be another call's: data, constraints and
 * serialization. A lock was waited for for as long as by a call that is alone.
 */
const isUndone = (error: unknown): boolean => /^(?:22|23|40001|40P01)/.test(databaseFault(error)?.sqlState ?? '');

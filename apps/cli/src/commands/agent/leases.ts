import { randomUUID } from 'node:crypto';
import { CofferError, type CofferClient } from '@coffer/client';
import { Backoff, type RetryStrategy } from '../../daemon/backoff.ts';
import { isAway, messageOf } from '../../daemon/failure.ts';
import type { State, StoredLease } from '../../daemon/state.ts';
import { wait } from '../../daemon/wait.ts';
import type { Io } from '../../io.ts';
import { fromJson, type Value } from '../../template/value.ts';

/** What a template asks for. */
export interface Order {
  readonly projectSlug: string;
  readonly environmentSlug: string;
  readonly path: string;
  readonly dynamicSecretName: string;
  readonly ttl?: string;
}

interface Held {
  readonly order: Order;
  readonly id: string;
  readonly credentials: Value;
  /** Milliseconds since 1970. */
  readonly renewAt: number;
  readonly endsAt: number;
}

export interface LeasesOptions {
  readonly client: CofferClient;
  readonly state: State;
  readonly retry: RetryStrategy;
  readonly io: Pick<Io, 'say'>;
  /** The number of templates: nothing is revoked before each of them has been delivered. */
  readonly templates: number;
  /** A lease has ended and will be replaced. */
  readonly onEnded: () => void;
}

/** Milliseconds for which a lease that the server does not know may still be on its way there. */
const ON_ITS_WAY = 60_000;
/** Milliseconds for revoking at the end. */
const LAST = 10_000;

/**
 * The leases of dynamic secrets that templates use: one for each order, whoever asks. A lease is in the state before it is ordered, by
 * an ID that the agent gives it, and leaves it after it is revoked; so a kill at any moment leaves none that is unknown.
 */
export class Leases {
  readonly #options: LeasesOptions;
  readonly #held = new Map<string, Held>();
  readonly #coming = new Map<string, Promise<Held>>();
  /** By template: the orders that it reads, and the leases that its file has. */
  readonly #orders = new Map<string, ReadonlySet<string>>();
  readonly #delivered = new Map<string, ReadonlySet<string>>();
  readonly #ordering = new Set<string>();

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#held.size;
  }

  /** The credentials for an order, which are the same until the lease is replaced. */
  async credentials(order: Order): Promise<Value> {
    const key = JSON.stringify(order);
    const held = this.#held.get(key);
    if (held && Date.now() < held.endsAt) return held.credentials;
    const coming = this.#coming.get(key) ?? this.#order(key, order).finally(() => this.#coming.delete(key));
    this.#coming.set(key, coming);
    return (await coming).credentials;
  }

  async #order(key: string, order: Order): Promise<Held> {
    const { client, state } = this.#options;
    const { projectSlug, environmentSlug, path } = order;
    const planned: StoredLease = { id: randomUUID(), projectSlug, environmentSlug, path, orderedAt: Date.now() };
    this.#ordering.add(planned.id);
    state.keepLease(planned);
    try {
      const { lease, data } = await client.dynamicSecretLeases.create.mutate({ ...order, leaseId: planned.id });
      const credentials = fromJson(data);
      const held = { order, id: lease.id, credentials, ...timesOf(lease.expireAt) };
      state.keepLease({ ...planned, expiresAt: held.endsAt });
      this.#held.set(key, held);
      return held;
    } catch (error) {
      // A refused order leaves nothing. Without an answer there may be a lease, which is revoked.
      if (error instanceof CofferError && !isAway(error)) state.dropLease(planned.id);
      throw error;
    } finally {
      this.#ordering.delete(planned.id);
    }
  }

  /** A template has been written with these orders. */
  delivered(template: string, orders: readonly Order[]): void {
    const keys = new Set(orders.map((order) => JSON.stringify(order)));
    this.#orders.set(template, keys);
    this.#delivered.set(template, new Set([...keys].flatMap((key) => this.#held.get(key)?.id ?? [])));
    if (this.#orders.size < this.#options.templates) return;
    for (const key of this.#held.keys())
      if (![...this.#orders.values()].some((used) => used.has(key)) && !this.#coming.has(key)) this.#held.delete(key);
  }

  /** Renews leases before they end and revokes those that no file has any more, until the signal is aborted. */
  async keep(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff({ ...this.#options.retry, maxDelay: 60_000 });
    while (!signal.aborted) {
      const failures = await Promise.all([...this.#held].map(([key, held]) => this.#renew(key, held)));
      const isDone = await this.revokeUnused();
      if (isDone && failures.every((failed) => !failed)) backoff.reset();
      await wait(isDone && failures.every((failed) => !failed) ? 1000 : Math.max(backoff.next(), 500), signal);
    }
  }

  /** Returns whether it has to be tried again. */
  async #renew(key: string, held: Held): Promise<boolean> {
    if (Date.now() < held.renewAt) return false;
    const { client, state, io, onEnded } = this.#options;
    const { projectSlug, environmentSlug, path, ttl } = held.order;
    const place = { projectSlug, environmentSlug, path, leaseId: held.id };
    try {
      const { lease } = await client.dynamicSecretLeases.renew.mutate({ ...place, ...(ttl && { ttl }) });
      const times = timesOf(lease.expireAt);
      this.#held.set(key, { ...held, ...times });
      const stored = state.leases.find(({ id }) => id === held.id);
      if (stored) state.keepLease({ ...stored, expiresAt: times.endsAt });
      return false;
    } catch (error) {
      if (isAway(error) && Date.now() < held.endsAt) {
        io.say('warn', `A lease of ${held.order.dynamicSecretName} is not renewed yet: ${messageOf(error)}`);
        return true;
      }
      io.say(
        'info',
        `A lease of ${held.order.dynamicSecretName} cannot be renewed and is replaced: ${messageOf(error)}`,
      );
      this.#held.delete(key);
      onEnded();
      return false;
    }
  }

  /** Revokes the leases that no file has any more. Returns whether none is left. */
  async revokeUnused(): Promise<boolean> {
    if (this.#delivered.size < this.#options.templates) return true;
    const used = new Set([
      ...[...this.#held.values()].map(({ id }) => id),
      ...[...this.#delivered.values()].flatMap((ids) => [...ids]),
      ...this.#ordering,
    ]);
    const unused = this.#options.state.leases.filter(({ id }) => !used.has(id));
    const revoked = await Promise.all(unused.map((lease) => this.#revoke(lease)));
    return revoked.every(Boolean);
  }

  /** Revokes all leases at the end. What does not work in time is left to the next start. */
  async revokeAll(): Promise<void> {
    const { state, io } = this.#options;
    const done = new AbortController();
    const revoking = Promise.all(state.leases.map((lease) => this.#revoke(lease, true))).then(() => done.abort());
    await Promise.race([revoking, wait(LAST, done.signal)]);
    const { length } = state.leases;
    if (length)
      io.say('warn', `${length} leases are not revoked yet: the next start does it, or they end by themselves`);
  }

  async #revoke({ id, orderedAt, expiresAt, ...place }: StoredLease, isLast = false): Promise<boolean> {
    const { client, state, io } = this.#options;
    try {
      await client.dynamicSecretLeases.revoke.mutate({ ...place, leaseId: id });
      io.say('info', `Lease ${id} is revoked`);
    } catch (error) {
      const isUnknown = error instanceof CofferError && error.status === 404;
      const isOver = expiresAt !== undefined && Date.now() > expiresAt + ON_ITS_WAY;
      const mayCome = expiresAt === undefined && Date.now() < orderedAt + ON_ITS_WAY;
      if (!isOver && (!isUnknown || mayCome)) {
        if (!isUnknown && !isLast) io.say('warn', `Lease ${id} is not revoked yet: ${messageOf(error)}`);
        return false;
      }
    }
    state.dropLease(id);
    return true;
  }
}

/** Renewed after two thirds of what is left of its life. */
function timesOf(expireAt: string): Pick<Held, 'renewAt' | 'endsAt'> {
  const endsAt = Date.parse(expireAt);
  return { endsAt, renewAt: Date.now() + ((endsAt - Date.now()) * 2) / 3 };
}

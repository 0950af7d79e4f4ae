import { setTimeout as sleep } from 'node:timers/promises';
import { Refused, type Client } from '../subject/client.ts';
import { ENVIRONMENT, makeFolder, type World } from '../subject/world.ts';
import { Random } from './random.ts';

/** The state of a secret after a change: its version and value, and whether it is deleted. */
export interface State {
  readonly version: number;
  readonly value: string;
  readonly isDeleted: boolean;
}

/** A requested write: the resulting states by key. Several keys must change together. */
export interface Write {
  readonly kind: 'create' | 'update' | 'delete';
  readonly isBatch: boolean;
  readonly after: ReadonlyMap<string, State>;
}

const WEIGHTS = { create: 3, createMany: 2, update: 4, updateMany: 2, delete: 1, deleteMany: 1 } as const;
const MOST = 50;

/**
 * Writes into its own folder, one request after the other, with a journal of acknowledged writes. A write without a
 * response is ambiguous: its keys are not used until it is resolved.
 */
export class Writer {
  readonly folder: string;
  /** What the server acknowledged, by key. */
  readonly known = new Map<string, State>();
  inDoubt: Write[] = [];
  /** Keys that changed since the last look. */
  touched = new Set<string>();
  acknowledged = 0;
  /** Statuses that a valid request never gets. */
  readonly faults: string[] = [];
  readonly #random: Random;
  readonly #projectId: string;
  #created = 0;
  #isRunning = false;
  #storm: Promise<void> = Promise.resolve();

  constructor(name: string, { projectId }: World, random: Random) {
    this.folder = name;
    this.#projectId = projectId;
    this.#random = random;
  }

  start(client: Client): void {
    this.#isRunning = true;
    this.#storm = this.#write(client);
  }

  /** Resolves when the request that is under way has ended. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#storm;
  }

  async #write(client: Client): Promise<void> {
    while (this.#isRunning) {
      const write = this.#plan();
      for (const key of write.after.keys()) this.touched.add(key);
      try {
        await this.#ask(client, write);
        this.acknowledged++;
        for (const [key, state] of write.after) this.known.set(key, state);
      } catch (error) {
        this.inDoubt.push(write);
        if (error instanceof Refused && error.status < 500) this.faults.push(error.message);
        await sleep(20);
      }
    }
  }

  #plan(): Write {
    const doubtful = new Set(this.inDoubt.flatMap(({ after }) => [...after.keys()]));
    const living = [...this.known].filter(([key, state]) => !state.isDeleted && !doubtful.has(key)).map(([key]) => key);
    const action =
      living.length < 100 ? this.#random.pick(['create', 'createMany'] as const) : this.#random.weighted(WEIGHTS);
    const isBatch = action.endsWith('Many');
    const count = isBatch ? this.#random.whole(2, MOST) : 1;
    const kind = action.replace('Many', '') as Write['kind'];
    const keys =
      kind === 'create'
        ? Array.from({ length: count }, () => `KEY_${this.#created++}`)
        : this.#random.some(living, count);
    return { kind, isBatch, after: new Map(keys.map((key) => [key, this.#next(kind, key)])) };
  }

  #next(kind: Write['kind'], key: string): State {
    const { version = 0, value = '' } = this.known.get(key) ?? {};
    if (kind === 'delete') return { version, value, isDeleted: true };
    return { version: version + 1, value: `${this.folder} ${key} ${version + 1}`, isDeleted: false };
  }

  #ask(client: Client, { kind, isBatch, after }: Write): Promise<unknown> {
    const method = { create: 'POST', update: 'PATCH', delete: 'DELETE' }[kind];
    const place = { projectId: this.#projectId, environment: ENVIRONMENT, secretPath: `/${this.folder}` };
    const secrets = [...after].map(([secretKey, { value }]) => ({
      secretKey,
      ...(kind !== 'delete' && { secretValue: value }),
    }));
    if (isBatch) return client(method, '/api/v4/secrets/batch', { ...place, secrets });
    const { secretKey, ...content } = secrets[0]!;
    return client(method, `/api/v4/secrets/${secretKey}`, { ...place, ...content });
  }
}

/** Writers with a folder each, which do the same for the same seed. */
export async function makeWriters(world: World, count: number, seed: number): Promise<Writer[]> {
  const writers = Array.from(
    { length: count },
    (_, i) => new Writer(`writer_${i}`, world, new Random(seed * 1000 + i)),
  );
  for (const { folder } of writers) await makeFolder(world, folder);
  return writers;
}

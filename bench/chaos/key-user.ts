import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Refused, type Client } from '../subject/client.ts';
import type { World } from '../subject/world.ts';
import type { Random } from './random.ts';
import type { Findings } from './verify.ts';

const KEYS = '/api/v1/kms/keys';
const WEIGHTS = { encrypt: 6, rotate: 2, create: 1, import: 1 } as const;
/** The ciphertexts of a key that are opened again after each kill. */
const KEPT = 20;

interface KnownKey {
  readonly id: string;
  /** The newest version that was acknowledged, by a rotation or in a ciphertext. */
  version: number;
  /** Acknowledged encryptions. */
  encrypted: number;
  readonly ciphertexts: Map<string, string>;
}

/** Creates, imports, rotates and uses keys, one request after the other, and remembers what was acknowledged. */
export class KeyUser {
  readonly name: string;
  readonly keys: KnownKey[] = [];
  acknowledged = 0;
  /** Statuses that a valid request never gets. */
  readonly faults: string[] = [];
  readonly #random: Random;
  readonly #projectId: string;
  #made = 0;
  #isRunning = false;
  #storm: Promise<void> = Promise.resolve();

  constructor(name: string, { projectId }: World, random: Random) {
    this.name = name;
    this.#projectId = projectId;
    this.#random = random;
  }

  start(client: Client): void {
    this.#isRunning = true;
    this.#storm = this.#work(client);
  }

  /** Resolves when the request that is under way has ended. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#storm;
  }

  async #work(client: Client): Promise<void> {
    while (this.#isRunning) {
      try {
        await this.#step(client);
        this.acknowledged++;
      } catch (error) {
        if (error instanceof Refused && error.status < 500) this.faults.push(error.message);
        await sleep(20);
      }
    }
  }

  async #step(client: Client): Promise<void> {
    const action = this.keys.length < 3 ? 'create' : this.#random.weighted(WEIGHTS);
    const name = `${this.name}-${this.#made++}`;
    if (action === 'create') {
      const { key } = await client<{ key: { id: string } }>('POST', KEYS, { projectId: this.#projectId, name });
      this.#know(key.id);
    } else if (action === 'import') {
      const keys = [{ name, keyMaterial: Buffer.alloc(32, name).toString('base64') }];
      const body = { projectId: this.#projectId, keys };
      const imported = await client<{ keys: { id: string }[] }>('POST', `${KEYS}/bulk-import`, body);
      this.#know(imported.keys[0]!.id);
    } else await this.#use(client, this.#random.pick(this.keys), action);
  }

  #know(id: string): void {
    this.keys.push({ id, version: 1, encrypted: 0, ciphertexts: new Map() });
  }

  async #use(client: Client, key: KnownKey, action: 'encrypt' | 'rotate'): Promise<void> {
    if (action === 'rotate') {
      const rotated = await client<{ key: { version: number } }>('POST', `${KEYS}/${key.id}/rotate`, {});
      key.version = Math.max(key.version, rotated.key.version);
      return;
    }
    const plaintext = Buffer.from(`${this.name} ${this.#made}`).toString('base64');
    const { ciphertext } = await client<{ ciphertext: string }>('POST', `${KEYS}/${key.id}/encrypt`, { plaintext });
    key.version = Math.max(key.version, Buffer.from(ciphertext, 'base64').readUInt32BE(2));
    key.encrypted++;
    key.ciphertexts.set(ciphertext, plaintext);
    if (key.ciphertexts.size > KEPT) key.ciphertexts.delete(key.ciphertexts.keys().next().value!);
  }
}

/** Of each key its versions, and its events. */
const STORED = `
with events as (
  select data ->> 'keyId' as id, count(*) filter (where type = 'kms_key.encrypted')::integer as encrypted,
    count(*) filter (where type in ('kms_key.created', 'kms_key.rotated'))::integer as changes
  from audit_events where type like 'kms_key.%' group by 1
), versions as (
  select kms_key_id as id, count(*)::integer as count, max(version) as last from kms_key_versions group by 1
)
select k.id, k.version, v.count, v.last, e.encrypted, e.changes
from kms_keys k left join versions v on v.id = k.id left join events e on e.id = k.id::text`;

interface StoredKey {
  readonly id: string;
  readonly version: number;
  readonly count: number | null;
  readonly last: number | null;
  readonly encrypted: number | null;
  readonly changes: number | null;
}

/** Compares keys with what was acknowledged of them, and opens their ciphertexts. The users must be idle. */
export async function verifyKeys(
  database: pg.Client,
  client: Client,
  users: readonly KeyUser[],
  found: Findings,
): Promise<void> {
  const { rows } = await database.query<StoredKey>(STORED);
  for (const key of rows) {
    if (key.count === key.version && key.last === key.version && key.changes === key.version) continue;
    found.gaps++;
    found.sentences.push(`The versions of a key or their events have gaps: ${JSON.stringify(key)}`);
  }
  const stored = new Map(rows.map((row) => [row.id, row]));
  for (const key of users.flatMap(({ keys }) => keys)) {
    const row = stored.get(key.id);
    if (row === undefined || row.version < key.version)
      lose(found, `The key ${key.id} is at version ${row?.version}, not ${key.version}`);
    else await openAll(client, key, found);
    if ((row?.encrypted ?? 0) >= key.encrypted) continue;
    found.withoutEvent++;
    found.sentences.push(`The key ${key.id} has encrypted ${key.encrypted} times, with ${row?.encrypted} events`);
  }
}

async function openAll(client: Client, { id, ciphertexts }: KnownKey, found: Findings): Promise<void> {
  const items = [...ciphertexts.keys()].map((ciphertext) => ({ ciphertext }));
  if (items.length === 0) return;
  const { results } = await client<{ results: { plaintext?: string }[] }>('POST', `${KEYS}/${id}/decrypt/batch`, {
    items,
  });
  const wanted = [...ciphertexts.values()];
  const unopened = results.filter(({ plaintext }, index) => plaintext !== wanted[index]).length;
  if (unopened > 0) lose(found, `${unopened} ciphertexts of the key ${id} do not open`);
}

function lose(found: Findings, sentence: string): void {
  found.lost++;
  found.sentences.push(sentence);
}

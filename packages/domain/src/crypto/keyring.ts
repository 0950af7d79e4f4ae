import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { TaggedCache } from '../cache/index.ts';
import {
  newId,
  notFound,
  statement,
  unavailable,
  type KeySet,
  type SealingKey,
  type SealingKeys,
  type Transaction,
  type TransactionKeyring,
} from '../kernel/index.ts';
import type { KeyUses, Query } from './key-uses.ts';
import { markingKey, type RootKey } from './root-key.ts';
import { openBytes, sealBytes } from './seal.ts';

interface WrappedKey {
  id: string;
  projectId: string | null;
  version: number;
  wrapped: Buffer;
  state: 'staged' | 'active' | 'retired';
}

const DATA_KEYS = statement(
  'data_keys',
  `select id, project_id as "projectId", version, wrapped, state from data_keys
   where organization_id = $1 and (project_id is null or project_id = $2) order by version`,
);

/**
 * The root key as a key set of one version: it unwraps and wraps organization keys. It wraps too little to be counted.
 */
export function rootKeySet({ key }: RootKey): SealingKeys {
  const only: SealingKey = { version: 0, key, use: () => undefined };
  return { newest: only, version: (version) => (version === 0 ? only : undefined) };
}

/** The location of the wrapped key of an organization or project. */
export const wrappedPlace = (owner: string, version: number) =>
  ({ column: 'data_keys.wrapped', owner, row: owner, version }) as const;

/** Keys in the order of their versions; the last of them seals where no other is named. */
export function keySet(keys: readonly SealingKey[], newest = keys.at(-1)): SealingKeys {
  if (!newest) throw new Error('There is no data key');
  const byVersion = new Map(keys.map((key) => [key.version, key]));
  return { newest, version: (version) => byVersion.get(version) };
}

/** All versions decrypt; the newest active one encrypts. A staged one waits until every process has it. */
function unwrap(uses: KeyUses, wrappedBy: KeySet, owner: string, rows: readonly WrappedKey[]): StoredKeys {
  const keys = rows.map(({ id, version, wrapped }) => ({
    id,
    version,
    key: createSecretKey(openBytes(wrappedBy, wrapped, wrappedPlace(owner, version))),
    use: () => uses.use(id),
  }));
  const newest = rows.findLastIndex(({ state }) => state === 'active');
  return { ...keySet(keys, keys[newest]), newestId: keys[newest]!.id };
}

/** Keys of the database. Before they encrypt, uses of the newest are reserved. */
interface StoredKeys extends SealingKeys {
  readonly newestId: string;
}

/** So many encryptions are done in one turn, and count as one use of what is reserved for all callers. */
const FEW_USES = 100;

const ROOT_KEY_IN_USE = statement(
  'instance.root_key',
  'select 1 from instance where root_key_fingerprint = $1 for share',
);

/** The data keys, unwrapped with the root key on first use and cached as `KeyObject`s until they are rotated. */
export class StoredKeyring {
  readonly cache = new TaggedCache<StoredKeys>();
  readonly #root: SealingKeys;
  readonly #marking: KeyObject;
  readonly #fingerprint: string;
  readonly #query: Query;
  readonly #uses: KeyUses;

  /** @param uses Counts encryptions. */
  constructor(root: RootKey, query: Query, uses: KeyUses) {
    this.#uses = uses;
    this.#root = rootKeySet(root);
    this.#marking = markingKey(root);
    this.#fingerprint = root.fingerprint;
    this.#query = query;
  }

  /**
   * A keyed hash of a text that nobody can compute without the root key (HMAC-SHA-256, base64url): equal in all
   * processes, and different after a rotation of the root key.
   */
  mark(text: string): string {
    return createHmac('sha256', this.#marking).update(text).digest('base64url');
  }

  organization(organizationId: string): Promise<KeySet> {
    return this.#keys(organizationId);
  }

  project(organizationId: string, projectId: string): Promise<KeySet> {
    return this.#keys(organizationId, projectId);
  }

  async sealing(organizationId: string, projectId?: string, uses = 0): Promise<SealingKeys> {
    return this.#reserved(await this.#keys(organizationId, projectId), uses);
  }

  /** @param uses The number of encryptions, where it may be more than a few. */
  async #reserved(keys: StoredKeys, uses: number, within?: Query): Promise<SealingKeys> {
    if (uses <= FEW_USES) {
      await this.#uses.reserve(keys.newestId, within);
      return keys;
    }
    return { ...keys, newest: { ...keys.newest, use: await this.#uses.take(keys.newestId, uses, within) } };
  }

  async #keys(organizationId: string, projectId?: string): Promise<StoredKeys> {
    const key = projectId ? `${organizationId}/${projectId}` : organizationId;
    return this.cache.get(key, 0) ?? this.#load(organizationId, projectId);
  }

  /** A keyring that also sees the keys that this transaction made, and remembers nothing. */
  within(query: Query): TransactionKeyring {
    const read = async (organizationId: string, projectId?: string) =>
      this.cache.get(projectId ? `${organizationId}/${projectId}` : organizationId, 0) ??
      this.#read(query, organizationId, projectId);
    const sealing = async (organizationId: string, projectId?: string, uses = 0) =>
      this.#reserved(await read(organizationId, projectId), uses, query);
    return {
      mark: (text) => this.mark(text),
      sealing,
      organization: (organizationId) => read(organizationId),
      project: read,
      wrapNew: async (organizationId, projectId, version) => {
        const wrapper = projectId ? await sealing(organizationId) : await this.#rootInUse(query);
        return sealBytes(wrapper.newest, randomBytes(32), wrappedPlace(projectId ?? organizationId, version));
      },
    };
  }

  async #unwrapOrganization(query: Query, organizationId: string, rows: readonly WrappedKey[]): Promise<StoredKeys> {
    try {
      return unwrap(this.#uses, this.#root, organizationId, rows);
    } catch (error) {
      await this.#rootInUse(query);
      throw error;
    }
  }

  /** A process that has run since before a rotation of the root key must not wrap with the old one. */
  async #rootInUse(query: Query): Promise<SealingKeys> {
    if ((await query(ROOT_KEY_IN_USE, [this.#fingerprint])).length > 0) return this.#root;
    throw unavailable('root_key.rotated', 'The root key was rotated: restart this server with the new root key');
  }

  async #load(organizationId: string, projectId: string | undefined): Promise<StoredKeys> {
    const key = projectId ? `${organizationId}/${projectId}` : organizationId;
    const keys = await this.cache.load(key, 0, async () => ({
      value: await this.#read(this.#query, organizationId, projectId),
      tags: [`keys:${organizationId}`],
    }));
    return keys as StoredKeys;
  }

  async #read(query: Query, organizationId: string, projectId: string | undefined): Promise<StoredKeys> {
    const rows = await query<WrappedKey>(DATA_KEYS, [organizationId, projectId ?? null]);
    const isThere = rows.some((row) => row.projectId === (projectId ?? null));
    if (!isThere) await requireGone(query, organizationId, projectId);
    const organization = await this.#unwrapOrganization(
      query,
      organizationId,
      rows.filter((row) => row.projectId === null),
    );
    return projectId
      ? unwrap(
          this.#uses,
          organization,
          projectId,
          rows.filter((row) => row.projectId !== null),
        )
      : organization;
  }
}

const IS_THERE = {
  organization: statement('data_keys.organization', 'select 1 from organizations where id = $1'),
  project: statement('data_keys.project', 'select 1 from projects where id = $1'),
};

/** The keys of an organization or project end with it. @throws DomainError 404 */
async function requireGone(query: Query, organizationId: string, projectId: string | undefined): Promise<void> {
  const what = projectId === undefined ? 'organization' : 'project';
  if ((await query(IS_THERE[what], [projectId ?? organizationId])).length === 0) throw notFound(what);
}

export const CREATE_DATA_KEY = statement(
  'data_keys.create',
  'insert into data_keys (id, organization_id, project_id, version, wrapped, uses) values ($1, $2, $3, $4, $5, 0)',
);

/** Creates the first data key of a new organization or project, in the transaction that creates it. */
export async function createDataKey(
  tx: Transaction,
  organizationId: string,
  projectId?: string,
  version = 1,
): Promise<void> {
  const wrapped = await tx.keys.wrapNew(organizationId, projectId, version);
  await tx.sql(CREATE_DATA_KEY, [newId(), organizationId, projectId ?? null, version, wrapped]);
}

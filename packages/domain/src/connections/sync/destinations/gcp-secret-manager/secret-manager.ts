import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import type { GcpClient } from '../../../../apps/gcp/index.ts';
import { isRemote, malformed, mapAtOnce, rejected, RemoteName } from '../../../../family/index.ts';
import type { SecretStore } from '../../sync.ts';

/** Values that are read at once. */
const AT_ONCE = 10;
const Item = z.object({ name: RemoteName });
const Version = z.object({ name: z.string() });
const Accessed = z.object({ payload: z.object({ data: z.base64().default('') }) });
const Fault = z.object({ error: z.object({ message: z.string().catch('') }) });

interface Place {
  readonly projectId: string;
  /** Of regional secrets. */
  readonly locationId?: string;
  readonly userReplicaLocationIds?: readonly string[] | undefined;
}

const urlOf = ({ projectId, locationId }: Place): string =>
  locationId === undefined
    ? `https://secretmanager.googleapis.com/v1/projects/${projectId}/secrets`
    : `https://secretmanager.${locationId}.rep.googleapis.com/v1/projects/${projectId}/locations/${locationId}/secrets`;

/** What a new secret is created with. */
function creationOf({ locationId, userReplicaLocationIds }: Place): object {
  if (locationId !== undefined) return {};
  if (!userReplicaLocationIds) return { replication: { automatic: {} } };
  return { replication: { userManaged: { replicas: userReplicaLocationIds.map((location) => ({ location })) } } };
}

/** The secrets of a project, global or of a region (https://cloud.google.com/secret-manager/docs/reference/rest). */
export class SecretManager implements SecretStore {
  readonly #gcp: GcpClient;
  readonly #place: Place;
  readonly #url: string;

  constructor(gcp: GcpClient, place: Place) {
    this.#gcp = gcp;
    this.#place = place;
    this.#url = urlOf(place);
  }

  /** Those without a readable version have no value; others than the asked ones may be unreadable, too. */
  async list(asked: readonly string[], { isWhole }: { isWhole: boolean }): Promise<Map<string, string | undefined>> {
    const items = isWhole ? await this.#gcp.list(`${this.#url}?pageSize=1000`, 'secrets', Item) : [];
    const found = new Map(items.map(({ name }) => [name.split('/').at(-1)!, undefined as string | undefined]));
    const isAsked = new Set(asked);
    const others = [...found.keys()].filter((name) => !isAsked.has(name));
    await mapAtOnce([...asked, ...others], AT_ONCE, async (name) => {
      const value = await this.#read(name, isAsked.has(name));
      if (value !== undefined) found.set(name, value.text);
    });
    return found;
  }

  /** The newest version of a secret; `undefined` if there is none. */
  async #read(name: string, isAsked: boolean): Promise<{ readonly text: string | undefined } | undefined> {
    const url = `${this.#at(name)}/versions/latest:access`;
    const { status, body } = await this.#gcp.ask(url, { expected: [400, 403, 404] });
    if (status === 404) return undefined;
    if (status === 403 && isAsked) throw rejected(url, 403, Fault.safeParse(body).data?.error.message ?? '');
    // It is disabled or destroyed.
    if (status !== 200) return { text: undefined };
    const { data } = Accessed.safeParse(body);
    if (!data) throw malformed(url, 'no version of a secret');
    const bytes = Buffer.from(data.payload.data, 'base64');
    return { text: isUtf8(bytes) ? bytes.toString() : undefined };
  }

  async put(name: string, value: string, exists: boolean): Promise<void> {
    if (exists) return this.#add(name, value);
    const creation = { method: 'POST', body: creationOf(this.#place), expected: [409] } as const;
    const { status } = await this.#gcp.ask(`${this.#url}?secretId=${encodeURIComponent(name)}`, creation);
    try {
      await this.#add(name, value);
    } catch (error) {
      // A new secret without a version is not kept. One that was there before (409) is not ours.
      if (status === 200 && isRemote(error, 'rejected')) await this.remove(name);
      throw error;
    }
  }

  async #add(name: string, value: string): Promise<void> {
    const payload = { data: Buffer.from(value).toString('base64') };
    const url = `${this.#at(name)}:addVersion`;
    const answer = await this.#gcp.ask(url, { method: 'POST', body: { payload } });
    if (!Version.safeParse(answer.body).data) throw malformed(url, 'no version of a secret');
  }

  async remove(name: string): Promise<void> {
    await this.#gcp.ask(this.#at(name), { method: 'DELETE', expected: [404] });
  }

  #at(name: string): string {
    return `${this.#url}/${encodeURIComponent(name)}`;
  }
}

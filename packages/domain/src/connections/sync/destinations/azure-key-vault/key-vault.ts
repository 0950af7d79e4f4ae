import { z } from 'zod';
import { askVault, vaultFaultOf, type AzureClient } from '../../../../apps/azure/index.ts';
import { malformed, mapAtOnce, objectOf, rejected, RemoteName } from '../../../../family/index.ts';
import type { SecretStore } from '../../sync.ts';

const VERSION = 'api-version=7.4';
/** Values that are read at once. */
const AT_ONCE = 10;

const Item = z.object({ id: RemoteName, managed: z.boolean().default(false) });
const Secret = z.object({
  value: z.string().optional(),
  contentType: z.string().optional(),
  tags: objectOf(z.string()).optional(),
});
type Secret = z.output<typeof Secret>;
/** Why a secret that exists has no value to read. */
const UNREADABLE = ['SecretDisabled', 'SecretExpired', 'SecretNotYetValid'];

/** The secrets of a vault (https://learn.microsoft.com/en-us/rest/api/keyvault/secrets/operation-groups). */
export class KeyVault implements SecretStore {
  readonly #azure: AzureClient;
  readonly #url: string;
  readonly #known = new Map<string, Secret>();

  constructor(azure: AzureClient, vaultBaseUrl: string) {
    this.#azure = azure;
    this.#url = vaultBaseUrl;
  }

  async list(names: readonly string[], { isWhole }: { isWhole: boolean }): Promise<Map<string, string | undefined>> {
    const found = new Map<string, string | undefined>();
    const others = isWhole ? await this.#others(names, found) : [];
    const isAsked = new Set(names);
    await mapAtOnce([...names, ...others], AT_ONCE, async (name) => {
      const secret = await this.#read(name, isAsked.has(name));
      if (!secret) return;
      this.#known.set(name, secret);
      found.set(name, secret.value);
    });
    return found;
  }

  /** The names of all other secrets; those of certificates are found without a value. */
  async #others(names: readonly string[], found: Map<string, string | undefined>): Promise<string[]> {
    const asked = new Set(names.map((name) => name.toLowerCase()));
    const items = (await this.#azure.list(`${this.#url}/secrets?${VERSION}`, Item)).map(({ id, managed }) => ({
      ...{ name: id.split('/').at(-1)!, managed },
    }));
    for (const { name, managed } of items) if (managed) found.set(name, undefined);
    return items.flatMap(({ name, managed }) => (managed || asked.has(name.toLowerCase()) ? [] : [name]));
  }

  async #read(name: string, isAsked: boolean): Promise<Secret | undefined> {
    const url = this.#at(name);
    const answer = await this.#azure.ask(url, { expected: [403, 404] });
    if (answer.status === 404) return undefined;
    if (answer.status === 403) {
      const { message = '', innererror } = vaultFaultOf(answer) ?? {};
      if (isAsked && !UNREADABLE.includes(innererror?.code ?? '')) throw rejected(url, 403, message);
      return {};
    }
    const { data } = Secret.safeParse(answer.body);
    if (data?.value === undefined) throw malformed(url, 'no secret');
    return data;
  }

  async put(name: string, value: string): Promise<void> {
    const { contentType, tags } = this.#known.get(name) ?? {};
    const body = { value, ...(contentType && { contentType }), ...(tags && { tags }) };
    const recoverUrl = `${this.#url}/deletedsecrets/${encodeURIComponent(name)}/recover?${VERSION}`;
    const answer = await askVault(this.#azure, this.#at(name), { method: 'PUT', body }, recoverUrl);
    if (!Secret.safeParse(answer.body).data) throw malformed(this.#url, 'no secret');
  }

  async remove(name: string): Promise<void> {
    await this.#azure.ask(this.#at(name), { method: 'DELETE', expected: [404] });
  }

  #at(name: string): string {
    return `${this.#url}/secrets/${encodeURIComponent(name)}?${VERSION}`;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { AzureAnswer, AzureClient } from '../../../../apps/azure/index.ts';
import { malformed, mapAtOnce, rejected } from '../../../../family/index.ts';
import type { SecretStore } from '../../sync.ts';

const VERSION = 'api-version=7.4';
/** Values that are read at once. */
const AT_ONCE = 10;
/** A deleted secret is there again some seconds after its recovery: tries, and milliseconds before the second one. */
const TRIES = 6;
const PAUSE_MS = 200;

const Item = z.object({ id: z.string(), managed: z.boolean().default(false) });
const Secret = z.object({
  value: z.string().optional(),
  contentType: z.string().optional(),
  tags: z.record(z.string(), z.string()).optional(),
});
type Secret = z.output<typeof Secret>;
const Fault = z.object({
  error: z.object({ message: z.string().catch(''), innererror: z.object({ code: z.string() }).optional() }),
});
/** Why a secret that exists has no value to read. */
const UNREADABLE = ['SecretDisabled', 'SecretExpired', 'SecretNotYetValid'];

const faultOf = ({ body }: AzureAnswer) => Fault.safeParse(body).data?.error;

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
      const { message = '', innererror } = faultOf(answer) ?? {};
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
    for (let tries = 0; ; tries++) {
      const answer = await this.#azure.ask(this.#at(name), { method: 'PUT', body, expected: [409] });
      if (answer.status !== 409) {
        if (!Secret.safeParse(answer.body).data) throw malformed(this.#url, 'no secret');
        return;
      }
      const { message = '', innererror } = faultOf(answer) ?? {};
      if (tries === TRIES || !/^Object(?:IsDeletedButRecoverable|IsBeing\w+)$/.test(innererror?.code ?? ''))
        throw rejected(this.#url, 409, message);
      if (innererror?.code === 'ObjectIsDeletedButRecoverable') await this.#recover(name);
      else await sleep(PAUSE_MS * 2 ** tries);
    }
  }

  /** Takes back the deletion of a secret, whose name is not free before its retention ends. */
  async #recover(name: string): Promise<void> {
    const url = `${this.#url}/deletedsecrets/${encodeURIComponent(name)}/recover?${VERSION}`;
    await this.#azure.ask(url, { method: 'POST', expected: [404, 409] });
  }

  async remove(name: string): Promise<void> {
    await this.#azure.ask(this.#at(name), { method: 'DELETE', expected: [404] });
  }

  #at(name: string): string {
    return `${this.#url}/secrets/${encodeURIComponent(name)}?${VERSION}`;
  }
}

import { z } from 'zod';
import type { GitHubClient } from '../../../../apps/github/index.ts';
import { allPages, jsonOf, malformed, RemoteName } from '../../../../family/index.ts';
import type { OutboundResponse } from '../../../../kernel/index.ts';

/** The Actions secrets of one scope. */
export class SecretsApi {
  readonly #client: GitHubClient;
  readonly #path: string;
  readonly #url: string;
  #key: SealingKey | undefined;

  /** `place` such as `/repos/acme/web/actions`. */
  constructor(client: GitHubClient, place: string) {
    this.#client = client;
    this.#path = `${place}/secrets`;
    this.#url = client.urlOf(this.#path);
  }

  async names(): Promise<string[]> {
    const secrets = await allPages(async (page: number = 1) => {
      const answer = await this.#client.ask(`${this.#path}?per_page=${PAGE}&page=${page}`);
      const { success, data } = Page.safeParse(jsonOf(answer));
      if (!success) throw malformed(this.#url, 'no list of secrets');
      const isLast = data.secrets.length < PAGE || page * PAGE === data.total_count;
      return { items: data.secrets, next: isLast ? null : page + 1 };
    });
    return secrets.map(({ name }) => name);
  }

  async put(name: string, value: string, visibility: object): Promise<void> {
    this.#key ??= await sealingKey(this.#url, await this.#client.ask(`${this.#path}/public-key`));
    const body = JSON.stringify({ encrypted_value: this.#key.seal(value), key_id: this.#key.id, ...visibility });
    await this.#client.ask(`${this.#path}/${name}`, { method: 'PUT', body });
  }

  async remove(name: string): Promise<void> {
    await this.#client.ask(`${this.#path}/${name}`, { method: 'DELETE' });
  }
}

const PAGE = 100;
const Page = z.object({ total_count: z.int().optional(), secrets: z.array(z.object({ name: RemoteName })) });

interface SealingKey {
  readonly id: string;
  seal(value: string): string;
}

const PublicKey = z.object({ key_id: z.string().max(64), key: z.base64() });

/** GitHub accepts values in a sealed box (libsodium) that only it can open. */
async function sealingKey(url: string, answer: OutboundResponse): Promise<SealingKey> {
  const { success, data } = PublicKey.safeParse(jsonOf(answer));
  const bytes = Buffer.from(data?.key ?? '', 'base64');
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  if (!success || bytes.length !== sodium.crypto_box_PUBLICKEYBYTES) throw malformed(url, 'no public key to seal with');
  return {
    id: data.key_id,
    seal: (value) => Buffer.from(sodium.crypto_box_seal(Buffer.from(value), bytes)).toString('base64'),
  };
}

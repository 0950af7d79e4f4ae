import { hash } from 'node:crypto';
import { z } from 'zod';
import { askVault, type AzureClient } from '../../../../apps/azure/index.ts';
import { OF_PKI_SYNC } from '../../../../connections/pki-sync/index.ts';
import { malformed } from '../../../../family/index.ts';
import type { KeyAlgorithm } from '../../../x509.ts';
import type { Bundle, CertificateStore, Found, Slot } from '../../destination.ts';

const VERSION = 'api-version=7.4';

/** How a vault describes the keys that it takes. */
const KEYS = {
  RSA_2048: { kty: 'RSA', key_size: 2048 },
  RSA_3072: { kty: 'RSA', key_size: 3072 },
  RSA_4096: { kty: 'RSA', key_size: 4096 },
  EC_prime256v1: { kty: 'EC', crv: 'P-256', key_size: 256 },
  EC_secp384r1: { kty: 'EC', crv: 'P-384', key_size: 384 },
} as const;
export const VAULT_KEYS = Object.keys(KEYS) as (keyof typeof KEYS & KeyAlgorithm)[];

const Stored = z.object({ cer: z.string(), tags: z.record(z.string(), z.string()).default({}) });

/** The certificates of a vault (https://learn.microsoft.com/en-us/rest/api/keyvault/certificates/operation-groups). */
export class VaultCertificates implements CertificateStore {
  readonly #azure: AzureClient;
  readonly #url: string;
  readonly #syncId: string;

  constructor(azure: AzureClient, vaultBaseUrl: string, syncId: string) {
    this.#azure = azure;
    this.#url = vaultBaseUrl;
    this.#syncId = syncId;
  }

  async find(slots: readonly Slot[]): Promise<Map<string, Found>> {
    const found = new Map<string, Found>();
    for (const { name } of slots) {
      const answer = await this.#azure.ask(this.#at(name), { expected: [404] });
      if (answer.status === 404) continue;
      const { data } = Stored.safeParse(answer.body);
      if (!data) throw malformed(this.#url, 'no certificate');
      const fingerprint = hash('sha256', Buffer.from(data.cer, 'base64'));
      found.set(name, { reference: name, fingerprint, isOurs: data.tags[OF_PKI_SYNC] === this.#syncId });
    }
    return found;
  }

  async put({ name }: Slot, { certificate, chain, privateKey, keyAlgorithm }: Bundle): Promise<string> {
    const body = {
      // PEM is sent as it is; PKCS #12 would be in base64.
      value: [privateKey, certificate, chain].map((pem) => pem.trim()).join('\n'),
      policy: {
        key_props: { exportable: true, reuse_key: false, ...KEYS[keyAlgorithm as keyof typeof KEYS] },
        secret_props: { contentType: 'application/x-pem-file' },
      },
      tags: { [OF_PKI_SYNC]: this.#syncId },
    };
    const recoverUrl = `${this.#url}/deletedcertificates/${name}/recover?${VERSION}`;
    await askVault(this.#azure, this.#at(name, '/import'), { method: 'POST', body }, recoverUrl);
    return name;
  }

  async remove({ name }: Slot): Promise<void> {
    await this.#azure.ask(this.#at(name), { method: 'DELETE', expected: [404] });
  }

  #at(name: string, what = ''): string {
    return `${this.#url}/certificates/${name}${what}?${VERSION}`;
  }
}

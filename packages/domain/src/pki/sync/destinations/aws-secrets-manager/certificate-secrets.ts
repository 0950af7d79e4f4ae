import { z } from 'zod';
import type { SecretsManager } from '../../../../connections/apps/aws/index.ts';
import { OF_PKI_SYNC } from '../../../../connections/pki-sync/index.ts';
import { readExactly } from '../../../../family/index.ts';
import { DomainError } from '../../../../kernel/index.ts';
import { readCertificate } from '../../../x509.ts';
import type { Bundle, CertificateStore, Found, Slot, Sought } from '../../destination.ts';

interface Fields {
  readonly certificate: string;
  readonly privateKey: string;
  readonly certificateChain: string;
  readonly caCertificate: string;
}

const Fields = z.record(z.string(), z.unknown());

/** Secrets of AWS with a certificate each, as a JSON object. */
export class CertificateSecrets implements CertificateStore {
  readonly #secrets: SecretsManager;
  readonly #fields: Fields;
  readonly #syncId: string;

  constructor(secrets: SecretsManager, fields: Fields, syncId: string) {
    this.#secrets = secrets;
    this.#fields = fields;
    this.#syncId = syncId;
  }

  async find(slots: readonly Sought[]): Promise<Map<string, Found>> {
    const names = slots.map(({ name }) => name);
    const present = await this.#secrets.list(names, { isWhole: false });
    const found = new Map<string, Found>();
    for (const { name, reference } of slots) {
      if (!present.has(name)) continue;
      const isOurs = reference !== null || (await this.#secrets.tagsOf(name))[OF_PKI_SYNC] === this.#syncId;
      found.set(name, { reference: name, fingerprint: this.#fingerprintIn(present.get(name)), isOurs });
    }
    return found;
  }

  /** Of the certificate in a secret, whatever the fields are called; empty if there is none. */
  #fingerprintIn(text: string | undefined): string {
    try {
      const fields = Object.values(Fields.parse(readExactly(text ?? '')));
      const [certificate] = fields.filter((value): value is string => typeof value === 'string' && isPem(value));
      return readCertificate(certificate ?? '').fingerprintSha256;
    } catch (error) {
      if (!(error instanceof DomainError || error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
      return '';
    }
  }

  async put({ name, reference }: Slot, bundle: Bundle): Promise<string> {
    const value = {
      [this.#fields.certificate]: bundle.certificate,
      [this.#fields.privateKey]: bundle.privateKey,
      [this.#fields.certificateChain]: bundle.chain,
      [this.#fields.caCertificate]: bundle.root,
    };
    await this.#secrets.put(name, JSON.stringify(value), reference !== null);
    return name;
  }

  remove({ name }: Slot): Promise<void> {
    return this.#secrets.remove(name);
  }
}

const isPem = (text: string) => text.startsWith('-----BEGIN CERTIFICATE-----');

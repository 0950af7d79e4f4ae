import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { AZURE_SCOPES } from '../login.ts';
import { azureFault, type AzureApi, type AzureCall } from './cloud.ts';

interface StoredCertificate {
  readonly certificate: string;
  readonly chain: string;
  readonly privateKey: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly versions: number;
  readonly isDeleted: boolean;
}

const PEM = /-----BEGIN ([A-Z0-9 ]+)-----[^-]+-----END \1-----/g;

/**
 * The certificates of a vault with soft deletion.
 * https://learn.microsoft.com/en-us/rest/api/keyvault/certificates/import-certificate/import-certificate
 */
export class AzureVaultCertificates implements AzureApi {
  readonly host = 'shop.vault.azure.net';
  readonly scope = AZURE_SCOPES.keyVault;
  /** By their names in lower case. */
  readonly certificates = new Map<string, StoredCertificate & { readonly name: string }>();
  /** For how many tries a recovered certificate is not there yet. */
  lag = 0;
  now: () => number = Date.now;

  present(): (StoredCertificate & { readonly name: string })[] {
    return [...this.certificates.values()].filter(({ isDeleted }) => !isDeleted);
  }

  set(name: string, stored: Omit<StoredCertificate, 'versions' | 'isDeleted'>): void {
    const versions = this.certificates.get(name.toLowerCase())?.versions ?? 0;
    this.certificates.set(name.toLowerCase(), { ...stored, name, versions: versions + 1, isDeleted: false });
  }

  serve(call: AzureCall): void {
    const { method, url } = call;
    if (url.searchParams.get('api-version') !== '7.4') return refuse(call, 400, 'BadParameter', 'api-version');
    const [, collection, name = '', action] =
      /^\/(certificates|deletedcertificates)\/([0-9A-Za-z-]{1,127})(?:\/(import|recover))?$/.exec(url.pathname) ?? [];
    const stored = this.certificates.get(name.toLowerCase());
    if (collection === 'deletedcertificates' && action === 'recover' && method === 'POST')
      return this.#recover(call, stored);
    if (collection !== 'certificates') return refuse(call, 404, 'NotFound', 'Not found');
    if (action === 'import' && method === 'POST') return this.#import(call, name, stored);
    if (!stored || stored.isDeleted || action !== undefined)
      return refuse(call, 404, 'CertificateNotFound', `A certificate with (name/id) ${name} was not found.`);
    if (method === 'DELETE') this.certificates.set(name.toLowerCase(), { ...stored, isDeleted: true });
    else if (method !== 'GET') return refuse(call, 405, 'MethodNotAllowed', 'Not allowed');
    call.answer(200, this.#shown(stored));
  }

  #shown({ name, certificate, tags }: StoredCertificate & { readonly name: string }) {
    const id = `https://${this.host}/certificates/${name}/${randomBytes(16).toString('hex')}`;
    return { id, cer: new X509Certificate(certificate).raw.toString('base64'), attributes: { enabled: true }, tags };
  }

  #recover(call: AzureCall, stored: (StoredCertificate & { readonly name: string }) | undefined): void {
    if (!stored?.isDeleted) return refuse(call, 404, 'CertificateNotFound', 'There is no such deleted certificate.');
    this.certificates.set(stored.name.toLowerCase(), { ...stored, isDeleted: false });
    this.lag = 1;
    call.answer(200, this.#shown(stored));
  }

  #import(call: AzureCall, name: string, stored: StoredCertificate | undefined): void {
    if (stored?.isDeleted)
      return refuse(call, 409, 'Conflict', `Certificate ${name} is deleted.`, 'ObjectIsDeletedButRecoverable');
    if (this.lag-- > 0) return refuse(call, 409, 'Conflict', `${name} is being recovered.`, 'ObjectIsBeingRecovered');
    const {
      value,
      policy,
      tags = {},
    } = call.body as { value?: string; policy?: Policy; tags?: Record<string, string> };
    const blocks = [...(value ?? '').matchAll(PEM)].map(([block, kind]) => ({ block, kind }));
    const [leaf, ...above] = blocks.flatMap(({ block, kind }) => (kind === 'CERTIFICATE' ? [block] : []));
    const key = blocks.find(({ kind }) => kind === 'PRIVATE KEY')?.block;
    if (policy?.secret_props?.contentType !== 'application/x-pem-file' || !leaf || !key)
      return refuse(
        call,
        400,
        'BadParameter',
        'The specified PEM X.509 certificate content is in an unexpected format.',
      );
    const certificate = new X509Certificate(leaf);
    const { kty, exportable } = policy.key_props ?? {};
    const type = certificate.publicKey.asymmetricKeyType === 'rsa' ? 'RSA' : 'EC';
    if (!certificate.checkPrivateKey(createPrivateKey(key)) || kty !== type || exportable !== true)
      return refuse(call, 400, 'BadParameter', 'Private key is not specified in the specified X.509 PEM certificate.');
    if (certificate.validToDate.getTime() <= this.now())
      return refuse(call, 400, 'BadParameter', 'The certificate has expired.');
    this.set(name, { certificate: leaf, chain: above.join('\n'), privateKey: key, tags });
    call.answer(200, this.#shown(this.certificates.get(name.toLowerCase())!));
  }
}

interface Policy {
  readonly key_props?: { readonly kty?: string; readonly exportable?: boolean };
  readonly secret_props?: { readonly contentType?: string };
}

function refuse(call: AzureCall, status: number, code: string, message: string, inner?: string): void {
  const { error } = azureFault(code, message);
  call.answer(status, { error: { ...error, ...(inner && { innererror: { code: inner } }) } });
}

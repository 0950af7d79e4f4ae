import { badRequest, readAddress } from '../../kernel/index.ts';
import { CRITICAL_OPTIONS, EXTENSIONS, type SshCertificateType, type SshOptions } from '../ssh.ts';

/** The options of a certificate, and of the templates that give them. */
export interface CertificateOptions {
  readonly criticalOptions: SshOptions;
  readonly extensions: SshOptions;
}

/** Names that OpenSSH does not define belong to a domain: `login@example.com`. */
const OWN = /^[A-Za-z0-9._-]+@[A-Za-z0-9.-]+$/;

const refuse = (message: string) => badRequest('ssh_certificate.option', message);

/** @throws DomainError 400 `ssh_certificate.option` for a name that OpenSSH does not know and that names no domain. */
export function requireOptionName(kind: keyof CertificateOptions, name: string): void {
  const known = kind === 'criticalOptions' ? Object.hasOwn(CRITICAL_OPTIONS, name) : isExtension(name);
  if (!known && !OWN.test(name))
    throw refuse(
      `${kind}: OpenSSH does not define ${name}; name your own options with a domain, as in login@example.com`,
    );
}

const isExtension = (name: string): boolean => (EXTENSIONS as readonly string[]).includes(name);

/**
 * Checks names and values. sshd rejects every login by a certificate with a critical option that it cannot read.
 *
 * @throws DomainError 400 `ssh_certificate.option`
 */
export function requireOptions({ criticalOptions, extensions }: CertificateOptions): void {
  for (const [name, value] of Object.entries(criticalOptions)) {
    requireOptionName('criticalOptions', name);
    const form = CRITICAL_OPTIONS[name];
    if (form === 'flag' && value !== '') throw refuse(`criticalOptions: ${name} has no value; use an empty text`);
    if (form === 'value' && value === '') throw refuse(`criticalOptions: ${name} needs a value`);
    if (name === 'source-address') requireNetworks(value);
  }
  for (const [name, value] of Object.entries(extensions)) {
    requireOptionName('extensions', name);
    if (isExtension(name) && value !== '') throw refuse(`extensions: ${name} has no value; use an empty text`);
  }
}

/** The maximum of the names and values of a certificate's options, or of all that a template says, in characters. */
export const MAX_OPTIONS = 32_768;

/** @throws DomainError 400 `ssh_certificate.option`: OpenSSH defines no options for hosts; or too many. */
export function requireOptionsFor(type: SshCertificateType, { criticalOptions, extensions }: CertificateOptions): void {
  const { length } = [criticalOptions, extensions]
    .flatMap((options) => Object.entries(options))
    .flat()
    .join('');
  if (length > MAX_OPTIONS)
    throw refuse(`The options of the certificate have ${length} characters; the maximum is ${MAX_OPTIONS}`);
  const names = [...Object.keys(criticalOptions), ...Object.keys(extensions)];
  if (type === 'host' && names.length > 0)
    throw refuse(`Host certificates have no critical options and no extensions, but ${names.join(', ')} is requested`);
}

/** OpenSSH reads addresses and networks whose host bits are zero, separated by commas, without spaces. */
function requireNetworks(list: string): void {
  for (const entry of list.split(',')) {
    if (isNetwork(entry)) continue;
    throw refuse(
      `criticalOptions: source-address has ${entry || 'an empty entry'}; use addresses and networks such as 10.0.0.0/8`,
    );
  }
}

function isNetwork(entry: string): boolean {
  const [, text = '', digits] = /^([0-9A-Fa-f:.]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(entry) ?? [];
  const address = text ? readAddress(text) : undefined;
  if (!address || text.includes(':') !== (address.kind() === 'ipv6')) return false;
  if (digits === undefined) return true;
  const octets = address.toByteArray();
  const prefix = Number(digits);
  const hasHostBits = octets.some((octet, at) => (octet & (0xff >> Math.min(8, Math.max(0, prefix - at * 8)))) !== 0);
  return prefix <= octets.length * 8 && !hasHostBits;
}

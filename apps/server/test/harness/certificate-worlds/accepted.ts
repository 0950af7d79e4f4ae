import { X509Certificate } from 'node:crypto';
import { ADDRESSES, HOSTS, MAILBOXES } from './arbitrary.ts';

/** What a certificate says, and what clients accept it for, both as OpenSSL reads it. */
export interface Accepted {
  readonly pem: string;
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly altNames: readonly { readonly type: 'dns' | 'ip' | 'email' | 'uri'; readonly value: string }[];
  readonly extendedKeyUsages: readonly string[];
  readonly isAuthority: boolean;
  readonly notAfter: number;
  readonly hosts: readonly string[];
  /** Those of them for which only the common name speaks. */
  readonly hostsByCommonName: readonly string[];
  readonly others: readonly string[];
}

const TYPES = { DNS: 'dns', 'IP Address': 'ip', email: 'email', URI: 'uri' } as const;
const USAGES: Readonly<Record<string, string>> = {
  '1.3.6.1.5.5.7.3.1': 'serverAuth',
  '1.3.6.1.5.5.7.3.2': 'clientAuth',
  '1.3.6.1.5.5.7.3.3': 'codeSigning',
};
/** Of node, whose types lack it: by the subject where there is no such alternative name. */
const USUAL = { subject: 'default' } as const;

export function acceptedFor(pem: string): Accepted {
  const x509 = new X509Certificate(pem);
  // Of an empty one, node says nothing.
  const attributes = ((x509.subject as string | undefined) ?? '').split('\n');
  const of = (short: string) =>
    attributes.flatMap((one) => (one.startsWith(`${short}=`) ? [one.slice(short.length + 1)] : []));
  const altNames = (x509.subjectAltName ?? '').split(', ').flatMap((text) => {
    const [name = '', value = ''] = text.split(/:(.*)/s);
    return name === '' ? [] : [{ type: TYPES[name as keyof typeof TYPES], value }];
  });
  const hosts = HOSTS.filter((host) => x509.checkHost(host, USUAL));
  return {
    pem,
    commonName: of('CN')[0] ?? '',
    organizations: of('O'),
    altNames,
    // Repeated: it lists each of them.
    extendedKeyUsages: [...new Set(x509.keyUsage ?? [])].map((oid) => USAGES[oid] ?? oid),
    isAuthority: x509.ca,
    notAfter: Date.parse(x509.validTo),
    hosts,
    hostsByCommonName: hosts.filter((host) => !x509.checkHost(host, { subject: 'never' })),
    others: [
      ...ADDRESSES.filter((address) => x509.checkIP(address)),
      ...MAILBOXES.filter((mailbox) => x509.checkEmail(mailbox, USUAL)),
    ],
  };
}

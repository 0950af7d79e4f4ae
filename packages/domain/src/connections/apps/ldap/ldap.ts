import { z } from 'zod';
import { inDirectory, pairsOf, type DirectorySession } from '../../../apps/ldap/index.ts';
import { CaCertificate } from '../../../crypto/index.ts';
import { sealed } from '../../../family/index.ts';
import { text } from '../../../kernel/index.ts';
import { isDirectoryUrl, PORTS } from '../../../ldap/index.ts';
import { DIRECTORY_PORTS } from '../../../outbound/index.ts';
import { defineConnector } from '../../connection/index.ts';
import { needed } from '../../fields.ts';

/** Does work as the bound entry, in a connection of its own. */
export type LdapAccess = <T>(work: (session: DirectorySession) => Promise<T>) => Promise<T>;

const URL_EXAMPLE = 'ldaps://directory.example.com:636';
const Bind = z.object({
  provider: z
    .enum(['active-directory', 'openldap'])
    .default('active-directory')
    .describe('How passwords are stored: openldap stands for all directories with userPassword'),
  url: needed('the URL of a directory', 2048)
    .refine(isDirectoryUrl, `Expected ${URL_EXAMPLE}`)
    .meta({ examples: [URL_EXAMPLE] }),
  dn: needed('the DN of an entry', 400)
    .refine((dn) => pairsOf(dn) !== undefined, 'Expected the DN of an entry (RFC 4514)')
    .meta({ examples: ['cn=coffer,dc=example,dc=com'] }),
  password: sealed(text(1024).min(1), {
    sentTo: ['provider', 'url', 'dn', 'sslRejectUnauthorized', 'sslCertificate'],
  }),
  sslRejectUnauthorized: z
    .literal(true, 'Only true is supported: give the certificate of the issuer as sslCertificate')
    .default(true)
    .describe('The certificate of the directory is always verified'),
  sslCertificate: CaCertificate.optional().describe(
    'PEM of the root certificate by which the directory is trusted; with it, ldap:// upgrades to TLS (StartTLS)',
  ),
});

export const ldap = defineConnector({
  app: 'ldap',
  title: 'LDAP',
  methods: { 'simple-bind': { credentials: Bind } },
  systemOf({ url }) {
    const { protocol, hostname, port } = new URL(url);
    return { name: `${hostname.replace(/\.$/, '')}:${port || PORTS[protocol as keyof typeof PORTS]}` };
  },
  aliasesOf(name) {
    const at = name.lastIndexOf(':');
    const isUsual = DIRECTORY_PORTS.includes(name.slice(at + 1));
    return isUsual ? DIRECTORY_PORTS.map((port) => `${name.slice(0, at)}:${port}`) : [];
  },
  connect:
    ({ url, dn, password, sslCertificate }, remote): LdapAccess =>
    (work) =>
      inDirectory({ url, ca: sslCertificate, binddn: dn, bindpass: password }, remote, work),
  check: (access) => access(() => Promise.resolve()),
});

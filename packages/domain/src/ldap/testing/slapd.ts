import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, NoSuchObjectError } from 'ldapts';
import { makeAuthority } from '../../outbound/testing/certificates.ts';
import { debianProgram, freePorts, startServer, temporaryDirectory } from '../../outbound/testing/server-process.ts';

const run = promisify(execFile);
const [SLAPD, SLAPADD, SCHEMA] = ['/usr/sbin/slapd', '/usr/sbin/slapadd', '/etc/ldap/schema'];

export const slapdServer = debianProgram(SLAPD, 'slapd');

export interface Slapd {
  readonly url: string;
  readonly secureUrl: string;
  /** PEM of the root that vouches for it, under the names `localhost` and `127.0.0.1` alone. */
  readonly ca: string;
  /** Whether it accepts this password for this entry. */
  logsIn(dn: string, password: string): Promise<boolean>;
  /** The attributes of an entry in `LDAP_SERVICES`, with their values; `undefined` if it does not exist. */
  read(dn: string): Promise<Record<string, string[]> | undefined>;
  /** Removes such an entry. */
  remove(dn: string): Promise<void>;
  /** The names of all bind requests so far, in order. */
  binds(): string[];
  stop(): Promise<void>;
}

export const LDAP_BASE = 'dc=example,dc=com';
export const LDAP_ACCOUNT = { bindDN: `cn=coffer,${LDAP_BASE}`, bindPass: 'finds users' } as const;
/** Has the right password, and is locked by the directory's administrator. */
export const LOCKED_LDAP_ACCOUNT = { bindDN: `cn=locked,${LDAP_BASE}`, bindPass: 'finds users' } as const;

/** May write in `LDAP_SERVICES`, which is otherwise empty. */
export const LDAP_MANAGER = { binddn: `cn=manager,${LDAP_BASE}`, bindpass: 'finds users' } as const;
export const LDAP_SERVICES = `ou=services,${LDAP_BASE}`;

const person = (uid: string, at: string, more: readonly string[] = []) => [
  `dn: uid=${uid},${at}`,
  'objectClass: inetOrgPerson',
  `cn: ${uid}`,
  `sn: ${uid}`,
  ...more,
];
const account = (cn: string, more: readonly string[] = []) => [
  `dn: cn=${cn},${LDAP_BASE}`,
  'objectClass: organizationalRole',
  'objectClass: simpleSecurityObject',
  'userPassword: finds users',
  ...more,
];
const unit = (ou: string, at = LDAP_BASE) => [`dn: ou=${ou},${at}`, 'objectClass: organizationalUnit'];

/** People in `ou=people`, and some elsewhere. Everybody's password is `password of <uid>`. */
const PEOPLE = `ou=people,${LDAP_BASE}`;
const ENTRIES: readonly (readonly string[])[] = [
  [`dn: ${LDAP_BASE}`, 'objectClass: dcObject', 'objectClass: organization', 'o: Example', 'dc: example'],
  [
    `dn: cn=policy,${LDAP_BASE}`,
    'objectClass: device',
    'objectClass: pwdPolicy',
    'pwdAttribute: userPassword',
    'pwdLockout: TRUE',
    'pwdMaxFailure: 0',
  ],
  account('coffer'),
  account('locked', ['pwdAccountLockedTime: 000001010000Z']),
  account('manager'),
  unit('services'),
  [`dn: cn=readers,${LDAP_SERVICES}`, 'objectClass: groupOfNames', `member: ${LDAP_MANAGER.binddn}`],
  person('shop', LDAP_SERVICES, ['userPassword: password of shop']),
  unit('people'),
  unit('guests'),
  unit('team', PEOPLE),
  person('alice', PEOPLE, [
    'userPassword: password of alice',
    'mail: alice@example.com',
    'departmentNumber: ops',
    'departmentNumber: dev, all',
    'title: Engineer',
  ]),
  person('bob', PEOPLE, ['userPassword: password of bob', 'mail: bob@example.com', 'title: engineer']),
  person('jos\u00e9', PEOPLE, ['userPassword: password of jos\u00e9']),
  [
    'dn: cn=odd,ou=people,dc=example,dc=com',
    'objectClass: inetOrgPerson',
    'sn: odd',
    'uid: a*b(c)\\d',
    'userPassword: odd',
  ],
  person('twin', PEOPLE, ['userPassword: password of twin']),
  person('twin', `ou=team,${PEOPLE}`, ['userPassword: password of twin']),
  person('carol', `ou=guests,${LDAP_BASE}`, ['userPassword: password of carol']),
  person('nopass', PEOPLE),
  [`dn: cn=elsewhere,${PEOPLE}`, 'objectClass: referral', 'objectClass: extensibleObject', 'ref: ldap://127.0.0.1:1/'],
];

const configuration = (directory: string) => `
include ${SCHEMA}/core.schema
include ${SCHEMA}/cosine.schema
include ${SCHEMA}/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload ppolicy
pidfile ${directory}/slapd.pid
TLSCACertificateFile ${directory}/ca.pem
TLSCertificateFile ${directory}/cert.pem
TLSCertificateKeyFile ${directory}/key.pem
# A name without a password binds, as RFC 4513 has it: whoever asks has to know.
allow bind_anon_cred
database mdb
suffix "${LDAP_BASE}"
rootdn "cn=root,${LDAP_BASE}"
directory ${directory}/data
overlay ppolicy
ppolicy_default cn=policy,${LDAP_BASE}
access to dn.subtree="${LDAP_SERVICES}" attrs=userPassword by dn.base="${LDAP_MANAGER.binddn}" write by self write by anonymous auth by * none
access to dn.subtree="${LDAP_SERVICES}" by dn.base="${LDAP_MANAGER.binddn}" write by anonymous auth by * none
access to attrs=userPassword by anonymous auth by * none
access to * by dn.base="cn=coffer,${LDAP_BASE}" read by * none
`;

/** Starts a separate directory on a free port of 127.0.0.1, with TLS and StartTLS. */
export async function startSlapd(): Promise<Slapd> {
  slapdServer.require();
  const directory = await temporaryDirectory('slapd');
  const root = makeAuthority('Directory root');
  const own = root.issue('127.0.0.1');
  await mkdir(join(directory, 'data'));
  const files = {
    'ca.pem': root.cert,
    'cert.pem': own.cert,
    'key.pem': own.key,
    'slapd.conf': configuration(directory),
    'entries.ldif': `${ENTRIES.map((lines) => lines.map(fold).join('\n')).join('\n\n')}\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  await run(SLAPADD, ['-f', `${directory}/slapd.conf`, '-l', `${directory}/entries.ldif`]);

  const [plain = 0, secure = 0] = await freePorts(2);
  const urls = `ldap://127.0.0.1:${plain}/ ldaps://127.0.0.1:${secure}/`;
  const server = await startServer(SLAPD, ['-f', `${directory}/slapd.conf`, '-h', urls, '-d', 'stats'], {
    port: secure,
    directory,
  });
  return {
    url: `ldap://127.0.0.1:${plain}`,
    secureUrl: `ldaps://127.0.0.1:${secure}`,
    ca: root.cert,
    logsIn: (dn, password) =>
      asSomebody(plain, { binddn: dn, bindpass: password }, () => Promise.resolve(true)).catch(() => false),
    read: (dn) =>
      asSomebody(plain, LDAP_MANAGER, async (client) => {
        const { searchEntries } = await client.search(dn, { scope: 'base', filter: '(objectClass=*)' });
        const [{ dn: _, ...attributes } = { dn: '' }] = searchEntries;
        return Object.fromEntries(
          Object.entries(attributes).map(([name, values]) => [name, [values].flat().map(String)]),
        );
      }).catch((error: unknown) => {
        if (error instanceof NoSuchObjectError) return undefined;
        throw error;
      }),
    remove: (dn) => asSomebody(plain, LDAP_MANAGER, (client) => client.del(dn)),
    binds: () => Array.from(server.said().matchAll(/ BIND dn="([^"\n]*)" method=/g), ([, dn = '']) => dn),
    stop: () => server.stop(),
  };
}

/** Text that is not ASCII is written in base64 (RFC 2849). */
function fold(line: string): string {
  const [name, value] = [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)];
  return /^[ -~]*$/.test(value) ? line : `${name}:: ${Buffer.from(value).toString('base64')}`;
}

async function asSomebody<T>(
  port: number,
  { binddn, bindpass }: { binddn: string; bindpass: string },
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ url: `ldap://127.0.0.1:${port}` });
  try {
    await client.bind(binddn, bindpass);
    return await work(client);
  } finally {
    await client.unbind();
  }
}

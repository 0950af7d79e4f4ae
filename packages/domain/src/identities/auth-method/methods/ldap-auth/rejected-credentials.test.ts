import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseCidrs, type DomainError, type OutboundConnect } from '../../../../kernel/index.ts';
import {
  LDAP_ACCOUNT,
  LDAP_BASE,
  slapdServer,
  LOCKED_LDAP_ACCOUNT,
  startSlapd,
  type Slapd,
} from '../../../../ldap/testing/slapd.ts';
import { createOutbound } from '../../../../outbound/index.ts';
import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import { serveRaw } from '../../../../outbound/testing/servers.ts';
import { attempt } from '../../testing/attempt.ts';
import { ldapAuth } from './ldap-auth.ts';

const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
afterAll(() => outbound.close());

const connect: OutboundConnect = (target) => outbound.connect(target);
/** Shorter than in production, so that tests do not wait for a silent server. */
const hurried: OutboundConnect = (target) => outbound.connect({ ...target, timeoutMs: 500, lifetimeMs: 500 });
const meant: string[] = [];
afterEach(() => void meant.splice(0));

const PEOPLE = `ou=people,${LDAP_BASE}`;
const rejected = { kind: 'unauthenticated', code: 'ldap_auth.rejected' };
const fault = (code: string) => ({ kind: 'bad_request', code });

const parse = (given: object) => {
  const config = ldapAuth.config.parse({ ...LDAP_ACCOUNT, searchBase: PEOPLE, ...given });
  ldapAuth.check?.(config);
  return config;
};
const prove = (given: object, username: string, password = `password of ${username}`, way = connect) =>
  ldapAuth.verify!(
    parse(given),
    ldapAuth.credentials!.parse({ username, password }),
    attempt({ connect: way, resolveSubject: async (subject) => void meant.push(subject) }),
  );

describe.skipIf(slapdServer.isMissing)(`with a real directory${slapdServer.orSkipped}`, () => {
  let slapd: Slapd;
  let plain: { url: string };
  beforeAll(async () => {
    slapd = await startSlapd();
    plain = { url: slapd.url };
  });
  afterAll(() => slapd.stop());

  describe('a true proof', () => {
    it('identifies its owner', async () => {
      const { url, secureUrl, ca } = slapd;
      const secure = { url: secureUrl, ldapCaCertificate: ca };
      for (const config of [plain, secure, { url, ldapCaCertificate: ca }]) {
        expect(await prove(config, 'alice')).toEqual({ ldap: { dn: `uid=alice,${PEOPLE}` } });
      }
      expect(await prove(plain, 'jos\u00e9')).toEqual({ ldap: { dn: `uid=jos\u00e9,${PEOPLE}` } });
      expect(await prove(plain, 'a*b(c)\\d', 'odd')).toEqual({ ldap: { dn: `cn=odd,${PEOPLE}` } });
    });

    it('may go by another name, and means the same user', async () => {
      const searchFilter = '(&(objectClass=person)(|(uid={{username}})(mail={{username}})))';
      const alice = { ldap: { dn: `uid=alice,${PEOPLE}` } };
      for (const name of ['alice', 'ALICE', '  alice  ', 'alice@example.com'])
        expect(await prove({ ...plain, searchFilter }, name, 'password of alice')).toEqual(alice);
      expect(new Set(meant).size).toBe(1);
    });

    it('has every required field', async () => {
      for (const allowedFields of [
        [{ key: 'departmentNumber', value: 'ops' }],
        [{ key: 'DEPARTMENTNUMBER', value: 'sales, ops' }],
        [
          { key: 'departmentNumber', value: 'ops' },
          { key: 'title', value: 'Engineer,Architect' },
        ],
      ])
        expect(await prove({ ...plain, allowedFields }, 'alice')).toEqual({ ldap: { dn: `uid=alice,${PEOPLE}` } });
    });
  });

  describe('rejected credentials', () => {
    it.each([
      ['a wrong password', 'alice', 'password of bob'],
      ['a password in another case', 'alice', 'PASSWORD OF ALICE'],
      ['a password and a blank', 'alice', 'password of alice '],
      ['no password', 'alice', ''],
      ['a password that begins with a NUL', 'alice', '\0'],
      ['the right password and a NUL', 'alice', 'password of alice\0'],
      ['an unknown user', 'nobody', 'x'],
      ['an unknown user without a password', 'nobody', ''],
      ['a name that two have', 'twin', 'password of twin'],
      ['a user in another base', 'carol', 'password of carol'],
      ['a user who has no password', 'nopass', ''],
      ['a user who has no password, and one', 'nopass', 'x'],
      ['everybody', '*', 'password of alice'],
      ['whoever begins so', 'ali*', 'password of alice'],
      ['a filter of its own', 'alice)(uid=*', 'password of alice'],
      ['one that closes ours', '*)(uid=*))(|(uid=*', 'password of alice'],
      ['one that is always true', 'x)(|(objectClass=*', 'password of alice'],
      ['an escape', '\\61lice', 'password of alice'],
      ['an escaped star', '\\2a', 'password of alice'],
      ['a NUL', 'alice\0', 'password of alice'],
      ['a NUL in front', '\0alice', 'password of alice'],
      ['a name of nothing but blanks', '   ', 'password of alice'],
      ['a look-alike', '\u0430lice', 'password of alice'],
      ['a DN', `uid=alice,${PEOPLE}`, 'password of alice'],
      ['rejected the configured account', 'coffer', LDAP_ACCOUNT.bindPass],
      ['a replacement pattern', '$&', 'password of alice'],
      ['a name like the placeholder', '{{username}}', 'password of alice'],
    ])('of %s is rejected with the same response', async (_, username, password) => {
      await expect(prove(plain, username, password)).rejects.toMatchObject(rejected);
    });

    it('without a password is rejected without a call, though the directory would accept it', async () => {
      const before = slapd.binds().length;
      const asked: unknown[] = [];
      const way: OutboundConnect = (target) => (asked.push(target), connect(target));
      for (const password of ['', '\0', 'x\0'])
        await expect(prove(plain, 'alice', password, way)).rejects.toMatchObject(rejected);
      expect([asked, slapd.binds().length]).toEqual([[], before]);
    });

    it('of an unknown user is verified all the same', async () => {
      await expect(prove(plain, 'nobody', 'x')).rejects.toMatchObject(rejected);
      const madeUp = expect.stringMatching(/^cn=[0-9a-f-]{36},ou=people,dc=example,dc=com$/);
      await expect.poll(() => slapd.binds().slice(-2)).toEqual([LDAP_ACCOUNT.bindDN, madeUp]);
      expect(meant).toEqual([]);
    });

    it.each([
      ['none of the values', 'alice', [{ key: 'departmentNumber', value: 'sales' }]],
      ['another case', 'bob', [{ key: 'title', value: 'Engineer' }]],
      ['a part of a value', 'alice', [{ key: 'title', value: 'Eng, ineer, Engineers' }]],
      ['a value that is a list itself', 'alice', [{ key: 'departmentNumber', value: 'dev, all' }]],
      ['no such field', 'alice', [{ key: 'employeeType', value: 'any' }]],
      [
        'only one of two fields',
        'alice',
        [
          { key: 'title', value: 'Engineer' },
          { key: 'mail', value: 'x' },
        ],
      ],
    ])('with %s in its fields is refused', async (_, username, allowedFields) => {
      const login = prove({ ...plain, allowedFields }, username);
      await expect(login).rejects.toMatchObject({ kind: 'forbidden', code: 'ldap_auth.field' });
      const guess = prove({ ...plain, allowedFields }, username, 'x');
      await expect(guess).rejects.toMatchObject(rejected);
    });
  });

  describe('a configuration', () => {
    it('with an account that the directory rejects is a configuration error, for any user', async () => {
      for (const account of [
        { bindPass: 'x' },
        { bindDN: `cn=nobody,${LDAP_BASE}` },
        LOCKED_LDAP_ACCOUNT,
        { bindDN: 'no DN' },
      ])
        for (const password of ['password of alice', 'x'])
          await expect(prove({ ...plain, ...account }, 'alice', password)).rejects.toMatchObject(
            fault('ldap_auth.account'),
          );
      expect(meant).toEqual([]);
    });

    it('with a missing or invalid base is a configuration error', async () => {
      for (const searchBase of [`ou=nowhere,${LDAP_BASE}`, 'no DN', 'dc=other'])
        await expect(prove({ ...plain, searchBase }, 'alice')).rejects.toMatchObject(fault('ldap.refused'));
    });

    it('whose account sees no users lets no one log in', async () => {
      const account = { bindDN: `uid=bob,${PEOPLE}`, bindPass: 'password of bob' };
      await expect(prove({ ...plain, ...account }, 'alice')).rejects.toMatchObject({
        kind: expect.stringMatching(/^(bad_request|unauthenticated)$/),
      });
    });

    it('trusts only the given root, and does not continue in plaintext', async () => {
      const ldapCaCertificate = makeAuthority('Directory root').cert;
      const before = slapd.binds().length;
      for (const config of [
        { url: slapd.secureUrl, ldapCaCertificate },
        { url: slapd.url, ldapCaCertificate },
        { url: slapd.secureUrl },
        { url: slapd.secureUrl.replace('127.0.0.1', 'localhost'), ldapCaCertificate: slapd.ca },
      ])
        await expect(prove(config, 'alice')).rejects.toMatchObject(fault('outbound.unreachable'));
      expect(slapd.binds().length).toBe(before);
    });

    it('of a private address is refused where the operator does not allow it', async () => {
      const strict = createOutbound({ allow: [] });
      const { port } = new URL(slapd.url);
      for (const host of [
        '127.0.0.1',
        'localhost',
        '2130706433',
        '0x7f.1',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '169.254.169.254',
        '10.0.0.1',
      ])
        await expect(
          prove({ url: `ldap://${host}:${port}` }, 'alice', 'x', strict.connect),
          host,
        ).rejects.toMatchObject(fault('outbound.refused'));
      await strict.close();
    });
  });
});

describe('a directory', () => {
  it('that is unreachable, slow, endless or not a directory is rejected in bounded time', async () => {
    const endless = Buffer.alloc(14 * 5000, Buffer.from('300c02017f61070a010004000400', 'hex'));
    const servers = {
      silent: await serveRaw((socket) => socket.resume()),
      endless: await serveRaw((socket) => {
        const more = () => {
          while (!socket.destroyed && socket.write(endless));
        };
        socket.on('drain', more).resume();
        more();
      }),
      rude: await serveRaw((socket) => socket.destroy()),
      web: await serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')),
    };
    const outcome = (port: number, way = connect) =>
      prove({ url: `ldap://127.0.0.1:${port}` }, 'alice', 'x', way).catch((error: DomainError) => [
        error.kind,
        error.code,
      ]);
    const { silent, ...others } = servers;
    const codes = await Promise.all([
      outcome(silent.port, hurried),
      ...Object.values(others).map(({ port }) => outcome(port)),
      outcome(1),
    ]);
    expect(codes).toEqual([
      ['bad_request', 'outbound.timeout'],
      ['bad_request', 'outbound.too_large'],
      ['bad_request', 'outbound.unreachable'],
      ['bad_request', 'ldap.failed'],
      ['bad_request', 'outbound.unreachable'],
    ]);
  });
});

describe('the subject of guesses', () => {
  const subjectOf = (username: string) =>
    ldapAuth.lockout!(parse({ url: 'ldap://a' }), { username, password: 'x' }).subject;

  it('is one for all spellings that directories treat as one name', () => {
    const spellings = [
      'alice',
      'ALICE',
      'Alice',
      ' alice',
      'alice ',
      '\talice\n',
      'a l i c e',
      'al\u00adice',
      'al\u200bice',
      'al\u200dice',
      '\ufeffalice',
      'al\u00a0ice',
      '\uff41lice',
      'al\u0131ce'.replace('\u0131', 'i'),
      'ali\0ce',
      '\u24d0lice',
      'alic\u00e9',
      'alice\u0301',
      'alice\ufe0f',
      'alice\u{e0061}',
    ];
    expect(new Set(spellings.map(subjectOf)).size).toBe(1);
    expect(subjectOf('stra\u00dfe')).toBe(subjectOf('STRASSE'));
    expect(subjectOf('\u03c3\u03ac\u03c2')).toBe(subjectOf('\u03a3\u0386\u03a3'));
  });

  it('is another for another name, and short for a long one', () => {
    expect(subjectOf('alice')).not.toBe(subjectOf('bob'));
    expect(subjectOf('x'.repeat(1024)).length).toBeLessThan(100);
  });

  it('has no policy of its own if guesses at a user are not counted', () => {
    const config = parse({ url: 'ldap://a', lockoutEnabled: false });
    expect(ldapAuth.lockout!(config, { username: 'alice', password: 'x' }).policy).toBeUndefined();
  });
});

describe('the configuration', () => {
  it('needs a filter in which the name is a value', () => {
    for (const searchFilter of ['', '(uid=alice)', '({{username}}=*)', '(uid={{username}}', '(|{{username}})'])
      expect(() => parse({ url: 'ldap://a', searchFilter }), searchFilter).toThrow('searchFilter');
  });

  it('needs an account with a password, and the address of a directory', () => {
    const least = { url: 'ldap://a', searchBase: LDAP_BASE, ...LDAP_ACCOUNT };
    for (const wrong of [
      { bindPass: '' },
      { bindDN: '' },
      { url: 'https://a' },
      { url: 'ldapi:///' },
      { ldapCaCertificate: 'x' },
      { allowedFields: [{ key: 'title', value: ' , ' }] },
      { allowedFields: [{ key: 'title', value: '' }] },
    ])
      expect([wrong, ldapAuth.config.safeParse({ ...least, ...wrong }).success]).toEqual([wrong, false]);
  });

  it('rejects templates', () => {
    const { error } = ldapAuth.Attach.safeParse({ identityId: 'x', templateId: 'y' });
    expect(error?.issues).toContainEqual(
      expect.objectContaining({
        path: ['templateId'],
        message: expect.stringContaining('Templates are not supported'),
      }),
    );
  });
});

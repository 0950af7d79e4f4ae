import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { badRequest, parseCidrs } from '../../kernel/index.ts';
import { slapdServer, LDAP_MANAGER, LDAP_SERVICES, startSlapd, type Slapd } from '../../ldap/testing/slapd.ts';
import { createOutbound } from '../../outbound/index.ts';
import { escapeDnValue } from './dn.ts';
import { readLdif, renderLdif } from './ldif.ts';
import { inDirectory } from './session.ts';

const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
afterAll(() => outbound.close());

const ENTRY = `dn: uid={{username}},${LDAP_SERVICES}`;
const CREATION = `${ENTRY}
objectClass: inetOrgPerson
cn: is {{username}}
sn: x
manager: uid={{username}},${LDAP_SERVICES}
userPassword: {{password}}
`;

describe.skipIf(slapdServer.isMissing)(`a name with special characters${slapdServer.orSkipped}`, () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd();
  });
  afterAll(() => slapd.stop());

  it.each([
    'ann,ou=people',
    'ann+cn=root',
    String.raw`ann\,x\2c`,
    '"ann"',
    '#0403616e6e',
    ' ann ',
    'a=b;c<d>',
    'ann\nuserPassword: known\n\ndn: cn=evil',
    'ann\r\n-\r\nreplace: sn',
    '{{password}} $& $1',
    'Jürgen 😀',
    '*)(uid=*',
  ])('is that of one entry, at its position: %j', async (username) => {
    // In front, {x} would be the name of a hash.
    const password = `p ${username} x {{username}}`;
    const dn = `uid=${escapeDnValue(username)},${LDAP_SERVICES}`;
    const render = (text: string) =>
      renderLdif(
        readLdif(text, ['username', 'password'], (why) => badRequest('ldif', `creationLdif: ${why}`)),
        { username, password },
      );
    const inThere = (text: string, undo = false) =>
      inDirectory({ url: slapd.url, ...LDAP_MANAGER }, outbound, async (directory) => {
        await (undo ? directory.undoAll(render(text)) : directory.doAll(render(text)));
      });
    await inThere(CREATION);
    const entry = await slapd.read(dn);
    expect(entry).toMatchObject({ uid: [username], cn: [`is ${username}`], sn: ['x'], userPassword: [password] });
    expect(await slapd.logsIn(dn, password)).toBe(true);
    // The directory has normalized the DN.
    expect(await slapd.read(entry!['manager']![0]!)).toEqual(entry);
    await inThere(`${ENTRY}\nchangetype: delete`, true);
    expect(await slapd.read(dn)).toBeUndefined();
    await inThere(`${ENTRY}\nchangetype: delete`, true);
  });
});

describe('a login at a directory', () => {
  it('is not tried without a password', async () => {
    const sent: Buffer[] = [];
    const server = createServer((socket) => socket.on('data', (data: Buffer) => sent.push(data))).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const url = `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const login = inDirectory({ url, binddn: LDAP_MANAGER.binddn, bindpass: '' }, outbound, () => Promise.resolve());
    await expect(login).rejects.toMatchObject({ code: 'ldap.no_password' });
    server.close();
    expect(Buffer.concat(sent).includes(LDAP_MANAGER.binddn)).toBe(false);
  });
});

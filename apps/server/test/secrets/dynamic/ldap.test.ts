import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createOutbound, parseCidrs, type OutboundConnect } from '@coffer/domain';
import {
  slapdServer,
  LDAP_ACCOUNT,
  LDAP_BASE,
  LDAP_MANAGER,
  LDAP_SERVICES,
  makeAuthority,
  openGate,
  startSlapd,
  type Gate,
  type Slapd,
  type TargetCase,
} from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  describeDynamicProvider,
  describeTarget,
  dynamicSecretsOf,
  DynamicSecretAtWork,
  sentInGuide,
} from '../../harness/dynamic-secret.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let slapd: Slapd;
let gate: Gate;
const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
/** A shorter deadline than in production. */
const connect: OutboundConnect = (target) =>
  outbound.connect({ ...target, lifetimeMs: Math.min(target.lifetimeMs, 6_000) });

beforeAll(async () => {
  test = await testServer({ connect });
  if (slapdServer.isMissing) return;
  slapd = await startSlapd();
  gate = await openGate({ port: Number(new URL(slapd.url).port) });
});
afterAll(async () => {
  await test.close();
  await gate?.close();
  await slapd?.stop();
  await outbound.close();
});

const ENTRY = `dn: uid={{username}},${LDAP_SERVICES}`;
const CREATION = `${ENTRY}
changetype: add
objectClass: inetOrgPerson
uid: {{username}}
cn: {{username}}
sn: service
userPassword: {{password}}
`;
const READERS = `cn=readers,${LDAP_SERVICES}`;
const member = (operation: 'add' | 'delete', group = READERS) => `
dn: ${group}
changetype: modify
${operation}: member
member: uid={{username}},${LDAP_SERVICES}
-
`;
const account = (url = `ldap://${gate.host}:${gate.port}`) => ({ url, ...LDAP_MANAGER });
const inputs = () => ({ ...account(), creationLdif: CREATION, revocationLdif: `${ENTRY}\nchangetype: delete\n` });
const dnOf = (username: string) => `uid=${username},${LDAP_SERVICES}`;
const works = (data: Record<string, string>) => slapd.logsIn(dnOf(data['USERNAME']!), data['PASSWORD']!);

const ldap: TargetCase = {
  type: 'ldap',
  inputs,
  wrong: () => ({ ...inputs(), bindpass: 'not the password' }),
  elsewhere: () => ({ url: slapd.url, ca: slapd.ca }),
  weaker: ({ USERNAME, PASSWORD }) => ({ binddn: dnOf(USERNAME!), bindpass: PASSWORD }),
  sealed: ['bindpass'],
  works,
  outage: { begin: () => gate.shut(), end: () => gate.open() },
};

const { made, unmade } = dynamicSecretsOf(() => test, 'ldap', inputs);

describe.skipIf(slapdServer.isMissing)(`entries of a directory${slapdServer.orSkipped}`, () => {
  describeDynamicProvider(() => test, ldap);
  describeTarget(() => test, ldap);

  it('are reported by name, with everything that was changed', async () => {
    const one = await made(
      { creationLdif: CREATION + member('add'), revocationLdif: `${member('delete')}\n${inputs().revocationLdif}` },
      { usernameTemplate: 'svc-{{random 12}}' },
    );
    const { data, lease } = (await one.lease()).body;
    expect(data.USERNAME).toMatch(/^svc-[a-z0-9]{12}$/);
    expect(data.DN_ARRAY).toEqual([dnOf(data.USERNAME), READERS]);
    expect(lease.externalEntityId).toBe(`${data.USERNAME} ${dnOf(data.USERNAME)}`);
    expect((await slapd.read(READERS))!['member']).toEqual([LDAP_MANAGER.binddn, dnOf(data.USERNAME)]);
    expect(await works(data)).toBe(true);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect((await slapd.read(READERS))!['member']).toEqual([LDAP_MANAGER.binddn]);
    expect(await slapd.read(dnOf(data.USERNAME))).toBeUndefined();
  });

  it('are revoked if a part of them is deleted already', async () => {
    const one = await made({
      creationLdif: CREATION + member('add'),
      revocationLdif: inputs().revocationLdif + member('delete'),
    });
    const { data, lease } = (await one.lease()).body;
    await slapd.remove(dnOf(data.USERNAME));
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect((await slapd.read(READERS))!['member']).toEqual([LDAP_MANAGER.binddn]);
    const again = (await one.lease()).body;
    expect((await one.update({ inputs: { revocationLdif: inputs().revocationLdif } })).status).toBe(200);
    await slapd.remove(dnOf(again.data.USERNAME));
    expect((await one.revoke(again.lease.id)).status).toBe(200);
    expect(await one.leases()).toEqual([]);
    // The group keeps the name of a deleted member; the owner's LDIF says nothing else.
    expect((await slapd.read(READERS))!['member']).toHaveLength(2);
  });

  it.each([
    ['by its rollbackLdif', { rollbackLdif: `${ENTRY}\nchangetype: delete` }],
    ['by its revocationLdif where it has no other', {}],
  ])('that are created only partly are revoked %s', async (_, more) => {
    const one = await made({ creationLdif: CREATION + member('add', `cn=nobody,${LDAP_SERVICES}`), ...more });
    const { status, body } = await one.lease();
    expect([status, body.message]).toEqual([400, '127.0.0.1 reports: NoSuchObject (32)']);
    const [left] = await one.leases();
    const { externalEntityId } = (await one.getLease(left!.id)).body.lease;
    expect(await slapd.read(externalEntityId.split(' ')[1])).toBeUndefined();
    test.advance(120_000);
    await one.reap(left!.id);
    expect(await one.leases()).toEqual([]);
  });

  it('that are rejected completely leave nothing behind', async () => {
    const one = await made({ creationLdif: CREATION.replace('sn: service\n', '') });
    const { status, body } = await one.lease();
    expect([status, body.message]).toEqual([
      400,
      "127.0.0.1 reports: ObjectClassViolation (65): object class 'inetOrgPerson' requires attribute 'sn'",
    ]);
    expect(await one.leases()).toEqual([]);
  });

  it('are deleted even if something else that is to be deleted with them cannot be', async () => {
    const elsewhere = `dn: ou=people,${LDAP_BASE}\nchangetype: modify\nreplace: description\ndescription: x\n-\n`;
    const one = await made({ revocationLdif: `${elsewhere}\n${inputs().revocationLdif}` });
    const { data, lease } = (await one.lease()).body;
    expect(await one.revoke(lease.id)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^127.0.0.1 reports: /) },
    });
    expect(await works(data)).toBe(false);
    expect((await one.update({ inputs: { revocationLdif: inputs().revocationLdif } })).status).toBe(200);
    expect((await one.revoke(lease.id)).status).toBe(200);
  });

  it('can stay, with an unknown password', async () => {
    const lock = (value: string) => `${ENTRY}\nchangetype: modify\nreplace: userPassword\nuserPassword: ${value}\n-\n`;
    const one = await made({ revocationLdif: lock('{{password}}') });
    const { data, lease } = (await one.lease()).body;
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await works(data)).toBe(false);
    expect(await slapd.read(dnOf(data.USERNAME))).toMatchObject({ sn: ['service'] });
    await slapd.remove(dnOf(data.USERNAME));
  });

  it('do not count as revoked while they exist unchanged', async () => {
    const one = await made();
    const { data, lease } = (await one.lease()).body;
    const moved = CREATION.replace(ENTRY, `dn: uid={{username}},ou=other,${LDAP_BASE}`);
    const revocationLdif = `dn: uid={{username}},ou=other,${LDAP_BASE}\nchangetype: delete`;
    expect((await one.update({ inputs: { creationLdif: moved, revocationLdif } })).status).toBe(200);
    expect(await one.revoke(lease.id)).toMatchObject({
      status: 400,
      body: { message: 'The revocationLdif did not change the entry' },
    });
    expect(await one.leases()).toMatchObject([{ status: 'Failed to delete' }]);
    expect(await works(data)).toBe(true);
    expect(
      (await one.update({ inputs: { revocationLdif: inputs().revocationLdif, creationLdif: CREATION } })).status,
    ).toBe(200);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await works(data)).toBe(false);
  });

  it.each([
    ['the account of the new place', LDAP_ACCOUNT],
    ['the login of a lease', undefined],
  ])('that were moved away from are not revoked by %s, which does not see them', async (_, manager) => {
    const one = await made();
    const [{ lease, data }, { data: other }] = [(await one.lease()).body, (await one.lease()).body];
    const place = `ou=people,${LDAP_BASE}`;
    const [creationLdif, revocationLdif] = [CREATION, inputs().revocationLdif].map((ldif) =>
      ldif.replace(LDAP_SERVICES, place),
    );
    const { bindDN: binddn, bindPass: bindpass } = manager ?? {
      bindDN: dnOf(other.USERNAME),
      bindPass: other.PASSWORD,
    };
    expect((await one.update({ inputs: { creationLdif, revocationLdif, binddn, bindpass } })).status).toBe(200);
    expect(await one.revoke(lease.id)).toMatchObject({
      status: 400,
      body: { message: 'The revocationLdif did not change the entry' },
    });
    expect(await one.leases()).toContainEqual(expect.objectContaining({ id: lease.id, status: 'Failed to delete' }));
    expect(await works(data)).toBe(true);
    expect((await one.update({ inputs: inputs() })).status).toBe(200);
    for (const { id } of await one.leases()) expect((await one.revoke(id)).status).toBe(200);
    expect(await works(data)).toBe(false);
  });

  it('are created over TLS and StartTLS, and only the given root is trusted', async () => {
    for (const url of [slapd.secureUrl, slapd.url]) {
      const one = await made({ url, ca: slapd.ca });
      const { data, lease } = (await one.lease()).body;
      expect(await works(data)).toBe(true);
      expect((await one.revoke(lease.id)).status).toBe(200);
      const other = await unmade();
      const ca = makeAuthority('Directory root').cert;
      expect(await other.create('ldap', { ...inputs(), url, ca })).toMatchObject({
        status: 400,
        body: { message: '127.0.0.1 presents a certificate that is not trusted' },
      });
    }
    expect((await (await unmade()).create('ldap', { ...inputs(), url: slapd.secureUrl })).status).toBe(400);
  });

  it('are leased as the guide has it', async () => {
    const [sent] = sentInGuide('LDAP') as [{ provider: { inputs: object } }];
    const one = await made({ ...sent.provider.inputs, ...account() });
    const { lease, data } = (await one.lease()).body;
    expect([await works(data), (await slapd.read(READERS))!['member']]).toEqual([
      true,
      expect.arrayContaining([dnOf(data.USERNAME)]),
    ]);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect([await works(data), (await slapd.read(READERS))!['member']]).toEqual([
      false,
      expect.not.arrayContaining([dnOf(data.USERNAME)]),
    ]);
  });

  it('are not created without the permissions', async () => {
    const one = await made({ binddn: `cn=coffer,${LDAP_BASE}` });
    expect(await one.lease()).toMatchObject({
      status: 400,
      body: {
        message: expect.stringMatching(/^127\.0\.0\.1 reports: (?:InsufficientAccess \(50\)|NoSuchObject \(32\))/),
      },
    });
    expect(await one.leases()).toEqual([]);
  });

  const odd = (more: object) => ({ ...inputs(), ...more });
  it.each([
    [() => odd({ url: 'https://a' }), 422],
    [() => odd({ url: 'ldap://u:p@a' }), 422],
    [() => odd({ binddn: '' }), 422],
    [() => odd({ binddn: 'EXTERNAL' }), 422],
    [() => odd({ bindpass: '' }), 422],
    [() => odd({ credentialType: 'other' }), 422],
    [() => odd({ credentialType: 'static' }), 422],
    [() => odd({ ca: 'no certificate' }), 422],
    [() => odd({ creationLdif: '' }), 422],
    [() => odd({ creationLdif: 'a\0b' }), 422],
    [() => odd({ creationLdif: 'x'.repeat(20_001) }), 422],
    [() => odd({ creationLdif: 'no LDIF' }), 400],
    [() => odd({ creationLdif: CREATION.replace('{{password}}', '{{expiration}}') }), 400],
    [() => odd({ creationLdif: CREATION.replace('{{password}}', 'known') }), 400],
    [() => odd({ creationLdif: CREATION.replace(ENTRY, `dn: uid=shop,${LDAP_SERVICES}`) }), 400],
    [() => odd({ creationLdif: CREATION + '\n' + CREATION.replace('uid=', 'cn=') }), 400],
    [() => odd({ creationLdif: CREATION.replace('uid=', `ou=${'x'.repeat(400)}+uid=`) }), 400],
    [() => odd({ revocationLdif: `dn: uid=other,${LDAP_SERVICES}\nchangetype: delete` }), 400],
    [() => odd({ revocationLdif: member('delete').trim() }), 400],
    [() => odd({ rollbackLdif: 'x' }), 400],
    [() => odd({ binddn: `cn=nobody,${LDAP_BASE}` }), 400],
  ])('are not created from inputs such as %s: %i', async (given, status) => {
    expect((await (await unmade()).create('ldap', given())).status).toBe(status);
  });
});

describe.skipIf(slapdServer.isMissing)(`the password of an entry${slapdServer.orSkipped}`, () => {
  const SHOP = `uid=shop,${LDAP_SERVICES}`;
  const rotationLdif = `dn: ${SHOP}
changetype: modify
replace: userPassword
userPassword: {{password}}
-
replace: description
description: leased`;
  const rotation = () => ({ ...account(), credentialType: 'static', rotationLdif });
  const leased = async (url?: string): Promise<DynamicSecretAtWork> => {
    const one = await unmade();
    expect(await one.create('ldap', { ...rotation(), ...(url && { url }) })).toMatchObject({ status: 200 });
    return one;
  };
  const logsIn = ({ USERNAME, PASSWORD }: Record<string, string>) => slapd.logsIn(USERNAME!, PASSWORD!);

  it('is a new one for each lease, and unknown afterwards', async () => {
    const one = await leased();
    expect(await slapd.logsIn(SHOP, 'password of shop')).toBe(true);
    const { lease, data } = (await one.lease()).body;
    expect(data).toEqual({ DN_ARRAY: [SHOP], USERNAME: SHOP, PASSWORD: expect.any(String) });
    expect([await logsIn(data), await slapd.logsIn(SHOP, 'password of shop')]).toEqual([true, false]);
    expect((await one.renew(lease.id)).status).toBe(200);
    expect(await logsIn(data)).toBe(true);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await logsIn(data)).toBe(false);
    const next = (await one.lease({ ttl: '1m' })).body;
    expect(next.lease.externalEntityId).not.toBe(lease.externalEntityId);
    expect([await logsIn(next.data), await logsIn(data)]).toEqual([true, false]);
    test.advance(60_000);
    await one.reap(next.lease.id);
    expect([await logsIn(next.data), await one.leases()]).toEqual([false, []]);
  });

  it('is leased to one at a time', async () => {
    const one = await leased();
    const { lease, data } = (await one.lease()).body;
    const both = await Promise.all([one.lease(), one.lease()]);
    for (const { status, body } of both)
      expect([status, body.message]).toEqual([
        400,
        'The dynamic secret already has a lease and allows one at a time: revoke it first',
      ]);
    expect(await logsIn(data)).toBe(true);
    expect((await one.revoke(lease.id)).status).toBe(200);
    const answers = await Promise.all([one.lease(), one.lease(), one.lease()]);
    const [won] = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(2);
    expect(await logsIn(won!.body.data)).toBe(true);
    expect((await one.revoke(won!.body.lease.id)).status).toBe(200);
  });

  it('stays that of the same entry while it is leased', async () => {
    const one = await leased();
    const { lease } = (await one.lease()).body;
    const other = { rotationLdif: rotationLdif.replace('uid=shop', 'uid=other') };
    expect(await one.update({ inputs: other })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/Revoke the leases/) },
    });
    expect((await one.update({ inputs: { rotationLdif: rotationLdif.replace('leased', 'other') } })).status).toBe(200);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect((await one.update({ inputs: other })).status).toBe(200);
    expect((await one.lease()).body.message).toBe('127.0.0.1 reports: NoSuchObject (32)');
    expect(await one.leases()).toEqual([]);
  });

  it.each([
    ['adds', 'dn: cn=x\nchangetype: add\nuserPassword: {{password}}'],
    ['deletes', `${rotationLdif}\n\ndn: cn=x\nchangetype: delete`],
    ['sets no password', rotationLdif.replace('{{password}}', 'x')],
    ['sets two', `${rotationLdif}\n\n${rotationLdif.replace('shop', 'other')}`],
    ['sets that of binddn', rotationLdif.replace(SHOP, LDAP_MANAGER.binddn.toUpperCase())],
    ['has no account of its own', rotationLdif.replace('shop', '{{username}}')],
  ])('cannot be leased by an LDIF that %s', async (_, given) => {
    expect(await (await unmade()).create('ldap', { ...rotation(), rotationLdif: given })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^rotationLdif: /) },
    });
  });
});

/** An LDAP message (RFC 4511) that replies to another one, with a result code and text. */
function answerTo(request: Buffer, tag: number, code: number, words = ''): Buffer {
  const der = (type: number, content: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    return Buffer.concat([Buffer.from([type, 0x84]), length, content]);
  };
  const result = Buffer.concat([Buffer.from([0x0a, 1, code, 4, 0]), der(4, Buffer.from(words))]);
  // The message ID of the request: 30 len 02 01 xx, with a length of one to three octets.
  const at = request.indexOf(Buffer.from([2, 1]), 2);
  return der(0x30, Buffer.concat([request.subarray(at, at + 3), der(tag, result)]));
}

const printable = (bytes: Buffer) => bytes.toString('latin1').replaceAll(/[^ -~]/g, '.');

describe('a directory', () => {
  const servers: Server[] = [];
  afterAll(() => servers.forEach((server) => server.close()));
  async function serve(listener: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => listener(socket.on('error', () => undefined)));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const given = (url: string) => ({
    url,
    ...LDAP_MANAGER,
    creationLdif: CREATION,
    revocationLdif: `${ENTRY}\nchangetype: delete`,
  });

  // Two of them are waited for.
  it.concurrent.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => undefined],
    ['hangs up', (socket) => void socket.destroy()],
    ['speaks something else', (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['answers in false lengths', (socket) => void socket.write(Buffer.from('3084ffffffff020101', 'hex'))],
    [
      'answers without end',
      (socket) => {
        const more = () => {
          while (!socket.destroyed && socket.write(Buffer.alloc(16_384, 0x30)));
        };
        socket.on('drain', more);
        more();
      },
    ],
  ])('that %s is refused, clearly', async (_, listener) => {
    const { status, body } = await (await unmade()).create('ldap', given(await serve(listener)));
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^127\.0\.0\.1 |^LDAP did not answer/)]);
    expect(JSON.stringify(body)).not.toContain(LDAP_MANAGER.bindpass);
  });

  it('that echoes its input is reported without credentials', async () => {
    const heard: string[] = [];
    const url = await serve((socket) =>
      socket.on('data', (data) => {
        const isBind = data.includes(Buffer.from([0x60])) && data.includes(LDAP_MANAGER.bindpass);
        if (!isBind) heard.push(printable(data));
        socket.write(
          isBind ? answerTo(data, 0x61, 0) : answerTo(data, 0x69, 80, `I do not take ${printable(data).slice(-100)}`),
        );
      }),
    );
    const one = await unmade();
    expect((await one.create('ldap', given(url))).status).toBe(200);
    const { status, body } = await one.lease();
    expect([status, body.message]).toEqual([
      400,
      expect.stringMatching(/^127\.0\.0\.1 reports: UnknownStatusCode \(80\): I do not/),
    ]);
    expect(heard.join('\n')).toMatch(/[A-Za-z0-9]{48}/);
    expect(body.message).toContain('[hidden]');
    expect(body.message).not.toMatch(/[A-Za-z0-9]{48}/);
    const refusing = await serve((socket) =>
      socket.on('data', (data) => socket.write(answerTo(data, 0x61, 49, `Not ${printable(data)}`))),
    );
    const refused = await (await unmade()).create('ldap', given(refusing));
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('InvalidCredentials (49)') },
    });
    expect(JSON.stringify(refused.body)).not.toContain(LDAP_MANAGER.bindpass);
  });
});

import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createOutbound, parseCidrs } from '@coffer/domain';
import { fixedWork, processorTime, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
const standIns = new StandIns();
let test: TestServer;
beforeAll(async () => {
  test = await testServer({ fetch: standIns.fetch, connect: outbound.connect });
});
afterAll(async () => {
  await test.close();
  await standIns.close();
  await outbound.close();
});

/** An element of BER. */
function element(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length;
  const octets = length < 0x80 ? [length] : [0x83, length >> 16, (length >> 8) & 0xff, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...octets]), content]);
}
const octets = (text: string) => element(0x04, Buffer.from(text));
const message = (id: number, tag: number, ...parts: Buffer[]) =>
  element(0x30, element(0x02, Buffer.from([id])), element(tag, ...parts));
const done = (id: number, tag: number) => message(id, tag, element(0x0a, Buffer.from([0])), octets(''), octets(''));

const [BIND, SEARCH] = [0x61, 0x65];
/** The entry of a user, with one attribute: the answer to the second request of a login. */
const entry = (dn: string, values = 0) =>
  message(
    3,
    0x64,
    octets(dn),
    element(0x30, element(0x30, octets('group'), element(0x31, Buffer.alloc(2 * values, octets(''))))),
  );

/** A directory that accepts every login, and finds this entry. */
async function directoryWith(found: Buffer): Promise<{ url: string; server: Server }> {
  const server = createServer((socket: Socket) => {
    let id = 1;
    const answer = () => {
      id++;
      socket.write(id === 3 ? Buffer.concat([found, done(id, SEARCH)]) : done(id, BIND));
    };
    socket.on('error', () => undefined).on('data', answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe('attack: a login at a directory of the attacker', () => {
  /** Logs in; the processor time, as a multiple of what a turn of the event loop may take. */
  async function logIn(found: Buffer, config: object = {}) {
    const { url, server } = await directoryWith(found);
    const made = { name: 'ci', organizationId: test.organizationId, role: 'member' };
    const identityId: string = (await test.admin('POST', '/api/v1/identities', made)).body.identity.id;
    const method = { url, bindDN: 'cn=a', bindPass: 'b', searchBase: 'dc=x', ...config };
    const attached = await test.admin('POST', `/api/v1/auth/ldap-auth/identities/${identityId}`, method);
    expect(attached.status).toBe(200);
    const before = processorTime();
    const login = { identityId, username: 'u', password: 'p' };
    const { status } = await test.as()('POST', '/api/v1/auth/ldap-auth/login', login);
    const turns = (processorTime() - before) / fixedWork();
    server.close();
    return { status, isShort: turns < 4 };
  }

  const cases: [string, Buffer, object, number][] = [
    ['an entry as it should be', entry('uid=u', 2), {}, 200],
    ['a name with a hundred thousand accents on one letter', entry(`uid=a${'\u0301\u0327'.repeat(50_000)}`), {}, 401],
    ['a name with a NUL', entry('uid=\0u'), {}, 401],
    ['a name of a hundred thousand characters', entry(`uid=${'\\'.repeat(100_000)}`), {}, 401],
    [
      'an attribute with a hundred thousand values, where any of a thousand is allowed',
      entry('uid=u', 100_000),
      { allowedFields: [{ key: 'group', value: 'x,'.repeat(1_000) }] },
      403,
    ],
  ];
  it.each(cases)('that finds %s blocks nobody, and causes no fault', async (_, found, config, status) => {
    expect(await logIn(found, config)).toEqual({ status, isShort: true });
  });
});

describe('attack: a list at a system of the attacker', () => {
  it('whose pages are as long as they may be, and do not end, does not fill the memory', async () => {
    const page = JSON.stringify(
      Array.from({ length: 100 }, (_, id) => ({ id, name: 'x'.repeat(80_000), owner: { id, login: 'o' } })),
    );
    let pages = 0;
    await standIns.serve('github.test', (req, res) => {
      const isList = req.url!.includes('per_page');
      if (isList) pages++;
      res.end(isList ? page : '{"login":"a","id":1}');
    });
    const credentials = { personalAccessToken: 'a-token', instanceType: 'server', host: 'github.test' };
    const made = { name: 'mine', method: 'pat', credentials };
    const { body } = await test.admin('POST', '/api/v1/app-connections/github', made);
    const list = `/api/v1/app-connections/github/${body.appConnection.id}/repositories`;
    const { status } = await test.admin('GET', list);
    expect(status).toBe(400);
    // 128 MiB of 8 MB each.
    expect(pages).toBe(17);
  });
});

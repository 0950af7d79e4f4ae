// @long: large values, many callers
import type { RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createOutbound, parseCidrs } from '@coffer/domain';
import { fixedWork, MongoStandIn, processorTime, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
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
      'an attribute with nine thousand values, where any of a thousand is allowed',
      entry('uid=u', 9_000),
      { allowedFields: [{ key: 'group', value: 'x,'.repeat(1_000) }] },
      403,
    ],
    ['an attribute with a hundred thousand values', entry('uid=u', 100_000), {}, 400],
  ];
  it.each(cases)('that finds %s blocks nobody, and causes no fault', async (_, found, config, status) => {
    expect(await logIn(found, config)).toEqual({ status, isShort: true });
  });
});

describe('attack: a login at a database of the attacker', () => {
  const step = (code: number, body: string) => {
    const content = Buffer.from(`R        ${body}`);
    content.writeUInt32BE(content.length - 1, 1);
    content.writeUInt32BE(code, 5);
    return content;
  };

  /** A PostgreSQL without TLS that asks for a key of so many iterations, and does not accept it. */
  async function postgresWith(iterations: number, asked: (socket: Socket, step: Buffer) => void, proven = () => {}) {
    const server = createServer((socket: Socket) => {
      let isAsked = false;
      socket
        .on('error', () => undefined)
        .on('data', (data: Buffer) => {
          const nonce = /r=([A-Za-z0-9+/=]+)/.exec(data.toString('latin1'))?.[1];
          if (data.length === 8) socket.write('N');
          else if (!nonce) socket.write(step(10, 'SCRAM-SHA-256\0\0'));
          else if (isAsked) {
            proven();
            socket.end();
          } else {
            isAsked = true;
            const asking = step(11, `r=${nonce}x,s=QQ==,i=${iterations}`);
            socket.write(asking);
            asked(socket, asking);
          }
        });
    });
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    return { server, port: (server.address() as AddressInfo).port };
  }

  const connection = (port: number, host = '127.0.0.1', database = 'd', password = 'p') => ({
    ...{ name: crypto.randomUUID(), method: 'username-and-password' },
    credentials: { host, port, database, username: 'keeper', password, sslEnabled: false },
  });

  it('that goes on without an end derives one key, and ends at once', async () => {
    let isAsked = false;
    const { server, port } = await postgresWith(100_000, (socket, asking) => {
      isAsked = true;
      setTimeout(() => socket.write(Buffer.alloc(78_000, asking)), 20);
    });
    const derived = vi.spyOn(crypto.subtle, 'deriveBits');
    const { id: projectId } = await test.project();
    const { status } = await test.admin('POST', '/api/v1/app-connections/postgres', { ...connection(port), projectId });
    expect([status, isAsked]).toEqual([400, true]);
    // The own database asks for others.
    const theirs = derived.mock.calls.filter(([of]) => JSON.stringify(of).includes('"iterations":100000'));
    expect(theirs.length).toBeLessThan(2);
    derived.mockRestore();
    server.close();
  });

  /** Logins of the attacker, whose keys take long, when somebody else logs in. */
  const MANY = 12;

  it('derives no key before it is the turn of its organization: PostgreSQL', async () => {
    let [asked, proven, before, meanwhile] = [0, 0, 0, MANY];
    const bad = await postgresWith(
      100_000,
      () => asked++,
      () => proven++,
    );
    const good = await postgresWith(
      4096,
      () => (before = proven),
      () => (meanwhile = proven - before),
    );
    const foreign = await test.foreign();
    const flood = Array.from({ length: MANY }, (_, i) =>
      foreign.call('POST', '/api/v1/app-connections/postgres', connection(bad.port, `127.0.1.${i + 1}`)),
    );
    await expect.poll(() => asked, { interval: 5 }).toBe(MANY);
    await test.admin('POST', '/api/v1/app-connections/postgres', connection(good.port));
    expect(meanwhile).toBeLessThan(MANY / 3);
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([400]));
    for (const { server } of [bad, good]) server.close();
  });

  it('derives no key before it is the turn of its organization: MongoDB', async () => {
    const [bad, good] = [await MongoStandIn.start(), await MongoStandIn.start()];
    for (let i = 0; i < MANY; i++)
      for (const one of [bad, good]) one.add(`d${i}`, 'keeper', 'keeps users', ['readWrite']);
    let [asked, proven, before, meanwhile] = [0, 0, 0, MANY];
    bad.iterations = () => {
      asked++;
      return 200_000;
    };
    bad.fault = (name) => void (proven += name === 'saslContinue' ? 1 : 0);
    good.iterations = (given) => {
      before = proven;
      return given;
    };
    good.fault = (name) => void (name === 'saslContinue' && (meanwhile = proven - before));
    const foreign = await test.foreign();
    const at = (port: number, i: number) => connection(port, '127.0.0.1', `d${i}`, 'keeps users');
    const flood = Array.from({ length: MANY }, (_, i) =>
      foreign.call('POST', '/api/v1/app-connections/mongodb', at(bad.port, i)),
    );
    await expect.poll(() => asked, { interval: 5 }).toBe(MANY);
    expect((await test.admin('POST', '/api/v1/app-connections/mongodb', at(good.port, 0))).status).toBe(200);
    expect(meanwhile).toBeLessThan(MANY / 3);
    await Promise.all(flood);
    await bad.close();
    await good.close();
  });
});

describe('attack: a list at a system of the attacker', () => {
  it('whose pages are as long as they may be, and do not end, does not fill the memory', async () => {
    const page = Buffer.from(
      JSON.stringify(
        Array.from({ length: 100 }, (_, id) => ({ id, name: 'x'.repeat(80_000), owner: { id, login: 'o' } })),
      ),
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
    // 128 MiB of 8 MB each; fewer where their time is over before.
    expect(pages).toBeGreaterThan(1);
    expect(pages).toBeLessThanOrEqual(17);
  });
});

describe('attack: a system of the attacker that speaks HTTP', () => {
  const SECRET = 'correct-horse-battery';
  const NOISE = `\u0000\u0007\u001b[31m\r\nSet-Cookie: x\u2028\u202e ${SECRET}`;
  const json =
    (body: string, status = 200, headers: Record<string, string> = {}): RequestListener =>
    (_, res) =>
      void res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  const raw =
    (text: string): RequestListener =>
    (_, res) =>
      void res.socket!.end(`HTTP/1.1 200 OK\r\n${text}`);
  const said = JSON.stringify({ kind: 'Status', reason: NOISE, message: NOISE, error: NOISE, errors: [NOISE] });
  const answers: [string, RequestListener][] = [
    ['null', json('null')],
    ['a number that is none', json('1e999')],
    ['names that objects have', json('{"__proto__":{"status":{}},"constructor":{"prototype":1},"toString":1}')],
    ['very deep lists', json('['.repeat(101) + ']'.repeat(101))],
    ['very many values', json(`[${'1,'.repeat(100_000)}1]`)],
    ...[400, 401, 429, 500, 503].map((status): [string, RequestListener] => [
      `${status}, with control characters and the credential, and a wait without end`,
      json(said, status, { 'retry-after': '9'.repeat(50) }),
    ]),
    ['a body that is compressed', json('x', 200, { 'content-encoding': 'gzip' })],
    [
      'a way to the metadata service',
      (_, res) => void res.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
    ],
    ['headers without an end', raw('x: y\r\n'.repeat(10_000))],
    ['a length that is none', raw('content-length: -1\r\n\r\n{}')],
    ['two lengths', raw('content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n')],
  ];

  it.each(answers)(
    'causes no fault, and is quoted without control characters and credentials: %s',
    async (_, answer) => {
      await standIns.serve('evil.test', answer);
      const { slug: projectSlug } = await test.project();
      const server = { host: 'https://evil.test', port: 443 };
      const dynamic = (type: string, inputs: object) => {
        const provider = { type, inputs };
        const made = { projectSlug, environmentSlug: 'dev', path: '/', name: type, provider, defaultTTL: '1h' };
        return test.admin('POST', '/api/v1/dynamic-secrets', made);
      };
      const connection = (app: string, method: string, credentials: object) =>
        test.admin('POST', `/api/v1/app-connections/${app}`, { name: `${app}-${projectSlug}`, method, credentials });
      const answered = [
        await dynamic('kubernetes', {
          ...{
            url: server.host,
            clusterToken: SECRET,
            credentialType: 'static',
            namespace: 'a',
            serviceAccountName: 'b',
          },
        }),
        await dynamic('rabbit-mq', {
          ...{ ...server, username: 'u', password: SECRET },
          virtualHost: { name: '/', permissions: { read: '', write: '', configure: '' } },
        }),
        await dynamic('elastic-search', {
          ...{ ...server, roles: ['a'], auth: { type: 'user', username: 'u', password: SECRET } },
        }),
        await connection('github', 'pat', { host: 'evil.test', personalAccessToken: SECRET }),
        await connection('hashicorp-vault', 'access-token', { instanceUrl: server.host, accessToken: SECRET }),
        await connection('external-infisical', 'machine-identity-universal-auth', {
          ...{ instanceUrl: server.host, machineIdentityClientId: 'a', machineIdentityClientSecret: SECRET },
        }),
      ];
      expect(answered.filter(({ status }) => status !== 200 && status !== 400)).toEqual([]);
      expect(answered.map(({ body }) => JSON.stringify(body)).join()).not.toMatch(
        // oxlint-disable-next-line no-control-regex
        /correct-horse|\\u00|\\[rn]|[\u0000-\u001f\u2028\u202e]/,
      );
      // Refusals of these are forgotten.
      test.advance(8_000_000);
    },
  );
});

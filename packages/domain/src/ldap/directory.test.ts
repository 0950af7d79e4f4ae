import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCidrs, type OutboundConnect } from '../kernel/index.ts';
import { createOutbound } from '../outbound/index.ts';
import { makeAuthority } from '../outbound/testing/certificates.ts';
import { serveRaw } from '../outbound/testing/servers.ts';
import { isDirectoryUrl } from './directory-url.ts';
import { useDirectory } from './directory.ts';
import { LDAP_ACCOUNT, LDAP_BASE, slapdServer, startSlapd, type Slapd } from './testing/slapd.ts';

const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
afterAll(() => outbound.close());
const connect: OutboundConnect = (target) => outbound.connect(target);
/** A shorter deadline than in production, for what passes it. */
const hurried: OutboundConnect = (target) => connect({ ...target, timeoutMs: 1_500, lifetimeMs: 1_500 });
const found = (directory: { url: string; ca?: string }, connectBy: OutboundConnect = connect) =>
  useDirectory(connectBy, directory, async (client) => {
    await client.bind(LDAP_ACCOUNT.bindDN, LDAP_ACCOUNT.bindPass);
    return (await client.search(LDAP_BASE, { filter: '(uid=alice)', attributes: ['mail'] })).searchEntries;
  });
const alice = [{ dn: `uid=alice,ou=people,${LDAP_BASE}`, mail: 'alice@example.com' }];

describe('isDirectoryUrl', () => {
  it('accepts only the address of a directory', () => {
    for (const url of ['ldap://a', 'ldaps://a.example.com/', 'ldap://127.0.0.1:1389', 'ldaps://[::1]:636', 'LDAP://a'])
      expect([url, isDirectoryUrl(url)]).toEqual([url, true]);
    for (const url of [
      '',
      'a',
      'http://a',
      'ldap:a',
      'ldap://',
      'ldapi:///',
      'ldap://u:p@a',
      'ldap://u@a',
      'ldap://a/b',
      'ldap://a?x',
      'ldap://a#x',
      'ldap://a/?x',
      'ldap://a:99999',
      'ldap://a b',
    ])
      expect([url, isDirectoryUrl(url)]).toEqual([url, false]);
  });
});

describe.skipIf(slapdServer.isMissing)(`a call to a real directory${slapdServer.orSkipped}`, () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd();
  });
  afterAll(() => slapd.stop());

  it('is plain, in TLS, and by StartTLS', async () => {
    const { url, secureUrl, ca } = slapd;
    for (const directory of [{ url }, { url: secureUrl, ca }, { url, ca }])
      expect(await found(directory)).toEqual(alice);
  });

  it('trusts only the given root, in TLS and by StartTLS', async () => {
    const { url, secureUrl } = slapd;
    const ca = makeAuthority('Directory root').cert;
    for (const directory of [{ url: secureUrl, ca }, { url, ca }, { url: secureUrl }])
      await expect(found(directory)).rejects.toThrow('presents a certificate that is not trusted');
  });

  it('does not speak TLS where the directory does not, and the other way round', async () => {
    const [plain, secure] = [new URL(slapd.url).port, new URL(slapd.secureUrl).port];
    await expect(found({ url: `ldaps://127.0.0.1:${plain}`, ca: slapd.ca })).rejects.toMatchObject({
      kind: 'bad_request',
    });
    await expect(found({ url: `ldap://127.0.0.1:${secure}` })).rejects.toMatchObject({ kind: 'bad_request' });
  });

  it('logs the code of an unexpected refusal', async () => {
    const search = useDirectory(connect, slapd, (client) =>
      client.search(`dc=other,${LDAP_BASE}`, { filter: '(uid=a)' }),
    );
    await expect(search).rejects.toMatchObject({ kind: 'bad_request', code: 'ldap.refused', details: { code: 32 } });
  });

  it('leaves no connection behind', async () => {
    const open: boolean[] = [];
    await useDirectory(
      async (target) => {
        const connection = await connect(target);
        connection.stream.once('close', () => open.push(false));
        return connection;
      },
      slapd,
      async (client) => client.bind(LDAP_ACCOUNT.bindDN, LDAP_ACCOUNT.bindPass),
    );
    await expect.poll(() => open).toEqual([false]);
  });
});

describe('a directory', () => {
  const element = (tag: number, ...parts: Buffer[]) => {
    const content = Buffer.concat(parts);
    return Buffer.concat([Buffer.from([tag, content.length]), content]);
  };
  const answered = (id: number, operation: number, ...parts: Buffer[]) =>
    element(0x30, element(0x02, Buffer.from([id])), element(operation, ...parts));
  const result = (id: number, operation: number, code: number) =>
    answered(id, operation, element(0x0a, Buffer.from([code])), element(0x04), element(0x04));
  const text = (words: string) => element(0x04, Buffer.from(words));
  const BIND_OK = result(2, 0x61, 0);
  // A length beyond the end of the message: without our check, the library would loop forever.
  const values = element(0x31, Buffer.from([0x04, 0x7f]));
  const ENTRY_WITHOUT_END = answered(3, 0x64, text('uid=a'), element(0x30, element(0x30, text('mail'), values)));

  async function directoryThat(answer: (socket: Socket) => void, ca?: string) {
    const server = await serveRaw(answer);
    return { url: `ldap://127.0.0.1:${server.port}`, ca };
  }

  it.each<[string, (socket: Socket) => void, string]>([
    ['never answers', (socket) => socket.resume(), 'outbound.timeout'],
    ['hangs up', (socket) => socket.destroy(), 'outbound.unreachable'],
    ['hangs up when asked', (socket) => socket.once('data', () => socket.destroy()), 'outbound.unreachable'],
    ['speaks HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'ldap.failed'],
    ['speaks nonsense without end', (socket) => flood(socket, Buffer.from('nonsense')), 'ldap.failed'],
    [
      'sends a message without end',
      (socket) => flood(socket, Buffer.from('308400ffffff', 'hex')),
      'outbound.too_large',
    ],
    ['sends small messages without end', (socket) => flood(socket, result(99, 0x61, 0)), 'outbound.too_large'],
    [
      'sends an element that contains itself',
      (socket) => socket.write(Buffer.from('3084fffffffa', 'hex')),
      'outbound.timeout',
    ],
    [
      'sends an entry that has no end',
      (socket) => socket.once('data', () => socket.write(Buffer.concat([BIND_OK, ENTRY_WITHOUT_END]))),
      'ldap.failed',
    ],
  ])('that %s is rejected in bounded time, without delaying others', async (_, answer, code) => {
    const directory = await directoryThat(answer);
    const by = code === 'outbound.timeout' ? hurried : connect;
    await expect(found(directory, by)).rejects.toMatchObject({ kind: 'bad_request', code });
  });

  it('that refuses StartTLS gets no password', async () => {
    const said: Buffer[] = [];
    const refusal = result(2, 0x78, 2);
    const directory = await directoryThat(
      (socket) => socket.on('data', (chunk) => said.push(chunk)).once('data', () => socket.write(refusal)),
      makeAuthority('Root').cert,
    );
    await expect(found(directory)).rejects.toMatchObject({ code: 'ldap.refused', details: { code: 2 } });
    expect(Buffer.concat(said).toString('latin1')).toContain('1.3.6.1.4.1.1466.20037');
    expect(Buffer.concat(said).toString('latin1')).not.toContain(LDAP_ACCOUNT.bindPass);
  });

  it('that agrees to StartTLS and appends its own plaintext response is rejected', async () => {
    const agreed = result(2, 0x78, 0);
    const directory = await directoryThat(
      (socket) => socket.once('data', () => socket.write(Buffer.concat([agreed, BIND_OK.subarray(0, 5)]))),
      makeAuthority('Root').cert,
    );
    await expect(found(directory)).rejects.toMatchObject({ kind: 'bad_request', code: 'ldap.failed' });
  });
});

/** Writes at the speed of the reader. */
function flood(socket: Socket, piece: Buffer): void {
  const pieces = Buffer.concat(Array.from({ length: 2000 }, () => piece));
  const more = () => {
    while (!socket.destroyed && socket.write(pieces));
  };
  socket.on('drain', more).resume();
  more();
}

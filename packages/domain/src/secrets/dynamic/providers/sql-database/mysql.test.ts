import crypto, { createPublicKey } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseCidrs } from '../../../../kernel/index.ts';
import { createOutbound } from '../../../../outbound/index.ts';
import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import { serveRaw } from '../../../../outbound/testing/servers.ts';
import { mysql, readSql, renderSql, type SqlSession } from '../../../../apps/sql/index.ts';
import { refuseIn } from '../../statement.ts';
import { describeMalformedAnswers, failureOf, THE_CREDENTIAL } from '../../testing/malformed-answers.ts';
import { mariadb, MARIADB_MANAGER, startMariaDb, type MariaDb } from '../../testing/mariadb.ts';
import { sqlDatabase } from './sql-database.ts';

const inputs = (port: number) => ({
  client: 'mysql2',
  host: '127.0.0.1',
  port,
  database: 'shop',
  username: 'coffer',
  password: THE_CREDENTIAL,
  creationStatement: `create user '{{username}}'@'%' identified by '{{password}}'`,
  revocationStatement: `drop user '{{username}}'@'%'`,
});

const packet = (sequence: number, ...parts: (number[] | string | Buffer)[]) => {
  const payload = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return Buffer.concat([Buffer.from([payload.length & 255, payload.length >> 8, 0, sequence]), payload]);
};
const [PROTOCOL_41, SECURE_CONNECTION, PLUGIN_AUTH, SSL] = [0x02_00, 0x80_00, 0x08_00_00, 0x08_00];
/** MySQL 8.4, Protocol::HandshakeV10. */
const greeting = (plugin = 'mysql_native_password', more = 0) => {
  const flags = Buffer.alloc(4);
  flags.writeUInt32LE(PROTOCOL_41 | SECURE_CONNECTION | PLUGIN_AUTH | more);
  const scramble = 'abcdefghijklmnopqrst';
  return packet(
    0,
    [10],
    '8.4.0\0',
    [1, 0, 0, 0],
    `${scramble.slice(0, 8)}\0`,
    flags.subarray(0, 2),
    [45, 2, 0],
    flags.subarray(2),
    [21],
    Buffer.alloc(10),
    `${scramble.slice(8)}\0`,
    `${plugin}\0`,
  );
};
const OK = [0, 0, 0, 2, 0, 0, 0];
const [TEXT, VECTOR] = [253, 242];
const columnOf = (name: string, type: number) =>
  Buffer.concat([
    Buffer.from(`\u0003def\0\0\0${String.fromCharCode(name.length)}${name}\0`),
    Buffer.from([12, 45, 0, 0, 0, 0, 0, type, 0, 0, 0, 0, 0]),
  ]);
/** So many columns with different names, and so many rows. */
function answerOf(columns: number, rows: number, row: readonly number[], type = TEXT): Buffer {
  const count = columns < 251 ? [columns] : [252, columns & 255, columns >> 8];
  const parts = [
    count,
    ...Array.from({ length: columns }, (_, n) => columnOf(n.toString(36), type)),
    [254, 0, 0, 2, 0],
  ];
  const all = [...parts, ...Array.from({ length: rows }, () => row)];
  return Buffer.concat(
    all.map((part, at) => {
      const sequence = (at + 1) % 256;
      // Whoever reads the next packets as values finds a length before the one that would be none.
      return packet(sequence, Buffer.from(type === VECTOR && sequence === 254 ? [...part, 0xfe] : (part as number[])));
    }),
  );
}

describe('a misbehaving MySQL', () => {
  // The library reports that before it gives up.
  beforeAll(() => void vi.spyOn(console, 'trace').mockReturnValue());
  afterAll(() => void vi.restoreAllMocks());

  describeMalformedAnswers({
    provider: sqlDatabase,
    inputs,
    dialogs: [
      [greeting().subarray(0, 20)],
      [greeting()],
      [greeting('caching_sha2_password'), packet(2, [1, 4])],
      [greeting(), packet(2, [254], 'caching_sha2_password\0', 'x'.repeat(20), [0])],
      [greeting('', SSL)],
      [greeting(), packet(2, OK)],
      [greeting(), packet(2, OK), packet(1, OK)],
      [greeting(), packet(2, OK), packet(1, [3])],
    ],
    // Columns of text, and rows without a value, or with an empty one, or with fewer than there are columns.
    dense: [answerOf(1, 24_000, [0xfb]), answerOf(1, 24_000, [0]), answerOf(1_300, 13_000, [0], VECTOR)].map(
      (answer) => [greeting(), packet(2, OK), answer],
    ),
  });

  it('gets no password in plaintext, no file, and nothing without the TLS that a root requires', async () => {
    const heard: string[] = [];
    const answering = (...answers: Buffer[]) =>
      serveRaw((socket) => {
        socket.write(answers.shift()!);
        socket.on('data', (data: Buffer) => {
          heard.push(data.toString('latin1'));
          const next = answers.shift();
          if (next) socket.write(next);
          else socket.end();
        });
      });
    const clear = 'mysql_clear_password';
    const targets = [
      { ...(await answering(greeting(clear))), ca: undefined },
      { ...(await answering(greeting(), packet(2, [254], `${clear}\0`))), ca: undefined },
      { ...(await answering(greeting('sha256_password'), packet(2, [254], 'sha256_password\0', [0]))), ca: undefined },
      { ...(await answering(greeting(), packet(2, OK), packet(1, [251], '/etc/passwd'))), ca: undefined },
    ];
    for (const { port } of targets) expect(await failureOf(sqlDatabase, inputs(port), 2000)).toBeDefined();
    expect(heard.length).toBeGreaterThan(4);
    expect(heard.filter((said) => /correct|root:/.test(said))).toEqual([]);
    heard.length = 0;
    const { cert: ca } = makeAuthority('Database');
    const plain = await answering(greeting());
    expect((await failureOf(sqlDatabase, { ...inputs(plain.port), ca }, 2000))?.message).toBe(
      '127.0.0.1 does not support TLS, which its configuration requires',
    );
    const garbled = await answering(greeting('', SSL), Buffer.from('no TLS at all'));
    expect((await failureOf(sqlDatabase, { ...inputs(garbled.port), ca }, 2000))?.message).toMatch(
      /^127\.0\.0\.1 (?:fails the TLS handshake|closed the connection)$/,
    );
    expect(heard.filter((said) => said.includes('coffer'))).toEqual([]);
  });

  it.each([
    ['nothing', []],
    ['an error', [packet(1, [255, 21, 4], '#28000Access denied')]],
    [
      'another way of logging in',
      [packet(1, [254], 'caching_sha2_password\0', 'x'.repeat(20), [0]), packet(3, [1, 9])],
    ],
    ['a key that is none', [packet(1, [254], 'sha256_password\0', 'x'.repeat(20), [0]), packet(3, [1], 'no key')]],
    ['a way that nobody knows', [packet(1, [254], 'toString\0')]],
    ['more of what was never begun', [packet(1, [1, 4])]],
    ['what belongs to no login', [packet(1, [7, 7, 7])]],
  ])('keeps a login that it rejects to delete with %s', async (_what, answers) => {
    const [outbound, said] = [createOutbound({ allow: parseCidrs('127.0.0.0/8') }), [packet(2, OK), ...answers]];
    const { port } = await serveRaw((socket) => {
      socket.write(greeting());
      socket.on('data', () => void (said.length > 0 ? socket.write(said.shift()!) : socket.end()));
    });
    const pooled = await mysql.open(inputs(port), { ...outbound, organizationId: '' });
    await expect(pooled.reset!()).rejects.toBeInstanceOf(Error);
    pooled.close();
    await outbound.close();
  });

  it('has the password encrypted a few times at most, with keys that take long', async () => {
    // As long as the exponent of a key of 3,072 bits may be.
    const [n, e] = [Buffer.alloc(384, 0xff), Buffer.alloc(384, 0x7f)].map((number) => number.toString('base64url'));
    const key = createPublicKey({ key: { kty: 'RSA', n: n!, e: e! }, format: 'jwk' });
    const pem = key.export({ type: 'spki', format: 'pem' });
    const encrypted = vi.spyOn(crypto, 'publicEncrypt');
    const flight = Array.from({ length: 100 }, (_, at) => [
      packet((2 + 2 * at) % 256, [254], 'sha256_password\0', 'x'.repeat(20), [0]),
      packet((3 + 2 * at) % 256, [1], pem),
    ]);
    const { port } = await serveRaw((socket) => {
      socket.write(greeting());
      socket.once('data', () => socket.end(Buffer.concat(flight.flat())));
    });
    expect(await failureOf(sqlDatabase, inputs(port), 2000)).toBeDefined();
    expect(encrypted.mock.calls.length).toBeGreaterThan(0);
    expect(encrypted.mock.calls.length).toBeLessThan(6);
  });

  it('is quoted with its text instead of a greeting', async () => {
    const full = await serveRaw((socket) => socket.end(packet(0, [255, 16, 4], 'Too many connections')));
    expect((await failureOf(sqlDatabase, inputs(full.port), 2000))?.message).toBe(
      '127.0.0.1 reports: Too many connections',
    );
  });
});

describe.skipIf(mariadb.isMissing)(`statements for a MariaDB with the worst of settings${mariadb.orSkipped}`, () => {
  let target: MariaDb;
  let session: SqlSession;
  let close: () => void;
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  beforeAll(async () => {
    target = await startMariaDb();
    const server = { host: '127.0.0.1', port: target.port, database: target.database, ...MARIADB_MANAGER };
    const pooled = await mysql.open(server, { ...outbound, organizationId: '' });
    session = pooled.client;
    close = () => pooled.close();
    await target.query('create table shop.texts (a text, b text, c text) character set utf8mb4');
  });
  afterAll(async () => {
    close();
    await outbound.close();
    await target.stop();
  });

  const run = (text: string, values: Record<string, string>) =>
    session.run(renderSql(readSql(text, 'mysql', Object.keys(values), refuseIn('creationStatement')), values));

  /** Quotes, comments, and what ends in a backslash or a quote where its bytes are read in another character set. */
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom("'", '"', '`', '\\', '--', '/*', '*/', '#', ';', ' ', '{{username}}', "\\'", "''", '\\"', ');'),
        fc.constantFrom(
          '\u00bf',
          '\u7e37',
          '\u8a63',
          '\u5c71',
          '\ubf5c',
          '\uff07',
          '\u02bc',
          '\u00a5',
          '\u20a9',
          '\u{1f511}',
        ),
        fc.string({ unit: 'grapheme', maxLength: 3 }),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(''))
    // oxlint-disable-next-line no-control-regex -- they are refused
    .filter((value) => !/[\u0000-\u001f\u007f]/.test(value) && value.isWellFormed());

  it('contain the inserted values, in each kind of quotes and in none', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (value) => {
        await run(`delete from texts; insert into texts values ('{{x}}', "{{x}}", {{x}})`, { x: value });
        expect(await target.query('select * from shop.texts')).toEqual([{ a: value, b: value, c: value }]);
      }),
      { numRuns: 150 },
    );
  });

  it('name what the values name', async () => {
    // Names have no blanks round them and no character beyond the basic plane.
    const names = hostile.map((value) =>
      value
        .replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')
        .slice(0, 60)
        .trim(),
    );
    await fc.assert(
      fc.asyncProperty(
        names.filter((name) => name !== ''),
        async (name) => {
          await run('create or replace view names as select 1 as {{username}}, 2 as `b {{username}}`', {
            username: name,
          });
          const columns = await target.query(
            `select column_name as name from information_schema.columns where table_name = 'names' order by ordinal_position`,
          );
          expect(columns).toEqual([{ name }, { name: `b ${name}` }]);
        },
      ),
      { numRuns: 100 },
    );
  });
});

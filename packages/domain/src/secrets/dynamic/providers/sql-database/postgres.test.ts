import { describe, expect, it } from 'vitest';
import { serveRaw } from '../../../../outbound/testing/servers.ts';
import { describeMalformedAnswers, failureOf, repeated, THE_CREDENTIAL } from '../../testing/malformed-answers.ts';
import { sqlDatabase } from './sql-database.ts';

const inputs = (port: number) => ({
  client: 'postgres',
  host: '127.0.0.1',
  port,
  database: 'shop',
  username: 'coffer',
  password: THE_CREDENTIAL,
  creationStatement: `create role "{{username}}" login password '{{password}}'`,
  revocationStatement: `drop role "{{username}}"`,
});

const message = (type: string, ...parts: (number[] | string)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const NO_TLS = 'N';
const int32 = (value: number) => [0, 0, 0, value];
const LOGGED_IN = Buffer.concat([message('R', int32(0)), message('Z', 'I')]);
/** Columns with different names. */
const columns = (count: number) => {
  const each = Array.from({ length: count }, (_, n) => `${n.toString(36)}\0${'\0'.repeat(18)}`);
  return message('T', [count >> 8, count & 255], ...each);
};
const COLUMNS = columns(1);
const SHOWN = Buffer.concat([COLUMNS, message('D', [0, 1], int32(2), 'on'), message('C', 'SHOW\0'), message('Z', 'I')]);

describe('a misbehaving PostgreSQL', () => {
  describeMalformedAnswers({
    provider: sqlDatabase,
    inputs,
    dialogs: [
      [NO_TLS],
      [NO_TLS, message('R', int32(10), 'SCRAM-SHA-256\0\0')],
      [NO_TLS, LOGGED_IN],
      [NO_TLS, LOGGED_IN, COLUMNS],
      [NO_TLS, LOGGED_IN, SHOWN],
    ],
    dense: [
      message('D', [0, 1], [255, 255, 255, 255]),
      message('D', [0, 0]),
      message('N', [0]),
      message('C', '\0'),
      message('S', 'a\0\0'),
      COLUMNS,
    ]
      .map((part) => Buffer.concat([COLUMNS, repeated(part, 120_000 / part.length)]))
      .concat(Buffer.concat([columns(3_000), repeated(message('D', [0, 0]), 8_000)]))
      .map((answer) => [NO_TLS, LOGGED_IN, answer]),
  });

  /** What it does to a caller: its answer to the login, or the ones after that. */
  const failureBy = async (...answers: Buffer[]) => {
    const said = [Buffer.from(NO_TLS), ...answers];
    const { port } = await serveRaw((socket) =>
      socket.on('data', () => void (said.length > 0 ? socket.write(said.shift()!) : socket.end())),
    );
    return failureOf(sqlDatabase, inputs(port), 2000);
  };

  it.each([
    ['a login without its kind', [message('R')]],
    ['a login of no known kind', [message('R', int32(99))]],
    ['an error without an end', [message('E', 'SX')]],
    ['a notice without an end', [LOGGED_IN, message('N', 'SX')]],
    ['a row with fewer columns than none', [LOGGED_IN, Buffer.concat([COLUMNS, message('D', [255, 255])])]],
    ['a row without columns', [LOGGED_IN, Buffer.concat([message('D', [0, 1], int32(1), 'x'), message('Z', 'I')])]],
    ['columns that are not there', [LOGGED_IN, message('T', [127, 255])]],
  ])('neither stops nor ends the process with %s', async (_what, answers) => {
    expect((await failureBy(...answers))?.code).toMatch(/^(?:remote\.malformed|outbound\.bad_response)$/);
  });

  it('is quoted where it refuses a setting that is asked for after the login', async () => {
    const refusal = Buffer.concat([message('E', 'SERROR\0C42501\0MNo setting for you\0\0'), message('Z', 'I')]);
    expect((await failureBy(LOGGED_IN, refusal))?.message).toBe('127.0.0.1 reports: No setting for you');
  });

  it('is not read further if its results are many more than anybody asked for', async () => {
    const results = Buffer.concat(Array.from({ length: 200_000 }, () => message('C', '\0')));
    const before = process.memoryUsage().rss;
    expect((await failureBy(LOGGED_IN, results))?.code).toMatch(/^(?:remote\.malformed|outbound\.bad_response)$/);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  });
});

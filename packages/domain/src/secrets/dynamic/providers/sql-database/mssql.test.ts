import { describe } from 'vitest';
import { done, errorToken, loginAck, PACKET, packets, prelogin, rows } from '../../../../apps/sql/testing/tds.ts';
import { describeMalformedAnswers, repeated, THE_CREDENTIAL } from '../../testing/malformed-answers.ts';
import { sqlDatabase } from './sql-database.ts';

const inputs = (port: number) => ({
  client: 'mssql',
  host: '127.0.0.1',
  port,
  database: 'shop',
  username: 'coffer',
  password: THE_CREDENTIAL,
  creationStatement: `create login "{{username}}" with password = '{{password}}'`,
  revocationStatement: 'drop login "{{username}}"',
});

const ENCRYPTION_NOT_SUPPORTED = 2;
const reply = (...tokens: Buffer[]) => packets(PACKET.reply, Buffer.concat(tokens));
const HELLO = packets(PACKET.reply, prelogin(ENCRYPTION_NOT_SUPPORTED));
const LOGGED_IN = reply(loginAck(), done());
const ERROR = errorToken(5, '');
const INFO = Buffer.concat([Buffer.of(0xab), ERROR.subarray(1)]);
/** One column of integers that may be null. */
const COLUMN = Buffer.from([0x81, 1, 0, 0, 0, 0, 0, 0, 0, 0x26, 4, 0]);
const NULL_ROW = Buffer.from([0xd1, 0]);
/** A thousand columns of the type without values, which take no octet in a row, and seven thousand rows. */
const WIDE = Buffer.concat([
  Buffer.of(0x81, 1_000 & 255, 1_000 >> 8),
  repeated(Buffer.from([0, 0, 0, 0, 0, 0, 0x1f, 0]), 1_000),
  repeated(Buffer.of(0xd1), 7_000),
]);

/** Kilobytes of a token. */
const flood = (token: Buffer, size: number) => repeated(token, (size * 1024) / token.length);

describe('a misbehaving SQL Server', () => {
  describeMalformedAnswers({
    provider: sqlDatabase,
    inputs,
    dialogs: [
      ['', HELLO],
      ['', HELLO.subarray(0, 20)],
      ['', HELLO, LOGGED_IN],
      ['', HELLO, LOGGED_IN, reply(done())],
      ['', HELLO, LOGGED_IN, reply(done()), reply(rows([1, 2]), done())],
      ['', HELLO, LOGGED_IN, reply(ERROR, done({ isError: true }))],
    ],
    dense: [ERROR, INFO, done(), Buffer.concat([COLUMN, NULL_ROW]), Buffer.from([0xa9, 0, 0])]
      .flatMap((token) => [
        ['', HELLO, reply(flood(token, 30), done())],
        ['', HELLO, LOGGED_IN, reply(flood(token, 1000), done())],
        ['', HELLO, LOGGED_IN, reply(flood(token, 60), done())],
        ['', HELLO, LOGGED_IN, reply(COLUMN, flood(NULL_ROW, 15), done())],
      ])
      .concat([
        ['', HELLO, LOGGED_IN, reply(WIDE, done())],
        ['', HELLO, LOGGED_IN, reply(done()), reply(WIDE, done())],
        ['', HELLO, LOGGED_IN, reply(done()), reply(done()), reply(WIDE, done())],
      ]),
  });
});

import { describe } from 'vitest';
import { encodeFrame, OPCODE, RESPONSE } from '../../../../apps/cassandra/frame.ts';
import { describeMalformedAnswers, repeated, THE_CREDENTIAL } from '../../testing/malformed-answers.ts';
import { cassandra } from './cassandra.ts';

const inputs = (port: number) => ({
  host: '127.0.0.1',
  port,
  localDataCenter: 'eu',
  username: 'coffer',
  password: THE_CREDENTIAL,
  creationStatement: `create role '{{username}}' with password = '{{password}}' and login = true`,
  revocationStatement: `drop role '{{username}}'`,
});

const answer = (opcode: number, ...parts: (Buffer | string)[]) =>
  encodeFrame(RESPONSE, opcode, Buffer.concat(parts.map((part) => Buffer.from(part as string))));
const int = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const text = (value: string) => Buffer.concat([int(value.length).subarray(2), Buffer.from(value)]);
const [AUTHENTICATE, SUCCESS] = [answer(OPCODE.authenticate, text('x')), answer(OPCODE.authSuccess, int(-1))];
const VARCHAR = Buffer.from([0, 13]);
/** A result with one column. */
const rows = (column: string, count: number, cells: Buffer, type = VARCHAR) =>
  answer(OPCODE.result, int(2), int(1), int(1), text('k'), text('t'), text(column), type, int(count), cells);
const HERE = rows('data_center', 1, Buffer.concat([int(2), Buffer.from('eu')]));

describe('a misbehaving Cassandra', () => {
  describeMalformedAnswers({
    provider: cassandra,
    inputs,
    dialogs: [
      ['', AUTHENTICATE],
      ['', AUTHENTICATE, SUCCESS],
      ['', AUTHENTICATE, SUCCESS, HERE.subarray(0, 30)],
    ],
    dense: [
      ['', AUTHENTICATE, SUCCESS, rows('data_center', 250_000, repeated(int(-1), 250_000))],
      ['', AUTHENTICATE, SUCCESS, rows('data_center', 250_000, repeated(int(0), 250_000))],
      [
        '',
        AUTHENTICATE,
        SUCCESS,
        rows('x', 0, int(0), Buffer.concat([Buffer.from([0, 0x31, 0, 99]), repeated(VARCHAR, 99)])),
      ],
      ['', repeated(AUTHENTICATE, 50_000)],
    ],
  });
});

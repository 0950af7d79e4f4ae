import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { checkMessages } from './postgres-messages.ts';

const message = (type: string, body: string, length = body.length + 4): Buffer => {
  const bytes = Buffer.from(`${type}    ${body}`, 'latin1');
  bytes.writeUInt32BE(length, 1);
  return bytes;
};
const READY = message('Z', 'I');
const ERROR = message('E', 'SERROR\0Mno\0\0');

/** What a library behind the check receives of some chunks; the first that is refused, and all later ones, are missing. */
function received(chunks: readonly Buffer[]): Buffer {
  const stream = new PassThrough();
  const parts: Buffer[] = [];
  checkMessages(stream);
  stream.on('data', (chunk: Buffer) => parts.push(chunk));
  for (const chunk of chunks) {
    try {
      stream.emit('data', chunk);
    } catch {
      break;
    }
  }
  return Buffer.concat(parts);
}

const octets = (bytes: Buffer) => Array.from(bytes, (octet) => Buffer.of(octet));

describe('the messages of a PostgreSQL', () => {
  const usual = Buffer.concat([
    ERROR,
    message('N', '\0'),
    message('D', 'x'.repeat(1000)),
    message('C', ''),
    READY,
    ERROR,
  ]);

  it.each([
    ['at once', [usual]],
    ['octet by octet', octets(usual)],
  ])('reach the library as they are, %s', (_how, chunks) => {
    expect(received(chunks)).toEqual(usual);
  });

  it.each([
    ['an error without an end', message('E', 'SX')],
    ['an error that ends after the message', Buffer.concat([message('E', 'SX\0'), READY])],
    ['a notice whose field does not end', message('N', 'SX\0Mno')],
    ['an error without fields and without an end', message('E', '')],
    ['an error that goes on behind its end', message('E', 'SX\0\0M')],
    ['a message that is shorter than its length', message('E', '', 3)],
    ['an announcement of a gigabyte', message('D', '', 2 ** 30)],
  ])('do not reach it with %s', (_what, bad) => {
    expect(received([READY, bad])).toEqual(READY);
    expect(received([READY, ...octets(bad)]).length).toBeLessThan(READY.length + bad.length);
  });

  it('have other steps of a login a few times: PAM may ask again', () => {
    const password = message('R', '\0\0\0\u0003');
    const asked = (times: number) => Array.from({ length: times }, () => password);
    expect(received(asked(6))).toEqual(Buffer.concat(asked(6)));
    expect(received(asked(7))).toEqual(Buffer.concat(asked(6)));
  });

  it('have each step of SCRAM once', () => {
    const step = (code: number, body = '') => message('R', `\0\0\0${String.fromCharCode(code)}${body}`);
    const [ask, proceed, final, accepted] = [
      step(10, 'SCRAM-SHA-256\0\0'),
      step(11, 'r=x,s=QQ==,i=1'),
      step(12),
      step(0),
    ];
    const login = [ask, proceed, final, accepted, READY];
    expect(received(login)).toEqual(Buffer.concat(login));
    expect(received(login.flatMap(octets))).toEqual(Buffer.concat(login));
    const sent = Buffer.concat([ask, proceed]);
    for (const again of [ask, proceed]) expect(received([ask, proceed, again, final])).toEqual(sent);
    expect(received([ask, Buffer.concat(Array.from({ length: 1_500 }, () => proceed))])).toEqual(ask);
    expect(received([ask, proceed, message('R', 'x', 4), final])).toEqual(sent);
  });

  it('are limited for the answer to one query', () => {
    const rows = Array.from({ length: 40 }, () => message('D', 'x'.repeat(32_000)));
    expect(received(rows).length).toBeLessThan(1024 * 1024 + 1);
    const answers = rows.flatMap((row) => [row, READY]);
    expect(received(answers).length).toBe(Buffer.concat(answers).length);
  });

  it('are limited by the values that their rows have for the library, however short they are', () => {
    const columns = (count: number) => message('T', String.fromCharCode(count >> 8, count & 255));
    const answer = [columns(1_000), ...Array.from({ length: 20 }, () => message('D', '\0\0'))];
    expect(received(answer)).toEqual(Buffer.concat(answer.slice(0, 11)));
    expect(received(answer.flatMap(octets)).length).toBeLessThan(Buffer.concat(answer.slice(0, 12)).length);
    const many = Array.from({ length: 5 }, () => [columns(1_000), ...answer.slice(1, 8), READY]).flat();
    expect(received(many)).toEqual(Buffer.concat(many));
  });
});

import * as bson from 'bson';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeMalformedAnswers, THE_CREDENTIAL } from '../../testing/malformed-answers.ts';
import { decodeMessage, encodeMessage, lengthOf, NoMessage } from '../../../../apps/mongo-db/message.ts';
import { mongoDb } from './mongo-db.ts';

/** An answer to the command of this number. */
function answer(id: number, document: bson.Document, change: (message: Buffer) => void = () => undefined): Buffer {
  const message = encodeMessage(bson, 77, document);
  message.writeInt32LE(id, 8);
  change(message);
  return message;
}

function fateOf(message: Buffer): string {
  try {
    decodeMessage(bson, message, 7);
    return 'read';
  } catch (error) {
    return error instanceof NoMessage ? 'refused' : String(error);
  }
}

describe('a message of MongoDB', () => {
  it('is written as published', () => {
    // The specification of OP_MSG: a header of 16 octets, flags, a section of kind 0 with a document.
    const message = encodeMessage(bson, 1, { ping: 1, $db: 'a' });
    expect(message.toString('hex')).toBe(
      '2f000000' +
        '01000000' +
        '00000000' +
        'dd070000' +
        '00000000' +
        '00' +
        bson.serialize({ ping: 1, $db: 'a' }).reduce((hex, octet) => hex + octet.toString(16).padStart(2, '0'), ''),
    );
    expect(lengthOf(message)).toBe(message.length);
    expect(lengthOf(message.subarray(0, 3))).toBeUndefined();
  });

  it('is read as it was written', () => {
    const document = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,9}$/),
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string())),
    );
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 2 ** 31 - 1 }), (given, id) => {
        expect(decodeMessage(bson, answer(id, given), id)).toEqual({ ...given });
      }),
    );
    const withChecksum = Buffer.concat([answer(1, { ok: 1 }), Buffer.alloc(4)]);
    withChecksum.writeInt32LE(withChecksum.length, 0);
    withChecksum.writeUInt32LE(1, 16);
    expect(decodeMessage(bson, withChecksum, 1)).toEqual({ ok: 1 });
  });

  it.each<[string, (message: Buffer) => void]>([
    ['answers something else', (message) => void message.writeInt32LE(8, 8)],
    ['is of another kind', (message) => void message.writeInt32LE(1, 12)],
    ['says that more follows', (message) => void message.writeUInt32LE(2, 16)],
    ['has flags that nobody knows', (message) => void message.writeUInt32LE(1 << 5, 16)],
    ['has a checksum that is not there', (message) => void message.writeUInt32LE(1, 16)],
    ['has a section of another kind', (message) => void message.writeUInt8(1, 20)],
    ['has a document of another length', (message) => void message.writeInt32LE(6, 21)],
    ['has no document', (message) => void message.fill(0xff, 25)],
  ])('that %s is refused', (_, change) => {
    expect(() => decodeMessage(bson, answer(7, { ok: 1, text: 'x' }, change), 7)).toThrow(NoMessage);
  });

  it.each([-1, 0, 20, 25, 1024 * 1024 + 1, 2 ** 31 - 1])('of %i octets is none', (length) => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(length, 0);
    expect(() => lengthOf(bytes)).toThrow(NoMessage);
  });

  it('is refused or read, whatever is changed in it', () => {
    const good = answer(7, {
      ok: 1,
      payload: new bson.Binary(Buffer.from('r=x')),
      list: [{ a: 1 }, 'b'],
      when: new Date(0),
    });
    const change = fc.record({ at: fc.nat(good.length - 1), octet: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const changed = Buffer.from(good);
        for (const { at, octet } of changes) changed[at] = octet;
        expect(['read', 'refused']).toContain(fateOf(changed));
      }),
      { numRuns: 5000 },
    );
  });
});

describe('a misbehaving MongoDB', () => {
  const hello = answer(1, { isWritablePrimary: true, saslSupportedMechs: ['SCRAM-SHA-256'], ok: 1 });
  describeMalformedAnswers({
    provider: mongoDb,
    inputs: (port) => ({
      host: '127.0.0.1',
      port,
      username: 'coffer',
      password: THE_CREDENTIAL,
      database: 'shop',
      roles: ['read'],
    }),
    dialogs: [
      ['', hello],
      ['', hello.subarray(0, 30)],
      ['', Buffer.from([0xff, 0xff, 0x01, 0])],
    ],
    dense: [null, {}, new bson.Binary(), new Date(0), /a/].map((value) => [
      '',
      answer(1, Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [i.toString(36), value]))),
    ]),
  });
});

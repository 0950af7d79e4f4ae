import { BindResponse, MessageParser, SearchEntry, SearchReference } from 'ldapts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedBer } from '@coffer/x509/ber';
import { checkMessage } from './message.ts';

const der = (tag: number, ...parts: (Buffer | string)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const octets = (text: string) => der(0x04, text);
const result = (tag: number, code: number, ...more: Buffer[]) =>
  der(tag, der(0x0a, Buffer.from([code])), octets(''), octets('no'), ...more);
const message = (...parts: Buffer[]) => der(0x30, der(0x02, Buffer.from([2])), ...parts);
const attribute = (name: string, ...values: string[]) => der(0x30, octets(name), der(0x31, ...values.map(octets)));
const entry = (...attributes: Buffer[]) => der(0x64, octets('uid=a,dc=x'), der(0x30, ...attributes));
const control = der(0xa0, der(0x30, octets('2.16.840.1.113730.3.4.4'), octets('0')));

/** What the library makes of a message. */
function read(bytes: Buffer): unknown[] {
  const parser = new MessageParser();
  const said: unknown[] = [];
  parser.on('message', (one) => said.push(one));
  parser.on('error', (error) => said.push(error));
  parser.read(bytes, new Map());
  return said;
}

const GOOD: Readonly<Record<string, Buffer>> = {
  'the answer to a bind': message(result(0x61, 49)),
  'the same with what SASL and referrals add': message(
    result(0x61, 10, der(0xa3, octets('ldap://x/')), der(0x87, 'x')),
  ),
  'the end of a search': message(result(0x65, 0)),
  'the answer to a change': message(result(0x67, 32)),
  'the answer to a new entry': message(result(0x69, 68)),
  'the answer to a deletion': message(result(0x6b, 0)),
  'the answer to an extended operation': message(result(0x78, 0, der(0x8a, '1.2.3'), der(0x8b, 'x'))),
  'an entry': message(entry(attribute('uid', 'a', 'b'), attribute('none'))),
  'an entry without attributes': message(entry()),
  'a large entry': message(entry(attribute('x', 'y'.repeat(5000)))),
  'a reference': message(der(0x73, octets('ldap://a/'), octets('ldap://b/'))),
};

describe('a message of a directory', () => {
  it.each(Object.entries(GOOD))('that is %s is read as it came', (_, bytes) => {
    expect(checkMessage(bytes)).toEqual(bytes);
    expect(read(bytes)).toEqual([expect.objectContaining({ messageId: 2 })]);
  });

  it('loses its controls, none of which was requested', () => {
    const bytes = Buffer.concat([...GOOD['a large entry']!.subarray(4)].map((byte) => Buffer.from([byte])));
    for (const one of [result(0x61, 0), entry(attribute('x', 'y'.repeat(300)))]) {
      const checked = checkMessage(message(one, control));
      expect(read(checked)).toEqual(read(message(one)));
    }
    expect(bytes.length).toBeGreaterThan(5000);
  });

  it.each([
    ['is no sequence', der(0x31, octets('x'))],
    ['has no number', der(0x30, result(0x61, 0))],
    ['has a number of five octets', der(0x30, der(0x02, Buffer.alloc(5)), result(0x61, 0))],
    ['has nothing but a number', message()],
    ['has two operations', message(result(0x61, 0), result(0x61, 0))],
    ['asks, where it should answer', message(der(0x60, octets('x')))],
    ['has no code', message(der(0x61, octets(''), octets('')))],
    ['has an empty code', message(der(0x61, der(0x0a), octets(''), octets('')))],
    ['has a code alone', message(der(0x61, der(0x0a, Buffer.from([0]))))],
    ['is empty', message(der(0x61))],
    ['has attributes of another kind', message(der(0x64, octets('x'), der(0x04, Buffer.from([0x30, 0x05]))))],
    ['has an attribute that is cut off', message(der(0x64, octets('x'), der(0x30, Buffer.from([0x30, 0x05, 0x04]))))],
    ['has values that are cut off', message(entry(der(0x30, octets('uid'), der(0x31, Buffer.from([0x04, 0x7f])))))],
    ['has a value of another kind', message(entry(der(0x30, octets('uid'), der(0x31, der(0x02, Buffer.from([1]))))))],
    ['has a reference that is cut off', message(der(0x73, Buffer.from([0x04, 0x7f])))],
    ['goes on behind its end', Buffer.concat([message(result(0x61, 0)), Buffer.from([0])])],
  ])('that %s is refused', (_, bytes) => {
    expect(() => checkMessage(bytes)).toThrow(MalformedBer);
  });

  it('is rejected if it has more than 10,000 elements, wherever they are, before all of them are read', () => {
    const long = (tag: number, content: Buffer) =>
      Buffer.concat([
        Buffer.from([tag, 0x83, content.length >> 16, (content.length >> 8) & 0xff, content.length & 0xff]),
        content,
      ]);
    const of = (count: number, element: Buffer) => Buffer.alloc(count * element.length, element);
    const empty = octets('');
    const asMessage = (operation: Buffer) => long(0x30, Buffer.concat([der(0x02, Buffer.from([2])), operation]));
    const places: ((count: number) => Buffer)[] = [
      (count) => long(0x73, of(count, empty)),
      (count) => long(0x64, Buffer.concat([empty, long(0x30, of(count / 4, der(0x30, empty, der(0x31, empty))))])),
      (count) => {
        const values = long(0x30, Buffer.concat([octets('a'), long(0x31, of(count, empty))]));
        return long(0x64, Buffer.concat([empty, long(0x30, values)]));
      },
      (count) => long(0x61, Buffer.concat([result(0x61, 0).subarray(2), of(count, der(0xa3))])),
    ];
    for (const place of places) {
      expect(read(checkMessage(asMessage(place(9_900))))).toHaveLength(1);
      for (const count of [10_000, 120_000])
        expect(() => checkMessage(asMessage(place(count)))).toThrow('too many elements');
    }
    expect(() => checkMessage(long(0x30, of(120_000, empty)))).toThrow('too many elements');
  });

  it('is rejected, or parsed to its end: for any change of a valid one', () => {
    const good = Object.values(GOOD).filter(({ length }) => length < 200);
    const change = fc.record({ at: fc.nat(200), byte: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(fc.constantFrom(...good), fc.array(change, { minLength: 1, maxLength: 4 }), (bytes, changes) => {
        const changed = Buffer.from(bytes);
        for (const { at, byte } of changes) changed[at % changed.length] = byte;
        let checked: Buffer;
        try {
          checked = checkMessage(changed);
        } catch (error) {
          if (!(error instanceof MalformedBer)) throw error;
          return;
        }
        expect(read(checked)).toHaveLength(1);
      }),
      { numRuns: 20_000 },
    );
  });

  it('is of a type that the library knows', () => {
    const kinds = [GOOD['the answer to a bind'], GOOD['an entry'], GOOD['a reference']].flatMap((bytes) =>
      read(bytes!),
    );
    expect(kinds.map((kind) => (kind as object).constructor)).toEqual([BindResponse, SearchEntry, SearchReference]);
  });
});

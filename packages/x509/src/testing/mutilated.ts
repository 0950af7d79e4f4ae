import fc from 'fast-check';
import { berElements } from '../ber.ts';
import { der, oid, TAG } from '../der.ts';

/** An element with its contents, also in octet and bit strings that contain DER. */
interface Tree {
  readonly tag: number;
  /** The octets before the contents: the count of unused bits. */
  readonly before: Buffer;
  readonly within: readonly Tree[] | undefined;
  readonly content: Buffer;
}

function treesOf(bytes: Buffer): Tree[] {
  return berElements(bytes).map(({ tag, content }) => {
    const before = tag === TAG.bitString ? content.subarray(0, 1) : Buffer.of();
    const holds = (tag & 0x20) !== 0 || tag === TAG.octetString || tag === TAG.bitString;
    return { tag, before, within: holds ? tried(content.subarray(before.length)) : undefined, content };
  });
}

function tried(bytes: Buffer): Tree[] | undefined {
  try {
    return bytes.length > 1 ? treesOf(bytes) : undefined;
  } catch {
    return undefined;
  }
}

const countOf = (trees: readonly Tree[]): number =>
  trees.reduce((sum, { within = [] }) => sum + 1 + countOf(within), 0);

const lengthOctets = (length: number, octets: number) => {
  const made = Buffer.alloc(octets + 1, 0);
  made[0] = 0x80 | octets;
  made.writeUInt32BE(length, octets - 3);
  return made;
};

/** Replacements of an element. */
type Change = (tag: number, content: Buffer) => Buffer;

/** Lengths in long form, indefinite and wrong ones; other tags; negative numbers; huge identifiers; nesting; texts. */
const CHANGES: readonly Change[] = [
  () => Buffer.of(),
  (tag, content) => Buffer.concat([der(tag, content), der(tag, content)]),
  (tag, content) => Buffer.concat([Buffer.of(tag), lengthOctets(content.length, 4), content]),
  (tag, content) => Buffer.concat([Buffer.of(tag), lengthOctets(content.length, 8), content]),
  (tag, content) => Buffer.concat([Buffer.of(tag), lengthOctets(content.length, 126), content]),
  (tag, content) => Buffer.concat([Buffer.of(tag | 0x20, 0x80), content, Buffer.of(0, 0)]),
  (tag, content) => Buffer.concat([Buffer.of(tag, 0x84, 0xff, 0xff, 0xff, 0xff), content]),
  (tag, content) => Buffer.concat([Buffer.of(tag, 0xff), content]),
  (tag, content) => Buffer.concat([der(tag, content), Buffer.of(0)]),
  (tag) => der(tag),
  (tag) => der(tag, Buffer.of(0)),
  (tag, content) => der(tag, content, Buffer.of(0)),
  (tag, content) => der(tag, Buffer.of(0), content),
  (tag, content) => der(tag, content.subarray(1)),
  (tag, content) => der(tag, content.subarray(0, -1)),
  (tag, content) => der(tag, Buffer.from(content).fill(0xff)),
  (tag, content) => der(tag, Buffer.from(content).fill(0x80)),
  (tag) => der(tag, Buffer.alloc(30_000, 0x31)),
  (_, content) => Buffer.concat([Buffer.of(0x1f, 0xff, 0xff, 0x7f), Buffer.of(content.length & 0x7f), content]),
  () => der(TAG.integer, Buffer.of(0x80)),
  () => der(TAG.integer, Buffer.alloc(5000, 0xfe)),
  () => der(TAG.oid, Buffer.alloc(63, 0xff), Buffer.of(0x7f)),
  () => der(TAG.oid, Buffer.alloc(20_000, 0xff), Buffer.of(0x7f)),
  () => der(TAG.oid, Buffer.of(0x80, 0x01)),
  () => oid('1.2.3.4'),
  () => der(TAG.null),
  (tag, content) => Array.from({ length: 60 }).reduce((inner: Buffer) => der(TAG.sequence, inner), der(tag, content)),
  () => Buffer.concat(Array.from({ length: 3000 }, () => der(TAG.sequence))),
  () => der(TAG.utf8String, Buffer.from('ff00fec0', 'hex')),
  () => der(TAG.bmpString, Buffer.from('d800', 'hex')),
  () => der(TAG.utcTime, Buffer.from('991332256199Z')),
  () => der(TAG.generalizedTime, Buffer.from('00000101000000Z')),
  () => der(TAG.generalizedTime, Buffer.from('99991231235959Z')),
  () => der(TAG.utcTime, Buffer.from('2601010000+0100')),
];

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...CHANGES) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: 255 }).map(
      (tag): Change =>
        (_, content) =>
          der(tag, content),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 40 }).map(
      (bytes): Change =>
        (tag) =>
          der(tag, bytes),
    ),
  },
);

function encode(trees: readonly Tree[], changes: ReadonlyMap<number, Change>, counter = { at: 0 }): Buffer {
  const parts = trees.map(({ tag, before, within, content }) => {
    const own = changes.get(counter.at++);
    const inner = within ? Buffer.concat([before, encode(within, changes, counter)]) : content;
    return own ? own(tag, inner) : der(tag, inner);
  });
  return Buffer.concat(parts);
}

/** The same structure with up to three elements changed, at whatever depth, and the lengths around them right. */
export function mutilated(whole: Buffer): fc.Arbitrary<Buffer> {
  const trees = treesOf(whole);
  const places = fc.uniqueArray(fc.tuple(fc.nat(countOf(trees) - 1), change), {
    minLength: 1,
    maxLength: 3,
    selector: ([place]) => place,
  });
  return places.map((chosen) => encode(trees, new Map(chosen)));
}

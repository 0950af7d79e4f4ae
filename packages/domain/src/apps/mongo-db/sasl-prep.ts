/** From and to which code points. */
type Ranges = readonly (readonly [number, number])[];

/** RFC 3454, tables C.1.2 (blanks) and B.1 (ignored characters). */
const BLANKS: Ranges = [
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200b],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];
const NOTHING: Ranges = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x1806, 0x1806],
  [0x180b, 0x180d],
  [0x200c, 0x200d],
  [0x2060, 0x2060],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
];
/** Tables C.2 to C.9: controls, private use, no characters, surrogates, and what changes how others are shown. */
const PROHIBITED: Ranges = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x340, 0x341],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x180e, 0x180e],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2061, 0x2063],
  [0x206a, 0x206f],
  [0x2ff0, 0x2ffb],
  [0xd800, 0xf8ff],
  [0xfdd0, 0xfdef],
  [0xfff9, 0xffff],
  [0x1d173, 0x1d17a],
  [0xe0001, 0xe0001],
  [0xe0020, 0xe007f],
  [0xf0000, 0x10ffff],
];

const isIn = (ranges: Ranges, character: string): boolean => {
  const code = character.codePointAt(0)!;
  return (
    ranges.some(([from, to]) => code >= from && code <= to) || (ranges === PROHIBITED && (code & 0xfffe) === 0xfffe)
  );
};

/**
 * A password in normalized form (SASLprep, RFC 4013). Bidirectional text is checked by the server when the password is
 * set.
 *
 * @throws Error for an unsupported password.
 */
export function saslPrep(password: string): string {
  const mapped = Array.from(password)
    .map((character) => (isIn(BLANKS, character) ? ' ' : character))
    .filter((character) => !isIn(NOTHING, character))
    .join('')
    .normalize('NFKC');
  if (Array.from(mapped).some((character) => isIn(PROHIBITED, character)))
    throw new Error('The password has invalid characters');
  return mapped;
}

/** What the compiler walks through for a class or one of its members, and how many ranges come of it. */
interface ClassWork {
  readonly work: number;
  readonly ranges: number;
}

/** A property such as `\pL` is a table of up to 762 ranges, which are copied; folded, merged with another table. */
const PROPERTY = { work: 1_500, folded: 4_000, ranges: 1_500 };
/** Ranges of several members, or of classes that are alternatives, are sorted and merged. */
export const WORK_OF_MERGED_RANGE = 4;
/** `\w`, `[:alpha:]`: each of their characters is folded. */
const GROUP: ClassWork = { work: 200, ranges: 10 };
const CHARACTER: ClassWork = { work: 1, ranges: 1 };
/** The first and the last character that has another case, for the compiler: a range that has both is not folded. */
const [FIRST_FOLDED, LAST_FOLDED] = [0x41, 0x1e943];

// A member that is no range, or the first character of one; and its last character.
const CODE = String.raw`\\(?:x\{[^}]*\}|x..|[0-7]{1,3}|.)|.`;
const LAST = new RegExp(CODE, 'suy');
const MEMBER = new RegExp(String.raw`\[:\^?[a-z]+:\]|\\[pP](?:\{[^}]*\}|.)|${CODE}`, 'suy');
const OTHER_GROUP = /^(?:\[:|\\[dswDSW])/;
const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** A class from its `[` on. A `]` in the first place is a member. */
export function readClass(text: string, from: number, folds: boolean): ClassWork & { readonly end: number } {
  let at = from + 1;
  let [work, ranges] = [1, 1];
  if (text[at] === '^') at++;
  for (let isFirst = true; at < text.length && (isFirst || text[at] !== ']'); isFirst = false) {
    const member = read(MEMBER, text, at);
    at += member.length;
    let walked = workOfMember(member, folds);
    if (isCharacter(member) && text[at] === '-' && at + 1 < text.length && text[at + 1] !== ']') {
      const last = read(LAST, text, at + 1);
      at += 1 + last.length;
      if (folds) walked = workOfRange(codeOf(member), codeOf(last));
    }
    work += walked.work;
    ranges += walked.ranges;
  }
  return { end: at + 1, work: work + WORK_OF_MERGED_RANGE * ranges, ranges };
}

/** A character, escape or named class, inside of a class or for itself. */
export function workOfMember(member: string, folds: boolean): ClassWork {
  if (/^\\p/i.test(member)) return { work: folds ? PROPERTY.folded : PROPERTY.work, ranges: PROPERTY.ranges };
  return OTHER_GROUP.test(member) ? GROUP : CHARACTER;
}

/** A folded range: the compiler adds the other cases of its characters one by one. */
function workOfRange(first: number, last: number): ClassWork {
  if (first <= FIRST_FOLDED && last >= LAST_FOLDED) return CHARACTER;
  const walked = 1 + Math.max(0, Math.min(last, LAST_FOLDED) - Math.max(first, FIRST_FOLDED) + 1);
  return { work: walked, ranges: Math.min(walked, PROPERTY.ranges) };
}

function read(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? text[at]!;
}

const isCharacter = (member: string): boolean => !/^\\p/i.test(member) && !OTHER_GROUP.test(member);

/** The code of a character or an escape for one. */
function codeOf(member: string): number {
  if (member[0] !== '\\') return member.codePointAt(0)!;
  const [, hex, octal] = /^\\(?:x\{?([\da-f]+)\}?|([0-7]+))$/i.exec(member) ?? [];
  if (hex !== undefined) return parseInt(hex, 16);
  if (octal !== undefined) return parseInt(octal, 8);
  return CONTROLS[member[1]!] ?? member.codePointAt(1) ?? 0;
}

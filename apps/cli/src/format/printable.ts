/**
 * Characters that a terminal obeys, by which a line would end somewhere else, or which change the order of what is shown: controls,
 * separators, marks of direction.
 */
const OBEYED = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** A text for people: names, comments and messages may be from anybody. Each character that is obeyed is shown as a picture. */
export const printable = (text: string): string =>
  text.replaceAll(OBEYED, (one) => (one < ' ' ? String.fromCharCode(0x2400 + one.charCodeAt(0)) : '\uFFFD'));

/** JSON of one line for programs, which read the same text: also by its escapes, no terminal obeys it. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(OBEYED, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same for a text of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

/** A message. Further lines are indented: no name in it begins a message of its own. */
export const printableMessage = (text: string): string => printableLines(text).replaceAll(/\n(?! {2}|$)/g, '\n  ');

/** A result that a terminal shows, which keeps its tabs. What a program reads is written as it is. */
export const printableResult = (text: string): string => text.split('\t').map(printableLines).join('\t');

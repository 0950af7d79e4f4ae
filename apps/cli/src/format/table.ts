import { printable } from './printable.ts';

/** A table for people, with a frame; it is as wide as its longest lines. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map((cell) => cell.split(/\r\n|[\r\n]/)));
  const widths = head.map((_, column) => Math.max(...all.flatMap((row) => row[column]!.map(widthOf))));
  const rule = (left: string, middle: string, right: string) =>
    `${left}${widths.map((width) => '─'.repeat(width + 2)).join(middle)}${right}`;
  const [first, ...others] = all.map((row) => linesOf(row, widths));
  const body = rows.length ? [rule('├', '┼', '┤'), ...others.flat()] : [];
  return [rule('┌', '┬', '┐'), ...first!, ...body, rule('└', '┴', '┘'), ''].join('\n');
}

/** The lines of one row: as many as its highest cell has. */
function linesOf(cells: readonly (readonly string[])[], widths: readonly number[]): string[] {
  const height = Math.max(...cells.map((cell) => cell.length));
  return Array.from({ length: height }, (_, line) => {
    const parts = cells.map((cell, column) => {
      const text = printable(cell[line] ?? '');
      return text + ' '.repeat(widths[column]! - widthOf(cell[line] ?? ''));
    });
    return `│ ${parts.join(' │ ')} │`;
  });
}

/** Columns of a terminal; wide characters have two. */
const widthOf = (text: string): number =>
  Array.from(printable(text)).reduce(
    (sum, one) => sum + (/\p{Mn}|\p{Me}|\p{Cf}/u.test(one) ? 0 : isWide(one.codePointAt(0)!) ? 2 : 1),
    0,
  );

const isWide = (code: number): boolean =>
  (code >= 0x1100 && code <= 0x115f) ||
  (code >= 0x2e80 && code <= 0xa4cf) ||
  (code >= 0xac00 && code <= 0xd7a3) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xfe30 && code <= 0xfe6f) ||
  (code >= 0xff00 && code <= 0xff60) ||
  (code >= 0x1f300 && code <= 0x1faff);

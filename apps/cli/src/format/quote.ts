/** A word of a POSIX shell that stands for exactly this text (POSIX.1-2024, Shell Command Language, 2.2.2). */
export const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * A value as readers of dotenv files agree on it: in single quotes, or in double quotes where it has single ones and nothing that is
 * special there. `undefined` where there is no such form: a shell that sources the file would read, or run, something else.
 */
export function dotenvValue(value: string): string | undefined {
  if (!value.includes("'")) return `'${value}'`;
  return /["$`\\]/.test(value) ? undefined : `"${value}"`;
}

/** Whether Python's `dotenv` reads another value: it replaces `${…}` and doubled backslashes between single quotes, too. */
export const isReadOtherwise = (value: string): boolean => /\\\\|\\$|\$\{[^}:]*(?::-[^}]*)?\}/.test(value);

/** A word of fish that stands for exactly this text (https://fishshell.com/docs/current/language.html#quotes). */
export const fishWord = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

/** A field of CSV (RFC 4180). */
export const csvField = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** A prepared statement: PostgreSQL caches the plan under the name, so a name must have exactly one text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A statement that writes records: its first values are made of all that are written together. */
export interface RecordStatement<Written> extends Statement {
  valuesOf(records: readonly Written[]): readonly unknown[];
}

/** A statement with its values. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** All statements that were made, by name: those of modules once these are imported, others once they are asked for. */
const made = new Map<string, string>();

/** @throws Error where a name has another text already: PostgreSQL would run the first one. */
export function statement(name: string, text: string): Statement {
  const known = made.get(name);
  if (known !== undefined && known !== text) throw new Error(`The statement ${name} has two texts`);
  made.set(name, text);
  return { name, text };
}

/** A statement for `Transaction.write`. */
export const recordStatement = <Written>(
  name: string,
  text: string,
  valuesOf: RecordStatement<Written>['valuesOf'],
): RecordStatement<Written> => ({ ...statement(name, text), valuesOf });

/** The statements that were made so far; `plans.test.ts` looks at all of them. */
export const knownStatements = (): readonly Statement[] => Array.from(made, ([name, text]) => ({ name, text }));

/** Maximum length of a list for a cached plan. */
const SHORT_LIST = 100;

/**
 * A statement for the driver: one with a name is prepared, and its plan cached. A cached plan depends on the sizes of
 * tables at its creation; with thousands of names and a folder that was empty then, it takes half a minute.
 * So a statement with a long list is planned again, for the present sizes of tables, which costs some tenths of a millisecond.
 */
export const asQuery = ({ name, text }: Statement, values: readonly unknown[]) => ({
  ...(!values.some((value) => Array.isArray(value) && value.length > SHORT_LIST) && { name }),
  text,
  values: values as unknown[],
});

/** The ISO form of a time, if it is a part of the text. */
function isoOf(text: string): string | undefined {
  if (text.length === 24 && text.endsWith('Z')) return text;
  if (text.length === 26 && text.endsWith('+00')) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  return text.length === 29 && text.endsWith('+00:00') ? `${text.slice(0, 23)}Z` : undefined;
}

/**
 * A time as the database writes it, `2026-11-21 07:50:00.123+00`, or `2026-11-21T07:50:00.123+00:00` in JSON, which knows its
 * ISO form without computing it.
 */
class Time extends Date {
  readonly iso: string | undefined;

  constructor(text: string) {
    super(text);
    this.iso = isoOf(text);
  }

  override toJSON(): string {
    return this.iso ?? this.toISOString();
  }
}

/** The time of a row that `sql` brought, or of an ISO text: many things with it have their JSON without computing it again. */
export const at = (text: string): Date => new Time(text);
export const atOrNull = (text: string | null): Date | null => (text === null ? null : new Time(text));

/** Sent first in a transaction that waits for locks as long as a statement may take. */
export const PATIENTLY = 'set local lock_timeout = 0';

/** Settings as a connection takes them. */
export const asOptions = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\]|)$/;

/**
 * With these settings a database server notices within a minute that the machine of a connection is lost, and gives back
 * what the connection holds: locks, jobs, its place among `max_connections`. By default that takes two hours.
 */
export const keepaliveOf = (url: string): Readonly<Record<string, string>> =>
  LOOPBACK.test(new URL(url).hostname)
    ? {}
    : {
        tcp_keepalives_idle: '30',
        tcp_keepalives_interval: '10',
        tcp_keepalives_count: '3',
        tcp_user_timeout: '60000',
      };

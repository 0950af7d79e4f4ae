import { distinct } from '../../ui/short-id.ts';

interface Names {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly username: string;
  readonly email: string | null;
}

/** `Ada Lovelace`; the address of those who have given no name. */
export const nameOf = ({ firstName, lastName, email, username }: Names): string =>
  [firstName, lastName].filter(Boolean).join(' ') || (email ?? username);

/** `Ada Lovelace`, in a table that has the address beside it. */
export const givenNameOf = ({ firstName, lastName }: Pick<Names, 'firstName' | 'lastName'>): string =>
  [firstName, lastName].filter(Boolean).join(' ') || '–';

export const addressOf = ({ email, username }: Names): string => email ?? username;

/** `Ada Lovelace (ada@example.com)`, where several may have the same name. */
export const wholeNameOf = (person: Names): string => distinct(nameOf(person), addressBeside(person));

/** The address of those whose name is shown and is not it. */
export const addressBeside = (person: Names): string | undefined =>
  nameOf(person) === addressOf(person) ? undefined : addressOf(person);

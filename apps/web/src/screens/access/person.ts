interface Names {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly username: string;
  readonly email: string | null;
}

/** `Ada Lovelace`; the address of those who have given no name. */
export const nameOf = ({ firstName, lastName, email, username }: Names): string =>
  [firstName, lastName].filter(Boolean).join(' ') || (email ?? username);

export const addressOf = ({ email, username }: Names): string => email ?? username;

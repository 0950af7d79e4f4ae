/**
 * Who is only invited has told the organization nothing yet: others see the address that was invited, and not the name that
 * an account with this address has in other organizations.
 */
export const isJoined = ({ status }: { readonly status: 'invited' | 'accepted' }): boolean => status === 'accepted';

/** In SQL: a column of the user of a membership of an organization, null until the user has joined. */
export const ofJoined = (column: string, membership: string): string =>
  `case when ${membership}.status = 'accepted' then ${column} end`;

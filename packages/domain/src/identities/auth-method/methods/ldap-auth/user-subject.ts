import { hash } from 'node:crypto';

/**
 * Whom guesses are counted against: one subject for all that directories take for one name. They ignore case, some
 * ignore accents, all ignore characters that nobody sees and most blanks (RFC 4518); to ignore more than a directory
 * does costs at the worst that two users share a count. Hashed, since names may be long.
 */
export function userSubject(of: 'name' | 'entry', name: string): string {
  const plain = name.normalize('NFKD').replace(/[\p{M}\p{C}\p{Z}\s]/gu, '');
  return `${of}:${hash('sha256', plain.toUpperCase().toLowerCase().normalize('NFKC'), 'base64url')}`;
}

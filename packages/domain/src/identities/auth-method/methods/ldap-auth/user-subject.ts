import { hash } from 'node:crypto';

/**
 * The subject of guesses: one for all spellings that directories treat as one name. They ignore case, some ignore
 * accents, all ignore invisible characters and most blanks (RFC 4518). Ignoring more than a directory does means at
 * worst that two users share a count. Hashed, because names may be long.
 */
export function userSubject(of: 'name' | 'entry', name: string): string {
  const plain = name.normalize('NFKD').replace(/[\p{M}\p{C}\p{Z}\s]/gu, '');
  return `${of}:${hash('sha256', plain.toUpperCase().toLowerCase().normalize('NFKC'), 'base64url')}`;
}

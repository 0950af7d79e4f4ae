import { hash } from 'node:crypto';
import { foldedName } from '../../../../kernel/index.ts';

/**
 * The subject of guesses: one for all spellings that directories treat as one name, blanks left out (RFC 4518). Ignoring more
 * than a directory does means at worst that two users share a count. Hashed, because names may be long.
 */
export const userSubject = (of: 'name' | 'entry', name: string): string =>
  `${of}:${hash('sha256', foldedName(name).replaceAll(/[\p{Z}\s]/gu, ''), 'base64url')}`;

import { randomInt } from 'node:crypto';
import { slugify } from './scalars.ts';

/** Letters and digits; with a million equal names, about two collide. */
const LENGTH = 8;

/** Eight random letters and digits. */
export const randomSlug = (): string =>
  randomInt(36 ** LENGTH)
    .toString(36)
    .padStart(LENGTH, '0');

/** A slug of at most so many characters, made unique at its end: `Payments` becomes `payments-x7k2p9ab`. */
export const slugFrom = (name: string, maxLength: number): string =>
  [
    slugify(name)
      .slice(0, maxLength - LENGTH - 1)
      .replace(/-$/, ''),
    randomSlug(),
  ]
    .filter(Boolean)
    .join('-');

import { randomFillSync } from 'node:crypto';

const ALPHABET = Buffer.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
const LENGTH = 14;
const random = Buffer.allocUnsafe(LENGTH * 256);
let at = random.length;

/** `req-` and 14 letters and digits: unique, not unpredictable. */
export function requestId(): string {
  if (at === random.length) {
    randomFillSync(random);
    for (let index = 0; index < random.length; index++) random[index] = ALPHABET[random[index]! % ALPHABET.length]!;
    at = 0;
  }
  return `req-${random.toString('latin1', at, (at += LENGTH))}`;
}

import { randomFillSync } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const LENGTH = 14;
const random = Buffer.allocUnsafe(LENGTH * 256);
let at = random.length;

/** `req-` and 14 letters and digits: unique, not unpredictable. */
export function requestId(): string {
  if (at === random.length) {
    randomFillSync(random);
    at = 0;
  }
  let id = 'req-';
  for (const end = at + LENGTH; at < end; at++) id += ALPHABET[random[at]! % ALPHABET.length];
  return id;
}

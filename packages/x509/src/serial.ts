import { randomFillSync } from 'node:crypto';

const OCTETS = 20;

/**
 * A serial number (RFC 5280, section 4.1.2.2): 20 random octets, positive and never shorter, as 40 characters of
 * lower-case hexadecimal. More than 158 of its bits are left to chance.
 */
export function newSerialNumber(): string {
  const octets = Buffer.allocUnsafe(OCTETS);
  do {
    randomFillSync(octets);
    octets[0]! &= 0x7f;
  } while (octets[0] === 0);
  return octets.toString('hex');
}

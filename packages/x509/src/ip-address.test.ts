import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { readAddress } from './ip-address.ts';

describe('readAddress', () => {
  it('agrees with the operating system on what an address is', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('0', '1', '2', '3', 'f', ':', '.', '::', '::ffff:'),
      maxLength: 24,
    });
    const anything = fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), hostile);
    fc.assert(
      fc.property(anything, (text) => (readAddress(text) !== undefined) === (isIPv4(text) || isIPv6(text))),
      {
        numRuns: 5000,
      },
    );
  });
});

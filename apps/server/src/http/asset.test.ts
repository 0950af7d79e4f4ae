import { describe, expect, it } from 'vitest';
import { takesBrotli } from './asset.ts';

describe('brotli', () => {
  it.each(['br', 'gzip, br', 'gzip;q=0.5, BR ; Q=0.1', '*', 'gzip, *;q=0.2', 'br;q=1.0'])('is taken by %s', (header) =>
    expect(takesBrotli(header)).toBe(true),
  );

  it.each([undefined, '', 'gzip', 'br;q=0', 'br; q=0.000, gzip', '*, br;q=0', '*;q=0', 'xbr', 'br;q=much'])(
    'is not taken by %s',
    (header) => expect(takesBrotli(header)).toBe(false),
  );

  it('is taken if one of several headers names it', () => expect(takesBrotli(['gzip', 'br'])).toBe(true));
});

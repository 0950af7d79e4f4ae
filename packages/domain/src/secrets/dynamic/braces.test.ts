import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitAtBraces } from './braces.ts';

it('splits where the shortest pairs of braces are, also long texts of braces that are not closed', () => {
  const text = fc.array(fc.constantFrom('{', '}', '{{', '}}', 'a', '\n'), { maxLength: 12 });
  fc.assert(
    fc.property(text, (pieces) => {
      const given = pieces.join('');
      expect(splitAtBraces(given)).toEqual(given.split(/(\{\{.*?\}\})/s));
    }),
    { numRuns: 5_000 },
  );
  expect(splitAtBraces('{{'.repeat(5_000_000))).toHaveLength(1);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { policyAt, type Covering } from './pick.ts';

const segment = fc.constantFrom('a', 'b', 'app');
const path = fc.array(segment, { maxLength: 3 }).map((parts) => `/${parts.join('/')}`);
const policy: fc.Arbitrary<Covering> = fc.oneof(
  fc.constant({ secretPath: null }),
  path.map((secretPath) => ({ secretPath })),
  path.map((one) => ({ secretPath: `${one === '/' ? '' : one}/**` })),
  path.map((one) => ({ secretPath: `${one === '/' ? '' : one}/*` })),
);

/** What the globs above mean, said otherwise. */
function covers(secretPath: string, asked: string): boolean {
  const deep = secretPath.endsWith('/**');
  const folder = secretPath.replace(/\/\*\*?$/, '') || '/';
  if (deep) return folder === '/' || asked === folder || asked.startsWith(`${folder}/`);
  const parent = asked.slice(0, asked.lastIndexOf('/')) || '/';
  return asked !== '/' && parent === folder;
}

describe('the policy that covers a folder', () => {
  it('is the oldest of its path, else of the globs that match it, else of the environment', () => {
    fc.assert(
      fc.property(fc.array(policy, { maxLength: 8 }), path, (policies, asked) => {
        const expected =
          policies.find(({ secretPath }) => secretPath === asked) ??
          policies.find(({ secretPath }) => secretPath?.includes('*') && covers(secretPath, asked)) ??
          policies.find(({ secretPath }) => secretPath === null);
        expect(policyAt(policies, asked)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });
});

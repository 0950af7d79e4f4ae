import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { policiesAt, type Covering, type Strictness } from './pick.ts';

type Policy = Covering & Strictness;

const segment = fc.constantFrom('a', 'b', 'app');
const path = fc.array(segment, { maxLength: 3 }).map((parts) => `/${parts.join('/')}`);
const secretPath = fc.oneof(
  fc.constant(null),
  path,
  path.map((one) => `${one === '/' ? '' : one}/**`),
  path.map((one) => `${one === '/' ? '' : one}/*`),
);
const policy: fc.Arbitrary<Policy> = fc.record({
  secretPath,
  approvals: fc.integer({ min: 1, max: 3 }),
  enforcementLevel: fc.constantFrom('hard', 'soft'),
  allowedSelfApprovals: fc.boolean(),
});

/** A second reading of the globs above. */
function covers(pattern: string | null, asked: string): boolean {
  if (pattern === null || pattern === asked) return true;
  if (!pattern.includes('*')) return false;
  const deep = pattern.endsWith('/**');
  const folder = pattern.replace(/\/\*\*?$/, '') || '/';
  if (deep) return folder === '/' || asked === folder || asked.startsWith(`${folder}/`);
  const parent = asked.slice(0, asked.lastIndexOf('/')) || '/';
  return asked !== '/' && parent === folder;
}

describe('the policies that cover a folder', () => {
  it('are all whose path or glob matches it, and those for the environment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(policy, { maxLength: 8 }), path, async (policies, asked) => {
        const expected = new Set(policies.filter((one) => covers(one.secretPath, asked)));
        expect(new Set(await policiesAt(policies, asked))).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('come with the strictest first: hard, then the most approvals, then without self-approval', async () => {
    const rank = ({ enforcementLevel, approvals, allowedSelfApprovals }: Policy) =>
      (enforcementLevel === 'hard' ? 1000 : 0) + approvals * 10 + (allowedSelfApprovals ? 0 : 1);
    await fc.assert(
      fc.asyncProperty(fc.array(policy, { maxLength: 8 }), path, async (policies, asked) => {
        const ranks = (await policiesAt(policies, asked)).map(rank);
        expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
      }),
    );
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { approverBytes, Approvers } from './approver.ts';

const policy = fc.constantFrom('p1', 'p2', 'p3');
const user = fc.constantFrom('u1', 'u2', 'u3', 'u4');
const pairs = fc.uniqueArray(fc.record({ policyId: policy, userId: user }), {
  selector: ({ policyId, userId }) => `${policyId} ${userId}`,
});

it('may approve under each policy that has them, in generated cases', () => {
  fc.assert(
    fc.property(pairs, fc.uniqueArray(policy), user, (some, asked, who) => {
      const byPolicy = Map.groupBy(some, ({ policyId }) => policyId);
      const approvers = new Approvers(byPolicy);
      const expected = some.filter(({ policyId }) => asked.includes(policyId)).map(({ userId }) => userId);
      expect(
        approvers
          .under(asked)
          .map(({ userId }) => userId)
          .toSorted(),
      ).toEqual([...new Set(expected)].toSorted());
      expect(approvers.includes(who, asked)).toBe(expected.includes(who));
      expect(approverBytes(approvers, asked)).toBe(50 * expected.length);
    }),
  );
});

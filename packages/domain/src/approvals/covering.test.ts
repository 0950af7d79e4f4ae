import { describe, expect, it } from 'vitest';
import type { ApprovalPolicy } from '../access/approval-policy/index.ts';
import { ComparisonBudget } from '../access/index.ts';
import type { Rule } from '../kernel/index.ts';
import { policiesForRequest, policiesOver } from './covering.ts';

const policy = (slug: string, secretPath: string | null): ApprovalPolicy =>
  ({ environment: { slug }, secretPath, approvals: 1 }) as unknown as ApprovalPolicy;
const rule = (conditions: Record<string, unknown>, inverted = false): Rule => ({
  ...{ subject: 'secrets', action: ['readValue', 'edit'], conditions },
  ...(inverted && { inverted }),
});

const ALL = policy('prod', null);
const APP = policy('prod', '/app/**');
const OTHER = policy('dev', null);
const POLICIES = [ALL, APP, OTHER];

describe('the policies for some rules', () => {
  it.each<[string, Rule[], ApprovalPolicy[]]>([
    ['a place of some', [rule({ environment: 'prod', secretPath: '/app/x' })], [ALL, APP]],
    ['a place of one', [rule({ environment: 'prod', secretPath: '/web' })], [ALL]],
    ['places by a template', [rule({ environment: 'dev', secretPath: '/{{identity.id}}' })], [OTHER]],
    [
      'what is forbidden at some',
      [rule({ environment: 'prod' }), rule({ secretPath: { $glob: '/app/**' } }, true)],
      [ALL],
    ],
  ])('are those of their locations: %s', async (_, rules, expected) => {
    expect(new Set(await policiesOver(POLICIES, rules, new ComparisonBudget()))).toEqual(new Set(expected));
  });

  it('are all, and none covers them, once the budget of the request is used up', async () => {
    const rules = Array.from({ length: 50 }, (_, n) => rule({ environment: 'prod', secretPath: `/web/${n}` }));
    expect(await policiesForRequest(POLICIES, rules, new ComparisonBudget())).toEqual([ALL]);
    const budget = new ComparisonBudget(500);
    expect(await policiesOver(POLICIES, rules, budget)).toHaveLength(3);
    await expect(policiesForRequest(POLICIES, rules, budget)).rejects.toThrow('No access policy covers this request');
  });
});

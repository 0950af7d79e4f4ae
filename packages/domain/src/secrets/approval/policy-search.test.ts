import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changes } from '../../app/changes.ts';
import {
  DomainError,
  dryRun,
  inTransaction,
  invalidate,
  statement,
  type Actor,
  type Context,
} from '../../kernel/index.ts';
import { testCoffer, type TestCoffer } from '../../testing/index.ts';
import { runs, SEARCH_SEED, searchTime } from '../../testing/search.ts';
import { mergeRequest } from './merge.ts';
import { reviewRequest } from './review.ts';
import { isProposed, submitChange } from './submit.ts';
import {
  applying,
  CALLERS,
  coversPath,
  isMergeable,
  mayApprove,
  outcomesOf,
  randomPolicy,
  type RandomPolicy,
  USERS,
} from './testing/naive-policies.ts';
import {
  clearPolicies,
  contextOf,
  FOLDERS,
  makePolicyWorld,
  secretOf,
  storePolicy,
  type PolicyWorld,
} from './testing/policy-world.ts';
import { spots, WRITES } from './testing/writes.ts';

/** Random policies, callers and writes, compared with a plain reading. */
const RUNS = runs(25, 5_000);
const LONG = searchTime(300_000);

let test: TestCoffer;
let world: PolicyWorld;
beforeAll(async () => {
  test = await testCoffer();
  world = await makePolicyWorld(test);
});
afterAll(() => test.close());
beforeEach(() => clearPolicies(world));

/** Stores policies; a planted fault stores other ones than the oracle reads. */
type Store = (policies: readonly RandomPolicy[]) => Promise<string[]>;
const asTheyAre: Store = async (policies) => {
  const ids: string[] = [];
  for (const policy of policies) ids.push(await storePolicy(world, policy));
  return ids;
};

/** What becomes of something that is taken back: it is done, or waits for approvals, or is refused for another reason. */
async function outcome(actor: Actor, work: (ctx: Context) => Promise<unknown>): Promise<string> {
  try {
    await dryRun(contextOf(world, actor), work, () => Promise.resolve());
    return 'done';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.kind === 'forbidden') return 'refused';
    return error.code === 'secret_approval.needed' ? 'asked' : error.code;
  }
}

const policies = (max: number) => fc.array(randomPolicy, { maxLength: max });
const caller = fc.constantFrom(...CALLERS);
const write = fc.constantFrom(...Object.keys(WRITES));
/** Writes after which a policy covers less, by callers who may not end it themselves. */
const ending = fc.constantFrom(
  ...Object.keys(WRITES).filter((kind) => WRITES[kind]!.departures ?? WRITES[kind]!.isLiftable),
);
const machine = fc.constantFrom('helper' as const, 'service' as const);
const exempting = fc
  .array(randomPolicy, { minLength: 1, maxLength: 4 })
  .map((some) =>
    some.map((policy): RandomPolicy => ({ ...policy, exempt: ['helper'], exemptMachines: policy.approvals === 1 })),
  );

interface Compared {
  done: number;
  asked: number;
  refused: number;
}
const nothing = (): Compared => ({ done: 0, asked: 0, refused: 0 });

/**
 * A write is done directly if no policy covers it, and becomes a request otherwise. What ends a policy for others is
 * refused to callers who may not do so permanently.
 */
const writesProperty = (
  store: Store,
  compared: Compared,
  [stored, by, what]: [typeof exempting, typeof caller, typeof write] = [policies(4), caller, write],
) =>
  fc.asyncProperty(stored, randomPolicy, by, what, spots, async (some, more, name, kind, at) => {
    const { run, touches, departures, isLiftable, isOwn } = WRITES[kind]!;
    const { organizationId } = world;
    const actor: Actor = isOwn ? { type: 'platform', organizationId } : world.callers[name];
    const attempt = () => outcome(actor, (ctx) => run(ctx, world, at));
    await clearPolicies(world);
    // What cannot be done anyway (a name is taken, the root is renamed) is another matter.
    if ((await attempt()) !== 'done') return;
    const how = { touched: touches(at), departures: departures?.(at) ?? [], isLiftable: isLiftable ?? false };
    const outcomes = (all: readonly RandomPolicy[]) => outcomesOf(all, isOwn ? 'coffer' : name, how);
    await store(some);
    const before = await attempt();
    expect(outcomes(some), kind).toContain(before);
    await store([more]);
    const after = await attempt();
    expect(outcomes([...some, more]), kind).toContain(after);
    // A policy more never makes a write easier.
    if (before !== 'done') expect([kind, after]).not.toEqual([kind, 'done']);
    compared[before as keyof Compared]++;
  });

/** A request is merged where all policies that cover it are satisfied, each by its own approvers. */
const mergesProperty = (store: Store, compared: { merged: number; refused: number }) =>
  fc.asyncProperty(
    ...[fc.array(randomPolicy, { minLength: 1, maxLength: 3 }), randomPolicy, caller, fc.constantFrom(...FOLDERS)],
    ...[fc.subarray(Array.from({ length: USERS }, (_, index) => index)), fc.boolean()],
    async (some, more, name, path, reviewers, hasReason) => {
      const touched = [{ environment: 'prod', path }];
      const applied = (all: readonly RandomPolicy[]) =>
        applying(
          all.map((policy) => ({ ...policy, environment: 'prod' as const })),
          name,
          touched,
        );
      await clearPolicies(world);
      await store(some.map((policy) => ({ ...policy, environment: 'prod' })));
      const ctx = contextOf(world, world.callers[name]);
      const answer = await submitChange(ctx, changes.updateSecret, {
        ...{ projectId: world.projectId, environment: 'prod', secretPath: path },
        ...{ secretName: secretOf(path), secretValue: String(Math.random()), type: 'shared' },
      });
      expect(isProposed(answer)).toBe(applied(some).length > 0);
      if (!isProposed(answer)) return;
      const { id } = answer.approval;
      const approvedBy: number[] = [];
      for (const user of reviewers) {
        const review = reviewRequest(contextOf(world, world.users[user]!), { id, status: 'approved', comment: null });
        const isTaken = await review.then(
          () => true,
          (error: unknown) => (error instanceof DomainError ? false : Promise.reject(error as Error)),
        );
        expect([user, isTaken]).toEqual([user, mayApprove(applied(some), name, user)]);
        if (isTaken) approvedBy.push(user);
      }
      const attempt = () =>
        outcome(world.callers[name], (own) => mergeRequest(own, { id, bypassReason: hasReason ? 'Now' : undefined }));
      const expected = (isMerged: boolean) => (isMerged ? 'done' : 'secret_approval.not_approved');
      const before = await attempt();
      expect(before).toBe(expected(isMergeable(applied(some), name, approvedBy, hasReason)));
      await store([{ ...more, environment: 'prod' }]);
      const after = await attempt();
      // A later policy has no approvals.
      const late = applied([more]).map((policy) => ({ ...policy, approvers: [] }));
      expect(after).toBe(expected(isMergeable([...applied(some), ...late], name, approvedBy, hasReason)));
      if (before !== 'done') expect(after).not.toBe('done');
      compared[before === 'done' ? 'merged' : 'refused']++;
    },
  );

const search = { numRuns: RUNS, seed: SEARCH_SEED, endOnFailure: true };

describe(`a search with the seed ${SEARCH_SEED}`, () => {
  it('covers every operation that can be requested', () => {
    expect(Object.keys(WRITES)).toEqual(expect.arrayContaining(Object.keys(changes)));
  });

  it('does each of its writes somewhere without a policy', async () => {
    const { user } = world.callers;
    for (const [kind, { run, isOwn }] of Object.entries(WRITES)) {
      const actor: Actor = isOwn ? { type: 'platform', organizationId: world.organizationId } : user;
      const found: string[] = [];
      for (const path of ['/a/b', '/c'] as const) {
        const at = { environment: 'prod', path, toEnvironment: 'dev', toPath: '/a' } as const;
        found.push(await outcome(actor, (ctx) => run(ctx, world, at)));
      }
      expect([kind, found]).toEqual([kind, expect.arrayContaining(['done'])]);
    }
  });

  it(
    'finds that writes of all callers are done directly if and only if no policy covers them',
    async () => {
      const compared = nothing();
      await fc.assert(writesProperty(asTheyAre, compared), search);
      expect(compared.done).toBeGreaterThan(RUNS / 20);
      expect(compared.asked).toBeGreaterThan(RUNS / 10);
    },
    LONG,
  );

  it(
    'finds that policies are ended for others only by permanent rights to edit and delete them',
    async () => {
      const compared = nothing();
      await fc.assert(writesProperty(asTheyAre, compared, [exempting, machine, ending]), search);
      expect(compared.done).toBeGreaterThan(RUNS / 20);
      expect(compared.refused).toBeGreaterThan(RUNS / 10);
    },
    LONG,
  );

  it(
    'finds that requests are merged if and only if every policy that covers them is satisfied',
    async () => {
      const compared = { merged: 0, refused: 0 };
      await fc.assert(mergesProperty(asTheyAre, compared), search);
      expect(compared.merged).toBeGreaterThan(0);
      expect(compared.refused).toBeGreaterThan(RUNS / 20);
    },
    LONG,
  );
});

const PLANT = {
  exempt: statement(
    'test.plant_exempt',
    'update approval_policies set exempt_machines = true where id = any($1::uuid[])',
  ),
  soft: statement(
    'test.plant_soft',
    `update approval_policies set enforcement_level = 'soft' where id = any($1::uuid[])`,
  ),
  self: statement(
    'test.plant_self',
    'update approval_policies set allowed_self_approvals = true where id = any($1::uuid[])',
  ),
  one: statement('test.plant_one', 'update approval_policies set approvals = 1 where id = any($1::uuid[])'),
};
const storing =
  (fault: keyof typeof PLANT): Store =>
  async (some) => {
    const ids = await asTheyAre(some);
    await contextOf(world, world.admin).sql(PLANT[fault], [ids]);
    return ids;
  };
const SET_TEMPORARY = statement(
  'test.plant_temporary',
  `update membership_roles r set is_temporary = $2, temporary_mode = case when $2 then 'relative' end,
  temporary_range = case when $2 then '1d' end, temporary_access_start_time = case when $2 then $3::timestamptz end,
  temporary_access_end_time = case when $2 then $3::timestamptz + interval '1 day' end
  from memberships m where m.id = r.membership_id and m.identity_id = $1 and r.role = 'admin'`,
);
const setTemporary = (isTemporary: boolean) =>
  inTransaction(contextOf(world, world.admin), async (tx) => {
    await tx.sql(SET_TEMPORARY, [world.identityIds.helper, isTemporary, tx.now()]);
    invalidate(tx, `access:${world.projectId}`);
  });
/** How closely a policy is about a folder. */
const closeness = ({ secretPath }: RandomPolicy) => (secretPath === null ? 0 : secretPath.includes('*') ? 1 : 2);
const closestOnly: Store = (some) =>
  asTheyAre(
    some.filter((policy) =>
      FOLDERS.some(
        (path) =>
          coversPath(policy, path) &&
          some.every(
            (other) =>
              other === policy ||
              other.environment !== policy.environment ||
              !coversPath(other, path) ||
              closeness(other) < closeness(policy) ||
              (closeness(other) === closeness(policy) && some.indexOf(other) > some.indexOf(policy)),
          ),
      ),
    ),
  );

describe('the search finds a planted fault', () => {
  const planted = { numRuns: 400, seed: 1, endOnFailure: true };
  const writing = async (store: Store) => (await fc.check(writesProperty(store, nothing()), planted)).failed;
  const endings = async (store: Store) =>
    (await fc.check(writesProperty(store, nothing(), [exempting, machine, ending]), planted)).failed;
  const merging = async (store: Store) =>
    (await fc.check(mergesProperty(store, { merged: 0, refused: 0 }), planted)).failed;
  const faults: readonly [title: string, isFound: () => Promise<boolean>][] = [
    ['machines are skipped', () => writing(storing('exempt'))],
    ['the closest policy alone counts', () => merging(closestOnly)],
    ['hard policies are bypassed', () => merging(storing('soft'))],
    ['self-approvals always count', () => merging(storing('self'))],
    ['one approval is always enough', () => merging(storing('one'))],
    [
      'temporary rights to edit and delete policies count as permanent',
      async () => {
        await setTemporary(false);
        const isFound = await endings(asTheyAre);
        await setTemporary(true);
        return isFound;
      },
    ],
  ];

  it.each(faults)(
    '%s',
    async (_, isFound) => {
      expect(await isFound()).toBe(true);
    },
    300_000,
  );
});

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainError, inTransaction, statement, type Actor, type Fields, type Rule } from '../kernel/index.ts';
import { makeIdentity, makeOrganization, makeProject, testCoffer, type TestCoffer } from '../testing/index.ts';
import { naiveCan, naiveGains } from '../testing/naive-rules.ts';
import { isLongSearch, runs, SEARCH_SEED, searchTime } from '../testing/search.ts';
import { projectPermissions, projectSubjects } from './catalogue.ts';
import { authorizeChange } from './change.ts';
import type { PlacingPermissions } from './placing.ts';

/**
 * Random rules of the caller and of somebody else, and a change of the name or metadata of something: refused exactly where,
 * by a naive reading, the caller may not edit it before and after, somebody gains something by it, or a rule forbids to create
 * it as it is afterwards or to delete it under the name that it leaves.
 */
const dynamic = projectPermissions('dynamic-secrets');
const SUBJECTS = {
  /** Rules use the name. */
  'pki-subscribers': projectPermissions('pki-subscribers'),
  /** The same, under another field. */
  cmek: projectPermissions('cmek'),
  /** Rules use the metadata, and not the name. */
  'dynamic-secrets': {
    create: dynamic['create-root-credential'],
    edit: dynamic['edit-root-credential'],
    delete: dynamic['delete-root-credential'],
  },
} as const satisfies Record<string, PlacingPermissions>;
type Subject = keyof typeof SUBJECTS;

const NAMES = ['a', 'b', 'ab'];
const METADATA = [[], ['one'], ['two'], ['one', 'two']].map((all) => all.map((value) => ({ key: 'team', value })));
const PLACE = { environment: 'dev', secretPath: '/' };

let test: TestCoffer;
let projectId: string;
let caller: Actor;
/** The roles of the caller and of somebody else. */
let roleIds: readonly string[];

const ROLE = statement(
  'test.role_of_actor',
  `select r.custom_role_id as id from membership_roles r join memberships m on m.id = r.membership_id
   where m.actor_id = $1 and m.project_id = $2`,
);
const GRANT = statement('test.give_rules', 'update roles set permissions = $2::jsonb where id = $1');

beforeAll(async () => {
  test = await testCoffer();
  const { id: organizationId, admin } = await makeOrganization(test.coffer);
  projectId = (await makeProject(test.coffer, organizationId, admin.actor)).id;
  const ctx = test.coffer.contextFor(admin.actor);
  const made = [];
  for (let count = 0; count < 2; count++)
    made.push(await makeIdentity(test.coffer, { organizationId, projectId, rules: [] }));
  caller = made[0]!.actor;
  const rows = await Promise.all(made.map(({ id }) => ctx.sql<{ id: string }>(ROLE, [id, projectId])));
  roleIds = rows.map(([row]) => row!.id);
});
afterAll(() => test.close());

interface Case {
  readonly subject: Subject;
  readonly own: readonly Rule[];
  readonly others: readonly Rule[];
  readonly before: Fields;
  readonly after: Fields;
}
type Outcome = 'edit' | 'gains' | 'places' | 'done';

async function attempt({ subject, own, others, before, after }: Case): Promise<Outcome> {
  const ctx = test.coffer.contextFor(caller);
  for (const [index, rules] of [own, others].entries()) await ctx.sql(GRANT, [roleIds[index], JSON.stringify(rules)]);
  test.coffer.invalidate([`access:${projectId}`]);
  try {
    await inTransaction(ctx, (tx) => authorizeChange(tx, SUBJECTS[subject], { projectId, before, after }));
    return 'done';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'access.change_gains') return 'gains';
    expect(error.code).toBe('permission.denied');
    return error.message.startsWith('This change') ? 'places' : 'edit';
  }
}

/** What a naive reading says, and what it says where nobody asks what is placed and removed. */
function naive({ subject, own, others, before, after }: Case): { all: Outcome; withoutPlaces: Outcome } {
  const { create, edit, delete: remove } = SUBJECTS[subject];
  const always = (outcome: Outcome) => ({ all: outcome, withoutPlaces: outcome });
  if (![before, after].every((fields) => naiveCan(own, subject, edit.action, fields))) return always('edit');
  const { actions } = projectSubjects[subject];
  if (actions.some((action) => naiveGains([own, others], own, [subject, action], { before, after })))
    return always('gains');
  const isForbidden = ({ action }: typeof create, fields: Fields) =>
    !naiveCan([{ subject, action }, ...own], subject, action, fields);
  const isChanged = JSON.stringify(before) !== JSON.stringify(after);
  const isMisplaced = isChanged && isForbidden(create, after);
  const nameOf = ({ name, keyName = name }: Fields) => keyName;
  const isRemoved = nameOf(before) !== nameOf(after) && isForbidden(remove, before);
  return { all: isMisplaced || isRemoved ? 'places' : 'done', withoutPlaces: 'done' };
}

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const conditionsOn: Record<Subject, fc.Arbitrary<Rule['conditions'] & object>> = {
  'pki-subscribers': oneOf([...NAMES, { $ne: 'b' }, { $in: ['a', 'b'] }, { $glob: 'a*' }]).map((name) => ({ name })),
  cmek: oneOf([...NAMES, { $ne: 'b' }, { $in: ['a', 'b'] }, { $glob: 'a*' }]).map((keyName) => ({ keyName })),
  'dynamic-secrets': oneOf(['one', 'two']).map((value) => ({ metadata: { $elemMatch: { key: 'team', value } } })),
};
const fieldsOf: Record<Subject, fc.Arbitrary<Fields>> = {
  'pki-subscribers': oneOf(NAMES).map((name) => ({ name })),
  cmek: oneOf(NAMES).map((keyName) => ({ keyName })),
  'dynamic-secrets': fc.tuple(oneOf(NAMES), oneOf(METADATA)).map(([name, metadata]) => ({ ...PLACE, name, metadata })),
};
const cases: fc.Arbitrary<Case> = oneOf<Subject>(['pki-subscribers', 'cmek', 'dynamic-secrets']).chain((subject) => {
  const { create, edit, delete: remove } = SUBJECTS[subject];
  const actions = projectSubjects[subject].actions;
  const rule: fc.Arbitrary<Rule> = fc.record({
    subject: fc.constant(subject),
    action: fc.subarray([create.action, remove.action, actions.at(-1)!], { minLength: 1 }),
    conditions: fc.oneof({ weight: 5, arbitrary: conditionsOn[subject] }, fc.constant({})),
    inverted: fc.boolean(),
  });
  const base = oneOf<Rule[]>([[{ subject, action: [...actions] }], [{ subject, action: [edit.action] }]]);
  const own = fc.tuple(
    fc.oneof({ weight: 5, arbitrary: base }, fc.constant<Rule[]>([])),
    fc.array(rule, { maxLength: 4 }),
  );
  return fc.record({
    subject: fc.constant(subject),
    own: own.map((all) => all.flat()),
    others: fc.array(rule, { maxLength: 2 }),
    before: fieldsOf[subject],
    after: fieldsOf[subject],
  });
});

const RUNS = runs(400, 5_000);
const counts: Record<Outcome, number> = { edit: 0, gains: 0, places: 0, done: 0 };

const search = (expected: (one: Case) => Outcome, numRuns: number, seed: number) =>
  fc.check(
    fc.asyncProperty(cases, async (one) => {
      const outcome = await attempt(one);
      counts[outcome]++;
      expect({ outcome }).toEqual({ outcome: expected(one) });
    }),
    { numRuns, endOnFailure: true, seed, includeErrorInReport: true },
  );

describe('another name or other metadata of something', () => {
  it(
    'are rejected exactly if it may not be edited, an actor gains a right, or it is misplaced, by a naive reading of the rules',
    { timeout: searchTime(300_000) },
    async () => {
      const found = await search((one) => naive(one).all, RUNS, SEARCH_SEED);
      expect(found.failed, fc.defaultReportMessage(found)).toBe(false);
      for (const count of Object.values(counts)) expect(count).toBeGreaterThan(isLongSearch ? RUNS / 20 : 0);
    },
  );

  it('are found to be misplaced if only edits and gains are checked', async () => {
    expect((await search((one) => naive(one).withoutPlaces, 200, 1)).failed).toBe(true);
  });
});

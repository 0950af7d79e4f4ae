import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainError, type Rule } from '../kernel/index.ts';
import { testCoffer, type TestCoffer } from '../testing/index.ts';
import { mayOnChange, type NaiveSecret } from '../testing/naive-versions.ts';
import { runs, sampleOf, searchTime } from '../testing/search.ts';
import { getRequest } from './approval/index.ts';
import { askAtOnce } from './approval/testing/ask-at-once.ts';
import { ENVIRONMENTS, FOLDERS, KEYS, TAGS, VersionWorld } from './history/testing/version-world.ts';
import { readTree } from './history/index.ts';
import { listSecretVersions, readSecret } from './secret/index.ts';

/**
 * After random histories (tagged, untagged, moved, renamed, deleted; the folders, environments and tags renamed and
 * deleted), with random rules: every way to a stored version shows what a naive log of its history allows.
 */
let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer();
});
afterAll(() => test.close());

const STEPS = 18;

function diceOf(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % sides;
  };
}

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const some = (texts: readonly string[]) =>
  fc.oneof(
    oneOf(texts),
    oneOf(texts).map(($ne) => ({ $ne })),
    fc.subarray([...texts], { minLength: 1 }).map(($in) => ({ $in })),
  );
const conditions = fc.record(
  {
    environment: some(ENVIRONMENTS),
    secretPath: some(FOLDERS.map((name) => `/${name}`)),
    secretName: fc.oneof(
      some(KEYS),
      oneOf(['K*', 'L_*', '?[0-2]']).map(($glob) => ({ $glob })),
    ),
    secretTags: fc.subarray([...TAGS], { minLength: 1 }).map(($in) => ({ $in })),
  },
  { requiredKeys: [] },
);
const rule = (inverted: boolean, maxKeys: number): fc.Arbitrary<Rule> =>
  fc.record({
    subject: fc.constant('secrets'),
    action: oneOf([['readValue'], ['describeSecret'], ['describeSecret', 'readValue']]),
    conditions: conditions.filter((one) => Object.keys(one).length <= maxKeys),
    inverted: fc.constant(inverted),
  });
/** Mostly something is allowed, and then some of it is not. */
const rules = fc
  .tuple(
    fc.boolean(),
    fc.array(rule(false, 2), { minLength: 1, maxLength: 3 }),
    fc.array(rule(true, 2), { maxLength: 3 }),
  )
  .map(([isAll, allowed, denied]): Rule[] => [
    ...(isAll ? [{ subject: 'secrets', action: ['describeSecret', 'readValue'] }] : allowed),
    ...denied,
  ]);

const unlessRefused = async <T>(call: Promise<T>): Promise<T | 'forbidden'> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'forbidden') return 'forbidden';
    throw error;
  }
};

const shown = { hidden: 0, read: 0, left: 0 };

/** What is visible of a version: nothing, its name, or its value. */
function expectedOf(secret: NaiveSecret, given: readonly Rule[], number: number, at?: number): string | undefined {
  if (!secret.may(given, 'describeSecret', number, at)) return undefined;
  return secret.may(given, 'readValue', number, at) ? secret.versions[number - 1]!.value : '<hidden>';
}

function count(seen: string | undefined): void {
  shown[seen === undefined ? 'left' : seen === '<hidden>' ? 'hidden' : 'read']++;
}

async function compareVersions(world: VersionWorld, given: readonly Rule[], secret: NaiveSecret): Promise<void> {
  const reader = () => test.coffer.contextFor(world.reader);
  const numbers = secret.versions.map((_, index) => index + 1);
  const expected = new Map(numbers.map((number) => [number, expectedOf(secret, given, number)]));
  const list = await unlessRefused(listSecretVersions(reader(), { secretId: secret.id, offset: 0, limit: 100 }));
  const isSeenNow = expected.get(numbers.length) !== undefined;
  const listed = list === 'forbidden' ? list : list.map(({ version, secretValue }) => [version, secretValue]);
  const listable = [...expected].filter(([, seen]) => seen !== undefined).toReversed();
  expect(listed).toEqual(isSeenNow ? listable : 'forbidden');
  for (const [version, seen] of expected) {
    const how = { expandSecretReferences: false, includeImports: false, type: 'shared' as const, version };
    const read = await unlessRefused(
      readSecret(reader(), { ...world.locationOf(secret), ...how, viewSecretValue: true }),
    );
    const mayRead = seen !== undefined && seen !== '<hidden>';
    expect([version, read === 'forbidden' ? read : read.secretValue]).toEqual([version, mayRead ? seen : 'forbidden']);
    count(seen);
  }
}

async function compareTree(world: VersionWorld, given: readonly Rule[], step: number): Promise<void> {
  const { projectId, revisions, secrets } = world;
  const ctx = test.coffer.contextFor(world.reader);
  const revision = revisions[step]!;
  const tree = await readTree(ctx, { projectId, revision, secretPath: '/', viewSecretValue: true });
  const seen = tree.environments.flatMap((one) => one.secrets.map((secret) => [secret.id, secret.secretValue]));
  const expected = secrets.flatMap((secret) => {
    const number = secret.standingAt(step);
    // Contents of a deleted environment are in no tree.
    const isShown = number !== undefined && !secret.versions[number - 1]!.at.environment.isGone;
    const value = isShown ? expectedOf(secret, given, number, step) : undefined;
    count(value);
    return value === undefined ? [] : [[secret.id, value]];
  });
  expect(new Map(seen as [string, string][])).toEqual(new Map(expected as [string, string][]));
}

/** Every request, merged or closed, by a naive reading of what it changes. */
async function compareRequests(world: VersionWorld, given: readonly Rule[]): Promise<void> {
  for (const [id, change] of world.requests) {
    const { secret, base } = change;
    const version = base === undefined ? undefined : secret!.versions[base - 1]!;
    // A request ends with its environment.
    if ([change, version].some((one) => one?.at.environment.isGone)) continue;
    const [mayDescribe, mayRead] = ['describeSecret', 'readValue'].map((action) => mayOnChange(given, action, change));
    const expected = (side: { key: string; value: string } | undefined) =>
      side && (mayDescribe ? [side.key, mayRead ? side.value : '<hidden>'] : [null, undefined]);
    const { commits } = await getRequest(test.coffer.contextFor(world.reader), { id, viewSecretValue: true });
    const seen = commits.map(({ before, after }) =>
      [before, after].map((side) => side && [side.secretKey, side.secretValue]),
    );
    expect(seen).toEqual([[expected(version) ?? null, expected(change)]]);
    count(mayDescribe ? (mayRead ? change.value : '<hidden>') : undefined);
  }
}

/** Gives random rules to a reader and compares everything, as often as requested. */
function search(world: VersionWorld, numRuns: number, seed?: number) {
  const steps = world.revisions.flatMap((revision, step) => (revision === undefined ? [] : step));
  return fc.check(
    fc.asyncProperty(rules, fc.subarray(steps, { minLength: 2, maxLength: 2 }), async (given, looked) => {
      await world.giveRules(given);
      for (const secret of world.secrets)
        if (secret.deletedAt === undefined) await compareVersions(world, given, secret);
      for (const step of looked) await compareTree(world, given, step);
      await compareRequests(world, given);
    }),
    { numRuns, endOnFailure: true, ...(seed !== undefined && { seed }) },
  );
}

/** The half with counted results is always the same. */
const SEEDS = [1, 2, 3];
const RUNS = runs(12, 2_000);

interface Forgotten {
  /** What versions lose, */
  readonly what: string;
  /** and the statement by which they do, for a project. */
  readonly fault: string;
  /** Whether it is seen only where something is deleted, */
  readonly isPruned?: boolean;
  /** or in change requests. */
  readonly isRequested?: boolean;
}
const FORGOTTEN: readonly Forgotten[] = [
  { what: 'the tags of a version', fault: `update secret_versions set tag_ids = '{}' where project_id = $1` },
  {
    what: 'the folder of a version',
    fault: `update secret_versions v set folder_id = s.folder_id from secrets s where s.id = v.secret_id and v.project_id = $1`,
  },
  {
    what: 'what it was called',
    fault: 'update secret_versions v set key = s.key from secrets s where s.id = v.secret_id and v.project_id = $1',
  },
  { what: 'what environments and tags were called', fault: 'delete from former_slugs where project_id = $1' },
  {
    what: 'what folders were called',
    fault: `update folder_versions v set name = f.name from folders f where f.id = v.folder_id and v.project_id = $1`,
  },
  {
    what: 'what deleted tags were called last',
    fault: `delete from former_slugs f using (select thing_id, max(until_revision) as last from former_slugs group by thing_id) l
     where l.thing_id = f.thing_id and l.last = f.until_revision and f.project_id = $1
       and f.thing_id not in (select id from tags union select id from environments)`,
    isPruned: true,
  },
  {
    what: 'what deleted folders were called last',
    fault: `update folder_versions v set name = 'other' where v.project_id = $1 and not exists (select from folders f where f.id = v.folder_id)
       and not exists (select from folder_versions l where l.folder_id = v.folder_id and l.version > v.version)`,
    isPruned: true,
  },
  {
    what: 'which secret a request created',
    fault: 'update secret_approval_changes set created_id = thing_id where project_id = $1',
    isRequested: true,
  },
  {
    what: 'which folder a request named',
    fault: `update secret_approval_changes c set folder_id = f.id, folder_path = f.path from folders f
     where c.project_id = $1 and f.project_id = $1 and f.path = c.path`,
    isRequested: true,
  },
  {
    what: 'which tags a request named',
    fault: `update secret_approval_changes set tag_slugs = '{}' where project_id = $1`,
    isRequested: true,
  },
  {
    what: 'what deleted secrets were last',
    fault: `update secret_versions v set key = 'other', tag_ids = '{}' where v.project_id = $1 and v.is_deleted`,
    isPruned: true,
  },
];

/**
 * Compares random worlds, in which half of the writes were requested first if `isRequested`. Returns how frequent each
 * result was among those that are always the same.
 */
async function compareWorlds(isRequested: boolean): Promise<number[]> {
  Object.assign(shown, { hidden: 0, read: 0, left: 0 });
  const ask = isRequested ? askAtOnce(test) : undefined;
  const worlds: VersionWorld[] = [];
  for (const seed of SEEDS) worlds.push(await VersionWorld.make(test, diceOf(seed), STEPS, seed > 1, ask));
  const searchAll = async (...seeds: number[]) => {
    for (const [index, world] of worlds.entries()) {
      const found = await search(world, Math.ceil(RUNS / worlds.length / 2), seeds[index]);
      expect(found.failed, fc.defaultReportMessage(found)).toBe(false);
    }
  };
  await searchAll(...SEEDS);
  const total = shown.hidden + shown.read + shown.left;
  const shares = Object.values(shown).map((number) => number / total);
  await searchAll();
  return shares;
}

/** Every result must be so frequent for the comparison to mean something. */
const FREQUENT = 0.01;

describe('stored versions', () => {
  it(
    'are shown, by version, in lists and in trees, as in a naive account of their histories',
    async () => expect(Math.min(...(await compareWorlds(false)))).toBeGreaterThan(FREQUENT),
    searchTime(300_000),
  );

  it(
    'are shown in change requests, merged or closed, as in a naive account of these',
    async () => expect(Math.min(...(await compareWorlds(true)))).toBeGreaterThan(FREQUENT),
    searchTime(300_000),
  );

  // Half of them in `npm test`, all in `pnpm search secrets/version-agreement`.
  it.each(sampleOf(FORGOTTEN, 2))(
    'are found to be shown to others where $what is forgotten',
    async ({ fault, isPruned, isRequested }) => {
      const world = await VersionWorld.make(
        test,
        diceOf(7),
        STEPS,
        isPruned,
        isRequested ? askAtOnce(test) : undefined,
      );
      await test.coffer.pool.query(fault, [world.projectId]);
      expect((await search(world, 100, 1)).failed).toBe(true);
    },
    300_000,
  );
});

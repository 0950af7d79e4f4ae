import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile, Gains } from '../access/index.ts';
import {
  DomainError,
  inTransaction,
  statement,
  type Actor,
  type Fields,
  type Rule,
  type Transaction,
} from '../kernel/index.ts';
import { updateEnvironment } from './environment/environment.service.ts';
import { createTag, deleteTag, updateTag } from './tag/tag.service.ts';
import {
  makeIdentity,
  makeOrganization,
  makeProject,
  makeRotation,
  testCoffer,
  type TestCoffer,
} from '../testing/index.ts';
import { naiveCan, naiveGains } from '../testing/naive-rules.ts';
import { isLongSearch, runs, SEARCH_SEED, searchTime } from '../testing/search.ts';
import { createDynamicSecret } from './dynamic/index.ts';
import { createFolder } from './folder/create.ts';
import { folderPermissions, gainByRename, requireNoGain } from './folder/index.ts';
import { createSecrets, deleteSecrets } from './secret/index.ts';
import { updateFolder } from './tree/index.ts';

/**
 * Random rules of the caller and of another actor about single secrets and dynamic secrets, and a rename of a folder or
 * environment: rejected exactly if, by a naive reading, a rule of either would then give a right to a resource there,
 * or to the folder, that the caller does not have now; or if a resource would then be where the caller could not create
 * it, or leave a location where a rule forbids to delete it.
 */
const NAMES = ['A', 'B', 'AB', 'C'];
const TAGS = ['red', 'blue'];
const ACTIONS = {
  secrets: ['describeSecret', 'readValue', 'create', 'edit', 'delete'],
  'dynamic-secrets': ['lease', 'create-root-credential', 'delete-root-credential'],
} as const;
type Subject = keyof typeof ACTIONS;

/** A resource in the folder; `former` is the state in which a deleted version was written. */
interface Planted {
  readonly subject: Subject;
  readonly secretPath: string;
  readonly fields: Fields;
  readonly former?: Fields;
}

const pair = (value: string) => ({ key: 'team', value });
const planted: Planted[] = [];
let test: TestCoffer;
let projectId: string;
let caller: Actor;
/** The roles of the caller and of the other actor. */
let roleIds: readonly string[];
let folderId: string;
let environmentId: string;
let tagId: string;

const ROLE = statement(
  'test.role_of_member',
  `select r.custom_role_id as id from membership_roles r join memberships m on m.id = r.membership_id
   where m.actor_id = $1 and m.project_id = $2`,
);
const GRANT = statement('test.grant_rules', 'update roles set permissions = $2::jsonb where id = $1');
const ENVIRONMENT = statement('test.environment', 'select id from environments where project_id = $1 and slug = $2');

beforeAll(async () => {
  test = await testCoffer();
  const { id: organizationId, admin } = await makeOrganization(test.coffer);
  const ctx = () => test.coffer.contextFor(admin.actor);
  const { id, slug: projectSlug } = await makeProject(test.coffer, organizationId, admin.actor);
  projectId = id;
  const identity = await makeIdentity(test.coffer, { organizationId, projectId, rules: [] });
  const other = await makeIdentity(test.coffer, { organizationId, projectId, rules: [] });
  caller = identity.actor;
  const roleOf = async ({ id: of }: { id: string }) => (await ctx().sql<{ id: string }>(ROLE, [of, projectId]))[0]!.id;
  roleIds = [await roleOf(identity), await roleOf(other)];
  environmentId = (await ctx().sql<{ id: string }>(ENVIRONMENT, [projectId, 'dev']))[0]!.id;
  const tagIds = new Map<string, string>();
  for (const slug of TAGS) tagIds.set(slug, (await createTag(ctx(), { projectId, slug, color: '' })).id);
  tagId = tagIds.get('blue')!;
  const dev = { projectId, environment: 'dev' };
  const mkdir = async (path: string, name: string) =>
    (await createFolder(ctx(), { ...dev, path, name, description: null })).id;
  const put = async (secretPath: string, secretName: string, secretTags: string[]) => {
    const secret = { secretKey: secretName, secretValue: 'v', tagIds: secretTags.map((slug) => tagIds.get(slug)!) };
    await createSecrets(ctx(), { ...dev, secretPath, secrets: [secret] });
    return { secretName, secretTags };
  };
  folderId = await mkdir('/', 'old');
  const gone = await put('/old', 'A', ['blue']);
  await deleteSecrets(ctx(), { ...dev, secretPath: '/old', secrets: [{ secretKey: 'A', type: 'shared' }] });
  await updateFolder(ctx(), { ...dev, folderId, name: 'a', description: undefined });
  const former = { environment: 'dev', secretPath: '/old', ...gone };
  planted.push({ subject: 'secrets', secretPath: '/a', fields: gone, former });
  await mkdir('/a', 'x');
  for (const [secretPath, name, tags] of [
    ['/', 'B', ['blue']],
    ['/a', 'B', []],
    ['/a', 'AB', ['red']],
    ['/a/x', 'A', []],
  ] as const)
    planted.push({ subject: 'secrets', secretPath, fields: await put(secretPath, name, [...tags]) });
  for (const [path, value] of [
    ['/a', 'one'],
    ['/a/x', 'two'],
  ] as const) {
    await createDynamicSecret(ctx(), {
      ...{ projectSlug, environmentSlug: 'dev', path, name: value, defaultTTL: '1h', maxTTL: null },
      provider: { type: 'totp', inputs: { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' } },
      metadata: [pair(value)],
    });
    planted.push({ subject: 'dynamic-secrets', secretPath: path, fields: { metadata: [pair(value)] } });
  }
  // The secrets that a rotation is about to create.
  const secretsMapping = { username: 'C', password: 'AC' };
  const stored = { organizationId, projectId, name: 'first', secretPath: '/a/x', secretsMapping, isRotated: false };
  await makeRotation(test.coffer, stored);
  for (const secretName of Object.values(secretsMapping))
    planted.push({ subject: 'secrets', secretPath: '/a/x', fields: { secretName, secretTags: [] } });
});
afterAll(() => test.close());

/** The possible new resources: one of each kind that rules can distinguish. */
const subsets = <T>(all: readonly T[]): T[][] =>
  all.reduce<T[][]>((some, one) => [...some, ...some.map((set) => [...set, one])], [[]]);
const CREATABLE: readonly (readonly [Subject, string, readonly Fields[]])[] = [
  [
    'secrets',
    'create',
    [...NAMES, 'AC', 'Z', 'ZZ'].flatMap((secretName) =>
      subsets([...TAGS, 'other']).map((secretTags) => ({ secretName, secretTags })),
    ),
  ],
  ['dynamic-secrets', 'create-root-credential', subsets(['one', 'two']).map((some) => ({ metadata: some.map(pair) }))],
];

const dev = (secretPath: string) => ({ environment: 'dev', secretPath });
const RENAMES = {
  folder: [
    { from: dev('/a'), to: dev('/b') },
    { from: dev('/a/x'), to: dev('/b/x') },
  ],
  environment: ['/', '/a', '/a/x'].map((secretPath) => ({
    from: dev(secretPath),
    to: { environment: 'open', secretPath },
  })),
};
type What = keyof typeof RENAMES;

/** Why a change is rejected: a gain, or a creation or removal that the caller may not do. */
const REFUSALS: Record<string, 'gains' | 'places'> = {
  'folder.rename_gains': 'gains',
  'tag.change_gains': 'gains',
  'permission.denied': 'places',
};
type Outcome = 'gains' | 'places' | 'done';
const outcomeOf = async (work: () => unknown): Promise<Outcome> => {
  try {
    await work();
    return 'done';
  } catch (error) {
    const outcome = error instanceof DomainError ? REFUSALS[error.code] : undefined;
    if (outcome) return outcome;
    throw error;
  }
};

/** The rules of the caller, and of the other actor. */
interface Rules {
  readonly own: readonly Rule[];
  readonly others: readonly Rule[];
}

const isGainedByPlace = async ({ own, others }: Rules, what: What): Promise<boolean> =>
  (await outcomeOf(() =>
    requireNoGain(new Gains([[own], [others]], [{ from: 0, ability: compile(own) }]), RENAMES[what]),
  )) === 'gains';

interface Names {
  readonly before: Fields;
  readonly after: Fields;
}

/**
 * Whether an actor with some rules could not create a resource at its new location, or may not delete it from the old
 * one.
 */
function isMisplaced(
  own: readonly Rule[],
  subject: string,
  [create, remove]: readonly string[],
  names: Names,
): boolean {
  const { before, after } = names;
  const isForbidden = (action: string, fields: Fields) =>
    !naiveCan([{ subject, action }, ...own], subject, action, fields);
  const isLeft = before['environment'] !== after['environment'] || before['secretPath'] !== after['secretPath'];
  const edit = subject === 'secret-folders' || [before, after].every((one) => naiveCan(own, subject, 'edit', one));
  const mayPut = naiveCan(own, subject, create!, after) || (!isLeft && edit && !isForbidden(create!, after));
  return !mayPut || ((isLeft || subject === 'secret-folders') && isForbidden(remove!, before));
}

const PLACING = {
  secrets: ['create', 'delete'],
  'dynamic-secrets': ['create-root-credential', 'delete-root-credential'],
} as const;
const above = ({ environment, secretPath }: { environment: string; secretPath: string }) => ({
  ...{ environment, secretPath: secretPath.slice(0, secretPath.lastIndexOf('/')) || '/' },
});

/**
 * Whether a resource gets to a location where the caller could not create it, or leaves one where it may not delete it.
 */
const misplaces = ({ own }: Rules, what: What): boolean =>
  RENAMES[what].some(
    ({ from, to }) =>
      (to.secretPath !== '/' &&
        isMisplaced(own, 'secret-folders', ['create', 'delete'], { before: above(from), after: above(to) })) ||
      planted.some(
        ({ subject, secretPath, fields, former }) =>
          !former &&
          secretPath === from.secretPath &&
          isMisplaced(own, subject, PLACING[subject], { before: { ...fields, ...from }, after: { ...fields, ...to } }),
      ),
  );

/** The result of a naive reading: for the whole location, each resource, and possible new ones. */
async function gainsAnything(rules: Rules, what: What): Promise<boolean> {
  if (await isGainedByPlace(rules, what)) return true;
  const holders = [rules.own, rules.others];
  return RENAMES[what].some(({ from, to }) => {
    const isGained = (subject: Subject, action: string, fields: Fields, also?: Fields) => {
      const change = { before: { ...fields, ...from }, after: { ...fields, ...to }, also };
      return naiveGains(holders, rules.own, [subject, action], change);
    };
    return (
      CREATABLE.some(([subject, action, all]) => all.some((fields) => isGained(subject, action, fields))) ||
      planted.some(
        ({ subject, secretPath, fields, former }) =>
          secretPath === from.secretPath &&
          (former ? ACTIONS.secrets.slice(0, 2) : ACTIONS[subject]).some((action) =>
            isGained(subject, action, fields, former),
          ),
      )
    );
  });
}

class TakenBack extends Error {}

/** Renames as the caller, and reverts it. */
const rename = (rules: Rules, what: What): Promise<void> =>
  attemptAs(rules, async (tx) => {
    if (what === 'environment') await updateEnvironment(tx, { projectId, id: environmentId, slug: 'open' });
    else await updateFolder(tx, { projectId, environment: 'dev', folderId, name: 'b', description: undefined });
  });

async function attemptAs({ own, others }: Rules, work: (tx: Transaction) => Promise<unknown>): Promise<void> {
  const ctx = test.coffer.contextFor(caller);
  for (const [index, rules] of [own, others].entries()) await ctx.sql(GRANT, [roleIds[index], JSON.stringify(rules)]);
  test.coffer.invalidate([`access:${projectId}`]);
  try {
    await inTransaction(ctx, async (tx) => {
      await work(tx);
      throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
}

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const place = {
  environment: oneOf(['dev', 'open', { $in: ['dev', 'open'] }]),
  secretPath: oneOf<string | object>(['/a', '/b', '/old', '/a/x', { $glob: '/**' }, { $glob: '/b/**' }, { $ne: '/a' }]),
};
const name = oneOf<string | object>([...NAMES, { $ne: 'B' }, { $in: ['A', 'B'] }, { $glob: 'A*' }, { $glob: '?' }]);
/** The folder and the environment under one of their names, which both renames concern. */
const spot = oneOf([
  { environment: 'dev', secretPath: { $in: ['/a', '/a/x'] } },
  { environment: 'dev', secretPath: { $glob: '/b/**' } },
  { environment: 'open' },
]);
const ruleOn = (subject: Subject, further: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Rule> =>
  fc.record({
    subject: fc.constant(subject),
    action: fc.subarray(subject === 'secrets' ? ['read', 'create', 'delete'] : [...ACTIONS[subject]], { minLength: 1 }),
    conditions: fc.oneof(
      { weight: 1, arbitrary: fc.record({ ...place, ...further }, { requiredKeys: [] }) },
      { weight: 3, arbitrary: fc.tuple(spot, fc.record(further)).map(([at, one]) => ({ ...at, ...one })) },
    ),
    inverted: fc.boolean(),
  });
const tags = fc.subarray(TAGS, { minLength: 1 }).map(($in) => ({ $in }));
const onSecrets = fc.oneof(ruleOn('secrets', { secretName: name }), ruleOn('secrets', { secretTags: tags }));
const metadata = oneOf(['one', 'two']).map((value) => ({ $elemMatch: pair(value) }));
const someRules = fc.array(fc.oneof({ weight: 3, arbitrary: onSecrets }, ruleOn('dynamic-secrets', { metadata })), {
  minLength: 2,
  maxLength: 5,
});
const everything: Rule[] = (Object.keys(ACTIONS) as Subject[]).map((subject) => ({
  subject,
  action: [...ACTIONS[subject]],
}));
const mayRename: Rule[] = [
  { subject: 'environments', action: ['edit'] },
  { subject: 'secret-folders', action: ['edit'], conditions: { secretPath: '/' } },
  { subject: 'secret-rotation', action: ['create'] },
];
const onFolders = (conditions: object, action = ['create'], inverted = false): Rule => ({
  ...{ subject: 'secret-folders', action, conditions: conditions as Rule['conditions'] & object, inverted },
});
/** The caller's further permissions on folders. */
const ofFolders = fc.oneof(
  { weight: 8, arbitrary: oneOf([[onFolders({})]]) },
  oneOf([
    ...[[], [onFolders({ environment: 'dev' })], [onFolders({ secretPath: { $in: ['/', '/b'] } })]],
    ...['/', '/a', '/b'].map((secretPath) => [onFolders({}), onFolders({ secretPath }, ['create'], true)]),
    ...['/', '/a', '/b'].map((secretPath) => [onFolders({}), onFolders({ secretPath }, ['delete'], true)]),
  ]),
);

/**
 * `deep`: rejected only because of a single resource; `forOthers`: because of a gain of another actor; `places`:
 * without any gain.
 */
const counts = { refused: 0, deep: 0, done: 0, forOthers: 0, places: 0 };

const RUNS = runs(300, 3_000);

/** Of each kind; fewer runs may have none of some. */
const LEAST = isLongSearch ? RUNS / 100 : 0;
/** Finds each fault that is planted. */
const PLANTED = 1;

function search(attempt: (rules: Rules, what: What) => unknown, numRuns: number, seed = PLANTED) {
  const others = fc.option(someRules, { nil: [] });
  return fc.check(
    fc.asyncProperty(
      oneOf<What>(['folder', 'environment']),
      fc.boolean(),
      someRules,
      ofFolders,
      others,
      async (what, isAll, some, folders, theirs) => {
        const rules = { own: [...(isAll ? everything : []), ...some, ...folders, ...mayRename], others: theirs };
        const outcome = await outcomeOf(() => attempt(rules, what));
        const isGained = await gainsAnything(rules, what);
        expect({ outcome }).toEqual({ outcome: isGained ? 'gains' : misplaces(rules, what) ? 'places' : 'done' });
        const isByPlace = isGained && (await isGainedByPlace(rules, what));
        counts[isByPlace ? 'refused' : isGained ? 'deep' : (outcome as 'places' | 'done')]++;
        if (isGained && !(await gainsAnything({ own: rules.own, others: [] }, what))) counts.forOthers++;
      },
    ),
    { numRuns, endOnFailure: true, seed, includeErrorInReport: true },
  );
}

describe('renaming a folder or an environment', () => {
  it(
    'is refused exactly where something would be gained or misplaced, by a naive reading of the rules',
    { timeout: searchTime(300_000) },
    async () => {
      const found = await search(rename, RUNS, SEARCH_SEED);
      expect(found.failed, fc.defaultReportMessage(found)).toBe(false);
      for (const count of Object.values(counts)) expect(count).toBeGreaterThanOrEqual(LEAST);
    },
  );

  it('gives, where a rule no longer forbids, no more than other rules allow', async () => {
    const conditions = { environment: 'dev', secretPath: '/a', secretTags: { $in: ['blue'] } };
    const forbidding: Rule = { subject: 'secrets', action: ['create'], conditions, inverted: true };
    const allowing = (...$in: string[]): Rule => ({
      subject: 'secrets',
      action: ['create'],
      conditions: { secretName: { $in } },
    });
    const few = allowing(...NAMES, 'AC');
    const ownRules = [...everything.slice(1), onFolders({}), ...mayRename, forbidding, few];
    expect(await outcomeOf(() => rename({ own: ownRules, others: [] }, 'folder'))).toBe('done');
    const others = [allowing('Z'), forbidding];
    expect(await outcomeOf(() => rename({ own: ownRules, others }, 'folder'))).toBe('gains');
  });

  it('is found to create something where the caller could not if only gains are checked', async () => {
    const gainsAlone = async (rules: Rules, what: What) => {
      if ((await outcomeOf(() => rename(rules, what))) === 'gains')
        throw gainByRename(new Gains([], []), folderPermissions.read, RENAMES[what][0]!);
    };
    expect((await search(gainsAlone, 300)).failed).toBe(true);
  });

  it('is found to disclose resources if only locations are compared', async () => {
    const byPlace = async (rules: Rules, what: What) => {
      if (await isGainedByPlace(rules, what))
        throw gainByRename(new Gains([], []), folderPermissions.read, RENAMES[what][0]!);
    };
    expect((await search(byPlace, 500)).failed).toBe(true);
  });

  it('is found to give a right if only the caller is checked', async () => {
    const alone = ({ own }: Rules, what: What) => rename({ own, others: [] }, what);
    expect((await search(alone, 500)).failed).toBe(true);
  });
});

/** What happens to the tag `blue`, and the tags of something that had it then. */
const TAG_CHANGES = { slug: ['open'], deletion: [] } as const;
type TagChange = keyof typeof TAG_CHANGES;

const changeTag = (rules: Rules, what: TagChange): Promise<void> =>
  attemptAs(rules, (tx) =>
    what === 'deletion' ? deleteTag(tx, { projectId, tagId }) : updateTag(tx, { projectId, tagId, slug: 'open' }),
  );

/** The result of a naive reading; stored versions keep a deleted tag. */
const gainsByTag = ({ own, others }: Rules, what: TagChange): boolean =>
  planted.some(({ subject, secretPath, fields, former }) => {
    const slugs = fields['secretTags'] as string[] | undefined;
    if (subject !== 'secrets' || !slugs?.includes('blue') || (former && what === 'deletion')) return false;
    const before = { ...fields, ...dev(secretPath) };
    const after = { ...before, secretTags: [...slugs.filter((slug) => slug !== 'blue'), ...TAG_CHANGES[what]] };
    return (former ? ACTIONS.secrets.slice(0, 2) : ACTIONS.secrets).some((action) =>
      naiveGains([own, others], own, [subject, action], { before, after, also: former }),
    );
  });

/** Another slug changes a tag of each secret that has it, and the deletion removes one. */
const misplacesByTag = ({ own }: Rules, what: TagChange): boolean =>
  planted.some(({ subject, secretPath, fields, former }) => {
    const slugs = fields['secretTags'] as string[] | undefined;
    if (subject !== 'secrets' || former || !slugs?.includes('blue')) return false;
    const before = { ...fields, ...dev(secretPath) };
    const after = { ...before, secretTags: [...slugs.filter((slug) => slug !== 'blue'), ...TAG_CHANGES[what]] };
    return isMisplaced(own, subject, PLACING.secrets, { before, after });
  });

describe('another slug of a tag, and its deletion', () => {
  const conditions = fc.record(
    {
      secretTags: fc.subarray([...TAGS, 'open'], { minLength: 1 }).map(($in) => ({ $in })),
      secretPath: oneOf<string | object>(['/', '/a', '/old', { $ne: '/' }]),
      secretName: name,
    },
    { requiredKeys: ['secretTags'] },
  );
  const rule = fc.record({
    subject: fc.constant('secrets'),
    action: fc.subarray(['readValue', 'describeSecret', 'delete'], { minLength: 1 }),
    conditions,
    inverted: fc.boolean(),
  });
  const some = fc.array(rule, { minLength: 1, maxLength: 4 });
  const mayChange: Rule[] = [{ subject: 'tags', action: ['edit', 'delete'] }];
  const onTag = (slug: string, action: string[], inverted = false): Rule => ({
    ...{ subject: 'secrets', action, conditions: { secretTags: { $in: [slug] } }, inverted },
  });
  const withoutBlue: Rule = { subject: 'secrets', action: ['create'], conditions: { secretTags: { $ne: 'blue' } } };
  /** The caller's permissions to create under names. */
  const placing = oneOf<Rule[]>([
    ...[[], [{ subject: 'secrets', action: ['create'] }], [{ subject: 'secrets', action: ['create', 'edit'] }]],
    ...[
      [onTag('open', ['create'])],
      [onTag('open', ['create'], true)],
      [onTag('blue', ['edit']), onTag('open', ['edit'])],
      [
        { subject: 'secrets', action: ['create'] },
        { ...withoutBlue, inverted: true },
      ],
      [{ subject: 'secrets', action: ['edit'] }, withoutBlue],
    ],
  ]);
  type Naive = (rules: Rules, what: TagChange) => boolean;
  const searchTags = async (isGained: Naive, numRuns: number, isPlaced: Naive = misplacesByTag, seed = PLANTED) => {
    const found = { gains: 0, places: 0, done: 0, ofVersions: 0 };
    const check = await fc.check(
      fc.asyncProperty(
        oneOf<TagChange>(['slug', 'deletion']),
        fc.tuple(fc.boolean(), some, placing, fc.boolean(), some),
        async (what, [isAll, ownRules, put, areAll, theirs]) => {
          const own = [...(isAll ? everything : []), ...ownRules, ...put, ...mayChange];
          const rules = { own, others: [...(areAll ? everything : []), ...theirs] };
          const outcome = await outcomeOf(() => changeTag(rules, what));
          found[outcome]++;
          if (outcome === 'gains' && !ofLiving(() => gainsByTag(rules, what))) found.ofVersions++;
          const expected = isGained(rules, what) ? 'gains' : isPlaced(rules, what) ? 'places' : 'done';
          expect({ outcome }).toEqual({ outcome: expected });
        },
      ),
      { numRuns, endOnFailure: true, seed, includeErrorInReport: true },
    );
    return { found, check };
  };
  /** A condition on the existing secrets. */
  const ofLiving = (isTrue: () => boolean): boolean => {
    const all = planted.splice(0);
    planted.push(...all.filter(({ former }) => !former));
    try {
      return isTrue();
    } finally {
      planted.splice(0, planted.length, ...all);
    }
  };

  it(
    'are refused exactly where something would be gained, also of stored versions, or misplaced, by a naive reading of the rules',
    { timeout: searchTime(300_000) },
    async () => {
      const { found, check } = await searchTags(gainsByTag, RUNS, misplacesByTag, SEARCH_SEED);
      expect(check.failed, fc.defaultReportMessage(check)).toBe(false);
      for (const count of Object.values(found)) expect(count).toBeGreaterThanOrEqual(LEAST);
    },
  );

  it('are found to disclose stored versions if only current secrets are checked', async () => {
    const naive = (rules: Rules, what: TagChange) => ofLiving(() => gainsByTag(rules, what));
    expect((await searchTags(naive, 300)).check.failed).toBe(true);
  });

  it('are found to remove a tag from secrets that the caller could not create without it if only slugs are checked', async () => {
    const slugs: Naive = (rules, what) => what === 'slug' && misplacesByTag(rules, what);
    expect((await searchTags(gainsByTag, 300, slugs)).check.failed).toBe(true);
  });

  it('are found to give a tag that the caller could not give if only gains are checked', async () => {
    expect((await searchTags(gainsByTag, 300, () => false)).check.failed).toBe(true);
  });
});

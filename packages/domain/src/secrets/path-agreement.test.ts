import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RoleEntity } from '../access/role/role.entity.ts';
import { DomainError, inTransaction, newId, statement, type Actor, type Context, type Rule } from '../kernel/index.ts';
import { GroupEntity } from '../organizations/group/group.entity.ts';
import { TagEntity } from './tag/tag.entity.ts';
import { addMember } from '../access/membership/index.ts';
import { makeOrganization, makeProject, makeUser, testCoffer, type TestCoffer } from '../testing/index.ts';
import { naiveCan } from '../testing/naive-rules.ts';
import { reportSearch, runs, searchTime } from '../testing/search.ts';
import { createFolder } from './folder/create.ts';
import { childPath, parentPath } from './folder/index.ts';
import { listFolders } from './folder/list.ts';
import { createSecretImport } from './import/index.ts';
import { readOverview, type Overview } from './overview/index.ts';
import { searchSecrets } from './search/index.ts';
import {
  createSecret,
  createSecrets,
  listSecrets,
  readSecret,
  readSecretById,
  type ImportedSecrets,
  type Secret,
} from './secret/index.ts';

/** All ways to a secret must show the same of it to the same reader: the result of a naive reading of the rules. */
const FOLDERS = ['/', '/app', '/app/db', '/application', '/A-b_c'];
const NAMES = ['KEY', 'A_1', 'a.b', '*', 'x y'];
const TAGS = ['red', 'blue'];

interface Planted {
  readonly environment: string;
  readonly secretPath: string;
  readonly secretName: string;
  readonly secretTags: string[];
}

const planted: Planted[] = [];
let test: TestCoffer;
let projectId: string;
let organizationId: string;
let reader: Actor;
/** The roles of its own membership and of its group, and its privilege. */
let given: { own: string; ofGroup: string; privilege: string };

const contextFor = (actor: Actor): Context => test.coffer.contextFor(actor);
const keyOf = (one: Planted) => `${one.environment}|${one.secretPath}|${one.secretName}`;
/** The reader's value over a secret, and its ID. */
const personalOf = (one: Planted) => `personal ${keyOf(one)}`;
const personalIds = new Map<string, string>();
const shownKey = (one: Secret) => `${one.environment}|${one.secretPath}|${one.secretKey}`;

beforeAll(async () => {
  test = await testCoffer();
  const organization = await makeOrganization(test.coffer);
  organizationId = organization.id;
  const admin = organization.admin.actor;
  projectId = (await makeProject(test.coffer, organizationId, admin)).id;
  const tags = await inTransaction(contextFor(admin), async (tx) => {
    const rows = TAGS.map((slug) =>
      tx.em.create(TagEntity, {
        id: newId(),
        organizationId,
        projectId,
        slug,
        color: null,
        createdBy: null,
        createdByActorType: null,
      }),
    );
    await tx.em.persist(rows).flush();
    return new Map(rows.map((row) => [row.slug, row.id]));
  });
  const mkdir = (environment: string, path: string) =>
    createFolder(contextFor(admin), {
      projectId,
      environment,
      path: parentPath(path),
      name: path.slice(path.lastIndexOf('/') + 1),
      description: null,
    });
  for (const path of FOLDERS.slice(1)) await mkdir('dev', path);
  for (const [index, secretPath] of FOLDERS.entries()) {
    const secrets = NAMES.map((secretName, at) => ({
      environment: 'dev',
      secretPath,
      secretName,
      secretTags: TAGS.filter((_, bit) => (at + index) & (1 << bit)),
    }));
    planted.push(...secrets);
    await createSecrets(contextFor(admin), {
      projectId,
      environment: 'dev',
      secretPath,
      secrets: secrets.map((one) => ({
        secretKey: one.secretName,
        secretValue: keyOf(one),
        tagIds: one.secretTags.map((slug) => tags.get(slug)!),
      })),
    });
    await mkdir('prod', childPath('/', `imports${index}`));
    await createSecretImport(contextFor(admin), {
      projectId,
      environment: 'prod',
      path: `/imports${index}`,
      import: { environment: 'dev', path: secretPath },
      isReplication: false,
    });
  }
  const referable = planted.filter((one) => /^[A-Za-z0-9_-]+$/.test(one.secretName));
  await createSecrets(contextFor(admin), {
    projectId,
    environment: 'staging',
    secretPath: '/',
    secrets: referable.map((one, index) => ({
      secretKey: `REF_${index}`,
      secretValue: `\${${['dev', ...one.secretPath.split('/').filter(Boolean), one.secretName].join('.')}}`,
    })),
  });
  const user = await makeUser(test.coffer, { organizationId });
  reader = user.actor;
  const platform = contextFor({ type: 'platform', organizationId });
  given = await inTransaction(platform, async (tx) => {
    const role = async (slug: string, permissions: Rule[] = []) => {
      const row = tx.em.create(RoleEntity, { id: newId(), organizationId, projectId, slug, name: slug, permissions });
      await tx.em.persist(row).flush();
      return row.id;
    };
    const [own, ofGroup] = [await role('own'), await role('of-group')];
    // Expired and future rules have no effect.
    await role('everything', [{ subject: 'secrets', action: ['read'] }]);
    const everything = (hours: number) => ({
      role: 'everything',
      isTemporary: true as const,
      temporaryMode: 'relative' as const,
      temporaryRange: '1h',
      temporaryAccessStartTime: new Date(tx.now().getTime() + hours * 3_600_000),
    });
    const membership = await addMember(tx, {
      organizationId,
      projectId,
      userId: user.id,
      roles: [{ role: 'own', isTemporary: false }, everything(-2), everything(5)],
    });
    const group = tx.em.create(GroupEntity, { id: newId(), organizationId, name: 'readers', slug: 'readers' });
    await tx.em.persist(group).flush();
    await addMember(tx, {
      organizationId,
      projectId,
      groupId: group.id,
      roles: [{ role: 'of-group', isTemporary: false }],
    });
    await tx.em.flush();
    const privilege = newId();
    await tx.sql(JOIN, [newId(), organizationId, group.id, user.id]);
    await tx.sql(PRIVILEGE, [privilege, organizationId, projectId, membership.id]);
    return { own, ofGroup, privilege };
  });
  await giveRules([{ subject: 'secrets', action: ['describeSecret', 'create'] }], [1, 0]);
  for (const one of planted) {
    const personal = await createSecret(contextFor(reader), {
      ...{ projectId, environment: one.environment, secretPath: one.secretPath, secretName: one.secretName },
      ...{ type: 'personal', secretValue: personalOf(one) },
      // It has tags of its own, which rules do not use.
      tagIds: TAGS.filter((slug) => !one.secretTags.includes(slug)).map((slug) => tags.get(slug)!),
    });
    personalIds.set(keyOf(one), personal.id);
  }
});
afterAll(() => test.close());

const JOIN = statement(
  'test.join',
  `insert into group_members (id, organization_id, group_id, membership_id, actor_id)
   select $1, $2, $3, id, actor_id from memberships where actor_id = $4 and project_id is null`,
);
/** For the hours around now. */
const PRIVILEGE = statement(
  'test.privilege',
  `insert into additional_privileges (id, organization_id, project_id, membership_id, slug, permissions, is_temporary,
     temporary_mode, temporary_range, temporary_access_start_time, temporary_access_end_time)
   values ($1, $2, $3, $4, 'own', '[]', true, 'relative', '4h', now() - interval '2 hours', now() + interval '2 hours')`,
);
const GRANT = {
  role: statement('test.grant_role', 'update roles set permissions = $2::jsonb where id = $1'),
  privilege: statement(
    'test.grant_privilege',
    'update additional_privileges set permissions = $2::jsonb where id = $1',
  ),
};

/** Gives rules to the reader: the first by its own role, then by its group's, the last by a privilege. */
async function giveRules(rules: readonly Rule[], [ofOwn, ofGroup]: readonly [number, number]): Promise<void> {
  const give = (statementOf: keyof typeof GRANT, id: string, some: readonly Rule[]) =>
    contextFor(reader).sql(GRANT[statementOf], [id, JSON.stringify(some)]);
  await give('role', given.own, rules.slice(0, ofOwn));
  await give('role', given.ofGroup, rules.slice(ofOwn, ofOwn + ofGroup));
  await give('privilege', given.privilege, rules.slice(ofOwn + ofGroup));
  test.coffer.invalidate([`access:${projectId}`]);
}

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const condition = (texts: readonly string[], globs: readonly string[]) =>
  fc.oneof(
    oneOf(texts),
    oneOf(texts).map(($eq) => ({ $eq })),
    oneOf(texts).map(($ne) => ({ $ne })),
    fc.subarray([...texts], { minLength: 1 }).map(($in) => ({ $in })),
    oneOf(globs).map(($glob) => ({ $glob })),
  );
const conditions = fc.record(
  {
    environment: condition(['dev', 'staging', 'prod'], ['*', 'd*', '{dev,prod}', '[!p]*']),
    secretPath: condition(FOLDERS, ['/**', '/*', '/app*', '/app/**', '/', '/{app,A-b_c}']),
    secretName: condition([...NAMES, 'REF_0'], ['*', 'A_*', 'REF_*', '?*', '[!A]*', '*.*']),
    secretTags: fc.subarray([...TAGS, 'none'], { minLength: 1 }).map(($in) => ({ $in })),
  },
  { requiredKeys: [] },
);
const actions = fc.oneof(
  oneOf(['read', 'describeSecret', 'readValue']),
  fc.subarray(['read', 'describeSecret', 'readValue', 'create'], { minLength: 1 }),
);
const rules: fc.Arbitrary<Rule[]> = fc.array(
  fc.record({
    subject: fc.constant('secrets'),
    action: actions,
    conditions: fc.option(conditions, { nil: undefined }),
    inverted: fc.option(fc.boolean(), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 5 },
);

const status = async <T>(call: Promise<T>): Promise<T | string> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof DomainError) return error.kind;
    throw error;
  }
};

const NOTHING: Overview = { environments: [], folders: [], secrets: [], totalCount: 0 };

/** At length 100,000 cases. */
const RUNS = runs(25, 560);
let cases = 0;

async function compare(asGiven: readonly Rule[], parts: readonly [number, number]): Promise<void> {
  await giveRules(asGiven, parts);
  const may = (action: string, one: Planted) => naiveCan(asGiven, 'secrets', action, { ...one });
  const describable = planted.filter((one) => may('describeSecret', one));
  const expected = new Map(describable.map((one) => [keyOf(one), may('readValue', one)]));
  const shown = (secrets: readonly Secret[]) => new Map(secrets.map((one) => [shownKey(one), !one.secretValueHidden]));
  const within = (folder: string) => new Map([...expected].filter(([key]) => key.startsWith(`dev|${folder}|`)));
  const ask = {
    projectId,
    viewSecretValue: true,
    expandSecretReferences: false,
    recursive: false,
    includeImports: false,
    includePersonalOverrides: false,
  };

  await Promise.all([
    ...planted.map(async (one) => {
      const at = {
        projectId,
        environment: one.environment,
        secretPath: one.secretPath,
        secretName: one.secretName,
        type: 'shared' as const,
        expandSecretReferences: false,
        includeImports: false,
      };
      const personal = await status(readSecret(contextFor(reader), { ...at, type: 'personal', viewSecretValue: true }));
      expect([keyOf(one), typeof personal === 'string' ? personal : personal.secretValue]).toEqual([
        keyOf(one),
        expected.has(keyOf(one)) ? personalOf(one) : 'not_found',
      ]);
      const [withValue, without] = await Promise.all(
        [true, false].map((viewSecretValue) => status(readSecret(contextFor(reader), { ...at, viewSecretValue }))),
      );
      const seen = expected.get(keyOf(one));
      expect([keyOf(one), typeof withValue === 'string' ? withValue : withValue!.secretValue]).toEqual([
        keyOf(one),
        seen ? keyOf(one) : 'forbidden',
      ]);
      expect([keyOf(one), typeof without === 'string' ? without : without!.secretValueHidden]).toEqual([
        keyOf(one),
        seen === undefined ? 'forbidden' : true,
      ]);
      cases += 3;
    }),
    (async () => {
      // One request per ID: these are not batched.
      const one = planted[cases % planted.length]!;
      const how = { secretId: personalIds.get(keyOf(one))!, viewSecretValue: true, expandSecretReferences: false };
      const personal = await status(readSecretById(contextFor(reader), how));
      expect([keyOf(one), typeof personal === 'string' ? personal : personal.secretValue]).toEqual([
        keyOf(one),
        expected.has(keyOf(one)) ? personalOf(one) : 'not_found',
      ]);
      cases++;
    })(),
    ...FOLDERS.map(async (folder, index) => {
      const { secrets } = await listSecrets(contextFor(reader), { ...ask, environment: 'dev', secretPath: folder });
      expect(shown(secrets)).toEqual(within(folder));
      const { imports } = await listSecrets(contextFor(reader), {
        ...ask,
        environment: 'prod',
        secretPath: `/imports${index}`,
        includeImports: true,
      });
      expect(shown((imports as ImportedSecrets[]).flatMap((one) => one.secrets))).toEqual(within(folder));
      cases += 2 * NAMES.length;
    }),
    ...FOLDERS.map(async (secretPath) => {
      const how = {
        projectId,
        secretPath,
        environments: ['dev', 'prod'],
        includeImports: false,
        offset: 0,
        limit: 100,
      };
      const read = await status(readOverview(contextFor(reader), how));
      // Of the environments in which it sees something at this path, none has the folder.
      const isMissing = read === 'not_found' && within(secretPath).size === 0;
      const { secrets, folders, totalCount } = isMissing ? NOTHING : (read as Overview);
      const overview = secrets.flatMap(({ secretKey, environments }) =>
        environments.map((one) => [`${one.environment}|${secretPath}|${secretKey}`, one] as const),
      );
      expect(new Map(overview.map(([key, one]) => [key, !one.secretValueHidden]))).toEqual(within(secretPath));
      expect(overview.every(([, one]) => one.hasPersonalValue)).toBe(true);
      expect(totalCount).toBe(within(secretPath).size);
      const place = { projectId, environment: 'dev', path: secretPath, recursive: false };
      const listed = await status(listFolders(contextFor(reader), place));
      expect(folders.filter(({ environments }) => environments.includes('dev')).map(({ name }) => name)).toEqual(
        typeof listed === 'string' ? [] : listed.map(({ name }) => name),
      );
    }),
    ...NAMES.map(async (name) => {
      const found = await searchSecrets(contextFor(reader), { projectId, search: name.toLowerCase(), limit: 100 });
      const keys = found.map(({ environment, secretPath, secretKey }) => `${environment}|${secretPath}|${secretKey}`);
      expect(new Set(keys)).toEqual(new Set([...expected.keys()].filter((key) => key.endsWith(`|${name}`))));
    }),
    (async () => {
      const { secrets } = await listSecrets(contextFor(reader), {
        ...ask,
        environment: 'dev',
        secretPath: '/',
        recursive: true,
        includePersonalOverrides: true,
      });
      const [shared, personal] = (['shared', 'personal'] as const).map((type) =>
        secrets.filter((one) => one.type === type),
      );
      expect(shown(shared!)).toEqual(expected);
      expect(shown(personal!)).toEqual(new Map(describable.map((one) => [keyOf(one), true])));
      cases += 2 * planted.length;
    })(),
    ...planted
      .filter((one) => /^[A-Za-z0-9_-]+$/.test(one.secretName))
      .map(async (one, index) => {
        const pointer: Planted = {
          environment: 'staging',
          secretPath: '/',
          secretName: `REF_${index}`,
          secretTags: [],
        };
        const at = {
          projectId,
          environment: 'staging',
          secretPath: '/',
          secretName: pointer.secretName,
          type: 'shared' as const,
          includeImports: false,
          viewSecretValue: true,
        };
        const read = await status(readSecret(contextFor(reader), { ...at, expandSecretReferences: true }));
        const isAllowed = may('describeSecret', pointer) && may('readValue', pointer) && may('readValue', one);
        expect([pointer.secretName, typeof read === 'string' ? read : read.secretValue]).toEqual([
          pointer.secretName,
          isAllowed ? keyOf(one) : 'forbidden',
        ]);
        cases++;
      }),
  ]);
}

it(
  'single read, list, recursive list, overview, search, personal values, references and imports agree with a naive reading of the rules',
  { timeout: searchTime(300_000) },
  async () => {
    await fc.assert(fc.asyncProperty(rules, fc.tuple(fc.nat(3), fc.nat(3)), compare), { numRuns: RUNS });
    expect(cases).toBeGreaterThanOrEqual(RUNS * 186);
    reportSearch({ cases });
  },
);

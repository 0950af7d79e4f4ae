import fc from 'fast-check';
import { expect } from 'vitest';
import { addMember } from '../../../access/membership/index.ts';
import { DomainError, invalidate, inTransaction, statement, type Actor, type Context } from '../../../kernel/index.ts';
import { updateEnvironment } from '../../environment/environment.service.ts';
import { createTag } from '../../tag/tag.service.ts';
import { makeOrganization, makeProject, makeUser, type TestCoffer } from '../../../testing/index.ts';
import { createFolder } from '../../folder/create.ts';
import { nameOf, parentPath } from '../../folder/index.ts';
import { createSecretImport } from '../../import/index.ts';
import {
  createSecret,
  createSecrets,
  deleteSecrets,
  listSecrets,
  moveSecrets,
  updateSecret,
  updateSecrets,
  type Secret,
} from '../../secret/index.ts';
import { referencesIn, targetKey, type Target } from '../../secret/reference/reference.ts';
import { openText, SECRET_COLUMNS, SECRET_TABLES, type SecretRow } from '../../secret/row.ts';
import { deleteFolder } from '../../tree/remove.ts';
import { updateFolder } from '../../tree/update.ts';
import { readTree, type Tree } from '../index.ts';

/** An organization with its administrator and a user, for many projects. */
export interface People {
  readonly test: TestCoffer;
  readonly organizationId: string;
  readonly admin: Actor;
  readonly user: Actor;
}

export async function makePeople(test: TestCoffer): Promise<People> {
  const { id: organizationId, admin } = await makeOrganization(test.coffer);
  const user = { ...(await makeUser(test.coffer, { organizationId })).actor, organizationId };
  return { test, organizationId, admin: admin.actor, user };
}

/** One project, with a history of `dev` and `prod`. */
export interface World extends People {
  readonly projectId: string;
  readonly tagIds: readonly string[];
  readonly ctx: Context;
  readonly mine: Context;
}

export async function makeWorld(people: People): Promise<World> {
  const { test, organizationId, admin, user } = people;
  const { id: projectId } = await makeProject(test.coffer, organizationId, admin);
  const [ctx, mine] = [test.coffer.contextFor(admin), test.coffer.contextFor(user)];
  const { id: userId } = user as { id: string };
  await inTransaction(test.coffer.contextFor({ type: 'platform', organizationId }), async (tx) => {
    await addMember(tx, { organizationId, projectId, userId, roles: [{ role: 'member', isTemporary: false }] });
    invalidate(tx, `access:${projectId}`);
  });
  const tags = [
    await createTag(ctx, { projectId, slug: 'red', color: '' }),
    await createTag(ctx, { projectId, slug: 'blue', color: '' }),
  ];
  return { ...people, projectId, tagIds: tags.map((tag) => tag.id), ctx, mine };
}

const PATHS = ['/', '/a', '/b', '/a/c', '/a/c/d'];
const KEYS = ['A', 'B', 'C', 'D', 'E'];
export const path = fc.constantFrom(...PATHS);
const key = fc.constantFrom(...KEYS);
const value = fc.constantFrom('v', 'w', 'line\n', 'ünï😀', '', '${A}', '${dev.a.B}', '${dev.a.c.B}', '${prod.B}');
/** By their order in the project, since their slugs change. */
const environment = fc.constantFrom(0, 0, 0, 2);
const details = fc.record(
  {
    secretComment: fc.constantFrom('', 'c'),
    secretMetadata: fc.constantFrom<Secret['secretMetadata'][]>(
      [],
      [{ key: 'k', value: 'plain', isEncrypted: false }],
      [{ key: 'k', value: 'sealed', isEncrypted: true }],
    ),
    metadata: fc.constantFrom<Record<string, string>[]>({}, { older: 'form' }),
    skipMultilineEncoding: fc.boolean(),
    secretReminderNote: fc.constantFrom(null, 'soon'),
    secretReminderRepeatDays: fc.constantFrom(null, 30),
  },
  { requiredKeys: [] },
);
const tags = fc.option(fc.subarray([0, 1]), { nil: undefined });

export const operation = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    ...{ environment, path, value, details, tags },
    keys: fc.uniqueArray(key, { minLength: 1 }),
  }),
  fc.record({
    do: fc.constant('update' as const),
    ...{ environment, path, key, value, details, tags },
    newName: fc.option(key),
  }),
  fc.record({ do: fc.constant('swap' as const), environment, path, first: key, second: key }),
  fc.record({
    do: fc.constant('delete' as const),
    ...{ environment, path },
    keys: fc.uniqueArray(key, { minLength: 1 }),
  }),
  fc.record({
    do: fc.constant('move' as const),
    ...{ environment, path, to: path, into: environment },
    overwrite: fc.boolean(),
  }),
  fc.record({ do: fc.constant('own' as const), environment, path, key, value }),
  fc.record({
    do: fc.constant('make folder' as const),
    ...{ environment, path },
    description: fc.option(fc.constantFrom('d', 'e')),
  }),
  fc.record({
    do: fc.constant('rename folder' as const),
    ...{ environment, path },
    name: fc.constantFrom('a', 'b', 'c', 'd', 'x'),
  }),
  fc.record({ do: fc.constant('delete folder' as const), environment, path }),
  fc.record({
    do: fc.constant('rename environment' as const),
    environment,
    path,
    slug: fc.constantFrom('dev', 'prod', 'live'),
  }),
  fc.record({ do: fc.constant('import' as const), environment, path, from: path }),
);
export type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;

const ENVIRONMENTS = statement(
  'test.environments',
  'select id, slug from environments where project_id = $1 order by position',
);
const FOLDERS = statement(
  'test.folders',
  'select id, name, path, description from folders where environment_id = $1 and not is_reserved',
);
interface FolderRow {
  id: string;
  name: string;
  path: string;
  description: string | null;
}
const environmentsNow = ({ ctx, projectId }: World) => ctx.sql<{ id: string; slug: string }>(ENVIRONMENTS, [projectId]);

/** The slug that an environment of the project has now. */
export const slugOf = async (world: World, index: number): Promise<string> =>
  (await environmentsNow(world))[index]!.slug;

const EVERYTHING = {
  viewSecretValue: true,
  expandSecretReferences: false,
  recursive: false,
  includeImports: false,
  includePersonalOverrides: false,
};

/** Does it, and leaves alone what cannot be done. */
export async function perform(world: World, one: Operation): Promise<void> {
  const { ctx, mine, projectId, tagIds } = world;
  const here = (await environmentsNow(world))[one.environment]!;
  const place = { projectId, environment: here.slug };
  const at = { ...place, secretPath: one.path };
  const folder = { ...place, path: parentPath(one.path) };
  const folderId = async () =>
    (await ctx.sql<FolderRow>(FOLDERS, [here.id])).find((some) => some.path === one.path)?.id ?? 'none';
  const tagged = (some: number[] | undefined) => some && { tagIds: some.map((index) => tagIds[index]!) };
  const work = async (): Promise<unknown> => {
    switch (one.do) {
      case 'create': {
        const { value: secretValue, details: more } = one;
        const secrets = one.keys.map((secretKey) => ({ secretKey, secretValue, ...more, ...tagged(one.tags) }));
        return createSecrets(ctx, { ...at, secrets });
      }
      case 'update': {
        const renamed = one.newName && { newSecretName: one.newName };
        const change = { secretKey: one.key, secretValue: one.value, ...one.details, ...tagged(one.tags), ...renamed };
        return updateSecrets(ctx, { ...at, mode: 'failOnNotFound', secrets: [change] });
      }
      case 'swap':
        return updateSecrets(ctx, {
          ...at,
          mode: 'failOnNotFound',
          secrets: [
            { secretKey: one.first, newSecretName: one.second },
            { secretKey: one.second, newSecretName: one.first },
          ],
        });
      case 'delete':
        return deleteSecrets(ctx, {
          ...at,
          secrets: one.keys.map((secretKey) => ({ secretKey, type: 'shared' as const })),
        });
      case 'move': {
        const { secrets } = await listSecrets(ctx, { ...at, ...EVERYTHING });
        return moveSecrets(ctx, {
          projectId,
          sourceEnvironment: here.slug,
          sourceSecretPath: one.path,
          destinationEnvironment: await slugOf(world, one.into),
          destinationSecretPath: one.to,
          secretIds: secrets.slice(0, 2).map((secret) => secret.id),
          shouldOverwrite: one.overwrite,
        });
      }
      case 'own': {
        const own = { ...at, secretName: one.key, secretValue: one.value, type: 'personal' as const };
        return createSecret(mine, own).catch(() => updateSecret(mine, own));
      }
      case 'make folder':
        return createFolder(ctx, { ...folder, name: nameOf(one.path), description: one.description });
      case 'rename folder':
        return updateFolder(ctx, { ...folder, folderId: await folderId(), name: one.name, description: undefined });
      case 'delete folder':
        return deleteFolder(ctx, { ...folder, folderId: await folderId() });
      case 'rename environment':
        return updateEnvironment(ctx, { projectId, id: here.id, slug: one.slug });
      case 'import':
        return createSecretImport(ctx, {
          ...{ ...place, path: one.path, isReplication: false },
          import: { environment: here.slug, path: one.from },
        });
    }
  };
  await work().catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
  });
}

/** Without ids, versions and times: what people see, by the order of the environments. */
export const seen = ({ environments }: Pick<Tree, 'environments'>) =>
  environments.map(({ folders, secrets }) => ({
    folders: folders.map((folder) => ({ path: folder.path, description: folder.description })).toSorted(byPath),
    secrets: secrets.map(shown).toSorted(byPath),
  }));

const shown = ({ secretPath, secretKey, secretValue, secretComment, tags: some, ...secret }: Secret) => ({
  ...{ path: `${secretPath}:${secretKey}`, secretValue, secretComment, tags: some.map((tag) => tag.slug) },
  secretMetadata: secret.secretMetadata,
  metadata: secret.metadata,
  skipMultilineEncoding: secret.skipMultilineEncoding,
  reminder: [secret.secretReminderNote, secret.secretReminderRepeatDays],
});
const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);

/** The current contents, as listed. */
export async function living(world: World) {
  const { ctx, projectId } = world;
  const environments: Tree['environments'] = [];
  for (const { id, slug } of await environmentsNow(world)) {
    const at = { projectId, environment: slug, secretPath: '/' };
    const { secrets } = await listSecrets(ctx, { ...at, ...EVERYTHING, recursive: true });
    environments.push({ id, slug, folders: await ctx.sql<FolderRow>(FOLDERS, [id]), secrets });
  }
  return seen({ environments });
}

const LIVING = statement('test.living', `select ${SECRET_COLUMNS} from ${SECRET_TABLES} where s.project_id = $1`);
const NOTED = statement(
  'test.noted',
  'select secret_id, environment, path, key from secret_references where project_id = $1',
);

/**
 * The recorded references equal those in the values, including personal ones; and every personal value has a shared
 * secret.
 */
export async function expectNoted({ ctx, test, organizationId, projectId }: World): Promise<void> {
  const keys = await test.coffer.keys.project(organizationId, projectId);
  const rows = await ctx.sql<SecretRow>(LIVING, [projectId]);
  const noted = Map.groupBy(
    await ctx.sql<Target & { secret_id: string }>(NOTED, [projectId]),
    (target) => target.secret_id,
  );
  const shared = new Set(rows.filter((row) => row.userId === null).map(targetKey));
  for (const row of rows) {
    const said = referencesIn(openText(keys, row).value, row).map(targetKey);
    const known = (noted.get(row.id) ?? []).map(targetKey);
    expect([row.key, new Set(known)]).toEqual([row.key, new Set(said)]);
    expect(shared.has(targetKey(row))).toBe(true);
  }
}

export const tree = (
  { ctx, projectId }: World,
  moment: { revision?: number; at?: Date } = {},
  place: { environment?: string; secretPath: string } = { secretPath: '/' },
) => readTree(ctx, { projectId, viewSecretValue: true, ...place, ...moment });

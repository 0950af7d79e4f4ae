import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DomainError, statement, type Actor, type Context } from '../../../kernel/index.ts';
import { createTag } from '../../tag/tag.service.ts';
import { makeOrganization, makeProject, testCoffer, type TestCoffer } from '../../../testing/index.ts';
import { runs, searchTime } from '../../../testing/search.ts';
import { createFolder } from '../../folder/create.ts';
import { nameOf, parentPath } from '../../folder/index.ts';
import { deleteFolder } from '../../tree/remove.ts';
import { updateFolder } from '../../tree/update.ts';
import { createSecrets, deleteSecrets, listSecrets, moveSecrets, updateSecrets } from '../../secret/index.ts';
import { createSecretImport, deleteSecretImport, listSecretImports } from '../index.ts';
import { replicationJob } from './queue.ts';

let test: TestCoffer;
let admin: Actor;
let organizationId: string;

beforeAll(async () => {
  test = await testCoffer();
  const organization = await makeOrganization(test.coffer);
  organizationId = organization.id;
  admin = organization.admin.actor;
});
afterAll(() => test.close());

const PATHS = ['/', '/a', '/b', '/a/c'];
const path = fc.constantFrom(...PATHS);
const key = fc.constantFrom('A', 'B', 'C', 'D');
const value = fc.constantFrom('v', 'w', 'line\n', '', '${A}', '${B}', '${prod.a.B}', '${prod.b.C}', '${prod.a.c.A}');

const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      path,
      secrets: fc.uniqueArray(fc.record({ key, value }), { minLength: 1, selector: (one) => one.key }),
      tag: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('update' as const),
      path,
      key,
      newName: fc.option(key),
      // Each also alone: a change of tags does not mention values.
      ...{ value: fc.option(value, { freq: 2 }), tag: fc.option(fc.boolean(), { freq: 2 }) },
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), path, key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), path, to: path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('make folder' as const), path }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rename folder' as const), path, name: fc.constantFrom('a', 'b', 'c') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete folder' as const), path }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('import' as const), path, from: path, isReplication: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop importing' as const), path }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('jobs' as const), which: fc.infiniteStream(fc.boolean()) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;

const FOLDER = statement(
  'test.folder',
  `select f.id from folders f join environments e on e.id = f.environment_id
   where f.project_id = $1 and e.slug = 'prod' and f.path = $2`,
);
const REPLICATIONS = statement(
  'test.replications',
  'select id from secret_imports where project_id = $1 and replicated_by is not null order by id',
);

const replicationsOf = (ctx: Context, projectId: string) => ctx.sql<{ id: string }>(REPLICATIONS, [projectId]);
const runJob = (importId: string) =>
  replicationJob.run(
    test.coffer.contextFor({ type: 'platform', organizationId }),
    { organizationId, importId },
    { job: {} as never },
  );

/** Does it, and leaves alone what cannot be done. */
async function perform(ctx: Context, projectId: string, tagId: string, one: Operation): Promise<void> {
  const place = { projectId, environment: 'prod' };
  const work = async (): Promise<unknown> => {
    if (one.do === 'jobs') {
      const some = (await replicationsOf(ctx, projectId)).filter(() => one.which.next().value);
      for (const { id } of some) await runJob(id);
      return undefined;
    }
    const at = { ...place, secretPath: one.path };
    const folder = { ...place, path: parentPath(one.path) };
    const folderId = async () => (await ctx.sql<{ id: string }>(FOLDER, [projectId, one.path]))[0]?.id ?? 'none';
    switch (one.do) {
      case 'create':
        return createSecrets(ctx, {
          ...at,
          secrets: one.secrets.map((secret) => ({
            secretKey: secret.key,
            secretValue: secret.value,
            ...(one.tag && { tagIds: [tagId] }),
          })),
        });
      case 'update':
        return updateSecrets(ctx, {
          ...at,
          mode: 'failOnNotFound',
          secrets: [
            {
              secretKey: one.key,
              ...(one.value !== null && { secretValue: one.value }),
              ...(one.newName && { newSecretName: one.newName }),
              ...(one.tag !== null && { tagIds: one.tag ? [tagId] : [] }),
            },
          ],
        });
      case 'delete':
        return deleteSecrets(ctx, { ...at, secrets: [{ secretKey: one.key, type: 'shared' }] });
      case 'move': {
        const { secrets } = await listSecrets(ctx, { ...at, ...HOW, includeImports: false });
        return moveSecrets(ctx, {
          projectId,
          sourceEnvironment: 'prod',
          sourceSecretPath: one.path,
          destinationEnvironment: 'prod',
          destinationSecretPath: one.to,
          secretIds: secrets.slice(0, 2).map((secret) => secret.id),
          shouldOverwrite: true,
        });
      }
      case 'make folder':
        return createFolder(ctx, { ...folder, name: nameOf(one.path), description: undefined });
      case 'rename folder':
        return updateFolder(ctx, { ...folder, folderId: await folderId(), name: one.name, description: undefined });
      case 'delete folder':
        return deleteFolder(ctx, { ...folder, folderId: await folderId() });
      case 'import':
        return createSecretImport(ctx, {
          ...place,
          path: one.path,
          import: { environment: 'prod', path: one.from },
          isReplication: one.isReplication,
        });
      case 'stop importing': {
        const [first] = await listSecretImports(ctx, { ...place, path: one.path });
        return first && deleteSecretImport(ctx, { ...place, path: one.path, secretImportId: first.id });
      }
    }
  };
  await work().catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
  });
}

const HOW = {
  viewSecretValue: true,
  expandSecretReferences: true,
  recursive: false,
  includeImports: true,
  includePersonalOverrides: false,
};

/** The visible contents of a folder's imports, without IDs, versions and times. */
async function brought(ctx: Context, projectId: string, secretPath: string) {
  const { imports } = await listSecrets(ctx, { projectId, environment: 'dev', secretPath, ...HOW });
  return imports!.map(({ environment, secretPath: from, folderId, secrets }) => ({
    from: `${environment}${from}`,
    folderId,
    secrets: Object.fromEntries(
      secrets.map((one) => [one.secretKey, [one.secretValue, one.secretComment, one.tags.map((tag) => tag.slug)]]),
    ),
  }));
}

it(
  'returns, after random changes with jobs in any order, the same as plain imports of the same folders',
  { timeout: searchTime(300_000) },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40 }), async (operations) => {
        const ctx = test.coffer.contextFor(admin);
        const { id: projectId } = await makeProject(test.coffer, organizationId, admin);
        const tag = await createTag(ctx, { projectId, slug: 'one', color: '' });
        for (const name of ['plain', 'copied'])
          await createFolder(ctx, { projectId, environment: 'dev', path: '/', name, description: undefined });
        for (const [at, name] of [
          ['/', 'a'],
          ['/', 'b'],
          ['/a', 'c'],
        ] as const)
          await createFolder(ctx, { projectId, environment: 'prod', path: at, name, description: undefined });
        for (const [to, isReplication] of [
          ['/plain', false],
          ['/copied', true],
        ] as const)
          for (const from of ['/a', '/b'])
            await createSecretImport(ctx, {
              projectId,
              environment: 'dev',
              path: to,
              import: { environment: 'prod', path: from },
              isReplication,
            });
        // Something is copied before anything changes.
        for (const [at, tagIds] of [
          ['/a', [tag.id]],
          ['/b', []],
        ] as const)
          await createSecrets(ctx, {
            ...{ projectId, environment: 'prod', secretPath: at },
            secrets: ['A', 'B'].map((secretKey) => ({ secretKey, secretValue: 'v', tagIds: [...tagIds] })),
          });
        for (const { id } of await replicationsOf(ctx, projectId)) await runJob(id);
        for (const one of operations) await perform(test.coffer.contextFor(admin), projectId, tag.id, one);
        // A chain takes as many rounds as its length.
        const rows = await replicationsOf(ctx, projectId);
        for (const _ of rows) for (const { id } of rows) await runJob(id);
        expect(await brought(ctx, projectId, '/copied')).toEqual(await brought(ctx, projectId, '/plain'));
      }),
      { numRuns: runs(12, 1_500) },
    );
  },
);

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DomainError } from '../../kernel/index.ts';
import { testCoffer, type TestCoffer } from '../../testing/index.ts';
import { inTitle, runs, searchTime } from '../../testing/search.ts';
import { createFolder } from '../folder/create.ts';
import { foldersAt } from '../folder/index.ts';
import { createSecrets, deleteSecrets, moveSecrets, secretsAt, updateSecrets } from '../secret/index.ts';
import { compareTrees, getCommit, restoreTree, type Restored } from './index.ts';
import {
  expectNoted,
  living,
  makePeople,
  makeWorld,
  operation,
  path,
  perform,
  seen,
  slugOf,
  tree,
  type Operation,
  type People,
  type World,
} from './testing/random-history.ts';

const MANY = runs(2_000, 10_000);
let test: TestCoffer;
let people: People;

beforeAll(async () => {
  test = await testCoffer();
  people = await makePeople(test);
});
afterAll(() => test.close());

it(
  `a folder of ${inTitle(MANY)} secrets, changed in every way, is restored to its former state`,
  { timeout: 300_000 },
  async () => {
    const world = await makeWorld(people);
    const { ctx, projectId } = world;
    const place = { projectId, environment: 'dev', secretPath: '/many' };
    await createFolder(ctx, { projectId, environment: 'dev', path: '/', name: 'many' });
    await createFolder(ctx, { projectId, environment: 'dev', path: '/', name: 'elsewhere' });
    const keys = Array.from({ length: MANY }, (_, index) => `KEY_${index}`);
    await createSecrets(ctx, {
      ...place,
      secrets: keys.map((name) => ({ secretKey: name, secretValue: `value of ${name}` })),
    });
    const past = await tree(world);
    const [{ revision }, was] = [past, seen(past)];

    const some = (from: number, to: number) => keys.slice(from * MANY, to * MANY);
    await deleteSecrets(ctx, {
      ...place,
      secrets: some(0, 0.3).map((secretKey) => ({ secretKey, type: 'shared' as const })),
    });
    await updateSecrets(ctx, {
      ...place,
      mode: 'failOnNotFound',
      secrets: some(0.3, 0.6).map((secretKey) => ({ secretKey, secretValue: 'other' })),
    });
    await updateSecrets(ctx, {
      ...place,
      mode: 'failOnNotFound',
      secrets: some(0.6, 0.7).map((secretKey) => ({ secretKey, newSecretName: `NEW_${secretKey}` })),
    });
    await createSecrets(ctx, {
      ...place,
      secrets: some(0, 0.05).map((name) => ({ secretKey: name, secretValue: 'anew' })),
    });
    const { environments } = await tree(world, {}, { environment: 'dev', secretPath: '/many' });
    const secretIds = environments[0]!.secrets
      .filter(({ secretKey }) => secretKey.startsWith('KEY_9'))
      .map(({ id }) => id);
    await moveSecrets(ctx, {
      projectId,
      sourceEnvironment: 'dev',
      sourceSecretPath: '/many',
      destinationEnvironment: 'dev',
      destinationSecretPath: '/elsewhere',
      secretIds,
      shouldOverwrite: false,
    });

    await restoreTree(ctx, { projectId, environment: 'dev', secretPath: '/', revision });
    expect(await living(world)).toEqual(was);
  },
);

it('a read of the past is limited to the size of a response', async () => {
  const world = await makeWorld(people);
  const { ctx, projectId } = world;
  const secrets = ['A', 'B', 'C'].map((secretKey) => ({ secretKey, secretValue: 'v' }));
  await createSecrets(ctx, { projectId, environment: 'dev', secretPath: '/', secrets });
  const { revision, environments } = await tree(world);
  const folders = await foldersAt(ctx, environments[0]!.id, revision);
  const read = (most: number) => secretsAt(ctx, { projectId }, { environment: 'dev', folders }, { revision, most });
  expect(await read(3)).toHaveLength(3);
  await expect(read(2)).rejects.toMatchObject({ code: 'history.too_many', kind: 'bad_request' });
});

/** A folder is compared and restored that had another name then. */
const RENAMED_SINCE: [Operation[], { moment: number; of: 0; path: string }[]] = [
  [
    { do: 'make folder', environment: 0, path: '/a/c', description: null },
    { do: 'rename folder', environment: 0, path: '/a', name: 'b' },
  ],
  [{ moment: 1, of: 0, path: '/b' }],
];
const RUNS = runs(6, 250);
const operations = fc.array(operation, { minLength: 5, maxLength: 25 });

/** The contents, and their revision. */
const momentOf = async (world: World) => {
  const { revision } = await tree(world);
  return { revision, at: test.coffer.now(), was: await living(world) };
};

/**
 * A folder that did not exist is rejected, and so are values that would form a cycle: in another environment, or by a
 * slug that was reassigned.
 */
async function tryRestore(
  { ctx, projectId }: World,
  place: { environment?: string | undefined; secretPath: string },
  revision: number,
): Promise<Restored | undefined> {
  try {
    return await restoreTree(ctx, { projectId, ...place, revision });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (place.secretPath === '/' && error.code !== 'secret.reference_cycle') throw error;
    return undefined;
  }
}

it(
  'any random history can be read, compared and restored as of each of its moments',
  { timeout: searchTime(600_000) },
  async () => {
    const restoration = fc.record({ moment: fc.nat(), of: fc.constantFrom(undefined, 0, 2), path });
    const property = fc.asyncProperty(
      operations,
      fc.array(restoration, { minLength: 2, maxLength: 3 }),
      async (changes, restorations) => {
        const world = await makeWorld(people);
        const { ctx, projectId } = world;
        const moments = [await momentOf(world)];
        for (const one of changes) {
          test.advance(10);
          await perform(world, one);
          moments.push(await momentOf(world));
        }
        for (const { revision, at, was } of moments) {
          expect(seen(await tree(world, { revision }))).toEqual(was);
          expect(seen(await tree(world, { at }))).toEqual(was);
        }
        for (const { moment, of, path: secretPath } of restorations) {
          const { revision, was } = moments[moment % moments.length]!;
          const environment = of === undefined ? undefined : await slugOf(world, of);
          // Of a whole environment or project, or of a folder; a folder that did not exist is neither.
          let restored: Restored | undefined;
          for (const place of [
            { environment, secretPath },
            { environment, secretPath: '/' },
          ]) {
            restored = await tryRestore(world, place, revision);
            await expectNoted(world);
            if (!restored || (of === undefined && place.secretPath !== '/')) continue;
            const { changes: different } = await compareTrees(ctx, {
              ...{ projectId, ...place, fromRevision: revision, viewSecretValue: true },
            });
            expect(different).toEqual({ folders: [], secrets: [], hiddenCount: 0 });
          }
          if (!restored) continue;
          const now = await living(world);
          const whole = of === undefined ? [0, 1, 2] : [of];
          expect(whole.map((index) => now[index])).toEqual(whole.map((index) => was[index]));
        }
      },
    );
    await fc.assert(property, { numRuns: RUNS, examples: [RENAMED_SINCE] });
  },
);

it(
  'a restoration during many concurrent writes has exactly the former state at its revision',
  { timeout: searchTime(600_000) },
  async () => {
    const property = fc.asyncProperty(
      operations,
      fc.array(operation, { minLength: 4, maxLength: 8 }),
      fc.nat(),
      async (changes, meanwhile, choice) => {
        const world = await makeWorld(people);
        const { ctx, projectId } = world;
        const moments = [await momentOf(world)];
        for (const one of changes) {
          await perform(world, one);
          moments.push(await momentOf(world));
        }
        const { revision, was } = moments[choice % moments.length]!;
        const [restored] = await Promise.all([
          tryRestore(world, { secretPath: '/' }, revision),
          ...meanwhile.map((one) => perform(world, one)),
        ]);
        await expectNoted(world);
        if (!restored?.commitId) return;
        const commit = await getCommit(ctx, { projectId, commitId: restored.commitId, viewSecretValue: true });
        expect(seen(await tree(world, { revision: commit.revision }))).toEqual(was);
      },
    );
    await fc.assert(property, { numRuns: Math.ceil(RUNS / 2) });
  },
);

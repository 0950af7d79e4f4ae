import fc from 'fast-check';
import { changes } from '../../../app/changes.ts';
import { inTransaction, type Context } from '../../../kernel/index.ts';
import { requireMayFreeTargets } from '../../../connections/sync/index.ts';
import { deleteEnvironment, updateEnvironment } from '../../environment/environment.service.ts';
import { listSnapshots } from '../../history/index.ts';
import { replicateImport } from '../../import/replication/copy.ts';
import { requireMayEndSource } from '../../publication/index.ts';
import { nameOf } from '../../folder/index.ts';
import { createSecret, readSecret } from '../../secret/index.ts';
import { submitChange } from '../submit.ts';
import { FOLDERS, REFERRED, secretOf, type Folder, type PolicyWorld } from './policy-world.ts';
import { ANYWHERE, ENVIRONMENTS, type Departure, type Environment, type Touched } from './naive-policies.ts';

/** The location of a random write; each kind of write uses part of it. */
export interface Spots {
  readonly environment: Environment;
  readonly path: Folder;
  readonly toEnvironment: Environment;
  readonly toPath: Folder;
}
export const spots: fc.Arbitrary<Spots> = fc.record({
  environment: fc.constantFrom(...ENVIRONMENTS),
  path: fc.constantFrom(...FOLDERS),
  toEnvironment: fc.constantFrom(...ENVIRONMENTS),
  toPath: fc.constantFrom(...FOLDERS),
});

/** One kind of write: how it is done, and what it touches by a naive reading. */
export interface Write {
  readonly run: (ctx: Context, world: PolicyWorld, at: Spots) => Promise<unknown>;
  readonly touches: (at: Spots) => readonly Touched[];
  /** What readers follow to another place, or no longer get. */
  readonly departures?: (at: Spots) => readonly Departure[];
  /** Whoever may permanently edit policies needs no approval. */
  readonly isLiftable?: true;
  /** Coffer itself does it. */
  readonly isOwn?: true;
}

const here = ({ environment, path }: Spots): Touched[] => [{ environment, path }];
const there = ({ toEnvironment, toPath }: Spots): Touched[] => [{ environment: toEnvironment, path: toPath }];
const both = (at: Spots): Touched[] => [...here(at), { environment: at.environment, path: at.toPath }];
const below = (path: string): string[] =>
  FOLDERS.filter((one) => path === '/' || one === path || one.startsWith(`${path}/`));
const tree = ({ environment, path }: Spots): Touched[] => below(path).map((one) => ({ environment, path: one }));
const moved = (path: string, name: string) => path.slice(0, path.lastIndexOf('/') + 1) + name;
/** A folder, what is below it, and where references lead below it. */
const renames = (at: Spots): Required<Departure>[] =>
  [...tree(at), ...(at.path === '/a' ? [{ environment: at.environment, path: REFERRED }] : [])].map((from) => ({
    from,
    to: { environment: at.environment, path: moved(at.path, 'z') + from.path.slice(at.path.length) },
  }));
const renamed = (at: Spots): Touched[] => renames(at).flatMap(({ from, to }) => [from, to]);
const wholeEnvironment = ({ environment }: Spots): Touched[] => [{ environment, path: ANYWHERE }];

const place = ({ projectId }: PolicyWorld, { environment, path }: Spots) => ({
  projectId,
  environment,
  secretPath: path as string,
});
const folderPlace = ({ projectId }: PolicyWorld, { environment, path }: Spots) => ({
  projectId,
  environment,
  path: path as string,
});
const named = ({ path }: Spots) => ({ secretName: secretOf(path), type: 'shared' as const });
const batch = (at: Spots) => [
  { secretKey: secretOf(at.path), secretValue: '9' },
  { secretKey: `T${FOLDERS.indexOf(at.toPath)}`, secretValue: '9', secretPath: at.toPath },
];
const folderId = ({ folderIds }: PolicyWorld, { environment, path }: Spots) => folderIds.get(`${environment}:${path}`)!;

async function transfer(ctx: Context, world: PolicyWorld, at: Spots) {
  const { id } = await readSecret(ctx, {
    ...{ ...place(world, at), ...named(at), viewSecretValue: true },
    ...{ expandSecretReferences: false, includeImports: false },
  });
  return {
    projectId: world.projectId,
    sourceEnvironment: at.environment,
    sourceSecretPath: at.path,
    destinationEnvironment: at.toEnvironment,
    destinationSecretPath: at.toPath,
    secretIds: [id],
    shouldOverwrite: false,
  };
}

/** The folder and what is below it, with the places of both at the destination. */
const transferred = (at: Spots): Required<Departure>[] =>
  tree(at).map((from) => ({
    from,
    to: {
      environment: at.toEnvironment,
      path: (at.toPath === '/' ? '' : at.toPath) + from.path.slice(at.path.lastIndexOf('/')),
    },
  }));
const wholeFolder = ({ projectId }: PolicyWorld, at: Spots) => ({
  projectId,
  sourceEnvironment: at.environment,
  sourceSecretPath: at.path.slice(0, at.path.lastIndexOf('/')) || '/',
  folderNames: [nameOf(at.path)],
  destinationEnvironment: at.toEnvironment,
  destinationSecretPath: at.toPath,
  shouldOverwrite: false,
});

const imported = (world: PolicyWorld) => ({ projectId: world.projectId, environment: 'prod', path: '/c' });
const IMPORTED = [{ environment: 'prod', path: '/c' }];

/** Every way to write secrets, folders and imports; a test compares them with `changes`. */
export const WRITES: Readonly<Record<string, Write>> = {
  createSecret: {
    run: (ctx, world, at) =>
      submitChange(ctx, changes.createSecret, {
        ...{ ...place(world, at), secretName: 'NEW', secretValue: '1', type: 'shared' },
      }),
    touches: here,
  },
  createSecrets: {
    run: (ctx, world, at) =>
      submitChange(ctx, changes.createSecrets, {
        ...place(world, at),
        secrets: [{ secretKey: 'NEW', secretValue: '1' }],
      }),
    touches: here,
  },
  updateSecret: {
    run: (ctx, world, at) =>
      submitChange(ctx, changes.updateSecret, { ...place(world, at), ...named(at), newSecretName: 'OTHER' }),
    touches: here,
  },
  updateSecrets: {
    run: (ctx, world, at) =>
      submitChange(ctx, changes.updateSecrets, { ...place(world, at), mode: 'upsert', secrets: batch(at) }),
    touches: both,
  },
  deleteSecret: {
    run: (ctx, world, at) => submitChange(ctx, changes.deleteSecret, { ...place(world, at), ...named(at) }),
    touches: here,
  },
  deleteSecrets: {
    run: (ctx, world, at) =>
      submitChange(ctx, changes.deleteSecrets, {
        ...place(world, at),
        secrets: [{ secretKey: secretOf(at.path), type: 'shared' }],
      }),
    touches: here,
  },
  changeSecrets: {
    run: (ctx, world, at) => {
      const { environment, path, toEnvironment, toPath } = at;
      const isSame = environment === toEnvironment && path === toPath;
      const create = [{ secretKey: 'NEW', secretValue: '1' }];
      const nothing = { create: [], update: [], delete: [] };
      return submitChange(ctx, changes.changeSecrets, {
        projectId: world.projectId,
        changes: [
          { ...nothing, environment, secretPath: path, delete: [{ secretKey: secretOf(path), type: 'shared' }] },
          ...(isSame ? [] : [{ ...nothing, environment: toEnvironment, secretPath: toPath, create }]),
        ],
      });
    },
    touches: (at) => [...here(at), ...there(at)],
  },
  moveSecrets: {
    run: async (ctx, world, at) => submitChange(ctx, changes.moveSecrets, await transfer(ctx, world, at)),
    touches: (at) => [...here(at), ...there(at)],
    departures: (at) => [{ from: here(at)[0]!, to: there(at)[0]! }],
  },
  duplicateSecrets: {
    run: async (ctx, world, at) => submitChange(ctx, changes.duplicateSecrets, await transfer(ctx, world, at)),
    touches: there,
  },
  tagSecret: {
    run: (ctx, world, at) =>
      submitChange(ctx, changes.tagSecret, { ...place(world, at), ...named(at), tagSlugs: ['red'], attach: true }),
    touches: here,
  },
  updateFolder: {
    run: (ctx, world, at) =>
      submitChange(ctx, changes.updateFolder, {
        ...{ projectId: world.projectId, environment: at.environment, folderId: folderId(world, at), name: 'z' },
        ...{ path: undefined, description: undefined },
      }),
    touches: renamed,
    departures: renames,
  },
  updateFolders: {
    run: (ctx, world, at) =>
      submitChange(ctx, changes.updateFolders, {
        projectSlug: world.projectSlug,
        folders: [
          {
            ...{ id: folderId(world, at), environment: at.environment, name: 'z' },
            ...{ path: undefined, description: undefined },
          },
        ],
      }),
    touches: renamed,
    departures: renames,
  },
  deleteFolder: {
    run: (ctx, world, at) =>
      submitChange(ctx, changes.deleteFolder, {
        ...{ projectId: world.projectId, environment: at.environment, folderId: folderId(world, at) },
      }),
    touches: tree,
  },
  copyFolders: {
    run: (ctx, world, at) => submitChange(ctx, changes.copyFolders, wholeFolder(world, at)),
    touches: (at) => transferred(at).map(({ to }) => to),
  },
  relocateFolders: {
    run: (ctx, world, at) => submitChange(ctx, changes.relocateFolders, wholeFolder(world, at)),
    touches: (at) => transferred(at).flatMap(({ from, to }) => [from, to]),
    departures: transferred,
  },
  createSecretImport: {
    run: (ctx, world, at) =>
      submitChange(ctx, changes.createSecretImport, {
        ...{ ...folderPlace(world, at), isReplication: false },
        import: { environment: 'staging', path: '/' },
      }),
    touches: here,
  },
  updateSecretImport: {
    run: (ctx, world) =>
      submitChange(ctx, changes.updateSecretImport, {
        ...{ ...imported(world), secretImportId: world.importId },
        import: { environment: 'staging' },
      }),
    touches: () => IMPORTED,
  },
  deleteSecretImport: {
    run: (ctx, world) =>
      submitChange(ctx, changes.deleteSecretImport, { ...imported(world), secretImportId: world.importId }),
    touches: () => IMPORTED,
  },
  restoreTree: {
    run: (ctx, world, at) =>
      submitChange(ctx, changes.restoreTree, {
        ...{ projectId: world.projectId, environment: at.environment, secretPath: '/', revision: world.revision },
      }),
    touches: ({ environment }) => [{ environment, path: '/a/b' }],
  },
  rollBackToSnapshot: {
    run: async (ctx, world, { environment }) => {
      const wanted = { projectId: world.projectId, environment, path: '/a/b', offset: 1, limit: 1 };
      const [older] = await listSnapshots(ctx, wanted);
      return submitChange(ctx, changes.rollBackToSnapshot, { secretSnapshotId: older!.id });
    },
    touches: ({ environment }) => [{ environment, path: '/a/b' }],
  },
  replication: {
    run: (ctx, { organizationId, replicationId }) =>
      submitChange(ctx, replicateImport, { organizationId, importId: replicationId }),
    touches: () => [{ environment: 'prod', path: '/a' }],
    isOwn: true,
  },
  'a personal value': {
    run: (ctx, world, at) =>
      createSecret(ctx, {
        ...{ ...place(world, at), secretName: secretOf(at.path), secretValue: 'mine', type: 'personal' },
      }),
    touches: () => [],
  },
  'another slug of the environment': {
    run: (ctx, { projectId, environmentIds }, { environment }) =>
      updateEnvironment(ctx, { projectId, id: environmentIds[environment], slug: 'z' }),
    touches: wholeEnvironment,
    departures: (at) => [{ from: wholeEnvironment(at)[0]! }],
  },
  'the end of an integration': {
    run: (ctx, world, at) => inTransaction(ctx, (tx) => requireMayEndSource(tx, place(world, at))),
    touches: here,
    isLiftable: true,
  },
  'the end of the environment': {
    run: (ctx, { projectId, environmentIds }, { environment }) =>
      deleteEnvironment(ctx, { projectId, id: environmentIds[environment] }, requireMayFreeTargets),
    // Its importing folders are in `prod`.
    touches: (at) => [
      ...wholeEnvironment(at),
      ...(at.environment === 'dev' ? ['/a', '/c'].map((path) => ({ environment: 'prod', path })) : []),
    ],
    departures: (at) => [{ from: wholeEnvironment(at)[0]! }],
  },
};

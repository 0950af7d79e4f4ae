import {
  ChangedSecrets,
  changes,
  ChangeSecrets,
  CreateSecret,
  CreateSecrets,
  DeleteSecret,
  DeleteSecrets,
  flag,
  Id,
  ListSecrets,
  listSecrets,
  listSecretVersions,
  MoveSecrets,
  Overview,
  page,
  ReadSecret,
  readSecret,
  readOverview,
  ReadOverview,
  readSecretById,
  FoundInProject,
  FoundSecret,
  SearchSecrets,
  searchEverywhere,
  SearchEverywhere,
  searchSecrets,
  SecretPlace,
  secretPermissions,
  submitChange,
  stateOf,
  stateOfSecret,
  traceDependents,
  traceSecret,
  UpdateSecret,
  UpdateSecrets,
  Uuid,
  type Context,
  type Dependent,
  type Hop,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, restForServices, router } from '../kernel/index.ts';
import { changing, orApproval } from './change.ts';
import {
  ManySecrets,
  many,
  Moved,
  moved,
  one,
  OneSecret,
  published,
  PublishedSecret,
  SecretsAndImports,
  withImports,
} from './secret.published.ts';

const { describeSecret, create, edit, delete: remove } = secretPermissions;

/** The state that responses about secrets depend on. */
const ofProject = (ctx: Context, { projectId }: { projectId: string }) => stateOf(ctx, projectId);
const ofSecret = (ctx: Context, { secretId }: { secretId: string }) => stateOfSecret(ctx, secretId);

/** Clients write this parameter in both ways, on both generations. */
const include_imports = flag().optional().describe('The same as `includeImports`');

const At = SecretPlace.extend({ secretName: z.string().trim().min(1).max(255) });

const Hop: z.ZodType<Hop> = z.object({
  key: z.string(),
  environment: z.string(),
  secretPath: z.string(),
  value: z.string().optional(),
  isImported: z.boolean(),
  get children() {
    return z.array(Hop);
  },
});
const Dependent: z.ZodType<Dependent> = z.object({
  key: z.string(),
  environment: z.string(),
  secretPath: z.string(),
  get children() {
    return z.array(Dependent);
  },
});

export const secretRouter = router({
  list: procedure
    .meta(
      restForServices('GET', '/api/v4/secrets', describeSecret, 'List the secrets of a folder', { etag: ofProject }),
    )
    .input(ListSecrets.extend({ include_imports }))
    .output(SecretsAndImports)
    .query(async ({ ctx, input }) =>
      withImports(await listSecrets(ctx, { ...input, includeImports: input.include_imports ?? input.includeImports })),
    ),
  overview: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/projects/{projectId}/secrets/overview',
        describeSecret,
        'List the keys of a folder across environments',
        {
          description:
            'Secrets without values, and folders, by the environments in which they are. A key is on one page, with all its environments; filters select keys.',
        },
      ),
    )
    .input(ReadOverview)
    .output(Overview)
    .query(({ ctx, input }) => readOverview(ctx, input)),
  search: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/projects/{projectId}/secrets/search',
        describeSecret,
        'Find secrets of a project by a part of their name',
        { description: 'In all environments and folders. Names that begin with it come first.' },
      ),
    )
    .input(SearchSecrets)
    .output(z.object({ secrets: z.array(FoundSecret) }))
    .query(async ({ ctx, input }) => ({ secrets: await searchSecrets(ctx, input) })),
  searchEverywhere: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/secrets/search',
        'member',
        'Find secrets and folders of all projects by a part of their name',
        {
          description: 'In the projects that the caller is a member of, as far as it may describe and see them there.',
        },
      ),
    )
    .input(SearchEverywhere)
    .output(z.object({ projects: z.array(FoundInProject) }))
    .query(async ({ ctx, input }) => ({ projects: await searchEverywhere(ctx, input) })),
  get: procedure
    .meta(
      restForServices(
        'GET',
        '/api/v4/secrets/{secretName}',
        describeSecret,
        'Read a secret, or an older version of it',
        {
          etag: ofProject,
        },
      ),
    )
    .input(ReadSecret.extend({ include_imports }))
    .output(OneSecret)
    .query(async ({ ctx, input }) =>
      one(await readSecret(ctx, { ...input, includeImports: input.include_imports ?? input.includeImports })),
    ),
  getById: procedure
    .meta(
      rest('GET', '/api/v4/secrets/id/{secretId}', describeSecret, 'Read a secret by its id', {
        aliases: ['/api/v3/secrets/raw/id/{secretId}'],
        etag: ofSecret,
      }),
    )
    .input(
      z.object({ secretId: Id, viewSecretValue: flag().default(true), expandSecretReferences: flag().default(false) }),
    )
    .output(OneSecret)
    .query(async ({ ctx, input }) => one(await readSecretById(ctx, input))),
  create: procedure
    .meta(restForServices('POST', '/api/v4/secrets/{secretName}', create, 'Create a secret'))
    .input(CreateSecret)
    .output(orApproval(OneSecret))
    .mutation(({ ctx, input }) => changing(ctx, changes.createSecret, input, one)),
  update: procedure
    .meta(
      restForServices('PATCH', '/api/v4/secrets/{secretName}', edit, 'Update or rename a secret', {
        description: 'Omitted fields stay unchanged. References follow a rename.',
      }),
    )
    .input(UpdateSecret)
    .output(orApproval(OneSecret))
    .mutation(({ ctx, input }) => changing(ctx, changes.updateSecret, input, one)),
  delete: procedure
    .meta(restForServices('DELETE', '/api/v4/secrets/{secretName}', remove, 'Delete a secret'))
    .input(DeleteSecret)
    .output(orApproval(OneSecret))
    .mutation(({ ctx, input }) => changing(ctx, changes.deleteSecret, input, one)),
  createMany: procedure
    .meta(
      restForServices('POST', '/api/v4/secrets/batch', create, 'Create secrets', {
        description: 'All or none.',
      }),
    )
    .input(CreateSecrets)
    .output(orApproval(ManySecrets))
    .mutation(({ ctx, input }) => changing(ctx, changes.createSecrets, input, many)),
  updateMany: procedure
    .meta(
      restForServices('PATCH', '/api/v4/secrets/batch', edit, 'Update secrets', {
        description: 'All or none.',
      }),
    )
    .input(UpdateSecrets)
    .output(orApproval(ManySecrets))
    .mutation(({ ctx, input }) => changing(ctx, changes.updateSecrets, input, many)),
  deleteMany: procedure
    .meta(
      restForServices('DELETE', '/api/v4/secrets/batch', remove, 'Delete secrets', {
        description: 'All or none.',
      }),
    )
    .input(DeleteSecrets)
    .output(orApproval(ManySecrets))
    .mutation(({ ctx, input }) => changing(ctx, changes.deleteSecrets, input, many)),
  change: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/projects/{projectId}/secrets/changes',
        [create, edit, remove],
        'Create, update and delete secrets in several folders',
        {
          description:
            'All or none, in one commit, across environments. An update with `expectedVersion` fails with 409 if the secret has another version now.',
          comparesVersions: true,
        },
      ),
    )
    .input(ChangeSecrets)
    .output(orApproval(ChangedSecrets))
    .mutation(({ ctx, input }) => changing(ctx, changes.changeSecrets, input, (secrets) => ({ secrets }))),
  move: procedure
    .meta(
      restForServices('POST', '/api/v4/secrets/move', remove, 'Move secrets to another folder', {
        description: 'References follow the secrets.',
      }),
    )
    .input(MoveSecrets)
    .output(Moved)
    .mutation(async ({ ctx, input }) => moved(await submitChange(ctx, changes.moveSecrets, input))),
  duplicate: procedure
    .meta(restForServices('POST', '/api/v4/secrets/duplicate', create, 'Copy secrets to another folder'))
    .input(MoveSecrets)
    .output(orApproval(ManySecrets))
    .mutation(({ ctx, input }) => changing(ctx, changes.duplicateSecrets, input, many)),
  versions: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/secret/{secretId}/secret-versions',
        describeSecret,
        'List the versions of a secret, newest first',
        { aliases: ['/api/v4/secrets/id/{secretId}/versions'], etag: ofSecret },
      ),
    )
    .input(
      z.object({ secretId: Id, ...page({ limit: 20, maxLimit: 1000 }).shape, viewSecretValue: flag().default(true) }),
    )
    .output(z.object({ secretVersions: z.array(PublishedSecret.extend({ secretId: Uuid })) }))
    .query(async ({ ctx, input }) => ({
      secretVersions: (await listSecretVersions(ctx, input)).map(({ secretId, ...version }) => ({
        ...published(version),
        secretId,
      })),
    })),
  trace: procedure
    .meta(
      restForServices(
        'GET',
        '/api/v4/secrets/{secretName}/secret-reference-tree',
        describeSecret,
        'Resolve the references of a value, step by step',
        { etag: ofProject },
      ),
    )
    .input(At)
    .output(z.object({ tree: Hop, value: z.string() }))
    .query(({ ctx, input }) => traceSecret(ctx, input)),
  dependents: procedure
    .meta(
      restForServices(
        'GET',
        '/api/v4/secrets/{secretName}/reference-dependency-tree',
        describeSecret,
        'List the secrets that refer to a secret',
        { etag: ofProject },
      ),
    )
    .input(At)
    .output(z.object({ tree: Dependent }))
    .query(async ({ ctx, input }) => ({ tree: await traceDependents(ctx, input) })),
});

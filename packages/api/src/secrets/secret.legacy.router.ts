import {
  CreateSecret,
  createSecret,
  CreateSecrets,
  createSecrets,
  DeleteSecret,
  deleteSecret,
  DeleteSecrets,
  deleteSecrets,
  EnvironmentSlug,
  flag,
  Id,
  ListSecrets,
  listSecrets,
  MoveSecrets,
  moveSecrets,
  placeOfRead,
  projectIdOf,
  ReadSecret,
  readSecret,
  SecretName,
  SecretPlace,
  secretPermissions,
  SecretType,
  tagSecret,
  traceSecret,
  UpdateSecret,
  updateSecret,
  UpdateSecrets,
  updateSecrets,
  type Context,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, restForServices, router } from '../kernel/index.ts';
import { many, ManySecrets, one, OneSecret, SecretsAndImports, withImports } from './secret.published.ts';

const { describeSecret, create, edit, delete: remove } = secretPermissions;
const deprecated = { deprecated: true } as const;

/** The third generation names the project `workspaceId`, or by its slug. */
const Workspace = {
  workspaceId: Id.optional().describe("The project's id"),
  workspaceSlug: z.string().trim().optional().describe("The project's slug, where workspaceId is not given"),
  projectSlug: z.string().trim().optional().describe('The same as workspaceSlug'),
};
const include_imports = flag().optional();
const environment = EnvironmentSlug.optional().describe(
  'The slug of an environment; a service token for one folder need not name it',
);

interface Named {
  workspaceId?: string | undefined;
  workspaceSlug?: string | undefined;
  projectSlug?: string | undefined;
}

/** The same call in the words of the present generation. */
async function fromV3<Input extends Named>(ctx: Context, { workspaceId, workspaceSlug, projectSlug, ...input }: Input) {
  return {
    ...input,
    projectId: await projectIdOf(ctx, { projectId: workspaceId, projectSlug: projectSlug ?? workspaceSlug }),
  };
}

const TagSecret = SecretPlace.omit({ projectId: true }).extend({
  ...Workspace,
  secretName: SecretName,
  type: SecretType.default('shared'),
  tagSlugs: z.array(z.string().trim().min(1)).min(1).max(100),
});

export const secretLegacyRouter = router({
  list: procedure
    .meta(
      restForServices('GET', '/api/v3/secrets/raw', describeSecret, 'List the secrets of a folder', {
        ...deprecated,
        etag: true,
      }),
    )
    .input(
      ListSecrets.omit({ projectId: true, includePersonalOverrides: true }).extend({
        ...Workspace,
        environment,
        include_imports,
      }),
    )
    .output(SecretsAndImports)
    .query(async ({ ctx, input: { include_imports: imports, ...input } }) =>
      withImports(
        await listSecrets(ctx, {
          ...(await fromV3(ctx, placeOfRead(ctx, input))),
          includeImports: imports ?? input.includeImports,
          includePersonalOverrides: true,
        }),
      ),
    ),
  get: procedure
    .meta(
      restForServices(
        'GET',
        '/api/v3/secrets/raw/{secretName}',
        describeSecret,
        'Read a secret, or an older version of it',
        {
          ...deprecated,
          etag: true,
        },
      ),
    )
    .input(ReadSecret.omit({ projectId: true }).extend({ ...Workspace, environment, include_imports }))
    .output(OneSecret)
    .query(async ({ ctx, input: { include_imports: imports, ...input } }) =>
      one(
        await readSecret(ctx, {
          ...(await fromV3(ctx, placeOfRead(ctx, input))),
          includeImports: imports ?? input.includeImports,
        }),
      ),
    ),
  create: procedure
    .meta(restForServices('POST', '/api/v3/secrets/raw/{secretName}', create, 'Create a secret', deprecated))
    .input(CreateSecret.omit({ projectId: true }).extend(Workspace))
    .output(OneSecret)
    .mutation(async ({ ctx, input }) => one(await createSecret(ctx, await fromV3(ctx, input)))),
  update: procedure
    .meta(restForServices('PATCH', '/api/v3/secrets/raw/{secretName}', edit, 'Change or rename a secret', deprecated))
    .input(UpdateSecret.omit({ projectId: true }).extend(Workspace))
    .output(OneSecret)
    .mutation(async ({ ctx, input }) => one(await updateSecret(ctx, await fromV3(ctx, input)))),
  delete: procedure
    .meta(restForServices('DELETE', '/api/v3/secrets/raw/{secretName}', remove, 'Delete a secret', deprecated))
    .input(DeleteSecret.omit({ projectId: true }).extend(Workspace))
    .output(OneSecret)
    .mutation(async ({ ctx, input }) => one(await deleteSecret(ctx, await fromV3(ctx, input)))),
  createMany: procedure
    .meta(
      restForServices('POST', '/api/v3/secrets/batch/raw', create, 'Create secrets', {
        description: 'All of them or none.',
      }),
    )
    .input(CreateSecrets.omit({ projectId: true }).extend(Workspace))
    .output(ManySecrets)
    .mutation(async ({ ctx, input }) => many(await createSecrets(ctx, await fromV3(ctx, input)))),
  updateMany: procedure
    .meta(
      restForServices('PATCH', '/api/v3/secrets/batch/raw', edit, 'Change secrets', {
        ...deprecated,
        description: 'All of them or none.',
      }),
    )
    .input(UpdateSecrets.omit({ projectId: true }).extend(Workspace))
    .output(ManySecrets)
    .mutation(async ({ ctx, input }) => many(await updateSecrets(ctx, await fromV3(ctx, input)))),
  deleteMany: procedure
    .meta(
      restForServices('DELETE', '/api/v3/secrets/batch/raw', remove, 'Delete secrets', {
        ...deprecated,
        description: 'All of them or none.',
      }),
    )
    .input(DeleteSecrets.omit({ projectId: true }).extend(Workspace))
    .output(ManySecrets)
    .mutation(async ({ ctx, input }) => many(await deleteSecrets(ctx, await fromV3(ctx, input)))),
  move: procedure
    .meta(restForServices('POST', '/api/v3/secrets/move', remove, 'Move secrets to another folder', deprecated))
    .input(MoveSecrets.omit({ projectId: true }).extend(Workspace))
    .output(z.object({ isSourceUpdated: z.boolean(), isDestinationUpdated: z.boolean() }))
    .mutation(async ({ ctx, input }) => moveSecrets(ctx, await fromV3(ctx, input))),
  attachTags: procedure
    .meta(restForServices('POST', '/api/v3/secrets/tags/{secretName}', edit, 'Put tags on a secret'))
    .input(TagSecret)
    .output(OneSecret)
    .mutation(async ({ ctx, input }) => one(await tagSecret(ctx, await fromV3(ctx, input), true))),
  detachTags: procedure
    .meta(restForServices('DELETE', '/api/v3/secrets/tags/{secretName}', edit, 'Take tags off a secret'))
    .input(TagSecret)
    .output(OneSecret)
    .mutation(async ({ ctx, input }) => one(await tagSecret(ctx, await fromV3(ctx, input), false))),
  trace: procedure
    .meta(
      restForServices(
        'GET',
        '/api/v3/secrets/raw/{secretName}/secret-reference-tree',
        describeSecret,
        'Show what a value is made of, hop by hop',
        deprecated,
      ),
    )
    .input(
      SecretPlace.omit({ projectId: true }).extend({ ...Workspace, secretName: z.string().trim().min(1).max(255) }),
    )
    .output(z.object({ tree: z.unknown(), value: z.string() }))
    .query(async ({ ctx, input }) => traceSecret(ctx, await fromV3(ctx, input))),
});

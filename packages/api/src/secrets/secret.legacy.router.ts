import {
  changes,
  CreateSecret,
  CreateSecrets,
  DeleteSecret,
  DeleteSecrets,
  EnvironmentSlug,
  flag,
  Id,
  ListSecrets,
  listSecrets,
  MoveSecrets,
  placeOfRead,
  projectIdOf,
  ReadSecret,
  readSecret,
  SecretName,
  SecretPlace,
  secretPermissions,
  SecretType,
  submitChange,
  stateOf,
  traceSecret,
  UpdateSecret,
  UpdateSecrets,
  type Context,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, restForServices, router, type ApiCall } from '../kernel/index.ts';
import { changing, orApproval } from './change.ts';
import { many, ManySecrets, Moved, moved, one, OneSecret, SecretsAndImports, withImports } from './secret.published.ts';

const { describeSecret, create, edit, delete: remove } = secretPermissions;
const deprecated = { deprecated: true } as const;

/** The third generation names the project `workspaceId`, or by its slug. */
const Workspace = {
  workspaceId: Id.optional().describe('The ID of the project'),
  workspaceSlug: z.string().trim().optional().describe("The project's slug, where workspaceId is not given"),
  projectSlug: z.string().trim().optional().describe('The same as `workspaceSlug`'),
};
const include_imports = flag().optional();
const environment = EnvironmentSlug.optional().describe(
  'The slug of the environment; optional for a service token of one folder',
);

type V3Call = Context & Pick<ApiCall, 'namedProject'>;

interface Named {
  workspaceId?: string | undefined;
  workspaceSlug?: string | undefined;
  projectSlug?: string | undefined;
}

/** The same call in current form. */
async function fromV3<Input extends Named>(ctx: V3Call, { workspaceId, workspaceSlug, projectSlug, ...input }: Input) {
  return { ...input, projectId: await projectOf(ctx, { workspaceId, workspaceSlug, projectSlug }) };
}

/** A call names one project, which is looked up once. */
const projectOf = (ctx: V3Call, { workspaceId, workspaceSlug, projectSlug }: Named): Promise<string> =>
  (ctx.namedProject ??= projectIdOf(ctx, { projectId: workspaceId, projectSlug: projectSlug ?? workspaceSlug }));

/** The state that responses about the secrets of a location depend on. */
const ofProject = async (ctx: V3Call, input: Parameters<typeof placeOfRead>[1]) =>
  stateOf(ctx, await projectOf(ctx, placeOfRead(ctx, input)));

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
        etag: ofProject,
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
          etag: ofProject,
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
    .output(orApproval(OneSecret))
    .mutation(async ({ ctx, input }) => changing(ctx, changes.createSecret, await fromV3(ctx, input), one)),
  update: procedure
    .meta(restForServices('PATCH', '/api/v3/secrets/raw/{secretName}', edit, 'Update or rename a secret', deprecated))
    .input(UpdateSecret.omit({ projectId: true }).extend(Workspace))
    .output(orApproval(OneSecret))
    .mutation(async ({ ctx, input }) => changing(ctx, changes.updateSecret, await fromV3(ctx, input), one)),
  delete: procedure
    .meta(restForServices('DELETE', '/api/v3/secrets/raw/{secretName}', remove, 'Delete a secret', deprecated))
    .input(DeleteSecret.omit({ projectId: true }).extend(Workspace))
    .output(orApproval(OneSecret))
    .mutation(async ({ ctx, input }) => changing(ctx, changes.deleteSecret, await fromV3(ctx, input), one)),
  createMany: procedure
    .meta(
      restForServices('POST', '/api/v3/secrets/batch/raw', create, 'Create secrets', {
        description: 'All or none.',
      }),
    )
    .input(CreateSecrets.omit({ projectId: true }).extend(Workspace))
    .output(orApproval(ManySecrets))
    .mutation(async ({ ctx, input }) => changing(ctx, changes.createSecrets, await fromV3(ctx, input), many)),
  updateMany: procedure
    .meta(
      restForServices('PATCH', '/api/v3/secrets/batch/raw', edit, 'Update secrets', {
        ...deprecated,
        description: 'All or none.',
      }),
    )
    .input(UpdateSecrets.omit({ projectId: true }).extend(Workspace))
    .output(orApproval(ManySecrets))
    .mutation(async ({ ctx, input }) => changing(ctx, changes.updateSecrets, await fromV3(ctx, input), many)),
  deleteMany: procedure
    .meta(
      restForServices('DELETE', '/api/v3/secrets/batch/raw', remove, 'Delete secrets', {
        ...deprecated,
        description: 'All or none.',
      }),
    )
    .input(DeleteSecrets.omit({ projectId: true }).extend(Workspace))
    .output(orApproval(ManySecrets))
    .mutation(async ({ ctx, input }) => changing(ctx, changes.deleteSecrets, await fromV3(ctx, input), many)),
  move: procedure
    .meta(restForServices('POST', '/api/v3/secrets/move', remove, 'Move secrets to another folder', deprecated))
    .input(MoveSecrets.omit({ projectId: true }).extend(Workspace))
    .output(Moved)
    .mutation(async ({ ctx, input }) => moved(await submitChange(ctx, changes.moveSecrets, await fromV3(ctx, input)))),
  attachTags: procedure
    .meta(restForServices('POST', '/api/v3/secrets/tags/{secretName}', edit, 'Add tags to a secret'))
    .input(TagSecret)
    .output(orApproval(OneSecret))
    .mutation(async ({ ctx, input }) =>
      changing(ctx, changes.tagSecret, { ...(await fromV3(ctx, input)), attach: true }, one),
    ),
  detachTags: procedure
    .meta(restForServices('DELETE', '/api/v3/secrets/tags/{secretName}', edit, 'Remove tags from a secret'))
    .input(TagSecret)
    .output(orApproval(OneSecret))
    .mutation(async ({ ctx, input }) =>
      changing(ctx, changes.tagSecret, { ...(await fromV3(ctx, input)), attach: false }, one),
    ),
  trace: procedure
    .meta(
      restForServices(
        'GET',
        '/api/v3/secrets/raw/{secretName}/secret-reference-tree',
        describeSecret,
        'Resolve the references of a value, step by step',
        deprecated,
      ),
    )
    .input(
      SecretPlace.omit({ projectId: true }).extend({ ...Workspace, secretName: z.string().trim().min(1).max(255) }),
    )
    .output(z.object({ tree: z.unknown(), value: z.string() }))
    .query(async ({ ctx, input }) => traceSecret(ctx, await fromV3(ctx, input))),
});

import {
  ActorAccess,
  ActorAccessQuery,
  AccessQuery,
  getActorAccess,
  getOwnAccess,
  Id,
  notFound,
  organizationPermissions,
  Plan,
  projectPermissions,
  AccessReport,
  whoCanAccess,
} from '@coffer/domain';
import { z } from 'zod';
import { planProcedure, procedure, rest, router, type ApiCall, type ProcedureLike } from '../kernel/index.ts';

const inProject = '/api/v1/projects/{projectId}/access';
const inOrganization = '/api/v1/organization/access';
const { describeSecret } = projectPermissions('secrets');
const { read: readFolders } = projectPermissions('secret-folders');
const [users, identities] = [projectPermissions('member'), projectPermissions('identity')];
const [people, machines] = [organizationPermissions('member'), organizationPermissions('identity')];

const ofProject = z.object({ projectId: Id });
const hasEnvironment = ({ environment, secretPath, secretName }: z.output<typeof ActorAccessQuery>): boolean =>
  environment !== undefined || (secretPath === undefined && secretName === undefined);
const WITHOUT_ENVIRONMENT = { path: ['environment'], message: '`environment` is required' };
const OwnAt = ActorAccessQuery.extend(ofProject.shape);

/** An operation that explains what one actor may do. */
const explain = (path: `/${string}`, needs: Parameters<typeof rest>[2], whom: string) =>
  procedure
    .meta(rest('GET', path, needs, `Explain the effective permissions of ${whom}`))
    .output(z.object({ access: ActorAccess }));

const ofProjects = {
  who: procedure
    .meta(
      rest(
        'GET',
        inProject,
        [describeSecret, readFolders],
        'List who can access a secret or a folder, and by which grants',
        {
          description:
            'Members that the caller may not read are counted, not named. The response reveals no more of the secret or the folder than reading it does.',
        },
      ),
    )
    .input(AccessQuery)
    .output(z.object({ access: AccessReport }))
    .query(async ({ ctx, input }) => ({ access: await whoCanAccess(ctx, input) })),
  me: explain(`${inProject}/me`, 'member', 'the caller in a project')
    .input(OwnAt.refine(hasEnvironment, WITHOUT_ENVIRONMENT))
    .query(async ({ ctx, input }) => ({ access: await getOwnAccess(ctx, input) })),
  user: explain(`${inProject}/users/{userId}`, users.read, 'a user in a project')
    .input(OwnAt.extend({ userId: Id }).refine(hasEnvironment, WITHOUT_ENVIRONMENT))
    .query(async ({ ctx, input }) => ({ access: await getActorAccess(ctx, input) })),
  identity: explain(`${inProject}/identities/{identityId}`, identities.read, 'a machine identity in a project')
    .input(OwnAt.extend({ identityId: Id }).refine(hasEnvironment, WITHOUT_ENVIRONMENT))
    .query(async ({ ctx, input }) => ({ access: await getActorAccess(ctx, input) })),
};

const ofOrganizations = {
  meInOrganization: explain(`${inOrganization}/me`, 'member', 'the caller in the organization')
    .input(z.object({}))
    .query(async ({ ctx }) => ({ access: await getOwnAccess(ctx, {}) })),
  userInOrganization: explain(`${inOrganization}/users/{userId}`, people.read, 'a user in the organization')
    .input(z.object({ userId: Id }))
    .query(async ({ ctx, input }) => ({ access: await getActorAccess(ctx, input) })),
  identityInOrganization: explain(
    `${inOrganization}/identities/{identityId}`,
    machines.read,
    'a machine identity in the organization',
  )
    .input(z.object({ identityId: Id }))
    .query(async ({ ctx, input }) => ({ access: await getActorAccess(ctx, input) })),
};

const Planned = z.object({
  operation: z.string().max(100).describe('The name of the procedure, for example `projectRoles.update`'),
  input: z.record(z.string(), z.unknown()).default({}).describe('The input of the procedure'),
});

/** Effective access, its reasons, and plans of changes. `procedures`: the plannable ones, by name. */
export const accessRouter = (procedures: () => ReadonlyMap<string, ProcedureLike>) =>
  router({
    ...ofProjects,
    ...ofOrganizations,
    /** Over REST, send the operation itself with `dryRun`. */
    plan: procedure
      .meta({ needs: 'member' })
      .input(Planned)
      .output(Plan)
      .mutation(({ ctx, input: { operation, input } }) => {
        const planned = procedures().get(operation);
        if (!planned) throw notFound('operation', { operation });
        return planProcedure(planned, ctx as ApiCall, operation, input);
      }),
  });

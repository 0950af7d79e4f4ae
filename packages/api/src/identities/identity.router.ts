import {
  CountIdentities,
  countIdentities,
  CreateIdentity,
  createIdentity,
  deleteIdentity,
  getIdentity,
  getOwnIdentity,
  Identity,
  IdentityDetails,
  IdentityMembership,
  identityPermissions,
  identityRights,
  IdentityProject,
  IdentityRef,
  ListIdentities,
  listIdentities,
  ListIdentityMemberships,
  listIdentityMemberships,
  listProjectsOfIdentity,
  SearchIdentities,
  searchIdentities,
  UpdateIdentity,
  updateIdentity,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const One = z.object({ identity: Identity });
const Page = z.object({ identities: z.array(IdentityMembership), totalCount: z.int() });
const { read, create } = identityPermissions;
/** Of the organization, or of the project that the identity belongs to. */
const { read: readOne, edit: editOne, delete: deleteOne } = identityRights;

export const identityRouter = router({
  list: procedure
    .meta(rest('GET', '/api/v1/identities', read, 'List the machine identities of an organization'))
    .input(ListIdentities)
    .output(Page)
    .query(({ ctx, input }) => listIdentities(ctx, input)),

  search: procedure
    .meta(
      rest('POST', '/api/v2/identities/search', read, 'Search machine identities', {
        aliases: ['/api/v1/identities/search'],
      }),
    )
    .input(SearchIdentities)
    .output(Page)
    .mutation(({ ctx, input }) => searchIdentities(ctx, input)),

  count: procedure
    .meta(rest('POST', '/api/v2/identities/search/count', read, 'Count the machine identities that match a search'))
    .input(CountIdentities)
    .output(z.object({ count: z.int() }))
    .mutation(async ({ ctx, input }) => ({ count: await countIdentities(ctx, input) })),

  listMemberships: procedure
    .meta(
      rest(
        'GET',
        '/api/v2/organizations/{orgId}/identity-memberships',
        read,
        'List the machine identities of an organization, paginated',
      ),
    )
    .input(ListIdentityMemberships)
    .output(z.object({ identityMemberships: z.array(IdentityMembership), totalCount: z.int() }))
    .query(async ({ ctx, input }) => {
      const { identities, totalCount } = await listIdentityMemberships(ctx, input);
      return { identityMemberships: identities, totalCount };
    }),

  own: procedure
    .meta(
      rest('GET', '/api/v1/identities/details', 'member', 'Read the machine identity of the caller', {
        actors: ['identity'],
      }),
    )
    .input(z.object({}))
    .output(z.object({ identityDetails: IdentityDetails.pick({ organization: true }), identity: Identity }))
    .query(async ({ ctx }) => {
      const { identity, organization } = await getOwnIdentity(ctx);
      return { identityDetails: { organization }, identity };
    }),

  get: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/identities/{identityId}',
        readOne,
        'Read a machine identity with its role in the organization',
      ),
    )
    .input(IdentityRef)
    .output(z.object({ identity: IdentityMembership }))
    .query(async ({ ctx, input }) => ({ identity: await getIdentity(ctx, input) })),

  listProjects: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/identities/{identityId}/identity-memberships',
        readOne,
        'List the projects of a machine identity',
      ),
    )
    .input(IdentityRef)
    .output(z.object({ identityMemberships: z.array(IdentityProject) }))
    .query(async ({ ctx, input }) => ({ identityMemberships: await listProjectsOfIdentity(ctx, input) })),

  create: procedure
    .meta(rest('POST', '/api/v1/identities', create, 'Create a machine identity', { plannable: true }))
    .input(CreateIdentity)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ identity: await createIdentity(ctx, input) })),

  update: procedure
    .meta(rest('PATCH', '/api/v1/identities/{identityId}', editOne, 'Update a machine identity', { plannable: true }))
    .input(UpdateIdentity)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ identity: await updateIdentity(ctx, input) })),

  delete: procedure
    .meta(
      rest('DELETE', '/api/v1/identities/{identityId}', deleteOne, 'Delete a machine identity and revoke its tokens', {
        plannable: true,
      }),
    )
    .input(IdentityRef)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ identity: await deleteIdentity(ctx, input) })),
});

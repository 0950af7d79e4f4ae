import {
  AuditLogPage,
  ChangeEncryptionStrategy,
  changeEncryptionStrategy,
  deleteInstanceUser,
  EncryptionStrategy,
  InstanceIdentity,
  InstanceIdentityRef,
  InstanceOrganization,
  InstanceOverview,
  instanceOverview,
  InstanceUser,
  listEncryptionStrategies,
  listInstanceIdentities,
  listInstanceAuditLog,
  ListInstanceAuditLog,
  ListInstanceIdentities,
  listInstanceOrganizations,
  ListInstanceOrganizations,
  listInstanceUsers,
  ListInstanceUsers,
  RateLimit,
  rateLimits,
  revokeIdentityAdmin,
  setSuperAdmin,
  UpdateRateLimits,
  updateRateLimits,
  UserRef,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const RateLimitAnswer = z.object({ rateLimit: RateLimit });

/** For the administrators of the instance. */
export const instanceManagementRouter = router({
  listUsers: procedure
    .meta(rest('GET', '/api/v1/admin/user-management/users', 'member', 'List the users of all organizations'))
    .input(ListInstanceUsers)
    .output(z.object({ users: z.array(InstanceUser) }))
    .query(async ({ ctx, input }) => ({ users: await listInstanceUsers(ctx, input) })),
  deleteUser: procedure
    .meta(rest('DELETE', '/api/v1/admin/user-management/users/{userId}', 'member', 'Delete a user'))
    .input(UserRef)
    .output(z.object({ users: InstanceUser }))
    .mutation(async ({ ctx, input }) => ({ users: await deleteInstanceUser(ctx, input) })),
  grantAdmin: procedure
    .meta(
      rest(
        'PATCH',
        '/api/v1/admin/user-management/users/{userId}/admin-access',
        'member',
        'Make a user an administrator of the instance',
      ),
    )
    .input(UserRef)
    .output(z.object({}))
    .mutation(async ({ ctx, input }) => {
      await setSuperAdmin(ctx, input, true);
      return {};
    }),
  revokeAdmin: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v1/admin/user-management/users/{userId}/admin-access',
        'member',
        'Remove a user from the administrators of the instance',
      ),
    )
    .input(UserRef)
    .output(z.object({ user: InstanceUser }))
    .mutation(async ({ ctx, input }) => ({ user: await setSuperAdmin(ctx, input, false) })),
  listOrganizations: procedure
    .meta(rest('GET', '/api/v1/admin/organizations', 'member', 'List all organizations'))
    .input(ListInstanceOrganizations)
    .output(z.object({ organizations: z.array(InstanceOrganization) }))
    .query(async ({ ctx, input }) => ({ organizations: await listInstanceOrganizations(ctx, input) })),
  overview: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/admin/overview',
        'member',
        'Read the state of the instance: memory, database, background jobs, key rotation',
      ),
    )
    .input(z.object({}))
    .output(InstanceOverview)
    .query(({ ctx }) => instanceOverview(ctx)),
  auditLog: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/admin/audit-logs',
        'member',
        'List the audit events of the instance: rejected tokens, and rejected logins of unknown clients',
      ),
    )
    .input(ListInstanceAuditLog)
    .output(AuditLogPage)
    .query(({ ctx, input }) => listInstanceAuditLog(ctx, input)),
  listIdentities: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/admin/identity-management/identities',
        'member',
        'List the machine identities of all organizations',
      ),
    )
    .input(ListInstanceIdentities)
    .output(z.object({ identities: z.array(InstanceIdentity) }))
    .query(async ({ ctx, input }) => ({ identities: await listInstanceIdentities(ctx, input) })),
  revokeIdentityAdmin: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v1/admin/identity-management/identities/{identityId}/super-admin-access',
        'member',
        'Remove a machine identity from the administrators of the instance',
      ),
    )
    .input(InstanceIdentityRef)
    .output(z.object({ identity: InstanceIdentity }))
    .mutation(async ({ ctx, input }) => ({ identity: await revokeIdentityAdmin(ctx, input) })),
  rateLimits: procedure
    .meta(rest('GET', '/api/v1/rate-limit', 'member', 'Read the rate limits'))
    .input(z.object({}))
    .output(RateLimitAnswer)
    .query(async ({ ctx }) => ({ rateLimit: await rateLimits(ctx) })),
  updateRateLimits: procedure
    .meta(
      rest(
        'PUT',
        '/api/v1/rate-limit',
        'member',
        'Replace the rate limits; all processes apply them within one second',
      ),
    )
    .input(UpdateRateLimits)
    .output(RateLimitAnswer)
    .mutation(async ({ ctx, input }) => ({ rateLimit: await updateRateLimits(ctx, input) })),
  encryptionStrategies: procedure
    .meta(rest('GET', '/api/v1/admin/encryption-strategies', 'member', 'List the root key encryption strategies'))
    .input(z.object({}))
    .output(z.object({ strategies: z.array(EncryptionStrategy) }))
    .query(({ ctx }) => ({ strategies: listEncryptionStrategies(ctx) })),
  changeEncryptionStrategy: procedure
    .meta(rest('PATCH', '/api/v1/admin/encryption-strategies', 'member', 'Select the root key encryption strategy'))
    .input(ChangeEncryptionStrategy)
    .output(z.object({}))
    .mutation(({ ctx, input }) => {
      changeEncryptionStrategy(ctx, input);
      return {};
    }),
});

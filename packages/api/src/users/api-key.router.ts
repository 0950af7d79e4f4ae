import {
  ApiKey,
  createApiKey,
  CreateApiKey,
  CreatedApiKey,
  DeleteApiKey,
  deleteApiKey,
  listApiKeys,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const path = '/api/v2/users/me/api-keys';
const Nothing = z.object({});
/** A session: an API key does not see, make or delete keys. */
const people = { actors: ['user'] } as const;

export const apiKeyRouter = router({
  list: procedure
    .meta(rest('GET', path, 'member', 'List the API keys of the current user in this organization', people))
    .input(Nothing)
    .output(z.array(ApiKey))
    .query(({ ctx }) => listApiKeys(ctx)),
  listV3: procedure
    .meta(
      rest(
        'GET',
        '/api/v3/users/me/api-keys',
        'member',
        'List the API keys of the current user in this organization',
        people,
      ),
    )
    .input(Nothing)
    .output(z.object({ apiKeyData: z.array(ApiKey) }))
    .query(async ({ ctx }) => ({ apiKeyData: await listApiKeys(ctx) })),
  create: procedure
    .meta(
      rest('POST', path, 'member', 'Create an API key for this organization', {
        ...people,
        description:
          'The key acts as the user, with the rights that the user holds in the organization at the time of each call. It is revoked when the membership ends, when the password changes, or when all sessions are ended. Operations on sessions, credentials, the account and the instance do not accept it.',
      }),
    )
    .input(CreateApiKey)
    .output(CreatedApiKey)
    .mutation(({ ctx, input }) => createApiKey(ctx, input)),
  delete: procedure
    .meta(rest('DELETE', `${path}/{apiKeyDataId}`, 'member', 'Delete an API key of the current user', people))
    .input(DeleteApiKey)
    .output(z.object({ apiKeyData: ApiKey }))
    .mutation(async ({ ctx, input }) => ({ apiKeyData: await deleteApiKey(ctx, input) })),
});

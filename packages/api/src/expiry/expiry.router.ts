import { EndingPage, ListEndings, listEndings } from '@coffer/domain';
import { procedure, rest, router } from '../kernel/index.ts';

export const expiryRouter = router({
  list: procedure
    .meta(
      rest('GET', '/api/v1/expiry', 'member', 'List what ends when', {
        description:
          'Certificates, authorities, tokens, leases, temporary roles and privileges of a project; without `projectId`, credentials of the machine identities of the organization, and, if you call with a session, your own API keys. Only what you may read.',
      }),
    )
    .input(ListEndings)
    .output(EndingPage)
    .query(({ ctx, input }) => listEndings(ctx, input)),
});

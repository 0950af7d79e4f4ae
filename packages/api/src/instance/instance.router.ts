import { Bootstrap, bootstrap, Bootstrapped } from '@coffer/domain';
import { procedure, rest, router } from '../kernel/index.ts';

export const instanceRouter = router({
  bootstrap: procedure
    .meta(rest('POST', '/api/v1/admin/bootstrap', 'public', 'Make the first administrator, organization and machine identity, once'))
    .input(Bootstrap)
    .output(Bootstrapped)
    .mutation(({ ctx, input }) => bootstrap(ctx, input)),
});

import {
  AdminSignUp,
  Bootstrap,
  bootstrap,
  Bootstrapped,
  getStatus,
  InstanceConfig,
  instanceConfig,
  Organization,
  signUpAdmin,
  Status,
  UpdateInstanceConfig,
  updateInstanceConfig,
  User,
} from '@coffer/domain';
import { z } from 'zod';
import { limitingRefusals, procedure, rest, router } from '../kernel/index.ts';
import { keepSession } from '../users/refresh-cookie.ts';

/** Both operations take the same code. */
const SETUP = 'instance.setup';
const Config = z.object({ config: InstanceConfig });

export const instanceRouter = router({
  status: procedure
    .meta(rest('GET', '/api/status', 'public', 'Check whether the server is ready'))
    .input(z.object({}))
    .output(Status)
    .query(({ ctx }) => getStatus(ctx)),
  bootstrap: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/admin/bootstrap',
        'public',
        'Create the first administrator, organization and machine identity; works once',
        { limitsRefusals: true },
      ),
    )
    .input(Bootstrap)
    .output(Bootstrapped)
    .mutation(({ ctx, input }) => limitingRefusals(ctx, SETUP, () => bootstrap(ctx, input))),
  signUp: procedure
    .meta(
      rest('POST', '/api/v1/admin/signup', 'public', 'Create the first administrator and log in; works once', {
        limitsRefusals: true,
      }),
    )
    .input(AdminSignUp)
    .output(z.object({ message: z.string(), user: User, organization: Organization, token: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const { user, organization, session } = await limitingRefusals(ctx, SETUP, () => signUpAdmin(ctx, input));
      return { message: 'Successfully set up admin account', user, organization, token: keepSession(ctx, session) };
    }),
  config: procedure
    .meta(rest('GET', '/api/v1/admin/config', 'public', 'Read the settings of the instance'))
    .input(z.object({}))
    .output(Config)
    .query(async ({ ctx }) => ({ config: await instanceConfig(ctx) })),
  configure: procedure
    .meta(rest('PATCH', '/api/v1/admin/config', 'member', 'Update the settings of the instance'))
    .input(UpdateInstanceConfig)
    .output(Config)
    .mutation(async ({ ctx, input }) => ({ config: await updateInstanceConfig(ctx, input) })),
});

import { Vercel } from '../../../../apps/vercel/testing/vercel.ts';
import type { DestinationExample } from '../../testing/example.ts';

export const example: DestinationExample = {
  target() {
    const vercel = new Vercel();
    const env = 'env_staging';
    return {
      credentials: { method: 'api-token', apiToken: vercel.token },
      config: { teamId: 'team_acme', app: 'prj_shop', appName: 'shop', env },
      serve: (standIns) => standIns.serve('api.vercel.com', vercel.listener),
      held: () =>
        Object.fromEntries(
          vercel.variables.flatMap(({ key, value, customEnvironmentIds = [] }) =>
            customEnvironmentIds.includes(env) ? [[key, value]] : [],
          ),
        ),
      put: (key, value) => vercel.add({ key, value, type: 'encrypted', target: [], customEnvironmentIds: [env] }),
    };
  },
};

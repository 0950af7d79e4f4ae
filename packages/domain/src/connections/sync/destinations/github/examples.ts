import type { DestinationExample } from '../../testing/example.ts';
import { GitHub } from '../../testing/github.ts';

const PLACE = '/repos/acme/web/actions';

export const example: DestinationExample = {
  target() {
    const gitHub = new GitHub('ghp_example');
    return {
      credentials: { method: 'pat', personalAccessToken: gitHub.token },
      config: { scope: 'repository', owner: 'acme', repo: 'web' },
      serve: (standIns) => standIns.serve('api.github.com', gitHub.listener),
      held: () => gitHub.values(PLACE),
      put: (name, value) => void gitHub.at(PLACE).set(name, { value }),
    };
  },
  auth: { accessToken: 'ghp_example' },
  integration: { owner: 'acme', app: 'web' },
};

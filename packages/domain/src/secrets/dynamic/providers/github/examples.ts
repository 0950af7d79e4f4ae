import { generateKeyPairSync } from 'node:crypto';
import { GitHubApp } from '../../../../apps/github/testing/app.ts';
import type { ProviderExample } from '../../testing/example.ts';

const another = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
  .trim();

const inputs = { appId: 4711, installationId: 815, privateKey: another };

export const example: ProviderExample = {
  least: inputs,
  full: inputs,
  standIn() {
    const app = new GitHubApp();
    const { appId, installationId, privateKey } = app;
    return {
      host: 'api.github.com',
      listener: app.listener,
      inputs: () => ({ appId, installationId, privateKey }),
      wrong: () => ({ appId, installationId, privateKey: another }),
      elsewhere: () => ({ appId: 1, installationId: 2 }),
      works: async ({ TOKEN = '' }) => app.tokens.has(TOKEN),
      outlivesLeases: true,
      longest: '1h',
      cannotRenew: 'The expiry of a GitHub token cannot be changed: create another lease',
    };
  },
};

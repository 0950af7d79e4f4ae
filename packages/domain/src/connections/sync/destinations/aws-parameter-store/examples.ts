import { AwsAccount } from '../../../../apps/aws/testing/account.ts';
import type { DestinationExample } from '../../testing/example.ts';

const PATH = '/app/dev/';

export const example: DestinationExample = {
  target() {
    const account = new AwsAccount();
    return {
      credentials: { method: 'access-key', ...account.keys },
      config: { region: account.region, path: PATH },
      serve: (standIns) => account.serve(standIns),
      held: () =>
        Object.fromEntries(Array.from(account.parameters, ([name, { value }]) => [name.slice(PATH.length), value])),
      put: (name, value) => void account.parameters.set(PATH + name, { value, type: 'SecureString' }),
    };
  },
  auth: { accessId: 'AKIAEXAMPLE', accessToken: 'example/secret/key' },
  integration: { region: 'eu-central-1', path: '/app/dev/' },
};

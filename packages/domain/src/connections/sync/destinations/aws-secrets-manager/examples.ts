import { AwsAccount } from '../../../../apps/aws/testing/account.ts';
import type { DestinationExample } from '../../testing/example.ts';

export const example: DestinationExample = {
  target() {
    const account = new AwsAccount();
    return {
      credentials: { method: 'access-key', ...account.keys },
      config: { mappingBehavior: 'one-to-one', region: account.region },
      serve: (standIns) => account.serve(standIns),
      held: () =>
        Object.fromEntries(
          [...account.secrets].flatMap(([name, { value, isDeleted }]) => (isDeleted ? [] : [[name, value]])),
        ),
      put: (name, value) => void account.secrets.set(name, { value, isDeleted: false }),
    };
  },
  auth: { accessId: 'AKIAEXAMPLE', accessToken: 'example/secret/key' },
  integration: { region: 'eu-central-1', app: 'app/dev' },
};

import { AwsAccount, type AwsAccident } from '../../../../apps/aws/testing/account.ts';
import type { PkiSyncExample, WriteAccident } from '../../testing/example.ts';

const ACCIDENTS: Readonly<Record<WriteAccident, AwsAccident>> = {
  lost: 'lost',
  refused: { type: 'LimitExceededException', message: 'You have reached the maximum number of secrets.' },
  throttled: { type: 'ThrottlingException', message: 'Rate exceeded' },
  kept: { type: 'InvalidRequestException', message: 'You can’t delete a secret that still has replicas.' },
};

export const example: PkiSyncExample = {
  target() {
    const account = new AwsAccount();
    return {
      credentials: { method: 'access-key', ...account.keys },
      config: { region: account.region },
      besides: { preserveSecretOnRenewal: false },
      serve: (standIns) => account.serve(standIns),
      setClock: (now) => void (account.now = now),
      held: () =>
        [...account.secrets].flatMap(([name, { value, isDeleted }]) => {
          if (isDeleted) return [];
          const { certificate, private_key: privateKey, certificate_chain: chain } = JSON.parse(value);
          return [{ name, reference: name, certificate, privateKey, chain }];
        }),
      put: (name, { certificate, privateKey, chain }) =>
        void account.secrets.set(name, {
          value: JSON.stringify({ certificate, private_key: privateKey, certificate_chain: chain }),
          isDeleted: false,
        }),
      setAccident(accident) {
        const affected = accident === 'kept' ? ['DeleteSecret'] : ['CreateSecret', 'PutSecretValue'];
        account.fault = (action) => (accident && affected.includes(action) ? ACCIDENTS[accident] : undefined);
      },
    };
  },
};

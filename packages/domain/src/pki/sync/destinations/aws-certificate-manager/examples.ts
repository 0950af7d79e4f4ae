import { randomUUID } from 'node:crypto';
import { AwsAccount, type AwsAccident } from '../../../../apps/aws/testing/account.ts';
import type { PkiSyncExample, WriteAccident } from '../../testing/example.ts';

const ACCIDENTS: Readonly<Record<WriteAccident, AwsAccident>> = {
  lost: 'lost',
  refused: { type: 'LimitExceededException', message: 'You have reached the maximum number of certificates.' },
  throttled: { type: 'ThrottlingException', message: 'Rate exceeded' },
  kept: { type: 'ResourceInUseException', message: 'The certificate is in use.' },
};

export const example: PkiSyncExample = {
  target() {
    const account = new AwsAccount();
    const { certificates } = account.certificateManager;
    return {
      credentials: { method: 'access-key', ...account.keys },
      config: { region: account.region },
      besides: { preserveArn: false },
      serve: (standIns) => account.serve(standIns),
      setClock: (now) => void (account.now = account.certificateManager.now = now),
      held: () =>
        Array.from(certificates, ([reference, { tags, ...held }]) => ({ ...held, reference, name: tags['Name'] })),
      put(name, held) {
        const arn = `arn:aws:acm:${account.region}:${account.id}:certificate/${randomUUID()}`;
        certificates.set(arn, { ...held, tags: { Name: name } });
      },
      setAccident(accident) {
        const affected = accident === 'kept' ? 'DeleteCertificate' : 'ImportCertificate';
        account.fault = (action) => (accident && action === affected ? ACCIDENTS[accident] : undefined);
      },
    };
  },
};

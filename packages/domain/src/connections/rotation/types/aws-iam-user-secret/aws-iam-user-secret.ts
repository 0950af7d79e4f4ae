import { z } from 'zod';
import {
  accessKeysOf,
  createAccessKey,
  deleteAccessKey,
  iamOf,
  orReject,
  retrying,
  stsIn,
} from '../../../../apps/aws/index.ts';
import { aws, Region, type AwsClient } from '../../../apps/aws/index.ts';
import { needed } from '../../../fields.ts';
import { defineRotation } from '../../rotation.ts';

const NAME = 'the name of an IAM user';
const Parameters = z.object({
  userName: needed(NAME, 64)
    .regex(/^[\w+=,.@-]+$/, NAME)
    .meta({ examples: ['shop'] }),
  region: Region.describe('The region whose token service is asked whether a key works'),
});

/** How long IAM's services may take until they know a new key; milliseconds. */
const SETTLING = 25_000;

const iamFor = (client: AwsClient, { region }: z.output<typeof Parameters>) => client.query(iamOf(region));

/** The access keys of a user, which has at most two. */
export const awsIamUserSecret = defineRotation({
  type: 'aws-iam-user-secret',
  title: 'AWS IAM User Secret',
  connector: aws,
  parameters: Parameters,
  mapping: { accessKeyId: 'AWS_ACCESS_KEY_ID', secretAccessKey: 'AWS_SECRET_ACCESS_KEY' },
  secret: ['secretAccessKey'],
  slots: 2,
  accounts: ({ userName }) => [userName.toLowerCase()],
  loginOf: ({ accessKeyId }) => String(accessKeyId),
  // Only AWS knows the access keys of a user.
  logins: () => [],
  hasUniqueLogins: true,
  // Keys that appear later and are not the answer of a call are left over from one whose answer was lost.
  async generate(parameters, { client, requireUnused }) {
    const iam = await iamFor(client, parameters);
    const known = await orReject(accessKeysOf(iam, parameters.userName));
    requireUnused(known);
    return { known };
  },
  async apply({ client, requireUnused }, { parameters, plan, replaced }) {
    const { userName } = parameters;
    const iam = await iamFor(client, parameters);
    return orReject(
      (async () => {
        const present = await accessKeysOf(iam, userName);
        requireUnused(present);
        for (const id of present)
          if (!plan.known.includes(id) || id === replaced?.accessKeyId) await deleteAccessKey(iam, userName, id);
        return createAccessKey(iam, userName);
      })(),
    );
  },
  async verify({ as }, { accessKeyId, secretAccessKey }, { parameters: { region }, isNew }) {
    const client = await as({ accessKeyId, secretAccessKey, roleArn: undefined });
    const sts = retrying(
      await client.query(stsIn(region)),
      AbortSignal.timeout(SETTLING),
      ({ code }) => isNew && code === 'InvalidClientTokenId',
    );
    await orReject(sts('GetCallerIdentity'));
  },
  async revoke({ client }, { parameters, plan, credential }) {
    const { userName } = parameters;
    const iam = await iamFor(client, parameters);
    const isOurs = (id: string) => (credential ? id === credential.accessKeyId : !plan.known.includes(id));
    await orReject(
      (async () => {
        for (const id of await accessKeysOf(iam, userName)) if (isOurs(id)) await deleteAccessKey(iam, userName, id);
      })(),
    );
  },
  canReconcile: true,
});

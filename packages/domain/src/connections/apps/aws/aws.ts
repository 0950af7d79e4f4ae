import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  accountOf,
  assumeRole,
  jsonAws,
  orReject,
  queryAws,
  REGION,
  ROLE_ARN,
  stsIn,
  type AwsJson,
} from '../../../apps/aws/index.ts';
import { sealed } from '../../../family/index.ts';
import { defineConnector } from '../../connection/index.ts';
import { needed, token } from '../../fields.ts';

/** AWS with the credentials of a connection: a client for services of one region, as the user or the assumed role. */
export type AwsClient = (service: 'ssm' | 'secretsmanager', region: string) => Promise<AwsJson>;

const REGION_EXAMPLE = 'a region such as eu-central-1';
export const Region = needed(REGION_EXAMPLE).regex(REGION, REGION_EXAMPLE);

const KEY_ID = 'the id of an access key';

export const aws = defineConnector({
  app: 'aws',
  title: 'AWS',
  methods: {
    'access-key': {
      credentials: z.object({
        accessKeyId: sealed(needed(KEY_ID, 128).regex(/^\w+$/, KEY_ID)),
        secretAccessKey: sealed(token('the secret of the access key')),
        roleArn: z
          .string()
          .max(2048)
          .regex(ROLE_ARN, 'the ARN of a role, as arn:aws:iam::123456789012:role/x')
          .optional(),
      }),
      integrationAuth: { accessKeyId: 'accessId', secretAccessKey: 'accessToken', roleArn: 'awsAssumeIamRoleArn' },
    },
  },
  systemOf: ({ accessKeyId, roleArn }) => ({
    name: `account ${roleArn === undefined ? accountOf(accessKeyId) : roleArn.split(':')[4]}`,
  }),
  connect({ accessKeyId, secretAccessKey, roleArn }, remote): AwsClient {
    const own = { accessKeyId, secretAccessKey };
    return async (service, region) => {
      if (roleArn === undefined) return jsonAws(remote, service, region, own);
      const role = { region, roleArn, sessionName: `coffer-${randomUUID()}`, externalId: remote.projectId };
      const sts = queryAws(remote, stsIn(region), own);
      const keys = await orReject(assumeRole(sts, role, (credential) => remote.hide(credential)));
      return jsonAws(remote, service, region, keys);
    };
  },
});

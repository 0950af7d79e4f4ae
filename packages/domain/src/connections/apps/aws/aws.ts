import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  accountOf,
  assumeRole,
  HostedZone,
  iamOf,
  jsonAws,
  listUsers,
  orReject,
  queryAws,
  REGION,
  ROLE_ARN,
  ROUTE_53,
  serviceIn,
  stsIn,
  urlOf,
  type AwsJson,
  type AwsJsonService,
  type AwsKeys,
  type AwsQuery,
  type AwsService,
} from '../../../apps/aws/index.ts';
import { allPages, malformed, sealed } from '../../../family/index.ts';
import { defineConnector, defineList } from '../../connection/index.ts';
import { needed, token } from '../../fields.ts';

/** AWS with the credentials of a connection: clients of services, as the user or the assumed role. */
export interface AwsClient {
  /** A service of one region. */
  json(service: AwsJsonService, region: string): Promise<AwsJson>;
  /** A service with AWS's query protocol. */
  query(service: AwsService): Promise<AwsQuery>;
  /** The records of one hosted zone. */
  hostedZone(id: string): Promise<HostedZone>;
}

const REGION_EXAMPLE = 'a region such as eu-central-1';
export const Region = needed(REGION_EXAMPLE)
  .regex(REGION, REGION_EXAMPLE)
  .meta({ examples: ['eu-central-1'] });

const KEY_ID = 'the id of an access key';
const Role = z
  .string()
  .max(2048)
  .regex(ROLE_ARN, 'the ARN of a role, as arn:aws:iam::123456789012:role/x')
  .meta({ examples: ['arn:aws:iam::123456789012:role/x'] });
const Keys = z.object({
  accessKeyId: sealed(
    needed(KEY_ID, 128)
      .regex(/^\w+$/, KEY_ID)
      .meta({ examples: ['AKIAIOSFODNN7EXAMPLE'] }),
  ),
  secretAccessKey: sealed(token('the secret of the access key'), { sentTo: ['accessKeyId', 'roleArn'] }),
});

const Aliases = z.object({
  Aliases: z.array(z.object({ AliasName: z.string(), TargetKeyId: z.string().optional() })),
  NextMarker: z.string().nullish(),
});

/** https://docs.aws.amazon.com/kms/latest/APIReference/API_ListAliases.html */
const kmsKeys = defineList({
  what: 'the keys of KMS with their aliases',
  query: z.object({ region: Region }),
  answer: z.object({ kmsKeys: z.array(z.object({ alias: z.string(), id: z.string() })) }),
  async read(client: AwsClient, { region }) {
    const kms = await client.json('kms', region);
    const aliases = await allPages(async (Marker: string | undefined) => {
      const { success, data } = Aliases.safeParse(await orReject(kms('ListAliases', { Limit: 100, Marker })));
      if (!success) throw malformed(urlOf(serviceIn('kms', region)), 'no aliases');
      return { items: data.Aliases, next: data.NextMarker };
    });
    const keys = aliases.flatMap(({ AliasName: alias, TargetKeyId: id }) => (id === undefined ? [] : [{ alias, id }]));
    return { kmsKeys: keys };
  },
});

const users = defineList({
  what: 'the IAM users',
  answer: z.object({ iamUsers: z.array(z.object({ arn: z.string(), UserName: z.string() })) }),
  async read(client: AwsClient, _query, { roleArn }) {
    const iam = await client.query(iamOf(regionOf(roleArn as string | undefined)));
    return { iamUsers: await orReject(listUsers(iam)) };
  },
});

/** Whose token service is asked who the caller is: each partition of AWS has its own regions. */
const regionOf = (roleArn = ''): string =>
  ({ 'aws-cn': 'cn-north-1', 'aws-us-gov': 'us-gov-west-1' })[roleArn.split(':')[1] ?? ''] ?? 'us-east-1';

export const aws = defineConnector({
  app: 'aws',
  title: 'AWS',
  methods: {
    'access-key': {
      credentials: Keys.extend({ roleArn: Role.optional().describe('A role that the access key assumes') }),
      shown: ['accessKeyId'],
      integrationAuth: { accessKeyId: 'accessId', secretAccessKey: 'accessToken', roleArn: 'awsAssumeIamRoleArn' },
    },
    // Coffer has no credentials of its own at AWS that could assume it.
    'assume-role': { credentials: Keys.extend({ roleArn: Role }), shown: ['accessKeyId'] },
  },
  systemOf: ({ accessKeyId, roleArn }) => ({
    name: `account ${roleArn === undefined ? accountOf(accessKeyId) : roleArn.split(':')[4]}`,
  }),
  connect({ accessKeyId, secretAccessKey, roleArn }, remote): AwsClient {
    const own = { accessKeyId, secretAccessKey };
    const keysIn = async (region: string): Promise<AwsKeys> => {
      if (roleArn === undefined) return own;
      const role = { region, roleArn, sessionName: `coffer-${randomUUID()}`, externalId: remote.externalId };
      const sts = queryAws(remote, stsIn(region), own);
      return orReject(assumeRole(sts, role, (credential) => remote.hide(credential)));
    };
    return {
      json: async (service, region) => jsonAws(remote, service, region, await keysIn(region)),
      query: async (service) => queryAws(remote, service, await keysIn(service.region)),
      hostedZone: async (id) => new HostedZone(remote, id, await keysIn(ROUTE_53.region)),
    };
  },
  async check(client, { roleArn }) {
    const sts = await client.query(stsIn(regionOf(roleArn)));
    await orReject(sts('GetCallerIdentity'));
  },
  lists: { 'kms-keys': kmsKeys, users },
});

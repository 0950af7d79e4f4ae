import { z } from 'zod';
import { badRequest } from '../../../../kernel/index.ts';
import { defineProvider, type LeaseOf, type ProviderIo } from '../../provider.ts';
import { accountOf } from './account.ts';
import { Inputs, isPolicy, listOf } from './inputs.ts';
import { AwsFault, awsCalls, refusal, servicesOf, type AwsCall, type AwsKeys, type AwsService } from './query.ts';
import { makeUser, removeUser } from './user.ts';
import { at } from './xml.ts';

/** Users of an account at AWS, each with an access key. */
export const awsIam = defineProvider({
  type: 'aws-iam',
  title: 'AWS IAM',
  inputs: Inputs,
  data: z.object({ ACCESS_KEY: z.string(), SECRET_ACCESS_KEY: z.string(), USERNAME: z.string() }),
  username: () => ({ maxLength: 64, alphabet: /[A-Za-z0-9_.@+-]/ }),
  // Another key of the same account leads to the same users, one of another account does not.
  target: (inputs) =>
    `https://${servicesOf(inputs.region).iam.host} ${inputs.method === 'assume-role' ? inputs.roleArn.split(':')[4] : accountOf(inputs.accessKey)}`,
  validate({ policyDocument }) {
    if (policyDocument && !isPolicy(policyDocument))
      throw badRequest('aws_iam.policy_document', 'policyDocument is no JSON object with a Statement');
  },
  async check(inputs, io) {
    const { sts } = servicesOf(inputs.region);
    const keys = await keysOf(inputs, io, 'coffer');
    await awsCalls(io, sts, keys)('GetCallerIdentity').catch((error: unknown) => refuse(sts, error));
  },
  prepare: (_inputs, { username }) => username,
  async issue(inputs, lease, io) {
    const user = {
      name: lease.entityId,
      path: inputs.awsPath || undefined,
      permissionsBoundary: inputs.permissionBoundaryPolicyArn || undefined,
      tags: inputs.tags ?? [],
      groups: listOf(inputs.userGroups),
      policyArns: listOf(inputs.policyArns),
      policyDocument: inputs.policyDocument || undefined,
    };
    const key = await inAccount(inputs, io, lease, (iam) => makeUser(iam, user), { isNew: true });
    return { ACCESS_KEY: key.accessKeyId, SECRET_ACCESS_KEY: io.secret(key.secretAccessKey), USERNAME: lease.entityId };
  },
  revoke: (inputs, lease, io) => inAccount(inputs, io, lease, (iam) => removeUser(iam, lease.entityId)),
});

/** Asks IAM one thing after the other. What it says against one of them is told, and whether others were done before. */
async function inAccount<T>(
  inputs: Inputs,
  io: ProviderIo,
  { leaseId, entityId }: LeaseOf,
  work: (iam: AwsCall) => Promise<T>,
  { isNew = false } = {},
): Promise<T> {
  const { iam } = servicesOf(inputs.region);
  const keys = await keysOf(inputs, io, `coffer-${leaseId}`);
  let done = 0;
  // For a moment after it was made, parts of IAM do not know a user yet.
  const isUnknownYet = ({ code, message }: AwsFault) => code === 'NoSuchEntity' && message.includes(entityId);
  const call = awsCalls(io, iam, keys, (fault) => isNew && done > 0 && isUnknownYet(fault));
  try {
    return await work(async (action, parameters) => {
      const answer = await call(action, parameters);
      done++;
      return answer;
    });
  } catch (error) {
    return refuse(iam, error, done > 0);
  }
}

/** Whom the calls are made as: the one whose access key it is, or for a quarter of an hour the role that it assumes. */
async function keysOf(inputs: Inputs, io: ProviderIo, RoleSessionName: string): Promise<AwsKeys> {
  const own = { accessKeyId: inputs.accessKey, secretAccessKey: inputs.secretAccessKey };
  if (inputs.method !== 'assume-role') return own;
  const { sts } = servicesOf(inputs.region);
  const role = { RoleArn: inputs.roleArn, RoleSessionName, ExternalId: inputs.externalId || undefined };
  const answer = await awsCalls(
    io,
    sts,
    own,
  )('AssumeRole', { ...role, DurationSeconds: '900' }).catch((error: unknown) => refuse(sts, error));
  const [accessKeyId, secretAccessKey, sessionToken] = ['AccessKeyId', 'SecretAccessKey', 'SessionToken'].map(
    (name) => at(answer, 'Credentials', name)?.text,
  );
  if (!accessKeyId || !secretAccessKey || !sessionToken) throw new Error('STS answered no keys for the role');
  return { accessKeyId, secretAccessKey: io.secret(secretAccessKey), sessionToken: io.secret(sessionToken) };
}

function refuse({ host }: AwsService, error: unknown, isMidway = false): never {
  throw error instanceof AwsFault ? refusal(host, error, isMidway) : error;
}

import { z } from 'zod';
import { badRequest } from '../../../../kernel/index.ts';
import { defineProvider, type LeaseOf, type ProviderIo } from '../../provider.ts';
import {
  AwsFault,
  accountOf,
  assumeRole,
  iamOf,
  makeUser,
  queryAws,
  removeUser,
  retrying,
  stsIn,
  type AwsKeys,
  type AwsQuery,
} from '../../../../apps/aws/index.ts';
import { Inputs, isPolicy, listOf } from './inputs.ts';

/** Users of an account at AWS, each with an access key. */
export const awsIam = defineProvider({
  type: 'aws-iam',
  title: 'AWS IAM',
  inputs: Inputs,
  data: z.object({ ACCESS_KEY: z.string(), SECRET_ACCESS_KEY: z.string(), USERNAME: z.string() }),
  username: () => ({ maxLength: 64, alphabet: /[A-Za-z0-9_.@+-]/ }),
  // Keys of the same account reach the same users; those of another account do not.
  target: (inputs) =>
    `https://${iamOf(inputs.region).host} ${inputs.method === 'assume-role' ? inputs.roleArn.split(':')[4] : accountOf(inputs.accessKey)}`,
  logins: {
    apps: ['aws'],
    of: ({ accessKey: accessKeyId }) => [{ app: 'aws', credentials: { method: 'access-key', accessKeyId } }],
  },
  validate({ policyDocument }) {
    if (policyDocument && !isPolicy(policyDocument))
      throw badRequest('aws_iam.policy_document', 'policyDocument must be a JSON object with a Statement');
  },
  async check(inputs, io) {
    const keys = await keysOf(inputs, io, 'coffer');
    await stsOf(inputs, io, keys)('GetCallerIdentity').catch((error: unknown) => refuse(error));
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

/** Calls IAM step by step. Errors include whether earlier steps were done. */
async function inAccount<T>(
  inputs: Inputs,
  io: ProviderIo,
  { leaseId, entityId }: LeaseOf,
  work: (iam: AwsQuery) => Promise<T>,
  { isNew = false } = {},
): Promise<T> {
  const keys = await keysOf(inputs, io, `coffer-${leaseId}`);
  let done = 0;
  // For a moment after it was made, parts of IAM do not know a user yet.
  const isUnknownYet = ({ code, message }: AwsFault) => code === 'NoSuchEntity' && message.includes(entityId);
  const iam = queryAws(io, iamOf(inputs.region), keys);
  const call = retrying(iam, io.signal, (fault) => isNew && done > 0 && isUnknownYet(fault));
  try {
    return await work(async (action, parameters) => {
      const answer = await call(action, parameters);
      done++;
      return answer;
    });
  } catch (error) {
    return refuse(error, done > 0);
  }
}

const stsOf = ({ region }: Inputs, io: ProviderIo, keys: AwsKeys): AwsQuery =>
  retrying(queryAws(io, stsIn(region), keys), io.signal);

/** The credentials of the calls: the access key, or for a quarter of an hour the role that it assumes. */
async function keysOf(inputs: Inputs, io: ProviderIo, sessionName: string): Promise<AwsKeys> {
  const own = { accessKeyId: inputs.accessKey, secretAccessKey: inputs.secretAccessKey };
  if (inputs.method !== 'assume-role') return own;
  const { region, roleArn, externalId } = inputs;
  const role = { region, roleArn, sessionName, externalId: externalId || undefined };
  return assumeRole(stsOf(inputs, io, own), role, (one) => io.secret(one)).catch((error: unknown) => refuse(error));
}

function refuse(error: unknown, isMidway = false): never {
  throw error instanceof AwsFault ? error.outcome(isMidway) : error;
}

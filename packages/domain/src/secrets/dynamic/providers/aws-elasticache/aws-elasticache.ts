import { setTimeout as sleep } from 'node:timers/promises';
import { accountOf, AwsFault, at, queryAws, retrying, serviceIn, type AwsQuery } from '../../../../apps/aws/index.ts';
import { badRequest } from '../../../../kernel/index.ts';
import { UsernameAndPassword } from '../../fields.ts';
import { defineProvider, type ProviderIo } from '../../provider.ts';
import { Inputs } from './inputs.ts';
import { requireStatements, userOf } from './statement.ts';

/** While a user or a group is being changed, other changes of it are refused. */
const isSettling = ({ code }: AwsFault) => code === 'InvalidUserState' || code === 'InvalidUserGroupState';

/** The calls of ElastiCache, repeated while it is busy with what they change. */
const elastiCacheOf = ({ region, accessKeyId, secretAccessKey }: Inputs, io: ProviderIo): AwsQuery =>
  retrying(queryAws(io, serviceIn('elasticache', region), { accessKeyId, secretAccessKey }), io.signal, isSettling);

/** The user group of the cluster: https://docs.aws.amazon.com/AmazonElastiCache/latest/APIReference/API_DescribeReplicationGroups.html */
async function userGroupOf(ask: AwsQuery, { clusterName }: Inputs): Promise<string> {
  const answer = await ask('DescribeReplicationGroups', { ReplicationGroupId: clusterName });
  const group = at(answer, 'ReplicationGroups', 'ReplicationGroup', 'UserGroupIds', 'member')?.text;
  if (group) return group;
  throw badRequest(
    'aws_elasticache.user_group',
    `${clusterName} has no user group: enable access control by user groups`,
  );
}

/** Looks at a user that AWS deletes, and milliseconds between them. */
const [LOOKS, PAUSE_MS] = [8, 1000];

const isGone = (error: unknown) => error instanceof AwsFault && error.code === 'UserNotFound';

/** Users of ElastiCache in the user group of a cluster. */
export const awsElasticache = defineProvider({
  type: 'aws-elasticache',
  title: 'AWS ElastiCache',
  inputs: Inputs,
  data: UsernameAndPassword,
  username: () => ({ maxLength: 40, alphabet: /[A-Za-z0-9-]/ }),
  // Keys of another account may reach a cluster of the same name there, and none of the users.
  target: ({ region, clusterName, accessKeyId }) =>
    `https://${serviceIn('elasticache', region).host} ${accountOf(accessKeyId)} ${clusterName}`,
  logins: {
    apps: ['aws'],
    of: ({ accessKeyId }) => [{ app: 'aws', credentials: { method: 'access-key', accessKeyId } }],
  },
  validate: requireStatements,
  check: (inputs, io) => outcome(async () => void (await userGroupOf(elastiCacheOf(inputs, io), inputs))),
  prepare: (_inputs, { username }) => username,
  async issue(inputs, { entityId }, io) {
    const ask = elastiCacheOf(inputs, io);
    const password = io.password();
    let isMade = false;
    await outcome(
      async () => {
        const UserGroupId = await userGroupOf(ask, inputs);
        await ask('CreateUser', userOf(inputs, entityId, password));
        isMade = true;
        await ask('ModifyUserGroup', { UserGroupId, 'UserIdsToAdd.member.1': entityId });
      },
      () => isMade,
    );
    return { DB_USERNAME: entityId, DB_PASSWORD: password };
  },
  // A deleted user leaves all groups: https://docs.aws.amazon.com/AmazonElastiCache/latest/APIReference/API_DeleteUser.html
  async revoke(inputs, { entityId: UserId }, io) {
    const ask = elastiCacheOf(inputs, io);
    await outcome(async () => {
      try {
        await ask('DeleteUser', { UserId });
        for (let looks = 0; looks < LOOKS; looks++) {
          await ask('DescribeUsers', { UserId });
          await sleep(PAUSE_MS, undefined, { signal: io.signal });
        }
      } catch (error) {
        if (isGone(error)) return;
        throw error;
      }
      throw badRequest('dynamic_secret.login_left', 'AWS still deletes the user');
    });
  },
});

async function outcome(work: () => Promise<void>, isMidway = () => false): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof AwsFault ? error.outcome(isMidway()) : error;
  }
}

import { AwsRefusal, element, texts } from './answer.ts';

interface CacheUser {
  readonly password: string;
  readonly accessString: string;
}

/**
 * Users of ElastiCache, and a cluster with a user group.
 * - https://docs.aws.amazon.com/AmazonElastiCache/latest/APIReference/API_CreateUser.html
 * - https://docs.aws.amazon.com/AmazonElastiCache/latest/APIReference/API_ModifyUserGroup.html
 * - https://docs.aws.amazon.com/AmazonElastiCache/latest/APIReference/API_DeleteUser.html
 */
export class ElastiCache {
  readonly users = new Map<string, CacheUser>();
  /** The members of the one group. */
  readonly group = new Set<string>();
  readonly groupId = 'shop-users';
  /** By cluster: its user groups. */
  readonly clusters = new Map<string, readonly string[]>([
    ['shop', [this.groupId]],
    ['open', []],
  ]);
  /** For how many calls the group is being modified. */
  busy = 0;

  /** Whether somebody may log in to the cluster. */
  accepts(name: string, password: string): boolean {
    return this.group.has(name) && this.users.get(name)?.password === password;
  }

  #require(form: URLSearchParams): string {
    const id = form.get('UserId') ?? '';
    if (!this.users.has(id)) throw new AwsRefusal(404, 'UserNotFound', `User ${id} not found.`);
    return id;
  }

  readonly actions: Record<string, (form: URLSearchParams) => string | undefined> = {
    DescribeReplicationGroups: (form) => {
      const id = form.get('ReplicationGroupId') ?? '';
      const groups = this.clusters.get(id);
      if (!groups) throw new AwsRefusal(404, 'ReplicationGroupNotFoundFault', `ReplicationGroup ${id} not found.`);
      const members = element('UserGroupIds', groups.map((group) => element('member', group)).join(''));
      const described = element('ReplicationGroup', texts({ ReplicationGroupId: id, Status: 'available' }) + members);
      return element('ReplicationGroups', described);
    },
    CreateUser: (form) => {
      const [id, name, engine] = ['UserId', 'UserName', 'Engine'].map((field) => form.get(field) ?? '');
      const password = form.get('Passwords.member.1') ?? '';
      const isValid = /^[a-zA-Z][a-zA-Z0-9-]{0,39}$/.test(id!) && name !== '' && ['redis', 'valkey'].includes(engine!);
      if (!isValid || password.length < 16 || password.length > 128 || !form.get('AccessString'))
        throw new AwsRefusal(400, 'InvalidParameterValue', 'The parameter is invalid');
      if (this.users.has(id!)) throw new AwsRefusal(400, 'UserAlreadyExists', `User ${id} already exists.`);
      this.users.set(id!, { password, accessString: form.get('AccessString')! });
      return texts({ UserId: id!, UserName: name!, Status: 'active' });
    },
    ModifyUserGroup: (form) => {
      const added = form.get('UserIdsToAdd.member.1') ?? '';
      if (form.get('UserGroupId') !== this.groupId) throw new AwsRefusal(404, 'UserGroupNotFound', 'No such group');
      if (!this.users.has(added)) throw new AwsRefusal(404, 'UserNotFound', `User ${added} not found.`);
      if (this.busy > 0) {
        this.busy--;
        throw new AwsRefusal(400, 'InvalidUserGroupState', 'User group is not in a valid state.');
      }
      this.group.add(added);
      return texts({ UserGroupId: this.groupId, Status: 'modifying' });
    },
    DeleteUser: (form) => {
      const id = this.#require(form);
      this.users.delete(id);
      this.group.delete(id);
      return texts({ UserId: id, Status: 'deleting' });
    },
    DescribeUsers: (form) => element('Users', element('member', texts({ UserId: this.#require(form) }))),
  };
}

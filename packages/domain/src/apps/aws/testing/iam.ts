import type { SigningKeys } from './signature-v4.ts';
import { AwsRefusal, element, escape, texts } from './answer.ts';

/** A user, with everything that IAM does not let it go with. */
export interface IamUser {
  readonly name: string;
  readonly path: string;
  readonly boundary: string | null;
  readonly tags: ReadonlyMap<string, string>;
  readonly groups: Set<string>;
  readonly attached: Set<string>;
  readonly inline: Map<string, string>;
  readonly keys: SigningKeys[];
  /** Created by the user: a password, devices, other types of keys, each with its ID. */
  readonly belongings: Map<string, Set<string>>;
}

const NAME = /^[\w+=,.@-]{1,64}$/;
const PATH = /^\/(?:[\x21-\x7e]+\/)?$/;
const ARN = /^arn:aws[a-z-]*:iam::(?:aws|\d{12}):policy\/[\w+=,.@/-]+$/;
const TAG = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;
const PAGE = 2;

/** The items of a user that IAM lists and deletes one by one. */
const BELONGINGS: Readonly<Record<string, { list: string; items: string; id: string; remove: string }>> = {
  device: { list: 'ListMFADevices', items: 'MFADevices', id: 'SerialNumber', remove: 'DeactivateMFADevice' },
  certificate: {
    list: 'ListSigningCertificates',
    items: 'Certificates',
    id: 'CertificateId',
    remove: 'DeleteSigningCertificate',
  },
  sshKey: { list: 'ListSSHPublicKeys', items: 'SSHPublicKeys', id: 'SSHPublicKeyId', remove: 'DeleteSSHPublicKey' },
  serviceCredential: {
    list: 'ListServiceSpecificCredentials',
    items: 'ServiceSpecificCredentials',
    id: 'ServiceSpecificCredentialId',
    remove: 'DeleteServiceSpecificCredential',
  },
};

/**
 * The users of an account, with IAM's rules: names, limits, items that must be deleted before the user, pages, eventual
 * consistency.
 */
export class Iam {
  readonly users = new Map<string, IamUser>();
  readonly groups = new Set(['developers', 'readers']);
  readonly policies = new Set(['arn:aws:iam::aws:policy/ReadOnlyAccess']);
  /** For how many calls a new user is unknown to other actions. */
  lag = 0;
  readonly #account: { readonly id: string; makeKeys(): SigningKeys };
  readonly #unknown = new Map<string, number>();

  constructor(account: { readonly id: string; makeKeys(): SigningKeys }) {
    this.#account = account;
  }

  /** Adds a user as somebody else does. */
  addUser(name: string): void {
    this.actions['CreateUser']!(new URLSearchParams({ UserName: name }));
  }

  #user(form: URLSearchParams): IamUser {
    const name = form.get('UserName') ?? '';
    const calls = this.#unknown.get(name) ?? 0;
    this.#unknown.set(name, calls - 1);
    const user = calls > 0 ? undefined : this.users.get(name);
    if (!user) throw new AwsRefusal(404, 'NoSuchEntity', `The user with name ${name} cannot be found.`);
    return user;
  }

  /** One page of a list. */
  #page(form: URLSearchParams, name: string, members: readonly string[]): string {
    const from = Number(form.get('Marker') ?? 0);
    const shown = members.slice(from, from + PAGE).map((one) => element('member', one));
    const rest: Record<string, string> =
      from + PAGE < members.length ? { IsTruncated: 'true', Marker: String(from + PAGE) } : { IsTruncated: 'false' };
    return element(name, shown.join('\n')) + texts(rest);
  }

  readonly actions: Record<string, (form: URLSearchParams) => string | undefined> = {
    CreateUser: (form) => {
      const name = form.get('UserName') ?? '';
      const path = form.get('Path') ?? '/';
      const boundary = form.get('PermissionsBoundary');
      if (!NAME.test(name))
        throw new AwsRefusal(400, 'ValidationError', 'The specified value for userName is invalid.');
      if (!PATH.test(path)) throw new AwsRefusal(400, 'ValidationError', 'The specified value for path is invalid.');
      if (boundary !== null && !ARN.test(boundary))
        throw new AwsRefusal(400, 'InvalidInput', `Scope ARN: ${boundary} does not exist`);
      if (boundary !== null && !this.policies.has(boundary))
        throw new AwsRefusal(404, 'NoSuchEntity', `Scope ARN: ${boundary} does not exist or is not attachable.`);
      if ([...this.users.keys()].some((one) => one.toLowerCase() === name.toLowerCase()))
        throw new AwsRefusal(409, 'EntityAlreadyExists', `User with name ${name} already exists.`);
      const tags = tagsOf(form);
      this.users.set(name, {
        name,
        path,
        boundary,
        tags,
        groups: new Set(),
        attached: new Set(),
        inline: new Map(),
        keys: [],
        belongings: new Map(),
      });
      this.#unknown.set(name, this.lag);
      return element(
        'User',
        texts({
          Path: path,
          UserName: name,
          UserId: 'AIDAEXAMPLE',
          Arn: `arn:aws:iam::${this.#account.id}:user${path}${name}`,
        }),
      );
    },
    ListUsers: (form) =>
      this.#page(
        form,
        'Users',
        Array.from(this.users.values(), ({ name, path }) =>
          texts({ UserName: name, Path: path, Arn: `arn:aws:iam::${this.#account.id}:user${path}${name}` }),
        ),
      ),
    AddUserToGroup: (form) => {
      const group = form.get('GroupName') ?? '';
      if (!this.groups.has(group))
        throw new AwsRefusal(404, 'NoSuchEntity', `The group with name ${group} cannot be found.`);
      this.#user(form).groups.add(group);
      return undefined;
    },
    AttachUserPolicy: (form) => {
      const policy = form.get('PolicyArn') ?? '';
      const user = this.#user(form);
      if (!this.policies.has(policy))
        throw new AwsRefusal(404, 'NoSuchEntity', `Policy ${policy} does not exist or is not attachable.`);
      if (user.attached.size >= 10)
        throw new AwsRefusal(409, 'LimitExceeded', 'Cannot exceed quota for PoliciesPerUser: 10');
      user.attached.add(policy);
      return undefined;
    },
    PutUserPolicy: (form) => {
      const document = form.get('PolicyDocument') ?? '';
      const user = this.#user(form);
      if (!NAME.test(form.get('PolicyName') ?? ''))
        throw new AwsRefusal(400, 'ValidationError', 'policyName is invalid');
      if (document.replaceAll(/\s/g, '').length > 2048)
        throw new AwsRefusal(409, 'LimitExceeded', 'Maximum policy size of 2048 bytes exceeded');
      const { Version, Statement } = JSON.parse(document) as { Version?: unknown; Statement?: unknown };
      if (Version !== '2012-10-17' || !Array.isArray(Statement))
        throw new AwsRefusal(400, 'MalformedPolicyDocument', 'Syntax errors in policy.');
      user.inline.set(form.get('PolicyName')!, document);
      return undefined;
    },
    CreateAccessKey: (form) => {
      const user = this.#user(form);
      if (user.keys.length >= 2)
        throw new AwsRefusal(409, 'LimitExceeded', 'Cannot exceed quota for AccessKeysPerUser: 2');
      const key = this.#account.makeKeys();
      user.keys.push(key);
      const { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey } = key;
      return element('AccessKey', texts({ UserName: user.name, AccessKeyId, Status: 'Active', SecretAccessKey }));
    },
    ListAccessKeys: (form) => {
      const { name, keys } = this.#user(form);
      const members = keys.map(({ accessKeyId }) =>
        texts({ UserName: name, AccessKeyId: accessKeyId, Status: 'Active' }),
      );
      return this.#page(form, 'AccessKeyMetadata', members);
    },
    DeleteAccessKey: (form) => {
      const { keys } = this.#user(form);
      const id = form.get('AccessKeyId');
      const index = keys.findIndex(({ accessKeyId }) => accessKeyId === id);
      if (index < 0) throw new AwsRefusal(404, 'NoSuchEntity', `The Access Key with id ${id} cannot be found`);
      keys.splice(index, 1);
      return undefined;
    },
    ListAttachedUserPolicies: (form) =>
      this.#page(
        form,
        'AttachedPolicies',
        [...this.#user(form).attached].map((PolicyArn) =>
          texts({ PolicyName: PolicyArn.split('/').at(-1)!, PolicyArn }),
        ),
      ),
    DetachUserPolicy: (form) => {
      if (!this.#user(form).attached.delete(form.get('PolicyArn') ?? ''))
        throw new AwsRefusal(404, 'NoSuchEntity', `Policy ${form.get('PolicyArn')} was not found.`);
      return undefined;
    },
    ListUserPolicies: (form) => this.#page(form, 'PolicyNames', [...this.#user(form).inline.keys()].map(escape)),
    DeleteUserPolicy: (form) => {
      if (!this.#user(form).inline.delete(form.get('PolicyName') ?? ''))
        throw new AwsRefusal(404, 'NoSuchEntity', 'The user policy cannot be found.');
      return undefined;
    },
    ListGroupsForUser: (form) =>
      this.#page(
        form,
        'Groups',
        [...this.#user(form).groups].map((GroupName) => texts({ Path: '/', GroupName })),
      ),
    RemoveUserFromGroup: (form) => {
      const user = this.#user(form);
      if (!user.groups.delete(form.get('GroupName') ?? ''))
        throw new AwsRefusal(404, 'NoSuchEntity', 'The user is not in the group.');
      return undefined;
    },
    DeleteUser: (form) => {
      const user = this.#user(form);
      const conflict = (what: string) =>
        new AwsRefusal(409, 'DeleteConflict', `Cannot delete entity, must ${what} first.`);
      if (user.keys.length > 0) throw conflict('delete access keys');
      if (user.attached.size > 0) throw conflict('detach all policies');
      if (user.inline.size > 0) throw conflict('delete policies');
      if (user.groups.size > 0) throw conflict('remove users from group');
      for (const [kind, ids] of user.belongings) if (ids.size > 0) throw conflict(`delete ${kind}`);
      this.users.delete(user.name);
      return undefined;
    },
    DeleteLoginProfile: (form) => {
      if (!this.#user(form).belongings.delete('password'))
        throw new AwsRefusal(404, 'NoSuchEntity', `Login Profile for User ${form.get('UserName')} cannot be found.`);
      return undefined;
    },
    ...Object.fromEntries(
      Object.entries(BELONGINGS).flatMap(([kind, { list, items, id, remove }]) => [
        [
          list,
          (form: URLSearchParams) =>
            this.#page(
              form,
              items,
              [...(this.#user(form).belongings.get(kind) ?? [])].map((one) => texts({ [id]: one })),
            ),
        ],
        [
          remove,
          (form: URLSearchParams) => {
            if (
              !this.#user(form)
                .belongings.get(kind)
                ?.delete(form.get(id) ?? '')
            )
              throw new AwsRefusal(404, 'NoSuchEntity', `No ${kind}`);
            return undefined;
          },
        ],
      ]),
    ),
  };
}

function tagsOf(form: URLSearchParams): Map<string, string> {
  const tags = new Map<string, string>();
  for (let i = 1; form.has(`Tags.member.${i}.Key`); i++) {
    const [key, value] = [form.get(`Tags.member.${i}.Key`)!, form.get(`Tags.member.${i}.Value`)];
    if (value === null || key === '' || !TAG.test(key) || !TAG.test(value))
      throw new AwsRefusal(400, 'ValidationError', 'A tag is invalid');
    if (tags.has(key)) throw new AwsRefusal(400, 'InvalidInput', 'Duplicate tag keys found.');
    tags.set(key, value);
  }
  return tags;
}

import { allPages } from '../../family/index.ts';
import { AwsFault } from './fault.ts';
import type { AwsQuery } from './query.ts';
import type { AwsKeys } from './sign.ts';
import { at, type XmlElement } from './xml.ts';

/** The properties of an IAM user. */
export interface NewUser {
  readonly name: string;
  readonly path?: string | undefined;
  readonly permissionsBoundary?: string | undefined;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly groups: readonly string[];
  readonly policyArns: readonly string[];
  readonly policyDocument?: string | undefined;
}

/** The name of the user's inline policy. */
const POLICY_NAME = 'coffer';

/** Makes a user with all that it may do, and then, last of all, its access key. */
export async function makeUser(iam: AwsQuery, user: NewUser): Promise<AwsKeys> {
  const UserName = user.name;
  const tags = user.tags.flatMap(({ key, value }, i) => [
    [`Tags.member.${i + 1}.Key`, key],
    [`Tags.member.${i + 1}.Value`, value],
  ]);
  await iam('CreateUser', {
    UserName,
    Path: user.path,
    PermissionsBoundary: user.permissionsBoundary,
    ...Object.fromEntries(tags),
  });
  for (const GroupName of user.groups) await iam('AddUserToGroup', { UserName, GroupName });
  for (const PolicyArn of user.policyArns) await iam('AttachUserPolicy', { UserName, PolicyArn });
  if (user.policyDocument)
    await iam('PutUserPolicy', { UserName, PolicyName: POLICY_NAME, PolicyDocument: user.policyDocument });
  return createAccessKey(iam, UserName);
}

/** A new access key of a user, which can have two. @throws AwsFault */
export async function createAccessKey(iam: AwsQuery, UserName: string): Promise<AwsKeys> {
  const key = at(await iam('CreateAccessKey', { UserName }), 'AccessKey');
  const [accessKeyId, secretAccessKey] = [at(key, 'AccessKeyId')?.text, at(key, 'SecretAccessKey')?.text];
  if (!accessKeyId || !secretAccessKey) throw new Error('IAM returned no access key');
  return { accessKeyId, secretAccessKey };
}

/** Something of a user's that has to go before the user can. */
interface Belonging {
  readonly list: string;
  /** The list in the response, and the field with an element's name; absent if elements are names. */
  readonly items: string;
  readonly id?: string;
  readonly remove: string;
  readonly parameter: string;
  /** Whether an unknown user is an error. */
  readonly isNeeded?: boolean;
}

const KEYS: Belonging = {
  list: 'ListAccessKeys',
  items: 'AccessKeyMetadata',
  id: 'AccessKeyId',
  remove: 'DeleteAccessKey',
  parameter: 'AccessKeyId',
};
/** The IDs of the access keys of a user. @throws AwsFault */
export const accessKeysOf = (iam: AwsQuery, UserName: string): Promise<string[]> =>
  idsOf(iam, UserName, { ...KEYS, isNeeded: true });

/** Deletes an access key, or finds it deleted. @throws AwsFault */
export const deleteAccessKey = (iam: AwsQuery, UserName: string, AccessKeyId: string): Promise<unknown> =>
  unlessGone(iam('DeleteAccessKey', { UserName, AccessKeyId }));

/** What Coffer makes. */
const OURS: readonly Belonging[] = [
  {
    list: 'ListAttachedUserPolicies',
    items: 'AttachedPolicies',
    id: 'PolicyArn',
    remove: 'DetachUserPolicy',
    parameter: 'PolicyArn',
  },
  { list: 'ListUserPolicies', items: 'PolicyNames', remove: 'DeleteUserPolicy', parameter: 'PolicyName' },
  {
    list: 'ListGroupsForUser',
    items: 'Groups',
    id: 'GroupName',
    remove: 'RemoveUserFromGroup',
    parameter: 'GroupName',
  },
];
/** Resources that a user may have created for itself. */
const ITS_OWN: readonly Belonging[] = [
  {
    list: 'ListMFADevices',
    items: 'MFADevices',
    id: 'SerialNumber',
    remove: 'DeactivateMFADevice',
    parameter: 'SerialNumber',
  },
  {
    list: 'ListSigningCertificates',
    items: 'Certificates',
    id: 'CertificateId',
    remove: 'DeleteSigningCertificate',
    parameter: 'CertificateId',
  },
  {
    list: 'ListSSHPublicKeys',
    items: 'SSHPublicKeys',
    id: 'SSHPublicKeyId',
    remove: 'DeleteSSHPublicKey',
    parameter: 'SSHPublicKeyId',
  },
  {
    list: 'ListServiceSpecificCredentials',
    items: 'ServiceSpecificCredentials',
    id: 'ServiceSpecificCredentialId',
    remove: 'DeleteServiceSpecificCredential',
    parameter: 'ServiceSpecificCredentialId',
  },
];

/**
 * Deletes a user with everything that belongs to it: access keys first, whose IDs only IAM knows. Missing resources are
 * ignored.
 *
 * @throws AwsFault
 */
export async function removeUser(iam: AwsQuery, UserName: string): Promise<void> {
  await removeAll(iam, UserName, KEYS);
  for (const one of OURS) await removeAll(iam, UserName, one);
  try {
    await unlessGone(iam('DeleteUser', { UserName }));
  } catch (error) {
    if (!(error instanceof AwsFault) || error.code !== 'DeleteConflict') throw error;
    await removeItsOwn(iam, UserName);
    await unlessGone(iam('DeleteUser', { UserName }));
  }
}

/** As far as permitted. If something is left, IAM rejects the deletion of the user. */
async function removeItsOwn(iam: AwsQuery, UserName: string): Promise<void> {
  const attempts = [
    () => unlessGone(iam('DeleteLoginProfile', { UserName })),
    ...[KEYS, ...OURS, ...ITS_OWN].map((one) => () => removeAll(iam, UserName, one)),
  ];
  for (const attempt of attempts)
    await attempt().catch((error: unknown) => {
      if (!(error instanceof AwsFault)) throw error;
    });
}

async function removeAll(iam: AwsQuery, UserName: string, of: Belonging): Promise<void> {
  for (const id of await idsOf(iam, UserName, of)) await unlessGone(iam(of.remove, { UserName, [of.parameter]: id }));
}

/** All users of the account. @throws AwsFault */
export const listUsers = (iam: AwsQuery): Promise<{ UserName: string; arn: string }[]> =>
  allPages(async (Marker: string | undefined) => {
    const answer = await iam('ListUsers', { Marker });
    const items = (at(answer, 'Users')?.children ?? []).map((member) => ({
      UserName: at(member, 'UserName')?.text ?? '',
      arn: at(member, 'Arn')?.text ?? '',
    }));
    return { items, next: markerAfter(answer) };
  });

/** Where a list of IAM continues. */
const markerAfter = (answer: XmlElement | undefined): string | undefined =>
  at(answer, 'IsTruncated')?.text === 'true' ? at(answer, 'Marker')?.text : undefined;

/** All pages, before changes. */
const idsOf = (iam: AwsQuery, UserName: string, { list, items, id, isNeeded }: Belonging): Promise<string[]> =>
  allPages(async (Marker: string | undefined) => {
    const asked = iam(list, { UserName, Marker });
    const answer = await (isNeeded ? asked : unlessGone(asked));
    const ids = (at(answer, items)?.children ?? []).map((member) => {
      const named = id === undefined ? member.text : at(member, id)?.text;
      if (!named) throw new Error(`IAM returned an unexpected response to ${list}`);
      return named;
    });
    return { items: ids, next: markerAfter(answer) };
  });

async function unlessGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof AwsFault && error.code === 'NoSuchEntity') return undefined;
    throw error;
  }
}

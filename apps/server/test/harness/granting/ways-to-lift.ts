import { makeIdentity } from '@coffer/domain/testing';
import type { Caller, TestServer } from '../test-server.ts';
import type { GrantingWorld } from './world.ts';

/** Of what was made: names differ. */
let number = 0;

type Way = readonly [operation: string, method: Parameters<Caller>[0], url: string, body?: object];

/**
 * Exempt machines that are forbidden to write, each in another way; and one call for each that lifts that, for an
 * administrator to make.
 */
export async function waysToLift(
  test: TestServer,
  { organizationId, masters, projectIds }: Pick<GrantingWorld, 'organizationId' | 'masters' | 'projectIds'>,
): Promise<{ exempt: GrantingWorld['exempt']; ways: Way[] }> {
  const [projectId] = projectIds as [string];
  const { call } = masters[0]!;
  const ask = async (method: Parameters<Caller>[0], url: string, body?: object) => {
    const answer = await call(method, url, body);
    if (answer.status !== 200) throw new Error(`${method} ${url}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const inProject = `/api/v1/projects/${projectId}`;
  const privileges = '/api/v2/identity-project-additional-privilege';
  const denial = (conditions?: object) => [
    { subject: 'secrets', action: ['create', 'edit'], inverted: true, ...(conditions && { conditions }) },
  ];
  const identityIds: string[] = [];
  const machine = async (projectRole = 'member') => {
    const { id } = await makeIdentity(test.coffer, { organizationId, projectId, projectRole });
    identityIds.push(id);
    return id;
  };
  const forbidden = async (identityId: string, permissions: object[]) => {
    const give = { projectId, identityId, permissions, type: { isTemporary: false } };
    return (await ask('POST', privileges, give)).privilege.id as string;
  };
  const role = async () => {
    const slug = `lifted-${number++}`;
    const made = await ask('POST', `${inProject}/roles`, { slug, name: slug, permissions: denial() });
    return { slug, id: made.role.id as string };
  };
  /** A group with one machine in it. */
  const group = async (itsRole: string, memberId: string) => {
    const { id } = await ask('POST', '/api/v1/groups', { name: `lifted ${number++}` });
    await ask('POST', `${inProject}/memberships/groups/${id}`, { role: itsRole });
    await ask('POST', `/api/v1/groups/${id}/machine-identities/${memberId}`, {});
    return id as string;
  };
  const forbidding = async () => {
    const memberId = await machine();
    const made = await role();
    return { id: await group(made.slug, memberId), memberId, roleId: made.id };
  };
  const [left, gone, out, changed, edited] = [
    await forbidding(),
    await forbidding(),
    await forbidding(),
    await forbidding(),
    await forbidding(),
  ];
  const [given, narrowed] = [await forbidden(await machine(), denial()), await forbidden(await machine(), denial())];
  const kept = await machine('no-access');
  await forbidden(kept, denial());
  await group('member', kept);
  const named = await machine();
  await forbidden(named, denial({ environment: '{{identity.metadata.frozen}}' }));
  const frozen = (value: string) => ({ metadata: [{ key: 'frozen', value }] });
  await ask('PATCH', `/api/v1/identities/${named}`, frozen('prod'));
  await ask('POST', '/api/v1/secret-approvals', {
    workspaceId: projectId,
    environment: 'prod',
    approvers: [{ type: 'user', id: masters[1]!.id }],
    secretPath: '/lifted',
    exemptIdentityIds: identityIds,
  });
  const noAccess = { roles: [{ role: 'no-access', isTemporary: false }] };
  const ways: Way[] = [
    ['identityPrivileges.update', 'PATCH', `${privileges}/${narrowed}`, { permissions: [] }],
    ['identityPrivileges.delete', 'DELETE', `${privileges}/${given}`],
    ['groups.removeIdentity', 'DELETE', `/api/v1/groups/${left.id}/machine-identities/${left.memberId}`],
    ['groups.delete', 'DELETE', `/api/v1/groups/${gone.id}`],
    ['projectGroups.remove', 'DELETE', `${inProject}/memberships/groups/${out.id}`],
    ['projectGroups.update', 'PATCH', `${inProject}/memberships/groups/${changed.id}`, noAccess],
    ['projectRoles.update', 'PATCH', `${inProject}/roles/${edited.roleId}`, { permissions: [] }],
    ['projectIdentities.remove', 'DELETE', `${inProject}/memberships/identities/${kept}`],
    ['identities.update', 'PATCH', `/api/v1/identities/${named}`, frozen('nothing')],
  ];
  return { exempt: { projectId, identityIds }, ways };
}

import { makeIdentity, makeUser } from '@coffer/domain/testing';
import type { Caller, TestServer } from '../test-server.ts';
import type { GrantingWorld } from './world.ts';

/** Of what was made: names differ. */
let number = 0;

type Way = readonly [operation: string, method: Parameters<Caller>[0], url: string, body?: object];

/** One call for each way to remove rights from an actor who holds more than others, for an administrator to make. */
export async function waysToTake(test: TestServer, world: GrantingWorld): Promise<Way[]> {
  const { organizationId, masters } = world;
  const [projectId, unguarded] = world.projectIds as [string, string];
  const { call } = masters[0]!;
  const ask = async (method: Parameters<Caller>[0], url: string, body?: object) => {
    const answer = await call(method, url, body);
    if (answer.status !== 200) throw new Error(`${method} ${url}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const machine = () => makeIdentity(test.coffer, { organizationId, projectId, projectRole: 'admin' });
  const person = async () => {
    const user = await makeUser(test.coffer, { organizationId, role: 'admin' });
    await ask('POST', `/api/v1/projects/${projectId}/memberships`, { usernames: [user.email], roleSlugs: ['admin'] });
    const { rows } = await test.coffer.pool.query<{ id: string }>(
      'select id from memberships where organization_id = $1 and user_id = $2 order by project_id nulls first',
      [organizationId, user.id],
    );
    const [ofOrganization, ofProject] = rows as [{ id: string }, { id: string }];
    return { ...user, ofOrganization: ofOrganization.id, ofProject: ofProject.id };
  };
  /** An actor that administers the project only by a group. */
  const group = async () => {
    const made = await ask('POST', '/api/v1/groups', { name: `taken ${number++}` });
    await ask('POST', `/api/v1/projects/${projectId}/memberships/groups/${made.id}`, { role: 'admin' });
    const { id } = await makeIdentity(test.coffer, { organizationId });
    await ask('POST', `/api/v1/groups/${made.id}/machine-identities/${id}`, {});
    return { id: made.id as string, memberId: id };
  };
  const privileged = async () => {
    const { id: identityId } = await makeIdentity(test.coffer, { organizationId, projectId });
    const permissions = [{ subject: 'secrets', action: ['describeSecret', 'readValue', 'edit', 'delete'] }];
    const give = { projectId, identityId, permissions, type: { isTemporary: false } };
    return (await ask('POST', '/api/v2/identity-project-additional-privilege', give)).privilege.id as string;
  };
  const role = async () => {
    const permissions = [{ subject: 'secrets', action: ['describeSecret', 'readValue', 'edit', 'delete'] }];
    const slug = `taken-${number++}`;
    const made = (await ask('POST', `/api/v1/projects/${projectId}/roles`, { slug, name: slug, permissions })).role;
    const { id } = await makeIdentity(test.coffer, { organizationId });
    await ask('POST', `/api/v1/projects/${projectId}/memberships/identities/${id}`, { role: slug });
    return made.id as string;
  };
  const denial = [{ subject: 'secrets', action: 'readValue', inverted: true }];
  const members = `/api/v2/organizations/${organizationId}/memberships`;
  const privileges = '/api/v2/identity-project-additional-privilege';
  const inProject = `/api/v1/projects/${projectId}/memberships`;
  const [left, cut, gone] = [await group(), await group(), await group()];
  const [renamed, reslugged] = [await group(), await group()];
  return [
    ['organizationMembers.update', 'PATCH', `${members}/${(await person()).ofOrganization}`, { role: 'no-access' }],
    ['organizationMembers.update', 'PATCH', `${members}/${(await person()).ofOrganization}`, { isActive: false }],
    ['organizationMembers.remove', 'DELETE', `${members}/${(await person()).ofOrganization}`],
    ['projectMembers.update', 'PATCH', `${inProject}/${(await person()).ofProject}`, roles('viewer')],
    ['projectMembers.remove', 'DELETE', `${inProject}/${(await person()).ofProject}`],
    ['projectIdentities.update', 'PATCH', `${inProject}/identities/${(await machine()).id}`, roles('viewer')],
    ['projectIdentities.remove', 'DELETE', `${inProject}/identities/${(await machine()).id}`],
    ['identities.delete', 'DELETE', `/api/v1/identities/${(await machine()).id}`],
    ['groups.removeIdentity', 'DELETE', `/api/v1/groups/${left.id}/machine-identities/${left.memberId}`],
    ['projectGroups.update', 'PATCH', `${inProject}/groups/${cut.id}`, roles('viewer')],
    ['groups.delete', 'DELETE', `/api/v1/groups/${gone.id}`],
    // Names by which others give rights to a group, and read the secrets of a project that has no change policies.
    ['groups.update', 'PATCH', `/api/v1/groups/${renamed.id}`, { name: `taken ${number++}` }],
    ['groups.update', 'PATCH', `/api/v1/groups/${reslugged.id}`, { slug: `taken-${number++}` }],
    ['projects.update', 'PATCH', `/api/v1/projects/${unguarded}`, { slug: `taken-${number++}` }],
    ['projectsV1.update', 'PATCH', `/api/v1/workspace/${unguarded}`, { slug: `taken-${number++}` }],
    ['identityPrivileges.update', 'PATCH', `${privileges}/${await privileged()}`, { permissions: [] }],
    ['identityPrivileges.delete', 'DELETE', `${privileges}/${await privileged()}`],
    ['projectRoles.update', 'PATCH', `/api/v1/projects/${projectId}/roles/${await role()}`, { permissions: [] }],
    [
      'identityPrivileges.create',
      'POST',
      privileges,
      { projectId, identityId: (await machine()).id, permissions: denial, type: { isTemporary: false } },
    ],
  ];
}

const roles = (role: string) => ({ roles: [{ role, isTemporary: false }] });

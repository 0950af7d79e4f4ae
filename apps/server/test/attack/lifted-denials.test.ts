import { builtInRole } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { describe, expect, it } from 'vitest';
import { approvalTests, type Approvals, type Member } from '../harness/approvals.ts';
import { GROUP_ACTIONS, ok } from '../harness/groups.ts';
import { waysToLift } from '../harness/granting/ways-to-lift.ts';
import type { Caller, TestServer } from '../harness/test-server.ts';

/**
 * An actor with all permissions in a project except editing policies lifts the denial of writes of an exempt machine.
 */

const POLICIES = '/api/v1/secret-approvals';
const beyond = { status: 403, body: { error: 'PermissionBoundaryError' } };
const BUT_POLICIES = [
  ...builtInRole('project', 'admin')!.rules,
  { subject: 'secret-approval', action: ['create', 'edit', 'delete'], inverted: true },
];
const WRITES = { subject: 'secrets', action: ['create', 'edit'] };

let test: TestServer;
let of: Approvals;
let ann: Member;
const groups = approvalTests(async (project) => {
  [test, of, ann] = [project.test, project, await project.member()];
});

const everything = [
  { subject: 'groups', action: GROUP_ACTIONS },
  ...['identity', 'member'].map((subject) => ({ subject, action: ['read', 'create', 'edit', 'delete'] })),
];
const butPolicies = () =>
  test.identity({ organizationRules: everything, projectId: of.project.id, rules: BUT_POLICIES });

describe('attack: lifting what forbids an exempt machine to write', () => {
  it('in every way, also by a temporary permission to edit policies', async () => {
    const mallory = await butPolicies();
    const masters = [test.adminIdentity, ann].map(({ id }) => ({ id, type: 'identity' as const, call: test.admin }));
    const { organizationId } = test;
    const { exempt, ways } = await waysToLift(test, { organizationId, masters, projectIds: [of.project.id] });
    const attempt = async (expected: object) => {
      for (const [operation, method, url, body] of ways)
        expect([operation, await mallory.call(method, url, body)]).toMatchObject([operation, expected]);
    };
    await attempt(beyond);
    await ok(
      test.admin('POST', '/api/v2/identity-project-additional-privilege', {
        projectId: of.project.id,
        identityId: mallory.id,
        permissions: [{ subject: 'secret-approval', action: ['edit'] }],
        type: {
          isTemporary: true,
          temporaryMode: 'relative',
          temporaryRange: '10m',
          temporaryAccessStartTime: test.coffer.now().toISOString(),
        },
      }),
    );
    await attempt(beyond);
    // It is the exemption alone that is in the way.
    const { rows } = await test.coffer.pool.query<{ id: string }>(
      'select id from approval_policies where project_id = $1 and deleted_at is null',
      [of.project.id],
    );
    await ok(test.admin('PATCH', `${POLICIES}/${rows[0]!.id}`, { exemptIdentityIds: [] }));
    expect(exempt.identityIds.length).toBe(ways.length);
    await attempt({ status: 200 });
  });

  describe('that is a service token of a user who was forbidden to write', () => {
    /** What forbids it, and who lifts that how. */
    const ways: Record<string, (maker: Member, mallory: Caller) => Promise<() => ReturnType<Caller>>> = {
      'deleting a privilege': async ({ membershipId: projectMembershipId }, mallory) => {
        const privileges = '/api/v1/user-project-additional-privilege';
        const permissions = [{ ...WRITES, inverted: true }];
        const give = { projectMembershipId, permissions, type: { isTemporary: false } };
        const { privilege } = await ok(test.admin('POST', privileges, give));
        return () => mallory('DELETE', `${privileges}/${privilege.id}`);
      },
      'taking it out of a group': async ({ email }, mallory) => {
        const group = await groups.make();
        await groups.letInto(of.project, group, { role: await of.role([{ ...WRITES, inverted: true }]) });
        await ok(test.admin('POST', `/api/v1/groups/${group.id}/users/${email}`));
        return () => mallory('DELETE', `/api/v1/groups/${group.id}/users/${email}`);
      },
      'giving it a role': async ({ membershipId }, mallory) => {
        const url = `/api/v1/projects/${of.project.id}/memberships/${membershipId}`;
        const roles = (role: string) => ({ roles: [{ role, isTemporary: false }] });
        await ok(test.admin('PATCH', url, roles('viewer')));
        return () => mallory('PATCH', url, roles('member'));
      },
      'letting it back into the organization': async ({ id }, mallory) => {
        const { rows } = await test.coffer.pool.query<{ id: string }>(
          'select id from memberships where user_id = $1 and project_id is null',
          [id],
        );
        const url = `/api/v2/organizations/${test.organizationId}/memberships/${rows[0]!.id}`;
        await ok(test.admin('PATCH', url, { isActive: false }));
        return () => mallory('PATCH', url, { isActive: true });
      },
    };

    it.each(Object.keys(ways))('%s', async (way) => {
      const maker = await of.member();
      const token = await of.serviceToken(maker.call);
      const { id } = await of.policy([ann], { exemptMachines: true });
      const attempt = await ways[way]!(maker, (await butPolicies()).call);
      const write = () => of.write(token.call, 'A', '1');
      expect([401, 403, 404]).toContain((await write()).status);
      expect(await attempt()).toMatchObject(beyond);
      expect([401, 403, 404]).toContain((await write()).status);
      await ok(test.admin('PATCH', `${POLICIES}/${id}`, { exemptMachines: false }));
      await ok(attempt());
      expect((await ok(write())).approval.status).toBe('open');
    });

    it('but a user without a service token in the project is added as before', async () => {
      await of.policy([ann], { exemptMachines: true });
      const { email } = await makeUser(test.coffer, { organizationId: test.organizationId });
      const add = { usernames: [email], emails: [], roleSlugs: ['member'] };
      const { call } = await butPolicies();
      const { status } = await call('POST', `/api/v1/projects/${of.project.id}/memberships`, add);
      expect(status).toBe(200);
    });
  });
});

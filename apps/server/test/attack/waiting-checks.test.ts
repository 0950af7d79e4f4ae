import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anotherProcess, type AnotherProcess } from '../harness/another-process.ts';
import { Approvals } from '../harness/approvals.ts';
import { ok } from '../harness/groups.ts';
import { HeldStatements } from '../harness/held-statement.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let second: AnotherProcess;
let held: HeldStatements;
/** The administrator, at the second process. */
let elsewhere: Caller;
beforeAll(async () => {
  test = await testServer();
  second = await anotherProcess(test);
  held = new HeldStatements(test);
  elsewhere = second.as(test.adminIdentity.token);
});
afterAll(async () => {
  await second.close();
  await test.close();
});

const BEGIN = /^begin/;
const ANY = /./;
const NOTHING = { roles: [{ role: 'no-access' }] };
const outcome = ({ status, body }: Answer) => (status === 200 ? 200 : [status, body.error]);

/** A project with an administrator of it. */
async function administrated() {
  const { id: projectId } = await test.project();
  const made = await test.identity({ projectId, projectRole: 'admin' });
  await ok(made.call('GET', `/api/v1/projects/${projectId}/roles`));
  const membership = `/api/v1/projects/${projectId}/memberships/identities/${made.id}`;
  return { ...made, projectId, deny: () => ok(elsewhere('PATCH', membership, NOTHING)) };
}

async function userIn(projectId: string) {
  const user = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'member' });
  const added = { usernames: [user.email], emails: [], roleSlugs: ['no-access'] };
  const { memberships } = await ok(test.admin('POST', `/api/v1/projects/${projectId}/memberships`, added));
  return {
    ...user,
    call: test.as(user.token),
    membership: `/api/v1/projects/${projectId}/memberships/${memberships[0].id}`,
  };
}

describe('attack: requests of which a statement waits', () => {
  it.each(['member', 'mapping'])('get no SSH certificate for a login that ends meanwhile, by its %s', async (ends) => {
    const { id: projectId } = await test.project();
    const { email, call, membership } = await userIn(projectId);
    const mapped = [{ loginUser: 'root', allowedPrincipals: { usernames: [email] } }];
    const host = {
      projectId,
      hostname: `${ends}.example.com`,
      userCertTtl: '8h',
      hostCertTtl: '1y',
      loginMappings: mapped,
    };
    const { id } = await ok(test.admin('POST', '/api/v1/ssh/hosts', host));
    const url = `/api/v1/ssh/hosts/${id}/issue-user-cert`;
    const issue = () => call('POST', url, { loginUser: 'root' });
    expect(outcome(await issue())).toBe(200);
    const end = () =>
      ok(
        ends === 'member'
          ? elsewhere('DELETE', membership)
          : elsewhere('PATCH', `/api/v1/ssh/hosts/${id}`, { loginMappings: [] }),
      );
    expect(outcome(await held.during(/insert into ssh_certificates/, issue, end, { isShared: true }))).toEqual([
      404,
      'NotFound',
    ]);
    const { rows } = await test.owner.query('select id from ssh_certificates where ssh_host_id = $1', [id]);
    expect(rows).toHaveLength(1);
  });

  it('search nothing by POST after the right has ended', async () => {
    const { projectId, call, deny } = await administrated();
    const url = `/api/v1/projects/${projectId}/certificates/search`;
    await ok(call('POST', url, {}));
    const answer = await held.during(ANY, () => call('POST', url, {}), deny);
    expect(outcome(answer)).toEqual([403, 'PermissionDenied']);
  });

  it('list no projects by POST after the right to enter all of them has ended', async () => {
    const { id, call } = await test.identity({ organizationRole: 'admin' });
    const search = () => call('POST', '/api/v1/workspace/search', { limit: 10 });
    expect((await ok(search())).totalCount).toBeGreaterThan(0);
    const deny = () => ok(elsewhere('PATCH', `/api/v1/identities/${id}`, { role: 'no-access' }));
    expect((await ok(held.during(ANY, search, deny))).totalCount).toBe(0);
  });

  it('fail by the present rights: no caller without them learns which names are taken', async () => {
    const { projectId, call, deny } = await administrated();
    const environment = { name: 'Production', slug: 'prod' };
    const create = () => call('POST', `/api/v1/projects/${projectId}/environments`, environment);
    expect((await create()).status).toBe(400);
    expect(outcome(await held.during(BEGIN, create, deny))).toEqual([403, 'PermissionDenied']);
  });

  it('fail by the present rights: no caller without a token learns who is a member', async () => {
    const { projectId, call, token } = await administrated();
    const { id: other } = await test.identity({ projectId });
    const add = () => call('POST', `/api/v1/projects/${projectId}/memberships/identities/${other}`, { role: 'viewer' });
    const revoke = () => ok(second.as(token)('POST', '/api/v1/auth/token/revoke', { accessToken: token }));
    expect((await held.during(BEGIN, add, revoke)).status).toBe(401);
    expect((await add()).status).toBe(401);
  });

  it.each([
    ['token', 401],
    ['right', 403],
  ])('import no further key after their %s has ended', async (ends, status) => {
    const { projectId, token, call, deny } = await administrated();
    const keyMaterial = Buffer.alloc(32, 7).toString('base64');
    const use = { keyUsage: 'encrypt-decrypt', encryptionAlgorithm: 'aes-256-gcm', keyMaterial };
    const keys = ['one', 'two', 'three'].map((name) => ({ name, ...use }));
    const revoke = () => ok(second.as(token)('POST', '/api/v1/auth/token/revoke', { accessToken: token }));
    const send = () => call('POST', '/api/v1/kms/keys/bulk-import', { projectId, keys });
    const answer = await held.during(BEGIN, send, ends === 'token' ? revoke : deny, { after: 1 });
    expect(answer.status).toBe(status);
    const stored = (await ok(test.admin('GET', `/api/v1/kms/keys?projectId=${projectId}`))).keys as { name: string }[];
    expect(stored.map(({ name }) => name)).toEqual(['one']);
  });

  it('plan nothing after their token was revoked', async () => {
    const { projectId, token, call } = await administrated();
    const { id } = await test.identity({ projectId });
    const url = `/api/v1/projects/${projectId}/memberships/identities/${id}?dryRun=true`;
    const plan = () => call('PATCH', url, { roles: [{ role: 'viewer' }] });
    await ok(plan());
    const revoke = () => ok(second.as(token)('POST', '/api/v1/auth/token/revoke', { accessToken: token }));
    // After the work, while its effects are looked at.
    expect((await held.during(/rollback to savepoint/, plan, revoke)).status).toBe(401);
  });

  it('show a change request to nobody who has ceased to be its approver', async () => {
    const of = await Approvals.in(test);
    const [ann, ben, mallory] = [await of.member(), await of.member('no-access'), await of.member()];
    const { id: policyId } = await of.policy([ann, ben]);
    const id = await of.ask(mallory.call, 'KEY', 'value');
    await ok(of.get(ben.call, id));
    const approvers = [{ type: 'user', id: ann.id }];
    const cease = () => ok(elsewhere('PATCH', `/api/v1/secret-approvals/${policyId}`, { approvers }));
    // The last of its statements.
    const answer = await held.during(
      /from secret_approval_request_reviews|from approval_reviews/,
      () => of.get(ben.call, id),
      cease,
      { after: 1 },
    );
    expect(outcome(answer)).toEqual([403, 'PermissionDenied']);
  });

  it.each(['created', 'changed'])('approve access by all policies, one included that is %s meanwhile', async (how) => {
    const of = await Approvals.in(test);
    const [mallory, accomplice, strict] = [
      await of.member('viewer'),
      await of.member('admin'),
      await of.member('admin'),
    ];
    const policies = '/api/v1/access-approvals/policies';
    const policy = ({ id }: { id: string }, secretPath: string) => ({
      ...{ projectSlug: of.project.slug, environment: 'prod', secretPath },
      approvers: [{ type: 'user', id }],
    });
    await ok(test.admin('POST', policies, policy(accomplice, '/**')));
    const other = (await ok(test.admin('POST', policies, policy(strict, '/other')))).approval.id as string;
    const conditions = { environment: 'prod', secretPath: { $glob: '/app/**' } };
    const asked = { permissions: [{ subject: 'secrets', action: ['edit'], conditions }], isTemporary: false };
    const requests = '/api/v1/access-approvals/requests';
    const { approval } = await ok(mallory.call('POST', `${requests}?projectSlug=${of.project.slug}`, asked));
    const strengthen = () =>
      how === 'created'
        ? elsewhere('POST', policies, policy(strict, '/**'))
        : elsewhere('PATCH', `${policies}/${other}`, { secretPath: '/**' });
    const review = () => accomplice.call('POST', `${requests}/${approval.id}/review`, { status: 'approved' });
    const order: string[] = [];
    let strengthened: Promise<unknown> | undefined;
    const reviewed = await held.during(/from access_approval_requests .* for update/s, review, async () => {
      strengthened = ok(strengthen()).then(() => order.push('policy'));
      await Promise.race([strengthened, new Promise((resolve) => setTimeout(resolve, 500))]);
      order.push('review');
    });
    await strengthened;
    const { requests: listed } = await ok(test.admin('GET', `${requests}?projectSlug=${of.project.slug}`));
    // Whichever comes first counts for the other.
    expect([reviewed.status, listed[0].isApproved]).toEqual([200, order[0] === 'review']);
  });
});

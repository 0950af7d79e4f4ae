import { appRouter, openApiDocument } from '@coffer/api';
import { issueSignUpLink } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const password = 'correct horse battery';
const BOB = 'bob@example.com';
const COMPLETE = '/api/v3/signup/complete-account';
let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const invite = async (call: Caller, organizationId: string, email = BOB) => {
  const { body } = await call('POST', '/api/v1/invite-org/signup', { inviteeEmails: [email], organizationId });
  return new URL(body.completeInviteLinks[0].link).searchParams.get('token')!;
};
const verify = (code: string, organizationId: string, token?: string, email = BOB) =>
  test.as(token)('POST', '/api/v1/invite-org/verify', { email, organizationId, code });
const complete = (token: string, email = BOB) =>
  test.as()('POST', `${COMPLETE}/invite`, { email, password, firstName: 'Bob', token });
const membershipsOf = async (email: string) =>
  (
    await test.coffer.pool.query<{ organization_id: string; status: string }>(
      `select organization_id, status from memberships where invite_email = $1 order by organization_id = $2 desc`,
      [email, test.organizationId],
    )
  ).rows;

describe('attack: an account by the links of invitations', () => {
  it('an inviter who knows the link cannot take over an account that others have invited', async () => {
    const attacker = await test.foreign();
    const ours = await invite(test.admin, test.organizationId);
    const seen = await invite(attacker.call, attacker.organizationId);
    const refused = await verify(seen, attacker.organizationId);
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('sign-up-link') } });
    expect(refused.body).not.toHaveProperty('token');
    expect((await verify(ours, test.organizationId)).status).toBe(400);
    expect((await test.as()('POST', '/api/v3/auth/login', { email: BOB, password })).status).toBe(401);

    // The owner of the mailbox completes the account, and accepts each invitation by its own link.
    const ctx = test.coffer.contextFor({ type: 'platform', organizationId: undefined });
    const link = new URL(await issueSignUpLink(ctx, { email: BOB }));
    const code = link.searchParams.get('token');
    const proof = await test.as()('POST', '/api/v3/signup/email/verify', { email: BOB, code });
    const form = { email: BOB, password, firstName: 'Bob', token: proof.body.token };
    const done = await test.as()('POST', `${COMPLETE}/signup`, form);
    expect(done).toMatchObject({ status: 200, body: { organizationId: null, user: { isEmailVerified: true } } });
    expect((await membershipsOf(BOB)).map(({ status }) => status)).toEqual(['invited', 'invited']);
    expect((await verify(seen, test.organizationId, done.body.token)).status).toBe(401);
    expect((await verify(ours, test.organizationId)).status).toBe(401);
    expect((await verify(ours, test.organizationId, done.body.token)).status).toBe(200);
    expect((await membershipsOf(BOB)).map(({ status }) => status)).toEqual(['accepted', 'invited']);
    await expect(issueSignUpLink(ctx, { email: BOB })).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('nor if the other invitation comes between the link and the password', async () => {
    const email = 'race@example.com';
    const attacker = await test.foreign();
    const seen = await invite(attacker.call, attacker.organizationId, email);
    const { token } = (await verify(seen, attacker.organizationId, undefined, email)).body;
    await invite(test.admin, test.organizationId, email);
    expect((await complete(token, email)).status).toBe(400);
    const { rows } = await test.coffer.pool.query('select is_accepted from users where email = $1', [email]);
    expect(rows).toEqual([{ is_accepted: false }]);
  });

  it('an account that was created with a disclosed link joins nothing else', async () => {
    const email = 'seen@example.com';
    const attacker = await test.foreign();
    const seen = await invite(attacker.call, attacker.organizationId, email);
    const { token } = (await verify(seen, attacker.organizationId, undefined, email)).body;
    const done = await complete(token, email);
    expect(done).toMatchObject({ status: 200, body: { user: { isEmailVerified: false } } });
    await invite(test.admin, test.organizationId, email);
    const select = { organizationId: test.organizationId };
    expect((await test.as(done.body.token)('POST', '/api/v3/auth/select-organization', select)).status).toBe(403);
    expect((await verify(seen, test.organizationId, done.body.token, email)).status).toBe(401);
  });

  it('no one signs up with an address of an allowed domain without access to its mailbox', async () => {
    const root = await makeUser(test.coffer, { isSuperAdmin: true });
    const settings = { allowSignUp: true, allowedSignUpDomain: 'acme.test' };
    await test.as(root.token)('PATCH', '/api/v1/admin/config', settings);
    for (const token of [undefined, '', 'guess', root.token, `cfn_${'x'.repeat(50)}`]) {
      const form = { email: 'boss@acme.test', password, firstName: 'Eve', ...(token !== undefined && { token }) };
      const { status } = await test.as(token)('POST', `${COMPLETE}/signup`, form);
      expect([token, [400, 401].includes(status)]).toEqual([token, true]);
    }
    const { rows } = await test.coffer.pool.query(`select 1 from users where email like '%acme.test'`);
    expect(rows).toEqual([]);
  });
});

describe('attack: who is behind an address', () => {
  const SHOWN = 'Annabel of Acme';
  /** About the caller, for administrators of the instance, or about whom an operation concerns by a token or code. */
  const OTHERS = /^\/api\/(v1\/admin|v2\/users\/me|v1\/user$|v1\/password|v3\/signup|v1\/invite-org\/verify)/;

  it('is not told to whoever invites it, by any operation that shows people, until the invitation is accepted', async () => {
    const ann = await makeUser(test.coffer, { organizationId: test.organizationId });
    const person = { firstName: SHOWN, lastName: 'Smith' };
    expect((await test.as(ann.token)('PATCH', '/api/v2/users/me/name', person)).status).toBe(200);
    const { organizationId, call } = await test.foreign();
    const code = await invite(call, organizationId, ann.email);
    const { project } = (await call('POST', '/api/v2/workspace', { projectName: 'Elsewhere' })).body;
    await call('POST', `/api/v1/projects/${project.id}/memberships`, { emails: [ann.email], roleSlugs: ['viewer'] });
    const named = { name: 'Group', organizationId, role: 'no-access' };
    const group = (await call('POST', '/api/v1/groups', named)).body;
    const members = (await call('GET', `/api/v2/organizations/${organizationId}/memberships`)).body.users;
    const isAnn = (one: { user: { email: string } }) => one.user.email === ann.email;
    const inProject = (await call('GET', `/api/v1/projects/${project.id}/memberships`)).body.memberships;
    const values: Record<string, string> = {
      organizationId,
      projectId: project.id,
      workspaceId: project.id,
      projectSlug: project.slug,
      id: group.id,
      username: ann.email,
    };
    const paths = await pathsWith('firstName');
    const ask = async ([method, path]: readonly [string, string]) => {
      const membershipId = path.includes('/organizations/') ? members.find(isAnn).id : inProject.find(isAnn).id;
      const url = path.replace(/\{(\w+)\}/g, (_, name: string) => ({ ...values, membershipId })[name] ?? 'unknown');
      const query = method === 'GET' ? `?workspaceId=${project.id}&projectSlug=${project.slug}` : '';
      const body = method === 'GET' ? undefined : { username: ann.email };
      const { status, body: answer } = await call(method as 'GET', url + query, body);
      return { asked: `${method} ${path}`, status, isShown: /Annabel|Smith/.test(JSON.stringify(answer)) };
    };
    const asked = [];
    for (const one of paths.filter(([, path]) => !OTHERS.test(path))) asked.push(await ask(one));
    expect(asked.filter(({ status }) => status === 200).length).toBeGreaterThan(12);
    expect(asked.filter(({ isShown }) => isShown)).toEqual([]);
    const search = `/api/v1/groups/${group.id}/users?search=Annabel`;
    expect((await call('GET', search)).body.users).toEqual([]);
    expect((await verify(code, organizationId, ann.token, ann.email)).status).toBe(200);
    expect((await ask(['GET', '/api/v2/organizations/{organizationId}/memberships'])).isShown).toBe(true);
    expect((await ask(['GET', '/api/v1/projects/{projectId}/memberships'])).isShown).toBe(true);
    expect((await call('GET', search)).body.users).toHaveLength(1);
  });
});

/** The operations whose answers have a field, by the document. */
async function pathsWith(field: string): Promise<[method: string, path: string][]> {
  const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  const schemas = (document.components?.schemas ?? {}) as Record<string, unknown>;
  const holds = (part: unknown, seen = new Set<unknown>()): boolean => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return false;
    seen.add(part);
    const { $ref, properties } = part as { $ref?: string; properties?: object };
    if ($ref !== undefined) return holds(schemas[$ref.split('/').pop()!], seen);
    return Object.hasOwn(properties ?? {}, field) || Object.values(part).some((one) => holds(one, seen));
  };
  return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { responses?: Record<string, unknown> }>)
      .filter(([, { responses }]) => holds(responses?.['200']))
      .map(([method]): [string, string] => [method.toUpperCase(), path]),
  );
}

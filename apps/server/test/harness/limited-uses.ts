import { createHash, randomUUID } from 'node:crypto';
import { issuePasswordReset, issueSignUpLink } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { signedRequest, type AwsPrincipal } from '@coffer/domain/testing/clouds';
import { Approvals } from './approvals.ts';
import { DynamicSecretAtWork, dynamicPlace } from './dynamic-secret.ts';
import { ok } from './groups.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';

/** A caller of a process with a token, or with none. */
export type As = (token?: string) => Caller;

/** What can be used a number of times. */
export interface Limited {
  readonly uses: number;
  /** Asks a process for one more use, the `n`th. */
  readonly use: (as: As, n: number) => Promise<Answer>;
}

export interface LimitedWorld {
  readonly test: TestServer;
  /** The maximum number of leases of a dynamic secret. */
  readonly maxLeases: number;
  readonly aws: AwsPrincipal;
}

export const PASSWORD = 'correct horse battery';
export const VERIFIER = 'a-verifier-of-this-test-that-has-43-letters-~.';
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** A machine identity with a login method. */
export async function machine({ admin, organizationId }: TestServer, kind: string, config: object = {}) {
  const name = { name: 'limited', organizationId, role: 'member' };
  const { identity } = await ok(admin('POST', '/api/v1/identities', name));
  const url = `/api/v1/auth/${kind}/identities/${identity.id}`;
  const attached = await ok(admin('POST', url, config));
  return { identityId: identity.id as string, url, attached };
}

const cookieOf = ({ headers }: Answer): string => /jid=[^;]+/.exec(String(headers['set-cookie']))![0];

/** A person who is signed in. */
export async function signedIn(test: TestServer) {
  const { coffer, organizationId } = test;
  const user = await makeUser(coffer, { organizationId, role: 'member', password: PASSWORD });
  const login = await test.as()('POST', '/api/v3/auth/login', { email: user.email, password: PASSWORD });
  const chosen = await ok(
    test.as(login.body.accessToken)('POST', '/api/v3/auth/select-organization', { organizationId }),
  );
  return { ...user, token: chosen.token as string, cookie: cookieOf(login) };
}

const invite = async ({ admin, organizationId }: TestServer) => {
  const email = `${randomUUID()}@example.com`;
  const body = { inviteeEmails: [email], organizationId };
  const { completeInviteLinks } = await ok(admin('POST', '/api/v1/invite-org/signup', body));
  return { email, code: new URL(completeInviteLinks[0].link).searchParams.get('token')! };
};

export const codeIn = (link: string) => new URL(link).searchParams.get('token')!;
export const platform = ({ coffer }: TestServer) => coffer.contextFor({ type: 'platform', organizationId: undefined });

/** Everything that is used once, or a number of times (`limit`), by what it is. Each call makes another one. */
export const LIMITED: Readonly<Record<string, (world: LimitedWorld, limit: number) => Promise<Limited>>> = {
  'an access token': async ({ test }, limit) => {
    const { url } = await machine(test, 'token-auth', { accessTokenNumUsesLimit: limit });
    const { accessToken } = await ok(test.admin('POST', `${url}/tokens`, {}));
    return {
      uses: limit,
      use: (as) => as(accessToken)('GET', `/api/v1/organization/${test.organizationId}/permissions`),
    };
  },
  'a client secret': async ({ test }, limit) => {
    const { url, attached } = await machine(test, 'universal-auth');
    const { clientSecret } = await ok(test.admin('POST', `${url}/client-secrets`, { numUsesLimit: limit }));
    const body = { clientId: attached.identityUniversalAuth.clientId, clientSecret };
    return { uses: limit, use: (as) => as()('POST', '/api/v1/auth/universal-auth/login', body) };
  },
  'a signed request of AWS': async ({ test, aws }) => {
    const { identityId } = await machine(test, 'aws-auth', { allowedAccountIds: '123456789012' });
    const body = { identityId, ...signedRequest(aws, { headers: { 'X-Coffer-Nonce': randomUUID() } }) };
    return { uses: 1, use: (as) => as()('POST', '/api/v1/auth/aws-auth/login', body) };
  },
  'a code of a command line': async ({ test }) => {
    const { token, cookie } = await signedIn(test);
    const path = '/api/v1/auth/command-line';
    const { code } = await ok(test.as(token)('POST', `${path}/authorize`, { codeChallenge: CHALLENGE }, { cookie }));
    return { uses: 1, use: (as) => as()('POST', `${path}/token`, { code, codeVerifier: VERIFIER }) };
  },
  'a code for another password': async ({ test }) => {
    const { email } = await makeUser(test.coffer, { password: PASSWORD });
    const code = codeIn(await issuePasswordReset(platform(test), { email }));
    return { uses: 1, use: (as) => as()('POST', '/api/v1/password/email/password-reset-verify', { email, code }) };
  },
  'a token for another password': async ({ test }) => {
    const { email } = await makeUser(test.coffer, { password: PASSWORD });
    const code = codeIn(await issuePasswordReset(platform(test), { email }));
    const verified = await ok(test.as()('POST', '/api/v1/password/email/password-reset-verify', { email, code }));
    const use = (as: As, n: number) =>
      as(verified.token)('POST', '/api/v2/password/password-reset', { newPassword: `${PASSWORD} ${n}` });
    return { uses: 1, use };
  },
  'an invitation of somebody new': async ({ test }) => {
    const { email, code } = await invite(test);
    const body = { email, code, organizationId: test.organizationId };
    return { uses: 1, use: (as) => as()('POST', '/api/v1/invite-org/verify', body) };
  },
  'an invitation of a user': async ({ test }) => {
    const user = await makeUser(test.coffer);
    const body = { inviteeEmails: [user.email], organizationId: test.organizationId };
    const { completeInviteLinks } = await ok(test.admin('POST', '/api/v1/invite-org/signup', body));
    const shown = { email: user.email, organizationId: test.organizationId, code: codeIn(completeInviteLinks[0].link) };
    return { uses: 1, use: (as) => as(user.token)('POST', '/api/v1/invite-org/verify', shown) };
  },
  'a token that completes an account': async ({ test }) => {
    const { email, code } = await invite(test);
    const shown = { email, code, organizationId: test.organizationId };
    const { token } = await ok(test.as()('POST', '/api/v1/invite-org/verify', shown));
    const body = { email, password: PASSWORD, firstName: 'Bob', token };
    return { uses: 1, use: (as) => as()('POST', '/api/v3/signup/complete-account/invite', body) };
  },
  'a code for signing up': async ({ test }) => {
    const { email } = await invite(test);
    const code = codeIn(await issueSignUpLink(platform(test), { email }));
    return { uses: 1, use: (as) => as()('POST', '/api/v3/signup/email/verify', { email, code }) };
  },
  'a token for signing up': async ({ test }) => {
    const { email } = await invite(test);
    const code = codeIn(await issueSignUpLink(platform(test), { email }));
    const { token } = await ok(test.as()('POST', '/api/v3/signup/email/verify', { email, code }));
    const body = { email, password: PASSWORD, firstName: 'Bob', token };
    return { uses: 1, use: (as) => as()('POST', '/api/v3/signup/complete-account/signup', body) };
  },
  'the leases of a dynamic secret': async ({ test, maxLeases }) => {
    const place = await dynamicPlace(test);
    const one = new DynamicSecretAtWork(test, place);
    await ok(one.create('totp', { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP', digits: 8 }));
    const use = (as: As) => new DynamicSecretAtWork(test, place, one.name, as(test.adminIdentity.token)).lease();
    return { uses: maxLeases, use };
  },
  'a change request': async ({ test }) => {
    const of = await Approvals.in(test);
    const [author, approver] = [await of.member(), await of.member()];
    await of.policy([approver]);
    const id = await of.ask(author.call, 'KEY', 'value');
    const url = `/api/v1/secret-approval-requests/${id}`;
    await ok(approver.call('POST', `${url}/review`, { status: 'approved' }));
    return { uses: 1, use: (as) => as(test.adminIdentity.token)('POST', `${url}/merge`) };
  },
  'the API keys of a user': async ({ test }, limit) => {
    const user = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'member' });
    const path = '/api/v2/users/me/api-keys';
    await ok(test.as(user.token)('POST', path, { name: 'first', expiresIn: 3600 }));
    await test.owner.query(
      `insert into user_api_keys select (json_populate_record(k, json_build_object('id', gen_random_uuid(), 'hash', sha256(n::text::bytea || uuid_send(k.id))))).*
       from user_api_keys k, generate_series(2, $2) n where user_id = $1`,
      [user.id, 50 - limit],
    );
    return { uses: limit, use: (as) => as(user.token)('POST', path, { name: 'another', expiresIn: 3600 }) };
  },
  'the trusted addresses of a project': async ({ test }, limit) => {
    const { id } = await test.project();
    await test.owner.query(
      `insert into trusted_ips (id, organization_id, project_id, ip_address, type, prefix, is_active)
       select gen_random_uuid(), $1, $2, '10.0.' || n || '.0', 'ipv4', 24, false from generate_series(1, $3) n`,
      [test.organizationId, id, 100 - limit],
    );
    const use = (as: As, n: number) =>
      as(test.adminIdentity.token)('POST', `/api/v1/workspace/${id}/trusted-ips`, {
        ...{ ipAddress: `10.1.${n}.0/24`, comment: '', isActive: false },
      });
    return { uses: limit, use };
  },
  'the webhooks of a project': async ({ test }, limit) => {
    const { id } = await test.project();
    const body = { projectId: id, environment: 'dev', webhookUrl: 'https://hooks.example/x', secretPath: '/' };
    await ok(test.admin('POST', '/api/v1/webhooks', body));
    await test.owner.query(
      `insert into webhooks select (json_populate_record(w, json_build_object('id', gen_random_uuid()))).*
       from webhooks w, generate_series(2, $2) where project_id = $1`,
      [id, 200 - limit],
    );
    return { uses: limit, use: (as) => as(test.adminIdentity.token)('POST', '/api/v1/webhooks', body) };
  },
};

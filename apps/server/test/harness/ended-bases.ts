import { issuePasswordReset } from '@coffer/domain';
import { ok } from './groups.ts';
import { CHALLENGE, codeIn, machine, PASSWORD, platform, signedIn, VERIFIER, type As } from './limited-uses.ts';
import type { Answer, TestServer } from './test-server.ts';

/** The headers that show a credential; `undefined` where it was refused. */
type Credential = Record<string, string> | undefined;

/** What ends a basis. Some credentials go on nevertheless. */
interface End {
  readonly by: (as: As) => Promise<Answer>;
  readonly spares?: readonly string[];
}

/** An actor of the organization that obtains further credentials, in several ways, and may end in several ways. */
export interface Basis {
  readonly obtain: Readonly<Record<string, (as: As) => Promise<Credential>>>;
  readonly end: Readonly<Record<string, End>>;
}

const bearer = ({ status }: Answer, token: string): Credential =>
  status === 200 ? { authorization: `Bearer ${token}` } : undefined;

/** An administrator of the instance as `root`. */
async function person(test: TestServer, root: string): Promise<Basis> {
  const { organizationId, admin, adminIdentity } = test;
  const { id, email, token, cookie } = await signedIn(test);
  const { id: projectId } = await test.project();
  await ok(admin('POST', `/api/v2/workspace/${projectId}/memberships`, { usernames: [email], emails: [] }));
  const commandLine = '/api/v1/auth/command-line';
  const agreed = test.as(token)('POST', `${commandLine}/authorize`, { codeChallenge: CHALLENGE }, { cookie });
  const { code } = await ok(agreed);
  const reset = codeIn(await issuePasswordReset(platform(test), { email }));
  const verified = test.as()('POST', '/api/v1/password/email/password-reset-verify', { email, code: reset });
  const { token: proof } = await ok(verified);
  const { users } = await ok(admin('GET', `/api/v2/organizations/${organizationId}/memberships`));
  const membership = users.find((one: { userId: string }) => one.userId === id).id as string;
  const memberships = `/api/v2/organizations/${organizationId}/memberships/${membership}`;
  const select = (as: As, of: string) => as(of)('POST', '/api/v3/auth/select-organization', { organizationId });
  return {
    obtain: {
      'a refreshed token': async (as) => {
        const answer = await as()('POST', '/api/v1/auth/token', undefined, { cookie });
        return bearer(answer, answer.body.token);
      },
      'a token of the organization': async (as) => {
        const answer = await select(as, token);
        return bearer(answer, answer.body.token);
      },
      'a session of a command line': async (as) => {
        const answer = await as()('POST', `${commandLine}/token`, { code, codeVerifier: VERIFIER });
        return bearer(answer, answer.body.token);
      },
      'a session by the password': async (as) => {
        const login = await as()('POST', '/api/v3/auth/login', { email, password: PASSWORD });
        const answer = await select(as, login.body.accessToken);
        return bearer(answer, answer.body.token);
      },
      'an API key': async (as) => {
        const { status, body } = await as(token)('POST', '/api/v2/users/me/api-keys', { name: 'x', expiresIn: 3600 });
        return status === 200 ? { 'x-api-key': body.apiKey } : undefined;
      },
      'a service token': async (as) => {
        const answer = await as(token)('POST', '/api/v2/service-token', {
          ...{ name: 'x', workspaceId: projectId, scopes: [{ environment: 'dev', secretPath: '/**' }] },
          ...{ permissions: ['read'], expiresIn: 3600 },
        });
        return bearer(answer, answer.body.serviceToken);
      },
    },
    end: {
      'the user signs out': {
        by: (as) => as(token)('POST', '/api/v1/auth/logout'),
        spares: ['a session of a command line', 'a session by the password', 'an API key', 'a service token'],
      },
      'the user ends all sessions': {
        by: (as) => as(token)('DELETE', '/api/v2/users/me/sessions'),
        spares: ['a session by the password', 'a service token'],
      },
      'the password is another': {
        by: (as) => as(proof)('POST', '/api/v2/password/password-reset', { newPassword: `${PASSWORD} and more` }),
        spares: ['a service token'],
      },
      'the user is deactivated': { by: (as) => as(adminIdentity.token)('PATCH', memberships, { isActive: false }) },
      'the user is removed': { by: (as) => as(adminIdentity.token)('DELETE', memberships) },
      'the account is deleted': { by: (as) => as(root)('DELETE', `/api/v1/admin/user-management/users/${id}`) },
    },
  };
}

async function client(test: TestServer): Promise<Basis> {
  const { adminIdentity } = test;
  const { url, identityId, attached } = await machine(test, 'universal-auth', { accessTokenPeriod: 3600 });
  const { clientSecret, clientSecretData } = await ok(test.admin('POST', `${url}/client-secrets`, {}));
  const body = { clientId: attached.identityUniversalAuth.clientId, clientSecret };
  const login = '/api/v1/auth/universal-auth/login';
  const { accessToken } = await ok(test.as()('POST', login, body));
  const admin = (as: As) => as(adminIdentity.token);
  return {
    obtain: {
      'a token by the client secret': async (as) => {
        const answer = await as()('POST', login, body);
        return bearer(answer, answer.body.accessToken);
      },
      'a renewed token': async (as) => {
        const answer = await as()('POST', '/api/v1/auth/token/renew', { accessToken });
        return bearer(answer, answer.body.accessToken);
      },
    },
    end: {
      'the client secret is revoked': {
        by: (as) => admin(as)('POST', `${url}/client-secrets/${clientSecretData.id}/revoke`),
      },
      'the token is revoked': {
        by: (as) => as()('POST', '/api/v1/auth/token/revoke', { accessToken }),
        spares: ['a token by the client secret'],
      },
      'the method is detached': { by: (as) => admin(as)('DELETE', url) },
      'its addresses are others': {
        by: (as) =>
          admin(as)('PATCH', url, {
            accessTokenTrustedIps: [{ ipAddress: '10.0.0.1' }],
            clientSecretTrustedIps: [{ ipAddress: '10.0.0.1' }],
          }),
      },
      'the identity is deleted': { by: (as) => admin(as)('DELETE', `/api/v1/identities/${identityId}`) },
    },
  };
}

/** Actors that may end, by what they are. */
export const BASES: Readonly<Record<string, (test: TestServer, root: string) => Promise<Basis>>> = { person, client };

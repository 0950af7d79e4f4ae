import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Groups, ok } from './groups.ts';
import { testServer, type Answer, type Caller, type TestServer } from './test-server.ts';

/** An actor of a project. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly membershipId: string;
  readonly call: Caller;
}

const REQUESTS = '/api/v1/secret-approval-requests';

/** A project whose environment `prod` changes by approvals only, with some people in it. */
export class Approvals {
  readonly test: TestServer;
  readonly project: { id: string; slug: string };

  private constructor(test: TestServer, project: { id: string; slug: string }) {
    this.test = test;
    this.project = project;
  }

  static async in(test: TestServer): Promise<Approvals> {
    return new Approvals(test, await test.project());
  }

  /** Creates an actor with these roles in the project; default: member. */
  async member(...roles: (string | readonly object[])[]): Promise<Member> {
    const { organizationId, coffer } = this.test;
    const user = await makeUser(coffer, { organizationId });
    const roleSlugs = await Promise.all(
      (roles.length > 0 ? roles : ['member']).map((role) =>
        typeof role === 'string' ? Promise.resolve(role) : this.role(role),
      ),
    );
    const add = { usernames: [user.email], emails: [], roleSlugs };
    const { memberships } = await ok(this.test.admin('POST', `/api/v1/projects/${this.project.id}/memberships`, add));
    return { id: user.id, email: user.email, membershipId: memberships[0].id, call: this.test.as(user.token) };
  }

  /** Creates a service token of an actor with write access to an environment; returns the token. */
  async serviceToken(maker: Caller, environment = 'prod'): Promise<{ id: string; call: Caller }> {
    const { serviceToken, serviceTokenData } = await ok(
      maker('POST', '/api/v2/service-token', {
        name: 'deploy',
        workspaceId: this.project.id,
        scopes: [{ environment, secretPath: '/**' }],
        permissions: ['read', 'write'],
        expiresIn: 3600,
      }),
    );
    return { id: serviceTokenData.id, call: this.test.as(serviceToken) };
  }

  /** Creates a machine identity of the project with universal auth, as an actor. */
  async projectIdentity(maker: Caller = this.test.admin, role = 'member'): Promise<string> {
    const url = `/api/v1/projects/${this.project.id}/identities`;
    const { identity } = await ok(maker('POST', url, { name: 'robot', roles: [{ role, isTemporary: false }] }));
    await ok(maker('POST', `/api/v1/auth/universal-auth/identities/${identity.id}`, {}));
    return identity.id;
  }

  /** Logs in as an identity, with a new client secret that an actor creates. */
  async logIn(maker: Caller, identityId: string): Promise<Caller> {
    const url = `/api/v1/auth/universal-auth/identities/${identityId}`;
    const { identityUniversalAuth } = await ok(maker('GET', url));
    const { clientSecret } = await ok(maker('POST', `${url}/client-secrets`, {}));
    const { clientId } = identityUniversalAuth;
    const body = { clientId, clientSecret };
    return this.test.as((await ok(this.test.as()('POST', '/api/v1/auth/universal-auth/login', body))).accessToken);
  }

  /** The slug of a new role with these rules. */
  async role(permissions: readonly object[]): Promise<string> {
    const slug = `role-${crypto.randomUUID().slice(0, 8)}`;
    await ok(this.test.admin('POST', `/api/v1/projects/${this.project.id}/roles`, { slug, name: slug, permissions }));
    return slug;
  }

  /** Removes an actor from the project. */
  remove({ membershipId }: Member): Promise<Answer['body']> {
    return ok(this.test.admin('DELETE', `/api/v1/projects/${this.project.id}/memberships/${membershipId}`));
  }

  /** A change policy for `prod`, approved by some people. The administrator, who is a machine, is exempt from it. */
  async policy(approvers: readonly Member[], more: object = {}): Promise<{ id: string } & Record<string, unknown>> {
    const body = {
      workspaceId: this.project.id,
      environment: 'prod',
      approvers: approvers.map(({ id }) => ({ type: 'user', id })),
      exemptIdentityIds: [this.test.adminIdentity.id],
      ...more,
    };
    return (await ok(this.test.admin('POST', '/api/v1/secret-approvals', body))).approval;
  }

  place(secretPath = '/', environment = 'prod') {
    return { projectId: this.project.id, environment, secretPath };
  }

  /** A secret, written by the administrator, who is a machine. */
  async secret(secretName: string, secretValue: string, secretPath = '/', environment = 'prod') {
    const body = { ...this.place(secretPath, environment), secretValue };
    return (await ok(this.test.admin('POST', `/api/v4/secrets/${secretName}`, body))).secret;
  }

  async folder(path: string, name: string, environment = 'prod') {
    const body = { projectId: this.project.id, environment, path, name };
    return (await ok(this.test.admin('POST', '/api/v2/folders', body))).folder;
  }

  /** The response to an actor's write of `NAME=value`. */
  write(call: Caller, secretName: string, secretValue: string, secretPath = '/', environment = 'prod') {
    return call('POST', `/api/v4/secrets/${secretName}`, { ...this.place(secretPath, environment), secretValue });
  }

  /** The id of the request that writing a secret makes. */
  async ask(call: Caller, secretName: string, secretValue: string, secretPath = '/'): Promise<string> {
    return (await ok(this.write(call, secretName, secretValue, secretPath))).approval.id;
  }

  /** The response to an actor's update of a secret. */
  change(call: Caller, secretName: string, body: object, secretPath = '/'): Promise<Answer> {
    return call('PATCH', `/api/v4/secrets/${secretName}`, { ...this.place(secretPath), ...body });
  }

  /** The requests that an actor sees, newest first. */
  async requests(call: Caller = this.test.admin, query = ''): Promise<Answer['body']> {
    return (await ok(call('GET', `${REQUESTS}?workspaceId=${this.project.id}${query}`))).approvals;
  }

  /** The shared secrets of a folder, as the administrator sees them. */
  async values(secretPath = '/', environment = 'prod'): Promise<Record<string, string>> {
    const query = new URLSearchParams(this.place(secretPath, environment));
    const { secrets } = await ok(this.test.admin('GET', `/api/v4/secrets?${query.toString()}`));
    return Object.fromEntries(
      secrets.map((one: { secretKey: string; secretValue: string }) => [one.secretKey, one.secretValue]),
    );
  }

  get(call: Caller, id: string): Promise<Answer> {
    return call('GET', `${REQUESTS}/${id}`);
  }

  review(call: Caller, id: string, status: 'approved' | 'rejected' = 'approved', more: object = {}): Promise<Answer> {
    return call('POST', `${REQUESTS}/${id}/review`, { status, ...more });
  }

  merge(call: Caller, id: string, bypassReason?: string): Promise<Answer> {
    return call('POST', `${REQUESTS}/${id}/merge`, { bypassReason });
  }

  status(call: Caller, id: string, status: 'open' | 'close'): Promise<Answer> {
    return call('POST', `${REQUESTS}/${id}/status`, { status });
  }

  /** The project's events with one published name, newest last. */
  async events(published: string): Promise<Record<string, unknown>[]> {
    const { rows } = await this.test.coffer.pool.query<{ data: Record<string, unknown> }>(
      'select data from audit_events where project_id = $1 and published = $2 order by created_at, id',
      [this.project.id, published],
    );
    return rows.map(({ data }) => data);
  }
}

/**
 * Serves the tests of a file: one server for all of them, and a separate project for each, prepared by `setUp`. Returns
 * the groups of the server.
 */
export function approvalTests(setUp: (project: Approvals) => Promise<void>): Groups {
  let test: TestServer;
  beforeAll(async () => {
    test = await testServer();
  });
  afterAll(() => test.close());
  beforeEach(async () => setUp(await Approvals.in(test)));
  return new Groups(() => test);
}

import { equal } from 'node:assert/strict';
import { appRouter, openApiDocument, operationsOf, permissionsOf } from '@coffer/api';
import { loginMethodExamples, makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { Sample } from '../harness/matrix-sample.ts';
import { makeWorld, type Thing, type World } from '../harness/matrix-world.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const OF_PROJECT: ReadonlySet<Thing> = new Set(['project', 'environment', 'folder', 'secret'] as Thing[]);

/** Which projects the caller, a member or a group is in, by rights in the organization, is answered wherever they call from. */
const LISTS_OF_PROJECTS: ReadonlySet<string> = new Set([
  '/api/v1/groups/{id}/projects',
  '/api/v2/organizations/{organizationId}/memberships/{membershipId}/project-memberships',
  '/api/v1/projects',
  '/api/v1/workspace',
  '/api/v2/organizations/{organizationId}/workspaces',
]);

const OUTSIDE = '192.0.2.1';

let test: TestServer;
let world: World;
beforeAll(async () => {
  test = await testServer();
  world = await makeWorld(test, 'ztrustedz');
  const url = `/api/v1/workspace/${world.has.project}/trusted-ips`;
  equal((await world.machine('POST', url, { ipAddress: '127.0.0.1', isActive: true })).status, 200);
});
afterAll(() => test.close());

const send = async (token: string, method: 'GET', url: string, headers: Record<string, string> = {}) =>
  (
    await test.app.inject({
      method,
      url,
      remoteAddress: OUTSIDE,
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
  ).statusCode;

/** Of syncs and rotations the world has one of a type: others are unknown, wherever the call comes from. */
const OF_OTHER_TYPES =
  /\/(?:cert-manager\/syncs\/(?!aws-certificate-manager\/)|secret-syncs\/(?!github\/)|secret-rotations\/(?!postgres-credentials\/))[a-z0-9-]+\/\{\w+\}$/;

describe('attack: a stolen token outside of the trusted addresses', () => {
  it('opens no operation that needs rights in the project', async () => {
    const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
    const ofProject = operationsOf(appRouter).filter(({ meta }) => {
      const permissions = permissionsOf(meta.needs);
      return permissions.length > 0 && permissions.every(({ scope }) => scope === 'project');
    });
    const opened: string[] = [];
    let refused = 0;
    for (const operation of ofProject) {
      const { actors } = operation.meta.rest ?? {};
      const token =
        !actors || actors.includes('identity')
          ? world.machineToken
          : actors.includes('user')
            ? world.personToken
            : world.serviceToken;
      const sample = new Sample(operation, document);
      const { url, body } = sample.request(sample.input((thing) => world.has[thing]));
      const { statusCode, payload } = await test.app.inject({
        method: operation.method,
        url,
        remoteAddress: OUTSIDE,
        headers: { authorization: `Bearer ${token}` },
        ...(body && { payload: body }),
      });
      if (statusCode === 403 && payload.includes('does not trust the address')) refused++;
      else if (statusCode !== 404 || !OF_OTHER_TYPES.test(operation.url))
        opened.push(`${operation.method} ${operation.url}: ${statusCode} ${payload.slice(0, 300)}`);
    }
    expect(refused).toBeGreaterThan(100);
    expect(opened).toEqual([]);
  });

  it('sees nothing of the project in lists across projects', async () => {
    const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
    const { email, token } = await makeUser(test.coffer, { organizationId: world.has.organization, role: 'member' });
    const members = `/api/v1/projects/${world.has.project}/memberships`;
    const member = { usernames: [email], emails: [], roleSlugs: ['admin'] };
    equal((await world.machine('POST', members, member)).status, 200);
    const across = operationsOf(appRouter).filter(
      ({ meta, method, url }) =>
        method === 'GET' &&
        !LISTS_OF_PROJECTS.has(url) &&
        permissionsOf(meta.needs).every(({ scope }) => scope !== 'project'),
    );
    const things = Object.entries(world.has).filter(([name]) => OF_PROJECT.has(name as Thing));
    const shown: string[] = [];
    let answered = 0;
    for (const operation of across) {
      const sample = new Sample(operation, document);
      const { url } = sample.request(sample.input((thing) => world.has[thing]));
      // With all of its input, and with no more than its path.
      for (const path of [url, url.split('?')[0]!]) {
        const { statusCode, payload } = await test.app.inject({
          method: 'GET',
          url: path,
          remoteAddress: OUTSIDE,
          headers: { authorization: `Bearer ${token}` },
        });
        if (statusCode !== 200) continue;
        answered++;
        for (const [name, id] of things) if (payload.includes(id)) shown.push(`${path} ${name}`);
      }
    }
    expect(shown).toEqual([]);
    expect(answered).toBeGreaterThan(15);
  });

  it('is not helped by headers that claim another address', async () => {
    const url = `/api/v4/secrets?projectId=${world.has.project}&environment=dev`;
    const claims = { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' };
    for (const token of [world.machineToken, world.personToken, world.serviceToken]) {
      expect(await send(token, 'GET', url, claims)).toBe(403);
      for (const [name, value] of Object.entries(claims))
        expect(await send(token, 'GET', url, { [name]: value })).toBe(403);
    }
  });

  it('cannot add its own address', async () => {
    const answer = await test.app.inject({
      method: 'POST',
      url: `/api/v1/workspace/${world.has.project}/trusted-ips`,
      remoteAddress: OUTSIDE,
      headers: { authorization: `Bearer ${world.machineToken}` },
      payload: { ipAddress: OUTSIDE, isActive: true },
    });
    expect(answer.statusCode).toBe(403);
  });

  /** Each way to change rights in a project by paths of the organization, in an order in which all succeed. */
  async function waysByTheOrganization() {
    const { id: projectId } = await test.project();
    const { organizationId } = test;
    const make = () => test.identity({ projectId, projectRole: 'admin' });
    const person = async () => {
      const { id, email } = await makeUser(test.coffer, { organizationId });
      const member = { usernames: [email], emails: [], roleSlugs: ['admin'] };
      await ok(test.admin('POST', `/api/v1/projects/${projectId}/memberships`, member));
      const { rows } = await test.coffer.pool.query<{ id: string }>(
        'select id from memberships where user_id = $1 and project_id is null',
        [id],
      );
      return { email, membershipId: rows[0]!.id };
    };
    const [robot, other, ann] = [await make(), await make(), await person()];
    const outsider = await makeUser(test.coffer, { organizationId });
    const group = (await ok(test.admin('POST', '/api/v1/groups', { name: `admins of ${projectId}` }))).id;
    await ok(test.admin('POST', `/api/v1/projects/${projectId}/memberships/groups/${group}`, { role: 'admin' }));
    await ok(test.admin('POST', `/api/v1/auth/universal-auth/identities/${robot.id}`, {}));
    await ok(test.admin('POST', `/api/v1/groups/${group}/users/${ann.email}`));
    await ok(test.admin('POST', `/api/v1/groups/${group}/machine-identities/${other.id}`));
    const invited = {
      inviteeEmails: [`later-${projectId}@example.com`],
      organizationId,
      organizationRoleSlug: 'no-access',
    };
    const projects = [{ id: projectId, projectRoleSlug: ['admin'] }];
    await ok(test.admin('POST', '/api/v1/invite-org/signup', { ...invited, projects }));
    const members = `/api/v2/organizations/${organizationId}/memberships/${ann.membershipId}`;
    const [universal, token] = ['universal-auth', 'token-auth'].map(
      (kind) => `/api/v1/auth/${kind}/identities/${robot.id}`,
    ) as [string, string];
    const groups = `/api/v1/groups/${group}`;
    const ways: (readonly [method: Parameters<Caller>[0], url: string, body?: object])[] = [
      ['POST', `${groups}/users/${outsider.email}`],
      ['DELETE', `${groups}/users/${ann.email}`],
      ['POST', `${groups}/machine-identities/${robot.id}`],
      ['DELETE', `${groups}/machine-identities/${other.id}`],
      ['DELETE', groups],
      ['POST', `${universal}/client-secrets`, {}],
      ['PATCH', universal, { accessTokenTTL: 60 }],
      ['DELETE', universal],
      ['POST', `${token}/tokens`, {}],
      ['POST', `/api/v1/auth/jwt-auth/identities/${robot.id}`, loginMethodExamples['jwt-auth']!.least],
      ['PATCH', `/api/v1/identities/${robot.id}`, { name: 'renamed' }],
      ['DELETE', `/api/v1/identities/${robot.id}`],
      ['POST', '/api/v1/invite-org/signup', invited],
      ['PATCH', members, { isActive: false }],
      ['PATCH', members, { isActive: true }],
      ['DELETE', members],
    ];
    const addresses = `/api/v1/workspace/${projectId}/trusted-ips`;
    await ok(test.admin('POST', addresses, { ipAddress: '127.0.0.1', isActive: true }));
    return { projectId, ways };
  }

  it('cannot grant or remove anything in the project by paths of the organization', async () => {
    const { projectId, ways } = await waysByTheOrganization();
    const every = (subject: string, ...action: string[]) => ({ subject, action });
    const mallory = await test.identity({
      organizationRules: [
        every('groups', 'read', 'add-members', 'remove-members', 'add-identities', 'remove-identities', 'delete'),
        every('identity', 'read', 'create', 'edit', 'delete'),
        every('member', 'read', 'create', 'edit', 'delete'),
      ],
      projectId,
      projectRole: 'admin',
    });
    const done: unknown[] = [];
    for (const [method, url, body] of ways) {
      const { statusCode, payload } = await test.app.inject({
        method,
        url,
        remoteAddress: OUTSIDE,
        headers: { authorization: `Bearer ${mallory.token}` },
        ...(body && { payload: body }),
      });
      if (statusCode !== 403 || !payload.includes('does not trust the address')) {
        done.push([method, url, statusCode, payload]);
        continue;
      }
      const inside = await mallory.call(method, url, body);
      expect([method, url, inside.status, inside.status === 200 ? '' : inside.body]).toEqual([method, url, 200, '']);
    }
    expect(done).toEqual([]);
  });
});

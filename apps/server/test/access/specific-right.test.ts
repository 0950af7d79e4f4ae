import { appRouter, operationsOf, permissionsOf } from '@coffer/api';
import { subjectsOf } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

// Every action of the catalogue is declared by an operation, or is in one of these lists. A new one fails until it is.

/** Actions that operations ask, without declaring them. */
const ASKED = [
  'project:secrets:read',
  'project:secrets:readValue',
  'project:service-tokens:create-without-expiry',
  'project:certificate-authorities:issue-ocsp-signing',
];

/** Actions that no rule has to allow, and that a rule may forbid to those who hold the general right. */
const ONLY_FORBIDDEN = [
  ...['grant-privileges', 'assign-role', 'assign-additional-privileges'].map((action) => `project:member:${action}`),
  ...['grant-privileges', 'assign-role'].map((action) => `project:groups:${action}`),
  ...['grant-privileges', 'assign-role', 'assign-additional-privileges', 'get-token', 'revoke-auth'].map(
    (action) => `project:identity:${action}`,
  ),
  'organization:groups:grant-privileges',
  ...['grant-privileges', 'create-token', 'get-token', 'delete-token', 'revoke-auth'].map(
    (action) => `organization:identity:${action}`,
  ),
];

/** Published actions without effect, since Coffer does not have what they are about. */
const WITHOUT_EFFECT = [
  ...['project:member:assume-privileges', 'project:identity:assume-privileges'],
  ...['project:service-tokens:edit', 'project:settings:create', 'project:settings:delete', 'project:kms:edit'],
  ...['project:certificate-templates:list-certs', 'project:pki-syncs:import-certificates'],
  'project:ssh-certificates:edit',
  ...['read', 'create', 'delete'].map((action) => `organization:settings:${action}`),
  'organization:incident-contact:edit',
  ...['read', 'create', 'edit', 'delete'].map((action) => `organization:kms:${action}`),
];
const SUBJECTS_WITHOUT_EFFECT = [
  ...['kmip', 'secret-scanning-data-sources', 'secret-scanning-findings', 'secret-scanning-configs'],
  ...['approval-requests', 'sso', 'scim', 'ldap', 'github-org-sync', 'github-org-sync-manual', 'secret-scanning'],
  ...['billing', 'gateway', 'relay', 'machine-identity-auth-template', 'secret-share', 'sub-organization'],
];

const READ_TAGS = { subject: 'tags', action: 'read' };

let test: TestServer;
let projectId: string;
beforeAll(async () => {
  test = await testServer();
  ({ id: projectId } = await test.project());
  const role = { slug: 'tagger', name: 'Tagger', permissions: [READ_TAGS] };
  await ok(test.admin('POST', `/api/v1/projects/${projectId}/roles`, role));
});
afterAll(() => test.close());

const UNIVERSAL = '/api/v1/auth/universal-auth/identities';
const TOKENS = '/api/v1/auth/token-auth/identities';

let number = 0;
const newName = (): string => `name-${number++}`;

async function machine(): Promise<string> {
  const body = { name: newName(), organizationId: test.organizationId };
  const { id } = (await ok(test.admin('POST', '/api/v1/identities', body))).identity;
  await ok(test.admin('POST', `${UNIVERSAL}/${id}`, {}));
  await ok(test.admin('POST', `${TOKENS}/${id}`, {}));
  return id;
}
const member = async (): Promise<string> => (await test.identity({ projectId, projectRole: 'no-access' })).id;
const person = async (): Promise<string> =>
  (await makeUser(test.coffer, { organizationId: test.organizationId })).email;
async function group(): Promise<string> {
  const body = { name: newName(), role: 'no-access', organizationId: test.organizationId };
  return (await ok(test.admin('POST', '/api/v1/groups', body))).id;
}
async function secretOf(id: string): Promise<string> {
  return (await ok(test.admin('POST', `${UNIVERSAL}/${id}/client-secrets`, {}))).clientSecretData.id;
}
async function tokenOf(id: string): Promise<string> {
  return (await ok(test.admin('POST', `${TOKENS}/${id}/tokens`, {}))).tokenData.id;
}

interface Case {
  readonly scope: 'project' | 'organization';
  readonly subject: string;
  readonly forbidden: readonly string[];
  /** Prepares what is asked, anew each time. */
  readonly prepare: () => Promise<(call: Caller) => Promise<Answer>>;
}
const inProject = (subject: string, forbidden: readonly string[], prepare: Case['prepare']): Case => ({
  scope: 'project',
  subject,
  forbidden,
  prepare,
});
const inOrganization = (subject: string, forbidden: string, prepare: Case['prepare']): Case => ({
  scope: 'organization',
  subject,
  forbidden: [forbidden],
  prepare,
});

const GIVING = ['grant-privileges', 'assign-role'];
const TAGGER = { roles: [{ role: 'tagger', isTemporary: false }] };
const CASES: Record<string, Case> = {
  'adding a person': inProject('member', GIVING, async () => {
    const usernames = [await person()];
    const body = { usernames, emails: [], roleSlugs: ['tagger'] };
    return (call) => call('POST', `/api/v1/projects/${projectId}/memberships`, body);
  }),
  'adding a group': inProject('groups', GIVING, async () => {
    const id = await group();
    return (call) => call('POST', `/api/v1/projects/${projectId}/memberships/groups/${id}`, { role: 'tagger' });
  }),
  'changing the roles of a machine identity': inProject('identity', GIVING, async () => {
    const id = await member();
    return (call) => call('PATCH', `/api/v1/projects/${projectId}/memberships/identities/${id}`, TAGGER);
  }),
  'granting a privilege': inProject('identity', ['grant-privileges', 'assign-additional-privileges'], async () => {
    const identityId = await member();
    const body = { projectId, identityId, permissions: [READ_TAGS], type: { isTemporary: false } };
    return (call) => call('POST', '/api/v2/identity-project-additional-privilege', body);
  }),
  'creating a client secret': inOrganization('identity', 'create-token', async () => {
    const id = await machine();
    return (call) => call('POST', `${UNIVERSAL}/${id}/client-secrets`, {});
  }),
  'creating a token': inOrganization('identity', 'create-token', async () => {
    const id = await machine();
    return (call) => call('POST', `${TOKENS}/${id}/tokens`, {});
  }),
  'listing client secrets': inOrganization('identity', 'get-token', async () => {
    const id = await machine();
    return (call) => call('GET', `${UNIVERSAL}/${id}/client-secrets`);
  }),
  'reading a token': inOrganization('identity', 'get-token', async () => {
    const id = await tokenOf(await machine());
    return (call) => call('GET', `/api/v1/auth/token-auth/tokens/${id}`);
  }),
  'revoking a client secret': inOrganization('identity', 'delete-token', async () => {
    const id = await machine();
    const secretId = await secretOf(id);
    return (call) => call('POST', `${UNIVERSAL}/${id}/client-secrets/${secretId}/revoke`);
  }),
  'revoking a token': inOrganization('identity', 'delete-token', async () => {
    const id = await tokenOf(await machine());
    return (call) => call('POST', `/api/v1/auth/token-auth/tokens/${id}/revoke`);
  }),
  'detaching a login method': inOrganization('identity', 'revoke-auth', async () => {
    const id = await machine();
    return (call) => call('DELETE', `${UNIVERSAL}/${id}`);
  }),
};

/** Somebody with the general rights alone, and, if there is one, a rule that forbids a specific one. */
async function caller({ scope, subject }: Case, forbidden?: string): Promise<Caller> {
  const denial = forbidden === undefined ? [] : [{ subject, action: forbidden, inverted: true }];
  const general = { subject, action: ['read', 'create', 'edit', 'delete'] };
  const rules = [general, ...denial];
  const made = scope === 'project' ? { projectId, rules: [READ_TAGS, ...rules] } : { organizationRules: rules };
  return (await test.identity(made)).call;
}

describe('the actions of rules', () => {
  it('are declared by an operation, asked within one, or known to be without effect', () => {
    const declared = new Set(
      operationsOf(appRouter).flatMap(({ meta }) => permissionsOf(meta.needs).map(({ key }) => key)),
    );
    const others = (['project', 'organization'] as const).flatMap((scope) =>
      Object.entries(subjectsOf(scope)).flatMap(([subject, { actions }]) =>
        actions.map((action) => `${scope}:${subject}:${action}`).filter((key) => !declared.has(key)),
      ),
    );
    const listed = [...ASKED, ...ONLY_FORBIDDEN, ...WITHOUT_EFFECT];
    const isListed = (key: string) => listed.includes(key) || SUBJECTS_WITHOUT_EFFECT.includes(key.split(':')[1]!);
    expect(others.filter((key) => !isListed(key))).toEqual([]);
    expect(listed.filter((key) => !others.includes(key))).toEqual([]);
  });
});

describe('a specific right', () => {
  it.each(Object.entries(CASES))(
    'is not needed beside the general one, and a rule may forbid it: %s',
    async (_, one) => {
      const { status } = await (await one.prepare())(await caller(one));
      expect(status).toBe(200);
      for (const forbidden of one.forbidden) {
        const { status: refused, body } = await (await one.prepare())(await caller(one, forbidden));
        expect([forbidden, refused, body.error]).toEqual([forbidden, 403, 'PermissionDenied']);
      }
    },
  );

  const IDENTITIES = { subject: 'identity', action: ['read', 'create', 'edit', 'delete'] };
  const without = async (action: string) =>
    (await test.identity({ organizationRules: [IDENTITIES, { subject: 'identity', action, inverted: true }] })).call;

  it.each<[what: string, forbidden: string, make: (id: string) => Promise<unknown>, url: (id: string) => string]>([
    ['a client secret, by removing its login method', 'delete-token', secretOf, (id) => `${UNIVERSAL}/${id}`],
    ['a token, by removing its login method', 'delete-token', tokenOf, (id) => `${TOKENS}/${id}`],
    ['a client secret, by deleting its identity', 'delete-token', secretOf, (id) => `/api/v1/identities/${id}`],
    [
      'a login method, by deleting its identity',
      'revoke-auth',
      async () => undefined,
      (id) => `/api/v1/identities/${id}`,
    ],
  ])('that a rule forbids ends nothing: %s', async (_, forbidden, make, url) => {
    const id = await machine();
    const call = await without(forbidden);
    if (forbidden === 'delete-token') {
      // Where there is nothing to end, nothing is forbidden.
      const other = await machine();
      await ok(call('DELETE', url(other)));
    }
    await make(id);
    const { status, body } = await call('DELETE', url(id));
    expect([status, body.error]).toEqual([403, 'PermissionDenied']);
    await ok((await without('get-token'))('DELETE', url(id)));
  });

  it.each([
    ['remove-members', 'users', person],
    ['remove-identities', 'machine-identities', machine],
  ])('that a rule forbids takes nobody out of a group by deleting it: %s', async (action, kind, make) => {
    const general = { subject: 'groups', action: ['read', 'create', 'edit', 'delete'] };
    const { call } = await test.identity({
      organizationRules: [general, { subject: 'groups', action, inverted: true }],
    });
    await ok(call('DELETE', `/api/v1/groups/${await group()}`));
    const id = await group();
    const who = await make();
    await ok(test.admin('POST', `/api/v1/groups/${id}/${kind}/${who}`));
    const { status, body } = await call('DELETE', `/api/v1/groups/${id}`);
    expect([status, body.error]).toEqual([403, 'PermissionDenied']);
    await ok(test.admin('DELETE', `/api/v1/groups/${id}/${kind}/${who}`));
    await ok(call('DELETE', `/api/v1/groups/${id}`));
  });

  it('to read tokens that a rule forbids is forbidden in the list of what ends when, too', async () => {
    const id = await machine();
    await tokenOf(id);
    await ok(test.admin('POST', `${UNIVERSAL}/${id}/client-secrets`, { ttl: 3600 }));
    const { identity } = await ok(test.admin('POST', `/api/v1/projects/${projectId}/identities`, { name: newName() }));
    await ok(test.admin('POST', `${TOKENS}/${identity.id}`, {}));
    await tokenOf(identity.id);
    const kindsFor = async (call: Caller, query = '') => {
      const { endings } = await ok(call('GET', `/api/v1/expiry?limit=100${query}`));
      return endings
        .filter(({ details }: Answer['body']) => [id, identity.id].includes(details.identityId))
        .map(({ kind }: Answer['body']) => kind);
    };
    expect(await kindsFor(await without('delete-token'))).toEqual(['client-secret', 'access-token']);
    expect(await kindsFor(await without('get-token'))).toEqual([]);
    const inPlace = async (...more: object[]) =>
      (await test.identity({ projectId, rules: [{ subject: 'identity', action: ['read'] }, ...more] as never })).call;
    const inQuery = `&projectId=${projectId}`;
    expect(await kindsFor(await inPlace(), inQuery)).toEqual(['access-token']);
    const denial = { subject: 'identity', action: ['get-token'], inverted: true };
    expect(await kindsFor(await inPlace(denial), inQuery)).toEqual([]);
  });

  it('is not asked for the role that a machine identity has already, which some clients send back', async () => {
    const role = { slug: 'reader', name: 'Reader', permissions: [{ subject: 'identity', action: ['read'] }] };
    await ok(test.admin('POST', '/api/v1/organization/roles', role));
    const body = { name: newName(), role: 'reader', organizationId: test.organizationId };
    const { id } = (await ok(test.admin('POST', '/api/v1/identities', body))).identity;
    const { call } = await test.identity({
      organizationRules: [
        { subject: 'identity', action: ['read', 'create', 'edit', 'delete'] },
        { subject: 'identity', action: 'grant-privileges', inverted: true },
      ],
    });
    await ok(call('PATCH', `/api/v1/identities/${id}`, { name: newName(), role: 'reader' }));
    await ok(test.admin('PATCH', `/api/v1/identities/${id}`, { role: 'no-access' }));
    expect((await call('PATCH', `/api/v1/identities/${id}`, { role: 'reader' })).status).toBe(403);
  });

  it.each(GIVING)(
    '%s is not asked for roles that a member of a project has already, where others are taken away',
    async (action) => {
      const { id } = await test.identity({ projectId, projectRole: 'no-access' });
      const url = `/api/v1/projects/${projectId}/memberships/identities/${id}`;
      const roles = (...slugs: string[]) => ({ roles: slugs.map((role) => ({ role, isTemporary: false })) });
      await ok(test.admin('PATCH', url, roles('tagger', 'no-access')));
      const { call } = await test.identity({
        projectId,
        rules: [
          READ_TAGS,
          { subject: 'identity', action: ['read', 'edit'] },
          { subject: 'identity', action, inverted: true },
        ],
      });
      await ok(call('PATCH', url, roles('tagger', 'no-access')));
      await ok(call('PATCH', url, roles('tagger')));
      await ok(call('PATCH', url, roles('no-access')));
      expect((await call('PATCH', url, roles('tagger'))).status).toBe(403);
    },
  );
});

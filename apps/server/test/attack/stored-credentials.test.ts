import type { Rule } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

const READ = ['read'];
const LDAP = {
  url: 'ldaps://ldap.example.com',
  bindDN: 'cn=coffer,dc=example,dc=com',
  bindPass: 'the password of the directory',
  searchBase: 'dc=example,dc=com',
};
const KUBERNETES = {
  kubernetesHost: 'https://cluster.example.com',
  tokenReviewerJwt: 'eyJ.the.reviewer',
  allowedNamespaces: '',
  allowedNames: '',
  allowedAudience: '',
};

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

/** An identity that may do more than its readers, with both login methods. */
async function target(projectId?: string) {
  const { id } = await test.identity({
    organizationRole: 'admin',
    ...(projectId && { projectId, projectRole: 'admin' }),
  });
  for (const [kind, fields] of Object.entries({ 'ldap-auth': LDAP, 'kubernetes-auth': KUBERNETES }))
    expect((await test.admin('POST', `/api/v1/auth/${kind}/identities/${id}`, fields)).status).toBe(200);
  return id;
}

describe('attack: reading the credentials that are stored for other systems', () => {
  it('those of login methods are hidden from readers, and from editors with fewer rights than the identity', async () => {
    const id = await target();
    const rules: Rule[][] = [
      [{ subject: 'identity', action: READ }],
      [{ subject: 'identity', action: ['read', 'edit', 'create', 'delete'] }],
    ];
    for (const organizationRules of rules) {
      const { call } = await test.identity({ organizationRules });
      const ldap = await call('GET', `/api/v1/auth/ldap-auth/identities/${id}`);
      expect(ldap.body.identityLdapAuth).toMatchObject({ url: LDAP.url, bindPass: '', bindDN: '', hasBindPass: true });
      const kubernetes = await call('GET', `/api/v1/auth/kubernetes-auth/identities/${id}`);
      expect(kubernetes.body.identityKubernetesAuth).toMatchObject({ tokenReviewerJwt: '', hasTokenReviewerJwt: true });
      // Nor by a change that would answer them.
      const changed = await call('PATCH', `/api/v1/auth/ldap-auth/identities/${id}`, {});
      expect(changed.status).toBe(403);
      for (const answer of [ldap, kubernetes, changed])
        expect(JSON.stringify(answer.body)).not.toMatch(/the password of the directory|the\.reviewer/);
    }
    const own = await test.admin('GET', `/api/v1/auth/ldap-auth/identities/${id}`);
    expect(own.body.identityLdapAuth).toMatchObject({ bindPass: LDAP.bindPass, hasBindPass: true });
  });

  it('addresses of webhooks, which are credentials of the target, are hidden from viewers', async () => {
    const project = await test.project();
    const webhookUrl = 'https://hooks.example.com/services/T000/B000/xyz';
    const make = { workspaceId: project.id, environment: 'dev', type: 'slack', webhookUrl };
    expect((await test.admin('POST', '/api/v1/webhooks', make)).status).toBe(200);
    const alert = {
      projectId: project.id,
      name: 'ending',
      eventType: 'expiration',
      alertBefore: '30d',
      channels: [
        { channelType: 'slack', config: { webhookUrl } },
        { channelType: 'webhook', config: { url: webhookUrl, signingSecret: 'signs' } },
      ],
    };
    const made = await test.admin('POST', '/api/v1/cert-manager/alerts', alert);
    expect([made.status, made.status === 200 ? '' : made.body]).toEqual([200, '']);
    const viewer = await test.identity({ projectId: project.id, projectRole: 'viewer' });
    const seen = [
      await viewer.call('GET', `/api/v1/webhooks?workspaceId=${project.id}`),
      await viewer.call('GET', `/api/v1/cert-manager/alerts?projectId=${project.id}`),
      await viewer.call('GET', `/api/v1/cert-manager/alerts/${made.body.alert.id}`),
    ];
    for (const { status, body } of seen) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain('https://hooks.example.com');
      expect(JSON.stringify(body)).not.toMatch(/T000|xyz|signs/);
    }
    const remover = await test.identity({
      projectId: project.id,
      rules: [{ subject: 'pki-alerts', action: ['delete'] }],
    });
    const gone = await remover.call('DELETE', `/api/v1/cert-manager/alerts/${made.body.alert.id}`);
    expect([gone.status, JSON.stringify(gone.body).includes('xyz')]).toEqual([200, false]);
  });
});

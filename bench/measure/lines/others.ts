import { ENVIRONMENT, postgresLogins, type World } from '../../subject/world.ts';
import { asked, floorOf, reading, type Line } from './line.ts';

interface Attached {
  identityUniversalAuth: { clientId: string };
}

const twenty = (prefix: string) => Array.from({ length: 20 }, (_, n) => `${prefix}-${n}`);

async function makeIdentity({ admin, organizationId }: World, name: string): Promise<string> {
  const body = { name, organizationId, role: 'member' };
  return (await admin<{ identity: { id: string } }>('POST', '/api/v1/identities', body)).identity.id;
}

async function makeAuthority({ admin, projectId }: World, name: string): Promise<string> {
  const configuration = { type: 'root', commonName: name, keyAlgorithm: 'EC_prime256v1' };
  const body = { projectId, name, configuration };
  return (await admin<{ id: string }>('POST', '/api/v1/cert-manager/ca/internal', body)).id;
}

export async function makeIdentities(world: World, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push(await makeIdentity(world, name));
  return ids;
}

export const otherLines: readonly Line[] = [
  {
    name: 'login',
    title: 'universal-auth login',
    target: 1.5,
    async prepare(world) {
      const { admin } = world;
      const base = `/api/v1/auth/universal-auth/identities/${await makeIdentity(world, 'machine')}`;
      const { identityUniversalAuth } = await admin<Attached>('POST', base, {});
      const { clientSecret } = await admin<{ clientSecret: string }>('POST', `${base}/client-secrets`, {});
      const body = JSON.stringify({ clientId: identityUniversalAuth.clientId, clientSecret });
      return asked(world, { method: 'POST', paths: ['/api/v1/auth/universal-auth/login'], body });
    },
    floors: [
      {
        name: 'floor',
        load: {
          method: 'POST',
          paths: ['/login'],
          body: JSON.stringify({ clientId: '00000000-0000-7000-8000-000000000002', clientSecret: 'a secret' }),
        },
      },
    ],
  },
  {
    name: 'list-tokens',
    title: 'list 20 tokens',
    target: 1.5,
    async prepare(world) {
      const { admin } = world;
      const base = `/api/v1/auth/token-auth/identities/${await makeIdentity(world, 'tokens')}`;
      await admin('POST', base, {});
      for (let i = 0; i < 20; i++) await admin('POST', `${base}/tokens`, { name: `token ${i}` });
      return reading(world, `${base}/tokens`);
    },
    floors: floorOf('/tokens'),
  },
  {
    name: 'lease',
    title: 'lease a login of PostgreSQL',
    target: undefined,
    async prepare(world, databaseUrl) {
      const { admin, projectSlug } = world;
      const here = { projectSlug, environmentSlug: ENVIRONMENT, path: '/' };
      const inputs = postgresLogins(databaseUrl);
      const provider = { type: 'sql-database', inputs };
      await admin('POST', '/api/v1/dynamic-secrets', { ...here, name: 'logins', defaultTTL: '1h', provider });
      const body = JSON.stringify({ ...here, dynamicSecretName: 'logins' });
      return asked(world, { method: 'POST', paths: ['/api/v1/dynamic-secrets/leases'], body });
    },
    floors: [{ name: 'floor', load: { method: 'POST', paths: ['/lease'], body: '{}' } }],
  },
  {
    name: 'certificate',
    title: 'issue a P-256 certificate',
    target: 3,
    async prepare(world) {
      const caId = await makeAuthority(world, 'bench');
      const names = { commonName: 'a.example.com', altNames: 'a.example.com, b.example.com' };
      const body = JSON.stringify({ caId, ...names, ttl: '30d' });
      return asked(world, { method: 'POST', paths: ['/api/v1/pki/certificates/issue-certificate'], body });
    },
    floors: [{ name: 'floor', load: { method: 'POST', paths: ['/certificate'], body: '{}' } }],
  },
  {
    name: 'ssh-certificate',
    title: 'issue SSH credentials with an Ed25519 key',
    target: 2,
    async prepare(world) {
      const { ca } = await world.admin<{ ca: { id: string } }>('POST', '/api/v1/ssh/ca', {
        projectId: world.projectId,
        friendlyName: 'bench',
      });
      const template = await world.admin<{ id: string }>('POST', '/api/v1/ssh/certificate-templates', {
        ...{ sshCaId: ca.id, name: 'bench', allowedUsers: ['deploy'], allowedHosts: [] },
        ...{ allowUserCertificates: true, allowHostCertificates: false, allowCustomKeyIds: false },
      });
      const body = JSON.stringify({ certificateTemplateId: template.id, principals: ['deploy'] });
      return asked(world, { method: 'POST', paths: ['/api/v1/ssh/certificates/issue'], body });
    },
    floors: [{ name: 'floor', load: { method: 'POST', paths: ['/ssh-certificate'], body: '{}' } }],
  },
  {
    name: 'list-members',
    title: 'list 20 machine identities of a project',
    target: 1.5,
    async prepare(world) {
      const memberships = `/api/v1/projects/${world.projectId}/memberships/identities`;
      for (const id of await makeIdentities(world, twenty('member')))
        await world.admin('POST', `${memberships}/${id}`, { role: 'member' });
      return reading(world, `${memberships}?limit=20`);
    },
    floors: floorOf('/tokens'),
  },
  {
    name: 'list-identities',
    title: 'list 20 identities of the organization',
    target: 1.5,
    async prepare(world) {
      await makeIdentities(world, twenty('listed'));
      return reading(world, `/api/v2/organizations/${world.organizationId}/identity-memberships?limit=20`);
    },
    floors: floorOf('/tokens'),
  },
  {
    name: 'list-certificates',
    title: 'list 20 certificates',
    target: 1.5,
    async prepare(world) {
      const caId = await makeAuthority(world, 'listed');
      for (const commonName of twenty('listed'))
        await world.admin('POST', '/api/v1/pki/certificates/issue-certificate', { caId, commonName, ttl: '30d' });
      return reading(world, `/api/v1/cert-manager/certificates?projectId=${world.projectId}&limit=20`);
    },
    floors: floorOf('/tokens'),
  },
  {
    name: 'list-events',
    title: 'list 20 audit events',
    target: 1.5,
    prepare: async (world) => reading(world, '/api/v1/organization/audit-logs?limit=20'),
    floors: floorOf('/tokens'),
  },
];

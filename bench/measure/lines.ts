import { Refused } from '../subject/client.ts';
import { ENVIRONMENT, makeFolder, secretOf, type World } from '../subject/world.ts';
import type { Load } from './load.ts';

/** One kind of work: the requests for Coffer, and the equivalent ones for the floor. */
export interface Line {
  readonly name: string;
  readonly title: string;
  /** Maximum cost as a multiple of the floor's CPU time. */
  readonly target: number | undefined;
  /** Makes what the work needs. @throws Refused 404 where this server has no such operation */
  prepare(world: World, databaseUrl: string): Promise<Load>;
  /** The decisive floor first; others show the cost of a part of the work. */
  readonly floors: readonly { readonly name: string; readonly load: FloorLoad }[];
}

type FloorLoad = Pick<Load, 'method' | 'paths' | 'body'>;

const HUNDRED = Array.from({ length: 100 }, (_, i) => `SECRET_${String(i).padStart(3, '0')}`);
/** A hundred new secrets in each request. */
const newSecrets = HUNDRED.map((name) => secretOf(`${name}_{unique}`));

const asked = ({ admin: { url, headers } }: World, load: Omit<Load, 'url' | 'headers'>): Load => ({
  url,
  headers,
  ...load,
});
/** Fastify refuses the content type of a body that is not there. */
export const withoutBody = (load: Load): Load => ({
  ...load,
  headers: { authorization: load.headers['authorization']! },
});

async function etagOf(url: string, headers: Load['headers']): Promise<string> {
  const answer = await fetch(url, { headers });
  const etag = answer.headers.get('etag');
  await answer.arrayBuffer();
  if (!etag) throw new Error(`GET ${url} answered ${answer.status} without an ETag`);
  return etag;
}

const place = (projectId: string, secretPath: string) =>
  `projectId=${projectId}&environment=${ENVIRONMENT}&secretPath=${encodeURIComponent(secretPath)}`;

interface Attached {
  identityUniversalAuth: { clientId: string };
}

export const lines: readonly Line[] = [
  {
    name: 'read-one',
    title: 'read one secret',
    target: 1.5,
    async prepare(world) {
      const paths = HUNDRED.map((key) => `/api/v4/secrets/${key}?${place(world.projectId, '/')}`);
      return withoutBody(asked(world, { method: 'GET', paths }));
    },
    floors: [{ name: 'floor', load: { method: 'GET', paths: HUNDRED.map((key) => `/secrets/${key}`) } }],
  },
  {
    name: 'read-unchanged',
    title: 'read one secret, unchanged (304)',
    target: undefined,
    async prepare(world) {
      const paths = HUNDRED.map((key) => `/api/v4/secrets/${key}?${place(world.projectId, '/')}`);
      const load = withoutBody(asked(world, { method: 'GET', paths, status: 304 }));
      const headersOf = await Promise.all(
        paths.map(async (path) => ({ 'if-none-match': await etagOf(`${load.url}${path}`, load.headers) })),
      );
      return { ...load, headersOf };
    },
    floors: [{ name: 'floor (reads)', load: { method: 'GET', paths: HUNDRED.map((key) => `/secrets/${key}`) } }],
  },
  {
    name: 'list-100',
    title: 'list 100 secrets',
    target: 1.5,
    async prepare(world) {
      return withoutBody(asked(world, { method: 'GET', paths: [`/api/v4/secrets?${place(world.projectId, '/')}`] }));
    },
    floors: [{ name: 'floor', load: { method: 'GET', paths: ['/secrets'] } }],
  },
  {
    name: 'create-100',
    title: 'create 100 in one batch',
    target: 3,
    async prepare(world) {
      await makeFolder(world, 'heap');
      const body = JSON.stringify({
        projectId: world.projectId,
        environment: ENVIRONMENT,
        secretPath: '/heap',
        secrets: newSecrets,
      });
      return asked(world, { method: 'POST', paths: ['/api/v4/secrets/batch'], body });
    },
    floors: [
      {
        name: 'bare insert',
        load: { method: 'POST', paths: ['/batch'], body: JSON.stringify({ secrets: newSecrets }) },
      },
      {
        name: 'sealed insert',
        load: { method: 'POST', paths: ['/sealed-batch'], body: JSON.stringify({ secrets: newSecrets }) },
      },
    ],
  },
  {
    name: 'login',
    title: 'universal-auth login',
    target: 3,
    async prepare(world) {
      const { admin, organizationId } = world;
      const { identity } = await admin<{ identity: { id: string } }>('POST', '/api/v1/identities', {
        name: 'machine',
        organizationId,
        role: 'member',
      });
      const base = `/api/v1/auth/universal-auth/identities/${identity.id}`;
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
    target: undefined,
    async prepare(world) {
      const { admin, organizationId } = world;
      const { identity } = await admin<{ identity: { id: string } }>('POST', '/api/v1/identities', {
        name: 'tokens',
        organizationId,
        role: 'member',
      });
      const base = `/api/v1/auth/token-auth/identities/${identity.id}`;
      await admin('POST', base, {});
      for (let i = 0; i < 20; i++) await admin('POST', `${base}/tokens`, { name: `token ${i}` });
      return withoutBody(asked(world, { method: 'GET', paths: [`${base}/tokens`] }));
    },
    floors: [{ name: 'floor', load: { method: 'GET', paths: ['/tokens'] } }],
  },
  {
    name: 'lease',
    title: 'lease a login of PostgreSQL',
    target: undefined,
    async prepare(world, databaseUrl) {
      const { admin, projectSlug } = world;
      const target = new URL(databaseUrl);
      const here = { projectSlug, environmentSlug: ENVIRONMENT, path: '/' };
      const inputs = {
        client: 'postgres',
        host: target.hostname,
        port: Number(target.port),
        database: target.pathname.slice(1),
        username: target.username,
        password: decodeURIComponent(target.password),
        creationStatement: `create role "{{username}}" login password '{{password}}' valid until '{{expiration}}'`,
        revocationStatement: 'drop role "{{username}}"',
      };
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
      const { id: caId } = await world.admin<{ id: string }>('POST', '/api/v1/cert-manager/ca/internal', {
        projectId: world.projectId,
        name: 'bench',
        configuration: { type: 'root', commonName: 'Bench', keyAlgorithm: 'EC_prime256v1' },
      });
      const names = { commonName: 'a.example.com', altNames: 'a.example.com, b.example.com' };
      const body = JSON.stringify({ caId, ...names, ttl: '30d' });
      return asked(world, { method: 'POST', paths: ['/api/v1/pki/certificates/issue-certificate'], body });
    },
    floors: [{ name: 'floor', load: { method: 'POST', paths: ['/certificate'], body: '{}' } }],
  },
];

/** What the reading lines read, in both programs. */
export async function seed(world: World, floorUrl: string): Promise<void> {
  const secrets = HUNDRED.map(secretOf);
  await world.admin('POST', '/api/v4/secrets/batch', {
    projectId: world.projectId,
    environment: ENVIRONMENT,
    secretPath: '/',
    secrets,
  });
  const answer = await fetch(`${floorUrl}/seed`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secrets }),
  });
  if (!answer.ok) throw new Error(`The floor could not be seeded: ${await answer.text()}`);
}

/** Whether an error means that the server does not have the operation (yet). */
export const isMissing = (error: unknown): boolean => error instanceof Refused && error.status === 404;

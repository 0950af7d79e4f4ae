import { ENVIRONMENT, makeFolder, secretOf, type World } from '../../subject/world.ts';
import type { Load } from '../load.ts';
import { asked, floorOf, HUNDRED, place, reading, withoutBody, type Line } from './line.ts';

/** A hundred new secrets in each request. */
const newSecrets = HUNDRED.map((name) => secretOf(`${name}_{unique}`));

async function etagOf(url: string, headers: Load['headers']): Promise<string> {
  const answer = await fetch(url, { headers });
  const etag = answer.headers.get('etag');
  await answer.arrayBuffer();
  if (!etag) throw new Error(`GET ${url} answered ${answer.status} without an ETag`);
  return etag;
}

const readOne = (connections: number, target: number): Line => ({
  name: connections === 32 ? 'read-one' : `read-one-${connections}`,
  title: connections === 32 ? 'read one secret' : `read one secret, over ${connections} connections`,
  target,
  connections,
  prepare: async (world) =>
    reading(world, ...HUNDRED.map((key) => `/api/v4/secrets/${key}?${place(world.projectId, '/')}`)),
  floors: floorOf(...HUNDRED.map((key) => `/secrets/${key}`)),
});

export const secretLines: readonly Line[] = [
  readOne(32, 1.2),
  readOne(16, 1.4),
  readOne(1, 2),
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
    name: 'list-recursive',
    title: 'list 1,000 secrets in 50 folders',
    target: 1,
    async prepare(world) {
      await makeFolder(world, 'tree');
      for (let n = 0; n < 50; n++) {
        await makeFolder(world, `f${n}`, '/tree');
        const secrets = HUNDRED.slice(0, 20).map((name) => secretOf(name));
        await world.admin('POST', '/api/v4/secrets/batch', {
          ...{ projectId: world.projectId, environment: ENVIRONMENT, secretPath: `/tree/f${n}` },
          secrets,
        });
      }
      return reading(world, `/api/v4/secrets?${place(world.projectId, '/tree')}&recursive=true`);
    },
    floors: floorOf('/thousand'),
  },
  {
    name: 'list-references',
    title: 'list 10 secrets, each with a reference',
    target: 2,
    async prepare(world) {
      await makeFolder(world, 'references');
      const secrets = HUNDRED.slice(0, 10).map((name) => ({
        secretKey: name,
        secretValue: `\${${ENVIRONMENT}.${name}}`,
      }));
      await world.admin('POST', '/api/v4/secrets/batch', {
        ...{ projectId: world.projectId, environment: ENVIRONMENT, secretPath: '/references' },
        secrets,
      });
      const path = `/api/v4/secrets?${place(world.projectId, '/references')}&expandSecretReferences=`;
      return { ...reading(world, `${path}true`), without: reading(world, `${path}false`) };
    },
    floors: [],
  },
  {
    name: 'list-import',
    title: 'list a folder that imports 100 secrets',
    target: 2,
    async prepare(world) {
      const path = `/api/v4/secrets?${place(world.projectId, await importing(world, 'lists'))}&includeImports=true`;
      return { ...reading(world, path), without: reading(world, `/api/v4/secrets?${place(world.projectId, '/')}`) };
    },
    floors: [],
  },
  {
    name: 'read-import',
    title: 'read one secret that a folder imports',
    target: 2,
    async prepare(world) {
      const from = place(world.projectId, await importing(world, 'reads'));
      const at = (query: string) => HUNDRED.map((key) => `/api/v4/secrets/${key}?${query}`);
      return {
        ...reading(world, ...at(`${from}&includeImports=true`)),
        without: reading(world, ...at(place(world.projectId, '/'))),
      };
    },
    floors: [],
  },
  {
    name: 'create-one',
    title: 'create one secret',
    target: 3,
    async prepare(world) {
      await makeFolder(world, 'ones');
      const body = JSON.stringify({
        ...{ projectId: world.projectId, environment: ENVIRONMENT, secretPath: '/ones' },
        secrets: [secretOf('ONE_{unique}')],
      });
      return asked(world, { method: 'POST', paths: ['/api/v4/secrets/batch'], body });
    },
    floors: [
      {
        name: 'sealed insert',
        load: {
          method: 'POST',
          paths: ['/sealed-batch'],
          body: JSON.stringify({ secrets: [secretOf('ONE_{unique}')] }),
        },
      },
    ],
  },
  {
    name: 'update-one',
    title: 'update one secret',
    target: 3,
    async prepare(world) {
      await makeFolder(world, 'updates');
      const at = { projectId: world.projectId, environment: ENVIRONMENT, secretPath: '/updates' };
      const secrets = HUNDRED.map((name) => secretOf(name));
      await world.admin('POST', '/api/v4/secrets/batch', { ...at, secrets });
      const body = JSON.stringify({ ...at, secretValue: 'another value {unique}' });
      return asked(world, { method: 'PATCH', paths: HUNDRED.map((key) => `/api/v4/secrets/${key}`), body });
    },
    floors: [
      {
        name: 'sealed update',
        load: {
          method: 'PATCH',
          paths: HUNDRED.map((key) => `/secrets/${key}`),
          body: JSON.stringify({ secretValue: 'another value {unique}' }),
        },
      },
    ],
  },
];

/** The path of a new folder that imports `/`. */
async function importing(world: World, name: string): Promise<string> {
  await makeFolder(world, name);
  await world.admin('POST', '/api/v2/secret-imports', {
    ...{ projectId: world.projectId, environment: ENVIRONMENT, path: `/${name}` },
    import: { environment: ENVIRONMENT, path: '/' },
  });
  return `/${name}`;
}

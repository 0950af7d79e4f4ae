import { ENVIRONMENT, folderOf, makeFolder, secretOf, writeBatch, type World } from '../../subject/world.ts';
import type { Load } from '../load.ts';
import { asked, floorOf, HUNDRED, HUNDRED_SECRETS, place, reading, type Line } from './line.ts';

/** A hundred new secrets in each request. */
const newSecrets = HUNDRED.map((name) => secretOf(`${name}_{unique}`));

async function etagOf(url: string, headers: Load['headers']): Promise<string> {
  const answer = await fetch(url, { headers });
  const etag = answer.headers.get('etag');
  await answer.arrayBuffer();
  if (!etag) throw new Error(`GET ${url} answered ${answer.status} without an ETag`);
  return etag;
}

const HUNDRED_AT_FLOOR = HUNDRED.map((key) => `/secrets/${key}`);

/** Reads of each of the hundred secrets of a folder. */
const readingHundred = (world: World, query = place(world.projectId, '/')): Load =>
  reading(world, ...HUNDRED.map((key) => `/api/v4/secrets/${key}?${query}`));

const readOne = (connections: number, target: number): Line => ({
  name: connections === 32 ? 'read-one' : `read-one-${connections}`,
  title: connections === 32 ? 'read one secret' : `read one secret, over ${connections} connections`,
  target,
  connections,
  prepare: async (world) => readingHundred(world),
  floors: floorOf(...HUNDRED_AT_FLOOR),
});

export const secretLines: readonly Line[] = [
  readOne(32, 1.2),
  readOne(256, 1.2),
  readOne(16, 1.4),
  readOne(1, 2),
  {
    name: 'read-unchanged',
    title: 'read one secret, unchanged (304)',
    target: undefined,
    async prepare(world) {
      const load = readingHundred(world);
      const headersOf = await Promise.all(
        load.paths.map(async (path) => ({ 'if-none-match': await etagOf(`${load.url}${path}`, load.headers) })),
      );
      return { ...load, headersOf, status: 304 };
    },
    floors: floorOf(...HUNDRED_AT_FLOOR),
  },
  {
    name: 'list-100',
    title: 'list 100 secrets',
    target: 1,
    prepare: async (world) => reading(world, `/api/v4/secrets?${place(world.projectId, '/')}`),
    floors: floorOf('/secrets'),
  },
  {
    name: 'create-100',
    title: 'create 100 in one batch',
    target: 3,
    async prepare(world) {
      await makeFolder(world, 'heap');
      const body = JSON.stringify({ ...folderOf(world, '/heap'), secrets: newSecrets });
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
        await writeBatch(world, `/tree/f${n}`, HUNDRED_SECRETS.slice(0, 20));
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
      await writeBatch(world, '/references', secrets);
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
      return { ...readingHundred(world, `${from}&includeImports=true`), without: readingHundred(world) };
    },
    floors: [],
  },
  {
    name: 'create-one',
    title: 'create one secret',
    target: 3,
    async prepare(world) {
      await makeFolder(world, 'ones');
      const body = JSON.stringify({ ...folderOf(world, '/ones'), secrets: [secretOf('ONE_{unique}')] });
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
    name: 'writers',
    title: 'update one secret, by 32 writers in one project, and in 32',
    target: undefined,
    rate: 0.7,
    async prepare(world) {
      const one = Array.from({ length: 32 }, () => world.projectId);
      return {
        ...(await writers(world, one, 'ONE')),
        without: await writers(world, await projectsOf(world, 32), 'MANY'),
      };
    },
    floors: [],
  },
  {
    name: 'update-one',
    title: 'update one secret',
    target: 3,
    async prepare(world) {
      await makeFolder(world, 'updates');
      await writeBatch(world, '/updates', HUNDRED_SECRETS);
      const body = JSON.stringify({ ...folderOf(world, '/updates'), secretValue: 'another value {unique}' });
      return asked(world, { method: 'PATCH', paths: HUNDRED.map((key) => `/api/v4/secrets/${key}`), body });
    },
    floors: [
      {
        name: 'sealed update',
        load: {
          method: 'PATCH',
          paths: HUNDRED_AT_FLOOR,
          body: JSON.stringify({ secretValue: 'another value {unique}' }),
        },
      },
    ],
  },
  {
    name: 'delete-one',
    title: 'create and delete one secret, half each',
    target: 3,
    async prepare(world) {
      await makeFolder(world, 'deletions');
      const at = folderOf(world, '/deletions');
      const bodies = [
        JSON.stringify({ ...at, secrets: [secretOf('ONE_{unique}')] }),
        JSON.stringify({ ...at, secrets: [{ secretKey: 'ONE_{unique}' }] }),
      ];
      const paths = ['/api/v4/secrets/batch', '/api/v4/secrets/batch'];
      return { ...asked(world, { method: 'POST', paths, bodies }), methods: ['POST', 'DELETE'] };
    },
    floors: [
      {
        name: 'sealed insert, deletion',
        load: {
          method: 'POST',
          methods: ['POST', 'DELETE'],
          paths: ['/sealed-batch', '/batch'],
          body: JSON.stringify({ secrets: [secretOf('ONE_{unique}')] }),
        },
      },
    ],
  },
  {
    name: 'search',
    title: 'find 20 secrets by a part of their name',
    target: 1.5,
    prepare: async (world) => reading(world, `/api/v1/projects/${world.projectId}/secrets/search?search=secret_0`),
    floors: floorOf('/search'),
  },
];

/** Updates of secrets, by as many writers as there are projects. */
async function writers(world: World, projectIds: readonly string[], name: string): Promise<Load> {
  const bodies: string[] = [];
  const paths: string[] = [];
  for (const [index, projectId] of projectIds.entries()) {
    const secret = secretOf(`${name}_${index}`);
    const at = folderOf({ projectId }, '/');
    await world.admin('POST', '/api/v4/secrets/batch', { ...at, secrets: [secret] });
    paths.push(`/api/v4/secrets/${secret.secretKey}`);
    bodies.push(JSON.stringify({ ...at, secretValue: 'another value {unique}' }));
  }
  return asked(world, { method: 'PATCH', paths, bodies });
}

async function projectsOf({ admin }: World, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++)
    ids.push(
      (await admin<{ project: { id: string } }>('POST', '/api/v1/projects', { projectName: `P${n}` })).project.id,
    );
  return ids;
}

/** The path of a new folder that imports `/`. */
async function importing(world: World, name: string): Promise<string> {
  await makeFolder(world, name);
  await world.admin('POST', '/api/v2/secret-imports', {
    ...{ projectId: world.projectId, environment: ENVIRONMENT, path: `/${name}` },
    import: { environment: ENVIRONMENT, path: '/' },
  });
  return `/${name}`;
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEV, PROD, STAGING, replications, type Replications } from '../../harness/replication.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let all: Replications;
beforeAll(async () => {
  test = await testServer();
  all = replications(test);
});
afterAll(async () => {
  await all.stop();
  await test.close();
});

describe('copies of replication', () => {
  it('cannot be read or written by anyone', async () => {
    const project = await all.project();
    const put = await project.put(PROD, 'A', 'a');
    const { id } = (await project.import(DEV, PROD)).body.secretImport;
    await all.settle();
    const path = `/__reserve_replication_${id}`;
    const hidden = { environment: 'dev', path };
    const { rows } = await test.coffer.pool.query<{ id: string; folder_id: string; row_id: string }>(
      `select s.id, f.id as folder_id, i.id as row_id from folders f join secrets s on s.folder_id = f.id
       join secret_imports i on i.replicates = f.replicates where f.replicates = $1`,
      [id],
    );
    const made = rows[0]!;
    const place = `workspaceId=${project.id}&environment=dev`;
    const body = { workspaceId: project.id, environment: 'dev' };
    const newer = { projectId: project.id, environment: 'dev', secretPath: path };
    const move = (more: object) =>
      test.admin('POST', '/api/v3/secrets/move', {
        projectSlug: project.slug,
        sourceSecretPath: '/',
        destinationEnvironment: 'staging',
        destinationSecretPath: '/',
        shouldOverwrite: true,
        ...more,
      });
    const answers = {
      list: await test.admin('GET', `/api/v3/secrets/raw?${place}&secretPath=${path}`),
      read: await test.admin('GET', `/api/v3/secrets/raw/A?${place}&secretPath=${path}`),
      folder: await test.admin('GET', `/api/v1/folders/${made.folder_id}`),
      imports: await test.admin('GET', `/api/v1/secret-imports?${place}&path=${path}`),
      row: await test.admin('GET', `/api/v1/secret-imports/${made.row_id}`),
      removeRow: await test.admin('DELETE', `/api/v1/secret-imports/${made.row_id}`, body),
      changeRow: await test.admin('PATCH', `/api/v1/secret-imports/${made.row_id}`, {
        ...body,
        import: { position: 1 },
      }),
      create: await project.put(hidden, 'B', 'b'),
      change: await project.change(hidden, 'A', { secretValue: 'mine' }),
      remove: await project.remove(hidden, 'A'),
      renameFolder: await test.admin('PATCH', `/api/v1/folders/${made.folder_id}`, { ...body, name: 'mine' }),
      removeFolder: await test.admin('DELETE', `/api/v1/folders/${made.folder_id}`, body),
      below: await test.admin('POST', '/api/v1/folders', { ...body, path, name: 'x' }),
      versions: await test.admin('GET', `/api/v1/secret/${made.id}/secret-versions`),
      byId: await test.admin('GET', `/api/v4/secrets/id/${made.id}`),
      olderById: await test.admin('GET', `/api/v3/secrets/raw/id/${made.id}`),
      newerList: await test.admin('GET', `/api/v4/secrets?projectId=${project.id}&environment=dev&secretPath=${path}`),
      newerCreate: await test.admin('POST', '/api/v4/secrets/B', { ...newer, secretValue: 'b' }),
      createMany: await test.admin('POST', '/api/v4/secrets/batch', {
        ...newer,
        secrets: [{ secretKey: 'B', secretValue: 'b' }],
      }),
      changeMany: await test.admin('PATCH', '/api/v4/secrets/batch', {
        ...newer,
        secrets: [{ secretKey: 'A', secretValue: 'b' }],
      }),
      upsert: await test.admin('PATCH', '/api/v4/secrets/batch', {
        ...newer,
        secretPath: '/',
        mode: 'upsert',
        secrets: [{ secretKey: 'A', secretValue: 'b', secretPath: path }],
      }),
      removeMany: await test.admin('DELETE', '/api/v4/secrets/batch', { ...newer, secrets: [{ secretKey: 'A' }] }),
      moveOut: await move({ sourceEnvironment: 'dev', sourceSecretPath: path, secretIds: [made.id] }),
      moveById: await move({ sourceEnvironment: 'dev', sourceSecretPath: '/', secretIds: [made.id] }),
      moveIn: await move({
        sourceEnvironment: 'prod',
        destinationEnvironment: 'dev',
        destinationSecretPath: path,
        secretIds: [put.body.secret.id],
      }),
      folders: await test.admin('GET', `/api/v2/folders?projectId=${project.id}&environment=dev&path=${path}`),
      removeByName: await test.admin('DELETE', `/api/v1/folders/${path.slice(1)}`, { ...body, path: '/' }),
      history: await test.admin('GET', `/api/v1/projects/${project.id}/commits?environment=dev&secretPath=${path}`),
      dynamic: await test.admin(
        'GET',
        `/api/v1/dynamic-secrets?projectSlug=${project.slug}&environmentSlug=dev&path=${path}`,
      ),
      import: await project.import(STAGING, hidden, false),
      replicate: await project.import(STAGING, hidden),
      importBelow: await project.import(STAGING, { environment: 'dev', path: `${path}/x` }, false),
      redirect: await test.admin('PATCH', `/api/v1/secret-imports/${id}`, { ...body, import: { path } }),
      imported: await test.admin('GET', `/api/v1/secret-imports/secrets/raw?${place}&path=${path}`),
    };
    expect(Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]))).toEqual(
      Object.fromEntries(Object.keys(answers).map((name) => [name, 404])),
    );
    await project.put(DEV, 'SPY', `\${dev.${path.slice(1)}.A}`);
    const shown = [
      await test.admin('GET', `/api/v3/secrets/raw?${place}&recursive=true&expandSecretReferences=true`),
      await test.admin('GET', `/api/v1/folders?${place}&recursive=true`),
      await test.admin('GET', `/api/v1/projects/${project.id}/commits?environment=dev&secretPath=/&recursive=true`),
    ];
    expect(shown.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(shown[0]!.body.secrets).toMatchObject([{ secretKey: 'SPY', secretValue: `\${dev.${path.slice(1)}.A}` }]);
    expect(shown[1]!.body.folders).toEqual([]);
    expect(shown[2]!.body.totalCount).toBe(1);
    expect(await project.copies()).toBe(1);
  });
});

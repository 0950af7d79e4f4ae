import { makeUser } from '@coffer/domain/testing';
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

describe('the right to replicate', () => {
  const may = (projectId: string, ...rules: object[]) => test.identity({ projectId, rules: rules as never });

  it('includes reading every value of the source, and importing here', async () => {
    const project = await all.project();
    await project.put(PROD, 'OPEN', 'o');
    await project.put(PROD, 'CLOSED', 'c');
    const create = { subject: 'secret-imports', action: 'create' };
    const read = { subject: 'secrets', action: 'read', conditions: { environment: 'prod' } };
    const forbidden = { subject: 'secrets', action: 'readValue', inverted: true, conditions: { secretName: 'CLOSED' } };
    const describes = await may(project.id, create, { subject: 'secrets', action: 'describeSecret' });
    const reads = await may(project.id, read);
    const most = await may(project.id, create, read, forbidden);
    const everything = await may(project.id, create, read);
    for (const [who, status] of [
      [describes, 403],
      [reads, 403],
      [most, 403],
    ] as const)
      expect((await project.import(DEV, PROD, true, who.call)).status).toBe(status);
    expect((await project.import(DEV, PROD, true, test.as())).status).toBe(401);
    expect((await project.import(DEV, PROD, true, (await test.foreign()).call)).status).toBe(404);
    expect(await project.reservedFolders()).toBe(0);
    expect((await project.import(DEV, PROD, true, everything.call)).status).toBe(200);
    expect((await project.import(STAGING, PROD, false, describes.call)).status).toBe(200);
  });

  it('is checked at each run; its loss is reported, the copies stay, and another user can take over', async () => {
    const project = await all.project();
    await project.put(PROD, 'A', 'a');
    const maker = await may(
      project.id,
      { subject: 'secret-imports', action: ['create', 'edit'] },
      { subject: 'secrets', action: 'read', conditions: { environment: 'prod', secretName: { $ne: 'B' } } },
    );
    const made = await project.import(DEV, PROD, true, maker.call);
    expect(made.status).toBe(200);
    await all.settle();
    await project.put(PROD, 'B', 'canary-4711');
    await all.settle();
    expect(await project.imports(DEV)).toMatchObject([
      {
        isReplicationSuccess: false,
        replicationStatus: 'The user who set up this replication may no longer read all of its source',
      },
    ]);
    expect(await project.read(DEV)).toEqual([['prod/', { A: 'a' }]]);
    expect(await project.events('secret_import.replication_failed')).toHaveLength(1);
    const url = `/api/v1/secret-imports/${made.body.secretImport.id}/replication-resync`;
    const at = { workspaceId: project.id, environment: 'dev' };
    expect((await maker.call('POST', url, at)).status).toBe(200);
    await all.settle();
    expect(await project.imports(DEV)).toMatchObject([{ isReplicationSuccess: false }]);
    expect((await test.admin('POST', url, at)).status).toBe(200);
    await all.settle();
    expect(await project.imports(DEV)).toMatchObject([{ isReplicationSuccess: true, replicationStatus: null }]);
    expect(await project.read(DEV)).toEqual([['prod/', { A: 'a', B: 'canary-4711' }]]);
  });

  it('of one caller does not let another one read what it may not', async () => {
    const project = await all.project();
    const hidden = await project.makeFolder('staging', '/hidden');
    const place = { environment: 'staging', path: '/hidden' };
    const put = await project.put(place, 'KEY', 'canary-4712');
    await project.import(DEV, PROD);
    await project.import(DEV, { environment: 'staging', path: '/later' });
    const others = { environment: { $in: ['staging', 'prod'] } };
    const { call } = await may(
      project.id,
      { subject: 'secrets', action: 'read', conditions: { environment: 'dev' } },
      { subject: 'secrets', action: ['describeSecret', 'create', 'delete', 'edit'], conditions: others },
      { subject: 'secret-folders', action: ['read', 'edit', 'create'] },
      { subject: 'secret-imports', action: ['create', 'edit'] },
    );
    const imported = await project.import(PROD, place, false, call);
    const moved = await call('POST', '/api/v3/secrets/move', {
      projectSlug: project.slug,
      sourceEnvironment: 'staging',
      sourceSecretPath: '/hidden',
      destinationEnvironment: 'prod',
      destinationSecretPath: '/',
      secretIds: [put.body.secret.id],
      shouldOverwrite: false,
    });
    const renamed = await call('PATCH', `/api/v1/folders/${hidden}`, {
      workspaceId: project.id,
      environment: 'staging',
      name: 'later',
    });
    expect([imported, moved, renamed].map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await project.import(STAGING, place, false, call)).status).toBe(200);
    await all.settle();
    expect(JSON.stringify((await project.list(DEV, call)).body)).not.toContain('canary');
  });

  it('to some copies is not extended by renaming or tagging the source', async () => {
    const project = await all.project();
    for (const name of ['NAMED', 'TAGGED']) await project.put(PROD, name, 'canary-4713');
    await project.put(PROD, 'PUBLIC_KEY', 'open');
    await project.import(DEV, PROD);
    await all.settle();
    await test.admin('POST', `/api/v1/workspace/${project.id}/tags`, { slug: 'open', color: '' });
    const { call } = await may(
      project.id,
      { subject: 'secrets', action: ['describeSecret', 'edit'], conditions: { environment: 'prod' } },
      ...[{ secretName: { $glob: 'PUBLIC_*' } }, { secretTags: { $in: ['open'] } }].map((conditions) => ({
        subject: 'secrets',
        action: 'read',
        conditions: { environment: 'dev', ...conditions },
      })),
    );
    const rename = (from: string, to: string) =>
      call('PATCH', `/api/v3/secrets/raw/${from}`, {
        workspaceId: project.id,
        environment: 'prod',
        newSecretName: to,
      });
    const tagged = await call('POST', '/api/v3/secrets/tags/TAGGED', {
      projectSlug: project.slug,
      environment: 'prod',
      secretPath: '/',
      type: 'shared',
      tagSlugs: ['open'],
    });
    const named = await rename('NAMED', 'PUBLIC_NAMED');
    expect([named, tagged].map(({ status }) => status)).toEqual([403, 403]);
    expect((await rename('PUBLIC_KEY', 'PUBLIC_NAME')).status).toBe(200);
    expect((await rename('NAMED', 'OTHER')).status).toBe(200);
    await all.settle();
    expect(await project.read(DEV, call)).toEqual([['prod/', { PUBLIC_NAME: 'open' }]]);
  });

  it('is not checked if an update of the import keeps its source', async () => {
    const project = await all.project();
    await project.put(PROD, 'A', 'a');
    const { id } = (await project.import(DEV, PROD)).body.secretImport;
    await project.import(DEV, STAGING);
    const { call } = await may(project.id, { subject: 'secret-imports', action: 'edit' });
    const change = (source: object) =>
      call('PATCH', `/api/v1/secret-imports/${id}`, { workspaceId: project.id, environment: 'dev', import: source });
    const same = await change({ ...PROD, path: '/', position: 3 });
    expect([same.status, same.body.secretImport.position]).toEqual([200, 3]);
    expect((await change(STAGING)).status).toBe(403);
    expect((await change({ path: '/x' })).status).toBe(403);
    await project.put(PROD, 'B', 'b');
    await all.settle();
    expect(await project.read(DEV)).toEqual([
      ['staging/', {}],
      ['prod/', { A: 'a', B: 'b' }],
    ]);
  });

  it('is retried automatically with backoff', async () => {
    const project = await all.project();
    await project.put(PROD, 'A', 'a');
    const maker = await may(
      project.id,
      { subject: 'secret-imports', action: 'create' },
      { subject: 'secrets', action: 'read', conditions: { secretName: { $ne: 'B' } } },
    );
    await project.import(DEV, PROD, true, maker.call);
    await project.put(PROD, 'B', 'b');
    await all.settle();
    const waiting = async () => {
      const { rows } = await test.coffer.pool.query<{ seconds: number }>(
        `select extract(epoch from run_at - created_at)::integer as seconds from graphile_worker.jobs where task_identifier = 'secret_import.replicate'`,
      );
      return rows.map((row) => row.seconds);
    };
    const hurry = () => test.coffer.pool.query('update graphile_worker._private_jobs set run_at = now()');
    const [first] = await waiting();
    await hurry();
    await all.settle();
    const [second] = await waiting();
    expect(second).toBeGreaterThan(first!);
    expect(await project.events('secret_import.replication_failed')).toHaveLength(1);
    const path = `/api/v1/projects/${project.id}/memberships/identities/${maker.id}`;
    const roles = [{ role: 'admin', isTemporary: false }];
    expect((await test.admin('PATCH', path, { roles })).status).toBe(200);
    await hurry();
    await all.settle();
    expect(await project.imports(DEV)).toMatchObject([{ isReplicationSuccess: true, replicationStatus: null }]);
    expect(await waiting()).toEqual([]);
  });

  it('of a service token counts while the token is valid', async () => {
    const project = await all.project();
    await project.put(PROD, 'A', 'a');
    const user = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'admin' });
    const added = await test.admin('POST', `/api/v1/projects/${project.id}/memberships`, {
      usernames: [user.email],
      emails: [],
      roleSlugs: ['admin'],
    });
    expect(added.status).toBe(200);
    const token = await test.as(user.token)('POST', '/api/v2/service-token', {
      name: 'x',
      workspaceId: project.id,
      scopes: ['dev', 'prod'].map((environment) => ({ environment, secretPath: '/**' })),
      permissions: ['read', 'write', 'readValue'],
      expiresIn: null,
    });
    expect(token.status).toBe(200);
    expect((await project.import(DEV, PROD, true, test.as(token.body.serviceToken))).status).toBe(200);
    await all.settle();
    expect(await project.read(DEV)).toEqual([['prod/', { A: 'a' }]]);
    await test.as(user.token)('DELETE', `/api/v2/service-token/${token.body.serviceTokenData.id}`);
    await project.put(PROD, 'B', 'b');
    await all.settle();
    expect(await project.imports(DEV)).toMatchObject([{ isReplicationSuccess: false }]);
    expect(await project.read(DEV)).toEqual([['prod/', { A: 'a' }]]);
  });

  it('is not needed to read the copies, which are secrets of the destination folder', async () => {
    const project = await all.project();
    await project.put(PROD, 'BASE', 'b');
    await project.put(PROD, 'TOP', '<${BASE}>');
    await project.import(DEV, PROD);
    await all.settle();
    const here = await may(project.id, {
      subject: 'secrets',
      action: 'read',
      conditions: { environment: 'dev', secretPath: '/' },
    });
    const there = await may(project.id, { subject: 'secrets', action: 'read', conditions: { environment: 'prod' } });
    expect(await project.read(DEV, here.call)).toEqual([['prod/', { BASE: 'b', TOP: '<b>' }]]);
    expect(await project.read(DEV, there.call)).toEqual([['prod/', {}]]);
  });
});

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

describe('the jobs of a replication', () => {
  it('may run twice, late and in any order', async () => {
    const project = await all.project();
    await project.put(PROD, 'A', 'a');
    const { id } = (await project.import(DEV, PROD)).body.secretImport;
    await all.settle();
    await project.change(PROD, 'A', { secretValue: 'b' });
    const payload = JSON.stringify({ organizationId: test.organizationId, importId: id });
    for (let n = 0; n < 6; n++)
      await test.coffer.pool.query(`select graphile_worker.add_job('secret_import.replicate', $1::json)`, [payload]);
    await all.settle();
    expect(await project.read(DEV)).toEqual([['prod/', { A: 'b' }]]);
    const before = await test.coffer.pool.query('select version from secrets where project_id = $1 order by id', [
      project.id,
    ]);
    await test.coffer.pool.query(`select graphile_worker.add_job('secret_import.replicate', $1::json)`, [payload]);
    await all.settle();
    const after = await test.coffer.pool.query('select version from secrets where project_id = $1 order by id', [
      project.id,
    ]);
    expect(after.rows).toEqual(before.rows);
  });

  it('are requeued if they were lost with a process', async () => {
    const project = await all.project();
    await all.stop();
    await project.put(PROD, 'A', 'a');
    await project.import(DEV, PROD);
    await test.coffer.pool.query(`delete from graphile_worker._private_jobs`);
    await all.settle();
    expect(await project.read(DEV)).toEqual([['prod/', {}]]);
    test.advance(120_000);
    await test.coffer.pool.query(`select graphile_worker.add_job('secret_import.overdue', '{}'::json)`);
    await all.settle();
    expect(await project.read(DEV)).toEqual([['prod/', { A: 'a' }]]);
  });

  it('copy all or nothing, and repeat interrupted runs', async () => {
    const project = await all.project();
    for (const name of ['A', 'B', 'C']) await project.put(PROD, name, 'old');
    await project.import(DEV, PROD);
    await all.settle();
    const before = await project.read(DEV);
    // Both changes exist when the job runs.
    await all.stop();
    await test.owner.query(`
      create function broken() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
      create trigger broken before insert on secret_references for each row execute function broken()`);
    await project.change(PROD, 'B', { secretValue: 'new' });
    await test.owner.query('alter table secret_references disable trigger broken');
    await project.change(PROD, 'A', { secretValue: '${B}' });
    await test.owner.query('alter table secret_references enable trigger broken');
    await all.settle();
    expect(await project.read(DEV)).toEqual(before);
    expect(await project.imports(DEV)).toMatchObject([
      {
        isReplicationSuccess: false,
        replicationStatus: 'Internal error; the log of the server has the details',
      },
    ]);
    await test.owner.query('drop trigger broken on secret_references; drop function broken');
    await test.coffer.pool.query('update graphile_worker._private_jobs set run_at = now()');
    await all.settle();
    expect(await project.read(DEV)).toEqual([['prod/', { A: 'new', B: 'new', C: 'old' }]]);
    expect(await project.imports(DEV)).toMatchObject([{ isReplicationSuccess: true, replicationStatus: null }]);
  });

  it('lose none of many concurrent changes', async () => {
    const project = await all.project();
    await project.import(DEV, PROD);
    await all.settle();
    await Promise.all(Array.from({ length: 30 }, (_, index) => project.put(PROD, `K${index}`, `v${index}`)));
    await all.settle();
    const [[, values]] = (await project.read(DEV)) as [[string, Record<string, string>]];
    expect(Object.keys(values)).toHaveLength(30);
  });
});

describe('a resync', () => {
  it('returns the published message and copies again', async () => {
    const project = await all.project();
    await project.put(PROD, 'A', 'a');
    const { id } = (await project.import(DEV, PROD)).body.secretImport;
    await all.settle();
    const [before] = await project.imports(DEV);
    test.advance(5000);
    const answer = await test.admin('POST', `/api/v1/secret-imports/${id}/replication-resync`, {
      workspaceId: project.id,
      environment: 'dev',
      path: '/',
    });
    expect([answer.status, answer.body]).toEqual([200, { message: 'replication started' }]);
    await all.settle();
    const [after] = await project.imports(DEV);
    expect(Date.parse(after.lastReplicated)).toBeGreaterThan(Date.parse(before.lastReplicated));
    expect(await project.events('secret_import.resynced')).toEqual([
      { environment: 'dev', secretPath: '/', secretImportId: id },
    ]);
  });

  it('rejects non-members, callers without the permission, and imports without replication', async () => {
    const project = await all.project();
    const { id } = (await project.import(DEV, PROD)).body.secretImport;
    const plain = (await project.import(DEV, STAGING, false)).body.secretImport.id;
    const at = { workspaceId: project.id, environment: 'dev', path: '/' };
    const url = (one: string) => `/api/v1/secret-imports/${one}/replication-resync`;
    expect((await test.as()('POST', url(id), at)).status).toBe(401);
    const foreign = await (await test.foreign()).call('POST', url(id), at);
    const unknown = await (await test.foreign()).call('POST', url('6a1c3f7e-0000-4000-8000-000000000000'), at);
    expect([foreign.status, foreign.body.message]).toEqual([404, unknown.body.message]);
    const reader = await test.identity({
      projectId: project.id,
      rules: [{ subject: 'secret-imports', action: 'read' }],
    });
    expect((await reader.call('POST', url(id), at)).status).toBe(403);
    expect((await test.admin('POST', url(plain), at)).status).toBe(400);
    for (const none of ['not-a-uuid', '6a1c3f7e-0000-4000-8000-000000000000'])
      expect((await test.admin('POST', url(none), at)).status).toBe(404);
    expect((await test.admin('POST', url(id), { ...at, path: '/nowhere' })).status).toBe(404);
    expect((await test.admin('POST', url(id), { ...at, path: '//' })).status).toBe(422);
  });
});

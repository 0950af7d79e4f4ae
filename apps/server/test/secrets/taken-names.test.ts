import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const ROUNDS = 5;
const rounds = (work: (round: number) => Promise<void>) =>
  Array.from({ length: ROUNDS }, (_, round) => round).reduce(
    (before, round) => before.then(() => work(round)),
    Promise.resolve(),
  );

describe('a name that others take between the look and the write', () => {
  it('is updated by a batch that creates what is missing', async () => {
    const place = { projectId: (await test.project()).id, environment: 'dev', secretPath: '/' };
    await rounds(async (round) => {
      const batches = Array.from({ length: 6 }, (_, at) =>
        test.admin('PATCH', '/api/v4/secrets/batch', {
          ...{ ...place, mode: 'upsert' },
          secrets: [{ secretKey: `KEY_${round}`, secretValue: `value ${at}` }],
        }),
      );
      const answers = await Promise.all(batches);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    });
  });

  it('is overwritten by a move and by a copy that may overwrite', async () => {
    const { id: projectId } = await test.project();
    const here = { projectId, environment: 'dev', secretPath: '/' };
    const there = { ...here, environment: 'staging' };
    await rounds(async (round) => {
      for (const operation of ['move', 'duplicate']) {
        const name = `KEY_${round}_${operation}`;
        const { secret } = await ok(test.admin('POST', `/api/v4/secrets/${name}`, { ...here, secretValue: 'v' }));
        const [moved, created] = await Promise.all([
          test.admin('POST', `/api/v4/secrets/${operation}`, {
            ...{ projectId, sourceEnvironment: 'dev', sourceSecretPath: '/', destinationEnvironment: 'staging' },
            ...{ destinationSecretPath: '/', secretIds: [secret.id], shouldOverwrite: true },
          }),
          test.admin('POST', `/api/v4/secrets/${name}`, { ...there, secretValue: 'of another' }),
        ]);
        expect([operation, moved.status]).toEqual([operation, 200]);
        expect([200, 400]).toContain(created.status);
      }
    });
  });
});

describe('a name that a secret loses while many are changed', () => {
  it.each(['PATCH', 'DELETE'] as const)('is a missing one to a batch: %s', async (method) => {
    const place = { projectId: (await test.project()).id, environment: 'dev', secretPath: '/' };
    const secrets = Array.from({ length: 20 }, (_, at) => ({ secretKey: `KEY_${at}` }));
    const given = secrets.map((one) => ({ ...one, secretValue: 'v' }));
    await ok(test.admin('POST', '/api/v4/secrets/batch', { ...place, secrets: given }));
    const conditions = { secretName: { $glob: 'KEY_*' } };
    const action = ['describeSecret', 'edit', 'delete'];
    const { call } = await test.identity({
      projectId: place.projectId,
      rules: [{ subject: 'secrets', action, conditions }],
    });
    const client = await test.owner.connect();
    try {
      await client.query('begin');
      await client.query(`update secrets set key = 'OTHER' where project_id = $1 and key = 'KEY_7'`, [place.projectId]);
      const asked = call(method, '/api/v4/secrets/batch', { ...place, secrets: method === 'PATCH' ? given : secrets });
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await expect.poll(async () => (await test.coffer.pool.query(waiting)).rowCount).toBe(1);
      await client.query('commit');
      const { status, body } = await asked;
      expect([status, JSON.stringify(body).includes('OTHER')]).toEqual([404, false]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

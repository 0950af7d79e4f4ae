import type { TestServer } from '../test-server.ts';
import type { Fault } from './steps.ts';

/** A configuration of another destination, which meets no other one. */
const ELSEWHERE = [
  'aws-parameter-store',
  JSON.stringify({ region: 'eu-central-1', path: '/' }),
  JSON.stringify({}),
] as const;

/** Each takes a defence away, by what it leaves in the database for the product to decide by. */
export const FAULTS: Readonly<Record<string, (test: TestServer) => Fault>> = {
  'runs do not look for others at their target': ({ coffer: { pool } }) => ({
    kinds: ['make', 'rights', 'sync'],
    seed: 13,
    async aroundRun({ integrations }, { id }, run) {
      const others = integrations.map((one) => one.id).filter((one) => one !== id);
      const { rows } = await pool.query<{ id: string }>(
        'select id, destination, config, options from secret_syncs where id = any($1)',
        [others],
      );
      const set = 'update secret_syncs set destination = $2, config = $3, options = $4 where id = any($1)';
      await pool.query(set, [others, ...ELSEWHERE]);
      await run();
      for (const { id: one, ...row } of rows as { id: string; destination: string; config: object; options: object }[])
        await pool.query(set, [[one], row.destination, JSON.stringify(row.config), JSON.stringify(row.options)]);
    },
  }),
  'integrations go on as before with other credentials': ({ coffer: { pool } }) => ({
    kinds: ['make', 'auth', 'rights'],
    seed: 2,
    async aroundChange({ id }, change) {
      const { rows } = await pool.query<{ id: string; run_as: object | null }>(
        'select id, run_as from secret_syncs where connection_id = $1',
        [id],
      );
      await change();
      for (const { id: one, run_as: runAs } of rows)
        await pool.query('update secret_syncs set run_as = $2 where id = $1', [one, JSON.stringify(runAs)]);
    },
  }),
  'copies of credentials are not known as such': ({ coffer: { pool } }) => ({
    kinds: ['make', 'duplicate', 'rights'],
    seed: 61,
    async beforeStep({ credentials }) {
      const ids = credentials.map(({ id }) => id);
      await pool.query(
        `update app_connections set given = given - 'origin', origin_project_ids = '{}' where id = any($1)`,
        [ids],
      );
    },
  }),
  'copies are known only to copies of the same credentials': ({ coffer: { pool } }) => ({
    kinds: ['make', 'duplicate', 'rights'],
    seed: 11,
    async beforeStep({ credentials }) {
      const ids = credentials.map(({ id }) => id);
      await pool.query(`update app_connections set origin_project_ids = '{}' where id = any($1)`, [ids]);
    },
  }),
  'copies with another ID of their key are no longer known as such': ({ coffer: { pool } }) => ({
    kinds: ['make', 'duplicate', 'auth', 'rights'],
    system: 'aws',
    seed: 77,
    async aroundChange({ id }, change, { fields: { accessId, accessToken } }) {
      await change();
      if (accessId === undefined || accessToken !== undefined) return;
      await pool.query(`update app_connections set given = given - 'origin', origin_project_ids = '{}' where id = $1`, [
        id,
      ]);
    },
  }),
  'what was written at a target is forgotten': ({ coffer: { pool } }) => ({
    kinds: ['make', 'end', 'patch', 'rights'],
    seed: 42,
    async beforeStep({ integrations }) {
      const ids = integrations.map(({ id }) => id);
      await pool.query('delete from secret_sync_entries where sync_id = any($1)', [ids]);
    },
  }),
};

import { MAX_UNPROVED_ACCOUNTS, MAX_UNPROVED_ORDERS } from '@coffer/domain';
import { challengeServer } from '@coffer/domain/testing';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AcmeClient, obtain } from '../harness/acme-client.ts';
import { acmeWorld, refusal, type AcmeWorld } from '../harness/acme.ts';

let world: AcmeWorld;
beforeAll(async () => {
  if (!challengeServer.isMissing) world = await acmeWorld();
});
afterAll(() => world?.close());

const count = async (table: string, profileId: string, where = 'true'): Promise<number> => {
  const { rows } = await world.test.coffer.pool.query<{ count: number }>(
    `select count(*)::int as count from ${table} where profile_id = $1 and ${where}`,
    [profileId],
  );
  return rows[0]!.count;
};

let made = 0;
/** So many accounts of strangers, and orders of these. `start`: of their IDs; default: they are older than all others. */
async function strangers(
  profileId: string,
  accounts: number,
  orders: number,
  start = '00000000-0000-7000-8000-',
): Promise<void> {
  const { pool } = world.test.coffer;
  const place = [world.test.organizationId, world.project.id, profileId];
  const id = `('${start}' || lpad(to_hex(n + ${made}), 12, '0'))::uuid`;
  made += accounts;
  await pool.query(
    `insert into acme_accounts (id, organization_id, project_id, profile_id, jwk, thumbprint)
     select ${id}, $1, $2, $3, '{}', 'stranger ' || n from generate_series(1, ${accounts}) n`,
    place,
  );
  await pool.query(
    `insert into acme_orders (id, organization_id, project_id, profile_id, account_id, status, identifiers, expires_at, is_proved)
     select ${id}, $1, $2, $3, ${id}, 'pending', '{a.example.com}', now() + interval '7 days', false
     from generate_series(1, ${orders}) n`,
    place,
  );
}

describe.skipIf(challengeServer.isMissing)(
  `attack: filling an ACME server that asks for no external key${challengeServer.orSkipped}`,
  () => {
    it('leaves a limited number of accounts and orders, and keeps nobody out, nor takes what is proved or bound', async () => {
      const id = await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true });
      const [proved, bound] = [await AcmeClient.withAccount(world, id), await AcmeClient.withAccount(world, id)];
      await obtain(proved, ['proved.example.com']);
      const pending = await proved.order('pending.example.com');
      await bound.order('bound.example.com');
      const { pool } = world.test.coffer;
      await pool.query(`update acme_accounts set external_binding = '{}', is_proved = true where id = $1`, [
        bound.accountId,
      ]);
      await pool.query('update acme_orders set is_proved = true where account_id = $1', [bound.accountId]);
      // The oldest hundred end with their accounts.
      await strangers(id, MAX_UNPROVED_ACCOUNTS, MAX_UNPROVED_ORDERS + 200);
      const mine = await AcmeClient.withAccount(world, id);
      expect(await count('acme_accounts', id, 'not is_proved')).toBe(MAX_UNPROVED_ACCOUNTS - 100);
      const others = `status <> 'valid' and account_id not in ('${proved.accountId}', '${bound.accountId}')`;
      expect((await mine.order('mine.example.com')).status).toBe(201);
      expect(await count('acme_orders', id, others)).toBe(MAX_UNPROVED_ORDERS - 100 + 1);
      await obtain(mine, ['mine.example.com']);
      expect(await count('acme_accounts', id, 'is_proved')).toBe(3);
      expect(await count('acme_orders', id, `not is_proved and account_id = '${mine.accountId}'`)).toBe(0);
      expect((await proved.post(pending.headers['location'] as string)).status).toBe(200);
      expect((await bound.order('again.example.com')).status).toBe(201);
    });

    it('takes no account for which a certificate is issued at that moment', async () => {
      const id = await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true });
      const oldest = await AcmeClient.withAccount(world, id);
      await strangers(id, MAX_UNPROVED_ACCOUNTS, 0, `${oldest.accountId.slice(0, 13)}-7fff-bfff-`);
      const { pool } = world.test.coffer;
      const [held, owner] = [await pool.connect(), new Pool({ connectionString: world.test.databaseUrl, max: 1 })];
      await owner.query(`create function pg_temp_wait() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(4711); return null; end'`);
      await owner.query(
        `create trigger waits before delete on acme_accounts for each statement execute function pg_temp_wait()`,
      );
      await held.query('select pg_advisory_lock(4711)');
      try {
        const waiting = async (type: string) => {
          const { rows } = await pool.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = $1`,
            [type],
          );
          return rows.length;
        };
        const newest = AcmeClient.withAccount(world, id);
        await expect.poll(() => waiting('advisory')).toBe(1);
        let isOver = false;
        const issued = obtain(oldest, ['oldest.example.com']).then(
          () => (isOver = true),
          () => (isOver = true),
        );
        await expect
          .poll(async () => isOver || (await waiting('tuple')) + (await waiting('transactionid')) > 0)
          .toBe(true);
        await held.query('select pg_advisory_unlock(4711)');
        await Promise.all([newest, issued]);
        const certificates = await pool.query('select 1 from certificates where profile_id = $1', [id]);
        expect(await count('acme_accounts', id, `id = '${oldest.accountId}'`)).toBe(certificates.rows.length);
      } finally {
        await held.query('select pg_advisory_unlock_all()');
        held.release();
        await owner.query('drop trigger waits on acme_accounts');
        await owner.query('drop function pg_temp_wait');
        await owner.end();
      }
    });

    it('ends nothing in another profile, and its accounts are unknown there', async () => {
      const profile = () => world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true });
      const [id, other] = [await profile(), await profile()];
      const oldest = await AcmeClient.withAccount(world, other);
      await strangers(id, MAX_UNPROVED_ACCOUNTS, 0);
      await AcmeClient.withAccount(world, id);
      expect((await oldest.order('oldest.example.com')).status).toBe(201);
      const ended = { kid: `${oldest.urlOf('accounts')}/00000000-0000-7000-8000-000000000001` };
      expect(refusal(await oldest.post('new-order', {}, ended))).toEqual([400, 'accountDoesNotExist']);
    });
  },
);

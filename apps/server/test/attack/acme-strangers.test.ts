import { MAX_UNPROVED_ACCOUNTS, MAX_UNPROVED_ORDERS } from '@coffer/domain';
import { challengeServer } from '@coffer/domain/testing';
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
/** So many accounts of strangers, older than all others, and orders of these. */
async function strangers(profileId: string, accounts: number, orders: number): Promise<void> {
  const { pool } = world.test.coffer;
  const place = [world.test.organizationId, world.project.id, profileId];
  const id = `('00000000-0000-7000-8000-' || lpad(to_hex(n + ${made}), 12, '0'))::uuid`;
  made += accounts;
  await pool.query(
    `insert into acme_accounts (id, organization_id, project_id, profile_id, jwk, thumbprint)
     select ${id}, $1, $2, $3, '{}', 'stranger ' || n from generate_series(1, ${accounts}) n`,
    place,
  );
  await pool.query(
    `insert into acme_orders (id, organization_id, project_id, profile_id, account_id, status, identifiers, expires_at)
     select ${id}, $1, $2, $3, ${id}, 'pending', '{a.example.com}', now() + interval '7 days'
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
      await pool.query(`update acme_accounts set external_binding = '{}' where id = $1`, [bound.accountId]);
      await strangers(id, MAX_UNPROVED_ACCOUNTS, MAX_UNPROVED_ORDERS);
      const mine = await AcmeClient.withAccount(world, id);
      const unproved = `external_binding is null and id <> '${proved.accountId}'`;
      expect(await count('acme_accounts', id, unproved)).toBe(MAX_UNPROVED_ACCOUNTS - 100);
      expect((await mine.order('mine.example.com')).status).toBe(201);
      const others = `status <> 'valid' and account_id not in ('${proved.accountId}', '${bound.accountId}')`;
      expect(await count('acme_orders', id, others)).toBe(MAX_UNPROVED_ORDERS - 100);
      await obtain(mine, ['mine.example.com']);
      expect((await proved.post(pending.headers['location'] as string)).status).toBe(200);
      expect((await bound.order('again.example.com')).status).toBe(201);
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

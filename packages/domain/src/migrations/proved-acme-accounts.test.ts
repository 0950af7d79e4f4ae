import { afterAll, beforeAll, expect, it } from 'vitest';
import { testCoffer, type TestCoffer } from '../testing/index.ts';
import { MARK_PROVED } from './0132-proved-acme-accounts.ts';

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer();
});
afterAll(() => test.close());

/** As earlier releases left them, in a project and a profile that are not there. */
const STORE = `
set local session_replication_role = replica;
insert into acme_accounts (id, organization_id, project_id, profile_id, jwk, thumbprint, external_binding)
  select md5(name)::uuid, md5('')::uuid, md5('')::uuid, md5('')::uuid, '{}', name, binding
  from (values ('bound', '{}'::jsonb), ('issued', null), ('stranger', null)) account (name, binding);
insert into acme_orders (id, organization_id, project_id, profile_id, account_id, status, identifiers, expires_at)
  select md5(name || status)::uuid, md5('')::uuid, md5('')::uuid, md5('')::uuid, md5(name)::uuid, status, '{}', now()
  from (values ('bound', 'ready'), ('issued', 'valid'), ('issued', 'pending'), ('stranger', 'pending'), ('stranger', 'invalid'))
    made (name, status);
${MARK_PROVED}`;
const STORED = `select a.thumbprint as account, o.status, a.is_proved, o.is_proved as is_of_proved
  from acme_accounts a join acme_orders o on o.account_id = a.id order by 1, 2`;

it('marks the accounts that are bound or have a certificate, and the orders of the others', async () => {
  await test.owner.query(STORE);
  expect((await test.owner.query(STORED)).rows.map((row) => Object.values(row))).toEqual([
    ['bound', 'ready', true, true],
    ['issued', 'pending', true, true],
    ['issued', 'valid', true, true],
    ['stranger', 'invalid', false, false],
    ['stranger', 'pending', false, false],
  ]);
});

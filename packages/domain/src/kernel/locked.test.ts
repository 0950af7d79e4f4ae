import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// The whole domain, with all its statements.
import { inTransaction } from '../index.ts';
import { testCoffer, type TestCoffer } from '../testing/index.ts';
import { lockedRow } from './locked.ts';
import { knownStatements, statement } from './sql.ts';

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer();
  await test.owner.query(`create table test_kinds (id integer primary key, name text);
    create table test_things (id integer primary key, kind_id integer references test_kinds);
    insert into test_kinds values (1, 'first'), (2, 'second'); insert into test_things values (1, 1);
    grant select, update on test_kinds, test_things to public`);
});
afterAll(() => test.close());

const READ = statement(
  'test.thing',
  'select k.name from test_things t join test_kinds k on k.id = t.kind_id where t.id = $1',
);
const LOCK = statement('test.lock_thing', 'select from test_things where id = $1 for update');

describe('a locked row', () => {
  it('is found, with what it refers to now, though it referred to something else before', async () => {
    const client = await test.owner.connect();
    await client.query('begin; update test_things set kind_id = 2');
    const reading = inTransaction(test.coffer.contextFor({ type: 'anonymous' }), (tx) =>
      lockedRow<{ name: string }>(tx, LOCK, READ, [1]),
    );
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await test.owner.query(waiting)).rowCount).toBe(1);
    await client.query('commit');
    client.release();
    expect(await reading).toEqual({ name: 'second' });
  });
});

/** The statements that lock rows of one table beside joined ones nevertheless, and why that overlooks nothing. */
const BESIDE_OTHERS: Readonly<Record<string, readonly string[]>> = {
  'what the rows refer to never changes': [
    'acme_orders.lock_pending',
    'certificates.lock',
    'identity_auth_methods.still',
    'secret_rotation.lock',
    'secrets.of_rotation',
    'ssh_logins.groups_named',
    'ssh_logins.users_named',
  ],
  'who changes what they refer to has the lock of the tree or the names, as this has': [
    'secret_references.holders',
    'secrets.all_of_folders',
  ],
  'they are asked for by their place, and what has left it is not there': [
    'folder.hold_at',
    'secret.shared',
    'secrets.lock_batch',
    'secrets.lock_batch_personal',
    'secrets.lock_by_key',
    'secrets.lock_few',
    'secrets.lock_in_folder',
    'secrets.lock_many_sized',
    'secrets.lock_some_to_delete',
    'secrets.lock_to_delete',
    'secrets.lock_together',
    'secrets.personal_of',
  ],
  'whoever changes what they refer to requests the work again': ['replication.lock', 'replication.present'],
  'they are compared with what was seen before, or looked for again': ['secret_sync.lock_some'],
  'outer joins keep them': ['user_sessions.lock_by_token'],
};

describe('statements that lock rows of one table beside others', () => {
  it('are those that overlook none of them', () => {
    const locking = /\bfor (?:update|no key update|share|key share) of \w+/;
    const found = knownStatements().filter(({ text }) => locking.test(text) && /\bjoin\b/.test(text));
    expect(found.map(({ name }) => name).toSorted()).toEqual(Object.values(BESIDE_OTHERS).flat().toSorted());
  });
});

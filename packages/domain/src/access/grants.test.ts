import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context, Rule } from '../kernel/index.ts';
import { makeIdentity, makeOrganization, makeProject, testCoffer, type TestCoffer } from '../testing/index.ts';
import { holdingsOf } from './holdings.ts';
import { grantsOf, type Place } from './grants.ts';

const HOUR = 3_600_000;
let test: TestCoffer;
let place: Required<Place>;
let holder: { id: string };
let platform: Context;
beforeAll(async () => {
  test = await testCoffer({ clock: 'standing' });
  const { id: organizationId, admin } = await makeOrganization(test.coffer);
  const { id: projectId } = await makeProject(test.coffer, organizationId, admin.actor);
  place = { organizationId, projectId };
  const rules: Rule[] = [{ subject: 'secrets', action: ['create'], conditions: { environment: 'dev' } }];
  holder = await makeIdentity(test.coffer, { ...place, rules });
  platform = test.coffer.contextFor({ type: 'platform', organizationId });
});
afterAll(() => test.close());

const PRIVILEGE = `insert into additional_privileges (id, organization_id, project_id, membership_id, slug, permissions, is_temporary,
    temporary_mode, temporary_range, temporary_access_start_time, temporary_access_end_time, created_at, updated_at)
  select gen_random_uuid(), m.organization_id, m.project_id, m.id, $2, c.permissions, true, 'relative', '1h', $3, $4, $3, $3
  from memberships m join membership_roles r on r.membership_id = m.id join roles c on c.id = r.custom_role_id
  where m.actor_id = $1`;

describe('the grants of a member', () => {
  it('are read with their rules as long as they have not ended', async () => {
    const from = test.coffer.now();
    const hours = (n: number) => new Date(from.getTime() + n * HOUR);
    for (const [slug, start, end] of [
      ['now', 0, 1],
      ['later', 1, 2],
    ] as const)
      await test.owner.query(PRIVILEGE, [holder.id, slug, hours(start), hours(end)]);
    const read = async () =>
      (await grantsOf(platform, place, holder.id)).map(({ kind, slug, rules }) => [
        kind === 'role' ? kind : slug,
        rules.length,
      ]);
    expect(await read()).toEqual([
      ['role', 1],
      ['now', 1],
      ['later', 1],
    ]);
    test.advance(HOUR);
    expect(await read()).toEqual([
      ['role', 1],
      ['now', 0],
      ['later', 1],
    ]);
    const end = `update membership_roles set is_temporary = true, temporary_mode = 'relative', temporary_range = '1h',
      temporary_access_start_time = $2, temporary_access_end_time = $3 where custom_role_id is not null and membership_id in
      (select id from memberships where actor_id = $1)`;
    await test.owner.query(end, [holder.id, hours(0), hours(1)]);
    expect((await read())[0]).toEqual(['role', 0]);
  });
});

describe('the rules of a role', () => {
  it('are read once, however often it is assigned', async () => {
    const { organizationId } = place;
    const rules: Rule[] = [{ subject: 'secrets', action: ['edit'] }];
    const { id: actorId } = await makeIdentity(test.coffer, { ...place, rules });
    await test.owner.query(
      `insert into membership_roles (id, organization_id, membership_id, role, custom_role_id, is_temporary, created_at, updated_at)
       select gen_random_uuid(), r.organization_id, membership_id, role, custom_role_id, false, r.created_at, r.updated_at
       from membership_roles r join memberships m on m.id = r.membership_id, generate_series(1, 3)
       where m.actor_id = $1 and m.organization_id = $2 and custom_role_id is not null`,
      [actorId, organizationId],
    );
    const granted = await grantsOf(platform, place, actorId);
    expect(granted.map((one) => one.rules)).toEqual([rules, rules, rules, rules]);
    expect(new Set(granted.map((one) => one.rules)).size).toBe(1);
    const read: unknown[] = [];
    const sql: Context['sql'] = async (...asked) => {
      const rows = await platform.sql(...asked);
      read.push(...rows.flatMap((row) => ('permissions' in row && row.permissions ? [row.permissions] : [])));
      return rows as never;
    };
    await grantsOf(Object.create(platform, { sql: { value: sql } }) as Context, place, actorId);
    expect(read).toEqual([rules]);
  });
});

describe('what an actor holds', () => {
  it('is a role once at each place, until its last end, and nothing that has ended', async () => {
    const { organizationId, projectId } = place;
    const rules: Rule[] = [{ subject: 'secrets', action: ['edit'] }];
    const { id: actorId } = await makeIdentity(test.coffer, { ...place, rules });
    const from = test.coffer.now();
    const until = (hours: number) => new Date(from.getTime() + hours * HOUR);
    const assign = (end: Date) =>
      test.owner.query(
        `insert into membership_roles (id, organization_id, membership_id, role, custom_role_id, is_temporary, temporary_mode,
           temporary_range, temporary_access_start_time, temporary_access_end_time, created_at, updated_at)
         select gen_random_uuid(), r.organization_id, membership_id, role, custom_role_id, true, 'relative', '1h', $2, $3, $2, $2
         from membership_roles r join memberships m on m.id = r.membership_id
         where m.actor_id = $1 and custom_role_id is not null limit 1`,
        [actorId, from, end],
      );
    for (const hours of [1, 3, 2]) await assign(until(hours));
    await test.owner.query(
      `delete from membership_roles where not is_temporary and custom_role_id is not null
         and membership_id in (select id from memberships where actor_id = $1)`,
      [actorId],
    );
    const held = async () =>
      (await holdingsOf(platform, { organizationId, holderIds: [actorId], places: [projectId] })).get(projectId);
    expect(await held()).toEqual([{ rules, end: until(3).getTime() }]);
    test.advance(3 * HOUR);
    expect(await held()).toBeUndefined();
  });
});

// @long: holds statements of many operations
import { appRouter, openApiDocument, operationsOf, type Operation } from '@coffer/api';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anotherProcess, type AnotherProcess } from '../harness/another-process.ts';
import { Groups, ok } from '../harness/groups.ts';
import { ask } from '../harness/matrix-answers.ts';
import { Sample } from '../harness/matrix-sample.ts';
import { makeWorld } from '../harness/matrix-world.ts';
import { projectWithSecrets, reads, type Project } from '../harness/privileges.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

/** What is granted through several processes overrides what was granted before, whatever the clocks of their machines say. */

const MINUTES = 10 * 60_000;
const DAY = 24 * 3600 * 1000;
const READS = { subject: 'secrets', action: ['describeSecret', 'readValue'] };
const ALLOW = [READS];
const DENY = [{ ...READS, inverted: true }];
type Rules = typeof ALLOW;

describe('attack: grants through processes with different clocks', () => {
  let test: TestServer;
  let groups: Groups;
  let project: Project;
  const others: AnotherProcess[] = [];
  /** By process. */
  let admins: Caller[];
  beforeAll(async () => {
    test = await testServer({ now: undefined });
    groups = new Groups(() => test);
    project = await projectWithSecrets(test);
    // Two are off by more than a second, and go by the database; two by less.
    for (const difference of [-MINUTES, MINUTES])
      others.push(await anotherProcess(test, { machineTime: () => Date.now() + difference }));
    for (const difference of [-900, 900])
      others.push(await anotherProcess(test, { now: () => new Date(Date.now() + difference) }));
    admins = [test.admin, ...others.map((process) => process.as(test.adminIdentity.token))];
  });
  afterAll(async () => {
    for (const process of others) await process.close();
    await test.close();
  });

  interface Holder {
    readonly token: string;
    /** Grants it rules through a process. */
    readonly grant: (admin: Caller, rules: Rules) => Promise<unknown>;
  }

  const holders: Record<string, () => Promise<Holder>> = {
    'privileges of a machine': async () => {
      const { id, token } = await test.identity({ projectId: project.id, projectRole: 'no-access' });
      return {
        token,
        grant: (admin, permissions) =>
          ok(
            admin('POST', '/api/v2/identity-project-additional-privilege', {
              ...{ identityId: id, projectId: project.id, permissions, type: { isTemporary: false } },
            }),
          ),
      };
    },
    'privileges of a user': async () => {
      const { email, token } = await makeUser(test.coffer, { organizationId: test.organizationId });
      const url = `/api/v2/workspace/${project.id}/memberships`;
      const added = await ok(test.admin('POST', url, { usernames: [email], roleSlugs: ['no-access'] }));
      const projectMembershipId = added.memberships[0].id as string;
      return {
        token,
        grant: (admin, permissions) =>
          ok(
            admin('POST', '/api/v1/user-project-additional-privilege', {
              ...{ projectMembershipId, permissions, type: { isTemporary: false } },
            }),
          ),
      };
    },
    'roles of groups': async () => {
      const machine = await test.identity();
      return {
        token: machine.token,
        grant: async (admin, permissions) => {
          const [group, role] = [await groups.make(), await groups.projectRole(project, ...permissions)];
          await groups.putIn(group, machine);
          await ok(admin('POST', `/api/v1/projects/${project.id}/memberships/groups/${group.id}`, { role }));
        },
      };
    },
    'changed roles of groups': async () => {
      const machine = await test.identity();
      const made: { id: string }[] = [];
      for (let number = 0; number < 2; number++) {
        const group = await groups.make();
        await groups.putIn(group, machine);
        await groups.letInto(project, group, { role: 'no-access' });
        made.push(group);
      }
      return {
        token: machine.token,
        grant: async (admin, permissions) => {
          // The one that was given first is changed last.
          const group = made.pop()!;
          const role = await groups.projectRole(project, ...permissions);
          await ok(
            admin('PATCH', `/api/v1/projects/${project.id}/memberships/groups/${group.id}`, {
              roles: [{ role, isTemporary: false }],
            }),
          );
        },
      };
    },
  };

  describe.each(Object.keys(holders))('%s', (kind) => {
    it.each([
      ['a later denial is in force', ALLOW, DENY, 403],
      ['a later permission is in force', DENY, ALLOW, 200],
    ])('%s, whichever processes grant', async (_, first, second, status) => {
      for (const [index, before] of admins.entries())
        for (const after of [admins[index - 1], admins[index + 1]].filter((one) => one !== undefined)) {
          const { token, grant } = await holders[kind]!();
          await grant(before, first);
          await grant(after, second);
          for (const process of [test, ...others])
            await expect.poll(() => reads({ call: process.as(token) }, project)).toBe(status);
        }
    });
  });

  it('privileges of one moment are in the order in which they were granted', async () => {
    const { grant } = await holders['privileges of a machine']!();
    await Promise.all(admins.flatMap((admin) => [grant(admin, ALLOW), grant(admin, ALLOW)]));
    const { rows } = await test.owner.query<{ times: number }>(
      `select count(distinct created_at)::integer as times from additional_privileges
       where membership_id = (select membership_id from additional_privileges order by created_at desc, id desc limit 1)`,
    );
    expect(rows[0]!.times).toBe(2 * admins.length);
  });
});

describe('the stored times of all operations', () => {
  // The clock of the machine, which is that of the database, too, is a month behind.
  const AHEAD = 30 * DAY;
  const BY_DATABASE = [
    // Checks of connections are spread over a day.
    'app_connections.check_due_at',
    // Keys are replaced by the clock of the database alone.
    ...['data_keys.changed_at', 'data_keys.created_at', 'instance.created_at', 'instance.updated_at'],
    ...['rate_limits.created_at', 'rate_limits.updated_at', 'schema_migrations.ran_at'],
  ];
  const ORDER = [/^GET/, /^(POST|PATCH|PUT) (?!.*(logout|revoke|remove|leave))/, /^POST/, /^DELETE (?!.*\/me)/, /./];
  const orderOf = ({ method, url }: Operation) => ORDER.findIndex((pattern) => pattern.test(`${method} ${url}`));

  it('are those of the clock of the process', async () => {
    const test = await testServer({ now: () => new Date(Date.now() + AHEAD) });
    const world = await makeWorld(test, 'zclocks');
    const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
    const found = new Set<string>();
    const columns = await timeColumns(test);
    const look = async () => {
      for (const column of columns) if (await hasMachineTime(test, column)) found.add(column);
    };
    let [order, done] = [0, 0];
    const operations = operationsOf(appRouter).filter(({ alias }) => alias === 0);
    for (const operation of operations.toSorted((a, b) => orderOf(a) - orderOf(b))) {
      // What the others delete is looked at before.
      if (orderOf(operation) !== order) await look();
      order = orderOf(operation);
      const { needs, rest } = operation.meta;
      const isOfMachines = !rest?.actors || rest.actors.includes('identity');
      const caller = needs === 'public' ? test.as() : isOfMachines ? world.machine : world.person;
      const sample = new Sample(operation, document);
      const { status } = await ask(
        caller,
        sample,
        sample.input((thing) => world.has[thing]),
      );
      if (status < 300) done++;
    }
    await look();
    expect(done).toBeGreaterThan(400);
    expect([...found].toSorted()).toEqual(BY_DATABASE.toSorted());
    await test.close();
  });

  async function timeColumns({ owner }: TestServer): Promise<string[]> {
    const { rows } = await owner.query<{ name: string }>(
      `select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and a.atttypid = 'timestamptz'::regtype and not a.attisdropped order by 1`,
    );
    expect(rows.length).toBeGreaterThan(100);
    return rows.map(({ name }) => name);
  }

  /** Whether a column has a time around now by the clock of the machine. */
  async function hasMachineTime({ owner }: TestServer, name: string): Promise<boolean> {
    const [table, column] = name.split('.');
    const { rows } = await owner.query<{ found: boolean }>(
      `select exists (select from ${table} where ${column} between now() - interval '1 hour' and now() + interval '2 days') as found`,
    );
    return rows[0]!.found;
  }
});

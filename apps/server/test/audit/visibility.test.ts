import { randomUUID } from 'node:crypto';
import { eventRow, eventsJson, INSERT_EVENTS, type asQuery } from '@coffer/domain';
import { runs, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sealedLog } from '../harness/sealed-log.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const WORLDS = runs(2, 100);
const PROJECTS = 4;
const READERS = 6;
const EVENTS = 60;

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

/** Moves all events into segments, but those of the newest block. */
async function archiveAll(): Promise<void> {
  const log = await sealedLog(test);
  await log.sealed();
  await log.grow(1);
  await log.archive();
  await log.stop();
  const { rows } = await test.coffer.pool.query<{ rows: number }>(
    `select count(*)::integer as rows from audit_events where type = 'world.event'`,
  );
  expect(rows).toEqual([{ rows: 0 }]);
}

/** A pseudorandom sequence that a failure can be repeated with. */
function random(seed: number) {
  let state = seed + 1;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  return { next, of: <T>(values: readonly T[]): T => values[next(values.length)]! };
}

const ORGANIZATION_RIGHTS = [[], ['read'], ['read'], ['read'], ['read-all'], ['read', 'read-all']] as const;
/** Of the built-in roles, whether they hold `audit-logs: read`; `null` for no membership. */
const PROJECT_ROLES = [null, 'viewer', 'member', 'no-access', 'cryptographic-operator'] as const;
const READS: ReadonlySet<string | null> = new Set(['viewer', 'member']);

interface Written {
  id: string;
  projectId: string | null;
  actorId: string;
  type: string;
  environment: string;
}

interface Reader {
  id: string;
  call: Caller;
  rights: readonly string[];
  /** By project. */
  roles: ReadonlyMap<string, string | null>;
}

interface World {
  readers: Reader[];
  projectIds: string[];
  /** The newest first. */
  events: Written[];
}

async function makeWorld(seed: number): Promise<World> {
  const { next, of } = random(seed);
  const projectIds: string[] = [];
  for (let i = 0; i < PROJECTS; i++) projectIds.push((await test.project()).id);
  const readers: Reader[] = [];
  for (let i = 0; i < READERS; i++) {
    const rights = of(ORGANIZATION_RIGHTS);
    const organizationRules = rights.map((action) => ({ subject: 'audit-logs', action }));
    const { id, call } = await test.identity({ organizationRules });
    const roles = new Map(projectIds.map((projectId) => [projectId, of(PROJECT_ROLES)]));
    for (const [projectId, role] of roles) {
      if (role === null) continue;
      const { status } = await test.admin('POST', `/api/v1/projects/${projectId}/memberships/identities/${id}`, {
        role,
      });
      expect(status).toBe(200);
    }
    readers.push({ id, call, rights, roles });
  }
  const events: Written[] = [];
  const ctx = test.coffer.contextFor({ type: 'platform', organizationId: test.organizationId });
  const start = test.coffer.now().getTime();
  const rows = Array.from({ length: EVENTS }, (_, index) => {
    const event = {
      projectId: of([...projectIds, null, null]),
      actorId: of([...readers.map(({ id }) => id), randomUUID()]),
      type: `world-${seed}-${next(3)}`,
      environment: of(['dev', 'prod']),
    };
    const row = eventRow(ctx, {
      type: 'world.event',
      published: event.type,
      data: { environment: event.environment, seed },
      projectId: event.projectId,
    });
    events.unshift({ ...event, id: row.id });
    // Some at the same instant, so that pages have to go by the id as well.
    const createdAt = new Date(start + Math.floor(index / 3)).toISOString();
    return { ...row, actorType: 'identity', actorId: event.actorId, createdAt };
  });
  await test.coffer.pool.query({ ...INSERT_EVENTS, values: [eventsJson(rows)] });
  events.sort((a, b) => {
    const time = (id: string) => Date.parse(rows.find((row) => row.id === id)!.createdAt);
    return time(b.id) - time(a.id) || (a.id < b.id ? 1 : -1);
  });
  return { readers, projectIds, events };
}

/** A naive reading of the rule: each event individually. `undefined`: the caller has no permission. */
function expected({ events }: World, { id, rights, roles }: Reader, filter: Filter): Written[] | undefined {
  const all = rights.includes('read-all');
  const readsProject = (projectId: string) => READS.has(roles.get(projectId) ?? null);
  if (filter.projectId === undefined ? !all && !rights.includes('read') : !all && !readsProject(filter.projectId))
    return undefined;
  return events.filter(
    ({ projectId, actorId, type, environment }) =>
      (all || (projectId === null ? actorId === id : readsProject(projectId))) &&
      (filter.projectId === undefined || projectId === filter.projectId) &&
      (filter.actor === undefined || actorId === filter.actor) &&
      (filter.eventType === undefined || filter.eventType.split(',').includes(type)) &&
      (filter.environment === undefined || environment === filter.environment),
  );
}

interface Filter {
  projectId?: string;
  actor?: string;
  eventType?: string;
  environment?: string;
}

const PATH = '/api/v1/organization/audit-logs';
const ask = async (call: Caller, query: Record<string, string>) =>
  call('GET', `${PATH}?${new URLSearchParams(query).toString()}`);

type Read = (reader: Reader, query: Record<string, string>) => Promise<{ status: number; body: Page }>;
interface Page {
  auditLogs: { id: string; event: { type: string } }[];
  nextCursor: string | null;
}
const asReader: Read = ({ call }, query) => ask(call, query);

/** Differences between a reader's results and the rule, in words. */
async function differences(world: World, reader: Reader, seed: number, read: Read): Promise<string[]> {
  const { of, next } = random(seed * 31 + 7);
  const types = [0, 1, 2].map((n) => `world-${seed}-${n}`);
  const every = types.join(',');
  const filters: Filter[] = [
    { eventType: every },
    { eventType: of(types) },
    { eventType: every, environment: of(['dev', 'prod']) },
    { eventType: every, actor: of(world.readers).id },
    ...world.projectIds.map((projectId) => ({ eventType: every, projectId })),
  ];
  const found: string[] = [];
  const compare = (what: string, got: readonly string[] | undefined, want: readonly Written[] | undefined) => {
    if (got?.join() !== want?.map(({ id }) => id).join()) found.push(`${what}: ${got?.length} of ${want?.length}`);
  };
  for (const filter of filters) {
    const want = expected(world, reader, filter);
    const query = { ...filter } as Record<string, string>;
    const { status, body } = await read(reader, { ...query, limit: '1000' });
    compare(JSON.stringify(filter), status === 200 ? body.auditLogs.map(({ id }) => id) : undefined, want);
    if (!want || status !== 200) continue;
    const limit = String(1 + next(9));
    const byCursor: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = (await read(reader, { ...query, limit, ...(cursor && { cursor }) })).body;
      byCursor.push(...page.auditLogs.map(({ id }) => id));
      cursor = byCursor.length > EVENTS ? null : page.nextCursor;
    }
    compare(`${JSON.stringify(filter)} by cursor, ${limit} each`, byCursor, want);
    const offset = next(want.length + 1);
    const page = (await read(reader, { ...query, limit, offset: String(offset) })).body;
    compare(
      `${JSON.stringify(filter)} from ${offset}`,
      page.auditLogs.map(({ id }) => id),
      want.slice(offset, offset + Number(limit)),
    );
  }
  return found;
}

describe('who sees what of the audit log', () => {
  it(
    'follows the rule, for random memberships, events and readers, over filters, pages and exports',
    async () => {
      for (let seed = 1; seed <= WORLDS; seed++) {
        const world = await makeWorld(seed);
        // Every other world is read from segments.
        if (seed % 2 === 0) await archiveAll();
        for (const reader of world.readers) {
          expect({ seed, rights: reader.rights, found: await differences(world, reader, seed, asReader) }).toEqual({
            seed,
            rights: reader.rights,
            found: [],
          });
          const exported = await reader.call('GET', `${PATH}/export?endDate=2000-01-01T00:00:00Z`);
          expect(exported.status).toBe(reader.rights.includes('read-all') ? 200 : 403);
        }
      }
    },
    searchTime(60_000 * WORLDS),
  );

  it('detects planted violations', async () => {
    const seed = 1_000;
    const world = await makeWorld(seed);
    const someone = world.readers.map((reader) => ({ ...reader, rights: ['read'] }));
    const ids = new Set(world.events.map(({ id }) => id));
    /** The response of a server with a fault: too many or too few events. */
    const faulty =
      (shows: (event: Written, reader: Reader) => boolean): Read =>
      async (reader, query) => {
        const answer = await ask(test.admin, query);
        const wanted = new Set(world.events.filter((event) => shows(event, reader)).map(({ id }) => id));
        const auditLogs = (answer.body as Page).auditLogs.filter(({ id }) => !ids.has(id) || wanted.has(id));
        return { status: 200, body: { auditLogs, nextCursor: null } };
      };
    const faults = [
      faulty(() => true),
      faulty(({ projectId }, { roles }) => projectId === null || roles.get(projectId) !== null),
      faulty(({ projectId }, { roles }) => projectId !== null && READS.has(roles.get(projectId) ?? null)),
      faulty(
        ({ actorId, projectId }, { id, roles }) => actorId === id || READS.has(roles.get(projectId ?? '') ?? null),
      ),
    ];
    for (const [index, fault] of faults.entries()) {
      const found = await Promise.all(someone.map((reader) => differences(world, reader, seed, fault)));
      expect({ index, found: found.flat().length > 0 }).toEqual({ index, found: true });
    }
  });
});

describe('the page of a member', () => {
  it('is read from indexes in order, independent of the statistics of its tables', async () => {
    const { id, call } = await test.identity({ organizationRules: [{ subject: 'audit-logs', action: 'read' }] });
    const { id: projectId } = await test.project();
    await test.admin('POST', `/api/v1/projects/${projectId}/memberships/identities/${id}`, { role: 'viewer' });
    await test.owner.query(
      `insert into audit_events (id, organization_id, project_id, type, published, actor_type, actor_id, actor, user_agent_type, data, created_at)
       select gen_random_uuid(), $1, case when n % 50 = 0 then $2::uuid when n % 2 = 0 then gen_random_uuid() end, 'a', 'a', 'identity',
         case when n % 97 = 0 then $3::uuid else gen_random_uuid() end, '{}', 'other', '{}', $4::timestamptz + n * interval '1 ms' from generate_series(1, 20000) n`,
      [test.organizationId, projectId, id, test.coffer.now()],
    );
    const asked = vi.spyOn(test.coffer.pool, 'query');
    expect((await ask(call, { limit: '20' })).body.auditLogs).toHaveLength(20);
    const statements = (asked.mock.calls as unknown as [ReturnType<typeof asQuery>][]).map(([one]) => one);
    const { text: page, values } = statements.find(({ name }) => /^audit_log\.(short_)?page\./.test(name ?? ''))!;
    asked.mockRestore();
    const plan = async () => {
      const { rows } = await test.owner.query<Record<string, string>>(`explain ${page}`, values);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    const unknown = await plan();
    await test.owner.query('analyze audit_events');
    for (const text of [unknown, await plan()]) {
      expect(text).not.toMatch(/Seq Scan on audit_events|Bitmap/);
      expect(text).toContain('Index Scan');
    }
  });
});

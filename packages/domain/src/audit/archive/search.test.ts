import { expect, it } from 'vitest';
import { withinRequest, type Context } from '../../kernel/index.ts';
import { makeIdentity, makeOrganization, type TestCoffer } from '../../testing/index.ts';
import { BEGINNING, type LogCursor } from '../audit-log.ts';
import { listAuditLog } from '../audit-log.service.ts';
import { readEvents } from '../read-page.ts';
import { writeEvents, type LogWorld } from '../testing/log.ts';
import { logTests } from '../testing/log-tests.ts';
import { archiveSealed } from './archive.ts';
import { SearchRoom } from './search-room.ts';
import { SEGMENT_BYTES } from './segment.ts';

// What a page costs that finds nothing: how many segments it opens, when it waits for memory, and when it stops.

let test: TestCoffer;
let log: LogWorld;
logTests((...opened) => ([test, log] = opened));

const SEGMENTS = 8;
/** Its Bloom filters have the path, and no event has both. */
const NOTHING = { eventMetadata: { path: '/a', name: 'none' } };
const PAGE = { limit: 10, offset: 0 };

/** An organization with segments, and the reads of one page of them, by the names of their statements. */
async function archivedWorld() {
  const { id: organizationId } = await makeOrganization(test.coffer);
  await log.sealAll();
  for (let n = 0; n <= SEGMENTS; n++) {
    await writeEvents(test.coffer, 2, { organizationId, data: { path: '/a', name: { hidden: n } } });
    await log.sealAll();
    test.advance(1_000);
    await archiveSealed(log.deps, { age: 0, full: 2 });
  }
  const ctx = test.coffer.contextFor({ type: 'platform', organizationId });
  const done: string[] = [];
  const sql: Context['sql'] = (statement, values) => {
    done.push(statement.name);
    return ctx.sql(statement, values);
  };
  const one: Context['one'] = (statement, key) => {
    done.push(statement.name);
    return ctx.one(statement, key);
  };
  const opened = () => done.filter((name) => name === 'audit_segments.content').length;
  const search = (room: SearchRoom, cursor?: LogCursor) =>
    readEvents(
      {
        ctx: { sql, one },
        scope: { organizationId, visible: { all: true } },
        filters: { ...NOTHING, cursor },
        room,
      },
      PAGE,
    );
  return { organizationId, done, opened, search };
}
const roomFor = (segments: number) => new SearchRoom({ announce: () => Promise.resolve(), bytes: segments * 1_000 });

it('opens few segments for a page by cursor, and says where to search on', async () => {
  const { opened, search } = await archivedWorld();
  let cursor: LogCursor | undefined = BEGINNING;
  let pages = 0;
  for (; cursor; pages++) {
    const before = opened();
    const { rows, searchOn }: Awaited<ReturnType<typeof search>> = await search(roomFor(2), cursor);
    expect(rows).toEqual([]);
    expect(opened() - before).toBeLessThanOrEqual(3);
    cursor = searchOn;
  }
  expect(pages).toBeGreaterThan(2);
  expect(opened()).toBeGreaterThanOrEqual(SEGMENTS);
});

it('refuses such a page without a cursor: it would seem to be the last', async () => {
  const { opened, search } = await archivedWorld();
  await expect(search(roomFor(2))).rejects.toMatchObject({ kind: 'bad_request', code: 'audit_log.search_too_large' });
  expect(opened()).toBeLessThan(4);
});

it('waits for the memory of a segment before it opens one', async () => {
  const { done, opened, search } = await archivedWorld();
  const announced: number[] = [];
  const room = new SearchRoom({
    announce: (bytes) => {
      announced.push(bytes);
      expect(done).not.toContain('audit_segments.content');
      return Promise.resolve();
    },
  });
  await search(room);
  expect(announced).toEqual([SEGMENT_BYTES]);
  expect(opened()).toBe(SEGMENTS);
});

it('reads the rights of its caller again after it has waited', async () => {
  const { organizationId } = await archivedWorld();
  const { id, actor } = await makeIdentity(test.coffer, { organizationId, organizationRole: 'admin' });
  const ctx = test.coffer.contextFor(actor);
  const wait = async () => {
    await test.coffer.pool.query('delete from memberships where actor_id = $1', [id]);
    test.coffer.invalidate([`actor:${id}`]);
  };
  const input = { ...PAGE, eventMetadata: { path: '/a', name: 'none' } };
  expect(await listAuditLog(ctx, input)).toMatchObject({ auditLogs: [] });
  await expect(listAuditLog(Object.assign(ctx, { announceAnswer: wait }), input)).rejects.toMatchObject({
    kind: 'not_found',
  });
});

it('stops when its client has disconnected', async () => {
  const { opened, search } = await archivedWorld();
  const room = new SearchRoom({ announce: () => Promise.resolve() });
  await expect(
    withinRequest(
      () => opened() === 2,
      () => search(room),
    ),
  ).rejects.toMatchObject({
    code: 'request.closed',
  });
  expect(opened()).toBe(2);
});

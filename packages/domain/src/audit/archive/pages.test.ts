import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { at, atOrNull } from '../../kernel/index.ts';
import { makeOrganization, makeProject, runs, type TestCoffer } from '../../testing/index.ts';
import { eventRow, eventsJson, INSERT_EVENTS } from '../event-row.ts';
import { BEGINNING } from '../audit-log.ts';
import type { Filters, PageRow, Scope } from '../page-query.ts';
import { readEvents } from '../read-page.ts';
import type { LogWorld } from '../testing/log.ts';
import { logTests } from '../testing/log-tests.ts';
import { archiveSealed } from './archive.ts';
import { SearchRoom } from './search-room.ts';

// The same questions about the same events, once as rows and then in segments.

let test: TestCoffer;
let log: LogWorld;
logTests((...opened) => ([test, log] = opened));

const HOUR = 3_600_000;
const SEED = 42;
const QUESTIONS = runs(24, 40);
const ids = Array.from({ length: 3 }, (_, n) => `019a0000-0000-7000-8000-00000000000${n}`);
const TYPES = ['get-secret', 'create-secret', 'login'];
const PATHS = ['/', '/a', '/a/b'];
const KEYS = ['DB', 'API', '"quoted" ä'];

const data = fc.record(
  {
    environment: fc.constantFrom('dev', 'prod'),
    secretPath: fc.constantFrom(...PATHS),
    secretKey: fc.constantFrom(...KEYS),
    secrets: fc.array(fc.record({ secretKey: fc.constantFrom(...KEYS) }), { maxLength: 3 }),
    count: fc.constantFrom(1, 2.5, 1e21),
    isGood: fc.boolean(),
    detail: fc.constantFrom({ a: 1 }, null, [1]),
  },
  { requiredKeys: [] },
);

interface World {
  readonly organizationId: string;
  readonly projectIds: readonly string[];
  readonly start: number;
  /** When half of the events were sealed. */
  half: number;
}

const event = (projectIds: readonly string[]) =>
  fc.record({
    data,
    published: fc.constantFrom(...TYPES),
    actorId: fc.constantFrom(...ids),
    actorType: fc.constantFrom('identity', 'user'),
    userAgentType: fc.constantFrom('cli', 'other'),
    projectId: fc.constantFrom(null, ...projectIds),
    // Few different times: pages have to be cut between events of one time.
    minutes: fc.integer({ min: 0, max: 40 }),
  });

async function makeWorld(): Promise<World> {
  const { id: organizationId, admin } = await makeOrganization(test.coffer);
  const projects = await Promise.all([1, 2].map(() => makeProject(test.coffer, organizationId, admin.actor)));
  const world = {
    organizationId,
    projectIds: projects.map(({ id }) => id),
    start: test.coffer.now().getTime() - 2 * HOUR,
    half: 0,
  };
  const batches = fc.sample(fc.array(event(world.projectIds), { minLength: 1, maxLength: 12 }), {
    numRuns: 25,
    seed: SEED,
  });
  const ctx = test.coffer.contextFor({ type: 'platform', organizationId });
  for (const [index, batch] of batches.entries()) {
    if (index === 12) world.half = test.coffer.now().getTime();
    const rows = batch.map(({ minutes, ...given }) => ({
      ...eventRow(ctx, { type: 'thing.happened', ...given }),
      ...given,
      createdAt: new Date(world.start + minutes * 60_000).toISOString(),
    }));
    await test.coffer.pool.query({ ...INSERT_EVENTS, values: [eventsJson(rows)] });
    await log.sealAll();
  }
  return world;
}

interface Question {
  readonly scope: Scope;
  readonly filters: Filters;
  readonly limit: number;
  readonly offset: number;
}

const question = ({ organizationId, projectIds, start }: World): fc.Arbitrary<Question> => {
  const minute = fc.integer({ min: -1, max: 41 }).map((n) => new Date(start + n * 60_000));
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
  const filters = fc.record({
    eventType: maybe(fc.subarray([...TYPES, 'nothing'])),
    actor: maybe(fc.constantFrom(...ids)),
    actorType: maybe(fc.constantFrom('identity' as const, 'service' as const)),
    userAgentType: maybe(fc.constantFrom('cli' as const, 'web' as const)),
    environment: maybe(fc.constantFrom('dev', 'prod', 'none')),
    secretPath: maybe(fc.constantFrom(...PATHS)),
    secretKey: maybe(fc.constantFrom(...KEYS, 'none')),
    eventMetadata: maybe(
      fc.constantFrom<Record<string, string>[]>(
        { count: '2.5' },
        { count: '1000000000000000000000' },
        { isGood: 'true' },
        { detail: '{"a": 1}' },
        { detail: '[1]' },
        { environment: 'dev', secretPath: '/' },
        { nothing: '' },
      ),
    ),
    startDate: maybe(minute),
    endDate: maybe(minute),
  });
  return fc.record({
    scope: fc.oneof(
      fc.constant<Scope>({ organizationId, visible: { all: true } }),
      fc.constantFrom<Scope[]>(
        ...projectIds.map((projectId) => ({ organizationId, projectId, visible: { all: true } as const })),
      ),
      fc
        .tuple(fc.subarray([...projectIds]), fc.constantFrom(...ids))
        .map(([mine, actorId]): Scope => ({ organizationId, visible: { all: false, projectIds: mine, actorId } })),
    ),
    // Most questions have one or two filters.
    filters: fc
      .tuple(
        filters,
        fc.subarray(
          [
            'eventType',
            'actor',
            'actorType',
            'userAgentType',
            'environment',
            'secretPath',
            'secretKey',
            'eventMetadata',
            'startDate',
            'endDate',
          ] as const,
          { maxLength: 2 },
        ),
      )
      .map(([all, used]) => Object.fromEntries(used.map((name) => [name, all[name]])) as Filters),
    limit: fc.integer({ min: 1, max: 30 }),
    offset: fc.constantFrom(0, 0, 3, 40),
  });
};

/** One page, and where the next one begins. `bytes` may be looked through. */
async function pageOf({ scope, filters, limit, offset }: Question, bytes?: number) {
  const ctx = test.coffer.contextFor({ type: 'platform', organizationId: scope.organizationId });
  const room = new SearchRoom({ announce: () => Promise.resolve(), bytes });
  const { rows, searchOn } = await readEvents({ ctx, scope, filters, room }, { limit, offset });
  // Times are written differently in rows and in values of JSON.
  const page = rows.map(({ archivedUntil: _, ...row }: PageRow & { archivedUntil?: unknown }): PageRow => ({
    ...row,
    createdAt: at(row.createdAt).toISOString(),
    expiresAt: atOrNull(row.expiresAt)?.toISOString() ?? null,
  }));
  const last = page.length === limit ? page.at(-1) : undefined;
  return { page, next: searchOn ?? (last && { createdAt: new Date(last.createdAt), id: last.id }) };
}

/** All pages, by cursors. */
async function answer(asked: Question): Promise<PageRow[][]> {
  const pages: PageRow[][] = [];
  for (let { filters, offset } = asked; ; offset = 0) {
    const { page, next } = await pageOf({ ...asked, filters, offset });
    pages.push(page);
    if (!next || pages.length > 12) return pages;
    filters = { ...filters, cursor: next };
  }
}

/** The same events, on pages that end as early as they may. */
async function answerInSteps(asked: Question): Promise<{ events: PageRow[]; steps: number }> {
  const events: PageRow[] = [];
  for (let [filters, steps]: [Filters, number] = [{ ...asked.filters, cursor: BEGINNING }, 1]; ; steps++) {
    const { page, next } = await pageOf({ ...asked, filters, offset: 0 }, 1);
    events.push(...page);
    if (!next) return { events, steps };
    filters = { ...filters, cursor: next };
  }
}

it('has the same pages, cursors included, as rows and in segments', async () => {
  const world = await makeWorld();
  const questions = fc.sample(question(world), { numRuns: QUESTIONS, seed: SEED });
  const before: PageRow[][][] = [];
  for (const one of questions) before.push(await answer(one));
  expect(before.filter((pages) => pages.flat().length > 0).length).toBeGreaterThan(QUESTIONS / 2);
  expect(before.filter((pages) => pages.length > 2).length).toBeGreaterThan(5);
  const count = async () => {
    const { rows } = await test.owner.query<{ rows: number; segments: number }>(
      `select (select count(*)::integer from audit_events where organization_id = $1) as rows,
         (select count(*)::integer from audit_segments where organization_id = $1) as segments`,
      [world.organizationId],
    );
    return rows[0]!;
  };
  // Half of them first; then the rest, which is merged with the last segment.
  const stages = [
    { full: 10, age: test.coffer.now().getTime() - world.half },
    { full: 40, age: -1_000 },
  ];
  for (const stage of stages) {
    await archiveSealed(log.deps, stage);
    for (const [index, one] of questions.entries())
      expect({ one, pages: await answer(one) }).toEqual({ one, pages: before[index] });
  }
  let [steps, more] = [0, 0];
  for (const one of questions.filter(({ offset }) => offset === 0).slice(0, QUESTIONS / 4)) {
    const whole = await answer(one);
    const inSteps = await answerInSteps(one);
    expect({ one, events: inSteps.events.slice(0, whole.flat().length) }).toEqual({ one, events: whole.flat() });
    steps += inSteps.steps;
    more += inSteps.steps - whole.length;
  }
  expect([steps, more].every((number) => number > 10)).toBe(true);
  expect((await count()).segments).toBeGreaterThan(3);
  expect((await count()).rows).toBeLessThan(13);
});

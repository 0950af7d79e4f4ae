// @long: large values, many callers
import { appRouter, openApiDocument, operationsOf, type OpenApiDocument, type Operation } from '@coffer/api';
import { eventTypes, INSTANCE_LOG } from '@coffer/domain';
import { makeIdentity, makeUser, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routeOf } from '../../src/rest.ts';
import { ask } from '../harness/matrix-answers.ts';
import { Sample } from '../harness/matrix-sample.ts';
import { makeWorld, type World } from '../harness/matrix-world.ts';
import {
  HARMLESS,
  IDLE,
  OF_ORGANIZATION,
  RECORDED,
  UNRECORDED,
  WITHOUT_EVENT,
} from '../harness/recorded-operations.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';
import { credentialsIn, credentialsOf, watchWrites, type RecordedEvent, type Written } from '../harness/traces.ts';

// Every operation is called by an administrator of one of everything. Operations that return values or credentials are listed in
// `harness/recorded-operations.ts` with their events. A change leaves its event in the same transaction.

const MARK = 'ztracez';
let test: TestServer;
let document: OpenApiDocument;
let operations: readonly Operation[];
let world: World;
let asked: readonly Asked[];
beforeAll(async () => {
  test = await testServer();
  document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  operations = operationsOf(appRouter).filter(({ alias }) => alias === 0);
  world = await makeWorld(test, MARK);
  asked = await askAll();
}, searchTime(300_000));
afterAll(() => test.close());

interface Asked {
  readonly operation: Operation;
  readonly answer: Answer;
  readonly written: readonly Written[];
}

/** Deletions come last, and what ends the sessions of the callers after them. */
const ORDER = [/^GET/, /^(POST|PATCH|PUT) (?!.*(logout|revoke|remove|leave))/, /^POST/, /^DELETE (?!.*\/me)/, /./];
const orderOf = ({ method, url }: Operation) => ORDER.findIndex((pattern) => pattern.test(`${method} ${url}`));

/** The answers of all operations to an administrator, with what each has written. */
async function askAll(): Promise<Asked[]> {
  const written = await watchWrites(test.owner);
  const all: Asked[] = [];
  for (const operation of operations.toSorted((a, b) => orderOf(a) - orderOf(b))) {
    const { needs, rest } = operation.meta;
    const isOfMachines = !rest?.actors || rest.actors.includes('identity');
    const caller: Caller = needs === 'public' ? test.as() : isOfMachines ? world.machine : world.person;
    const sample = new Sample(operation, document);
    const answer = await ask(
      caller,
      sample,
      sample.input((thing) => world.has[thing]),
    );
    all.push({ operation, answer, written: await written() });
  }
  return all;
}

describe('attack: without a trace', () => {
  it('nothing shows values or credentials but what is known to be recorded', () => {
    const shows = operations.filter((operation) => credentialsIn(operation, document).length > 0);
    const listed = [...Object.keys(RECORDED), ...Object.values(UNRECORDED).flat()];
    expect(shows.map(({ path }) => path).toSorted()).toEqual(listed.toSorted());
    const published = new Set([...eventTypes().values()].map((type) => type.published));
    expect([...new Set(Object.values(RECORDED).flat())].filter((name) => !published.has(name))).toEqual([]);
  });

  it('nothing is read or changed by an administrator, in any operation, and nothing secret is in the events', async () => {
    expect(problemsIn(asked)).toEqual({});
    expect(readsIn(asked).length).toBeGreaterThan(35);
    expect(asked.filter(({ answer }) => answer.status < 300).length).toBeGreaterThan(280);
    const { rows } = await test.coffer.pool.query<{ text: string }>('select e::text as text from audit_events e');
    const secrets = [world.machineToken, world.personToken, world.serviceToken, world.apiKey, `${MARK} value`];
    const shown = readsIn(asked).flatMap(({ answer }) => credentialsOf(answer));
    const found = [...secrets, ...shown].filter(
      (secret) => secret.length > 7 && rows.some(({ text }) => text.includes(secret)),
    );
    expect(found).toEqual([]);
  });

  it('nothing is refused to a member without rights, in any operation', async () => {
    const { organizationId, has } = await makeWorld(test, `${MARK}r`);
    const role = 'no-access';
    const place = { organizationId, organizationRole: role, projectId: has.project, projectRole: role };
    const machine = await makeIdentity(test.coffer, place);
    const person = await makeUser(test.coffer, { organizationId, role });
    const denied: string[] = [];
    for (const operation of operations.filter(({ meta }) => meta.needs !== 'public')) {
      const { actors } = operation.meta.rest ?? {};
      const caller = test.as((!actors || actors.includes('identity') ? machine : person).token);
      const sample = new Sample(operation, document);
      // Each is the first of its minute, and so an event of its own.
      test.advance(61_000);
      await test.coffer.refusals.sweep();
      const answer = await ask(
        caller,
        sample,
        sample.input((thing) => has[thing]),
      );
      if (answer.status === 403) denied.push(`${operation.method} ${routeOf(operation)}`);
    }
    const { rows } = await test.coffer.pool.query<{ detail: string }>(
      `select data -> 'details' ->> 0 as detail from audit_events
       where published = 'denied-request' and organization_id = $1 and actor_id = any($2::uuid[])`,
      [organizationId, [machine.id, person.id]],
    );
    const recorded = new Set(rows.map(({ detail }) => detail.split(' ').slice(0, 2).join(' ')));
    expect(denied.length).toBeGreaterThan(200);
    expect(denied.filter((name) => !recorded.has(name))).toEqual([]);
  });

  it('each planted fault is found: no event, one elsewhere, one after the change', () => {
    const events = (change: (one: RecordedEvent) => RecordedEvent[]) =>
      asked.map((one) => ({
        ...one,
        written: one.written.map((some) => ({ ...some, events: some.events.flatMap(change) })),
      }));
    const reads = readsIn(asked).map(({ operation }) => operation.path);
    expect(Object.keys(problemsIn(events(() => [])))).toEqual(expect.arrayContaining(reads));
    const elsewhere = problemsIn(events((one) => [{ ...one, project_id: null }]));
    const ofProject = reads.filter((path) => !OF_ORGANIZATION.test(path));
    expect(Object.keys(elsewhere).toSorted()).toEqual(ofProject.toSorted());
    const after = asked.map((one) => ({
      ...one,
      written: one.written.flatMap(({ rows, events: some }) => [
        { rows, events: [] },
        { rows: [], events: some },
      ]),
    }));
    const changes = Object.keys(problemsIn(after)).filter((name) => name.endsWith(' writes'));
    expect(changes.length).toBeGreaterThan(100);
  });
});

/** Those that showed values or credentials that are to be recorded. */
const readsIn = (some: readonly Asked[]): Asked[] =>
  some.filter(
    ({ operation, answer }) => operation.path in RECORDED && answer.status < 300 && credentialsOf(answer).length > 0,
  );

/** What is not recorded as it is to be, by operation. */
function problemsIn(some: readonly Asked[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const reads = new Set(readsIn(some));
  for (const one of some) {
    const { operation, answer, written } = one;
    const { path, method, meta } = operation;
    const events = written.flatMap((transaction) => transaction.events);
    const isChange = method !== 'GET' && answer.status < 300 && ![...HARMLESS, ...IDLE].includes(path);
    if (isChange && meta.needs !== 'public' && events.length === 0) found[path] = 'no event';
    if (reads.has(one) && !events.some((event) => tellsOf(path, event))) found[path] = events;
    const silent = written
      .filter((transaction) => transaction.events.length === 0)
      .flatMap(({ rows }) => rows.filter((row) => !WITHOUT_EVENT.some((pattern) => pattern.test(row))));
    if (silent.length > 0) found[`${path} writes`] = silent;
  }
  return found;
}

/** Whether an event says that this procedure has shown something, on the log where it is looked for. */
const tellsOf = (path: string, event: RecordedEvent): boolean =>
  RECORDED[path]!.includes(event.published) &&
  [world.organizationId, INSTANCE_LOG].includes(event.organization_id) &&
  event.project_id === (OF_ORGANIZATION.test(path) ? null : world.has.project);

describe('the event of an update', () => {
  /** What each of them is now is in its versions, or all of it in the event. */
  const OTHERS = ['secret.updated', 'secrets.updated', 'instance.updated'];
  it('has the names of what has changed', () => {
    const updates = [...eventTypes()].filter(([name]) => name.endsWith('.updated') && !OTHERS.includes(name));
    const without = updates.filter(([, { data }]) => !(data instanceof z.ZodObject && 'changed' in data.shape));
    expect(updates.length).toBeGreaterThan(50);
    expect(without.map(([name]) => name)).toEqual([]);
  });
});

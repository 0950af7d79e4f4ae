// @long: holds statements of many operations
import { equal } from 'node:assert/strict';
import { appRouter, openApiDocument, operationsOf, permissionsOf } from '@coffer/api';
import { projectSubjects, type Rule } from '@coffer/domain';
import { makeIdentity, sampleOf, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, nameOf } from '../harness/matrix-answers.ts';
import { Sample } from '../harness/matrix-sample.ts';
import { makeWorld, type World } from '../harness/matrix-world.ts';
import { SteppedStatements } from '../harness/stepped-statements.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

// Each operation is held at each statement before its first lock, while what its caller's right depends on is changed. Reads of
// one thing are held at each statement but those of their events.

let test: TestServer;
let samples: Sample[];
let stepped: SteppedStatements;
beforeAll(async () => {
  test = await testServer();
  stepped = new SteppedStatements(test);
  const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  samples = operationsOf(appRouter)
    .filter(({ alias }) => alias === 0)
    .map((operation) => new Sample(operation, document));
}, searchTime(60_000));
afterAll(() => test.close());

interface Change {
  readonly field: string;
  readonly conditions: Rule['conditions'];
  readonly set: (world: World, to: 'held' | 'other') => Promise<Answer>;
}
const CHANGES: readonly Change[] = [
  {
    field: 'environment',
    conditions: { environment: 'dev' },
    set: ({ machine, has }, to) => {
      const slug = to === 'held' ? 'dev' : 'moved';
      return machine('PATCH', `/api/v1/projects/${has.project}/environments/${has.environment}`, { slug });
    },
  },
  {
    field: 'metadata',
    conditions: { metadata: { $elemMatch: { key: 'team', value: 'held' } } },
    set: ({ machine, has }, value) => {
      const place = { projectSlug: has.projectSlug, environmentSlug: 'dev', path: '/' };
      const data = { metadata: [{ key: 'team', value }] };
      return machine('PATCH', `/api/v1/dynamic-secrets/${has.dynamicSecretName}`, { ...place, data });
    },
  },
];

interface Subject {
  readonly actions: readonly string[];
  readonly conditions?: readonly string[];
}
const SUBJECTS: Readonly<Record<string, Subject>> = projectSubjects;

const isBy = (field: string, subject: string): boolean => SUBJECTS[subject]!.conditions?.includes(field) ?? false;

/** What reads of one thing show that is worth a right of its own. */
const SHOWING: ReadonlySet<string> = new Set(['secrets', 'dynamic-secrets', 'secret-rotation']);
/** Shows the names of secrets, by the place of each. */
const BY_EACH_PLACE = /reference-dependency-tree$/;
/** One member of each family. */
const FAMILIES = /\/secret-syncs\/(?!github|\{)|\/secret-rotations\/(?!postgres-credentials|\{)/;

const asked = (field: string): Sample[] =>
  samples
    .filter(({ operation: { url, method, meta } }) => {
      const subjects = permissionsOf(meta.needs).flatMap(({ subject, scope }) =>
        scope === 'project' ? [subject] : [],
      );
      const isList = method === 'GET' && !/\{(?!projectId)/.test(url);
      const isFit = !isList && !FAMILIES.test(url) && !BY_EACH_PLACE.test(url) && !meta.rest?.events;
      const isForMachines = meta.rest?.actors?.includes('identity') ?? true;
      return (
        isFit && isForMachines && subjects.some((one) => isBy(field, one) && (method !== 'GET' || SHOWING.has(one)))
      );
    })
    // Deletions come last.
    .toSorted((a, b) => Number(a.operation.method === 'DELETE') - Number(b.operation.method === 'DELETE'));

/** A world, and a caller whose rights in it are limited by what is changed. */
class Place {
  readonly change: Change;
  world!: World;
  call!: Caller;

  constructor(change: Change) {
    this.change = change;
  }

  async make(): Promise<void> {
    const { conditions, field, set } = this.change;
    this.world = await makeWorld(test, 'zmovedz');
    equal((await set(this.world, 'held')).status, 200);
    const rules = Object.entries(SUBJECTS).map(([subject, { actions }]) => ({
      ...{ subject, action: actions.filter((one) => subject !== 'secrets' || one !== 'read') },
      ...(isBy(field, subject) && { conditions }),
    }));
    const { organizationId, has } = this.world;
    const { token } = await makeIdentity(test.coffer, { organizationId, projectId: has.project, rules });
    this.call = test.as(token);
    // Its token and rules are known then.
    await this.call('GET', `/api/v1/projects/${has.project}/roles`);
  }

  /** The statements before which the thing was moved, and the request was done all the same; and how many it was held at. */
  async found(request: () => Promise<Answer>, isRead: boolean): Promise<{ found: string[]; held: number }> {
    const found: string[] = [];
    for (let at = 0; ; at++) {
      const change = () => this.change.set(this.world, 'other');
      const { answer, isHeld, isBefore, before, after } = await stepped.during(at, request, change);
      if (!isHeld) return { found, held: at };
      const isDone = answer.status === 200 && !isBefore;
      // What has locked something is done by what it read under that.
      if (!isRead && before.some(({ locks }) => locks)) return { found, held: at };
      // It needs no right that the change takes.
      if (at === 0 && isDone) return { found, held: at };
      if (isDone && (isRead || after.some(({ locks }) => locks))) found.push(after[0]!.name);
      if ((await this.change.set(this.world, 'held')).status !== 200) await this.make();
      if (!isRead && isBefore) return { found, held: at + 1 };
    }
  }
}

describe('attack: what gets another place or other metadata while any request waits', () => {
  it.each(CHANGES)(
    'is out of reach for callers without a right there: $field',
    async (change) => {
      const place = new Place(change);
      await place.make();
      const objections: Record<string, string[]> = {};
      let times = 0;
      for (const sample of sampleOf(asked(change.field), 4)) {
        const { method } = sample.operation;
        const request = () =>
          ask(
            place.call,
            sample,
            sample.input((thing) => place.world.has[thing]),
          );
        const { found, held } = await place.found(request, method === 'GET');
        times += held;
        if (found.length > 0) objections[nameOf(sample.operation)] = found;
        if (method === 'DELETE') await place.make();
      }
      expect(objections, 'ask by its present place under the lock; after reads, by `passByRows`').toEqual({});
      expect(times).toBeGreaterThan(0);
    },
    searchTime(120_000),
  );

  it.each([
    ['changes', "update projects set name = name where id = '%'", false],
    ['reads', "select name from projects where id = '%'", true],
  ])('is found where a request %s something after its right was asked', async (_, text, isRead) => {
    const place = new Place(CHANGES[1]!);
    await place.make();
    const { has } = place.world;
    const where = new URLSearchParams({ projectSlug: has.projectSlug, environmentSlug: 'dev', path: '/' });
    const planted = text.replace('%', has.project);
    const request = async () => {
      const answer = await place.call('GET', `/api/v1/dynamic-secrets/${has.dynamicSecretName}?${where.toString()}`);
      if (answer.status === 200) await test.coffer.pool.query(planted);
      return answer;
    };
    expect((await place.found(request, isRead)).found).toEqual([planted]);
  });
});

// @long: holds statements of many operations
import { appRouter, openApiDocument, operationsOf, type Operation } from '@coffer/api';
import { runs, SEARCH_SEED, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, comparable, nameOf } from '../harness/matrix-answers.ts';
import { Sample } from '../harness/matrix-sample.ts';
import { makeWorld, type Thing, type World } from '../harness/matrix-world.ts';
import { makePartialWorld, type PartialWorld } from '../harness/partial-world.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const PATIENCE = searchTime(300_000);
const HIDDEN = 'zhiddenz';
/** As long, and the name of nothing. */
const ABSENT = 'zabsentz';

let test: TestServer;
let samples: Sample[];
beforeAll(async () => {
  test = await testServer({ poolSize: 2 });
  const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  samples = operationsOf(appRouter)
    .filter(({ meta }) => meta.needs !== 'public')
    .map((operation) => new Sample(operation, document));
}, PATIENCE);
afterAll(() => test.close());

async function makeWorlds(): Promise<{ world: World; part: PartialWorld }> {
  const world = await makeWorld(test, HIDDEN);
  return { world, part: await makePartialWorld(test, world, HIDDEN) };
}

const callerOf = (of: { machine: Caller; person: Caller }, { meta }: Operation): Caller =>
  !meta.rest?.actors || meta.rest.actors.includes('identity') ? of.machine : of.person;

const PATHS = /^(?:secretPath|path|sourceSecretPath|destinationSecretPath)$/;

/** An input with things of one's own part, where it has such, and its folder. */
function ownInput(sample: Sample, { world, part }: { world: World; part: PartialWorld }): Record<string, unknown> {
  const input = sample.input((thing) => part.has[thing] ?? world.has[thing]);
  for (const field of sample.fields) if (PATHS.test(field)) input[field] = part.path;
  return input;
}

/** What names of a project every member is shown. */
const SHOWN: ReadonlySet<Thing> = new Set(['projectSlug', 'organizationRoleSlug', 'username']);

/** The fields of an operation that take a name of something hidden, each with that name. */
function hiddenNames(sample: Sample, world: World): (readonly [field: string, name: string])[] {
  return sample.fields.flatMap((field): (readonly [string, string])[] => {
    if (PATHS.test(field)) return [[field, `/${HIDDEN}-folder`]];
    const thing = sample.things.get(field);
    const name = thing && !SHOWN.has(thing) ? world.has[thing] : '';
    return name.startsWith(HIDDEN) ? [[field, name]] : [];
  });
}

/** What is about the caller itself, or tells how often it asked. */
const ABOUT_CALLER = /sessions|audit-logs/;
/**
 * What every member is shown: the project and its environments; and how the hosts of it are logged in to. A folder of the rest
 * is restored with the callers' own part below it.
 */
const CHANGES_ALL =
  /\/(?:projects|workspace)\/\{\w+\}(?:\/(?:name|auto-capitalization|version-limit|audit-logs-retention|ssh-config|environments.*|history\/restore))?$|\/rollback$/;
/** What the callers' own part goes with. */
const DELETES_ALL = /\/(?:workspace|projects|organizations?)\/\{\w+\}$|\/environments\/\{id\}$/;

/**
 * The project has a hidden name, too, which its members are shown; so are what a secret of theirs refers to as it is
 * written, and numbers of what is hidden, and of commits.
 */
const withoutShown = (text: string, { has }: World): string =>
  text
    .replaceAll(has.projectSlug, '<slug>')
    .replaceAll(`${HIDDEN} project`, '<project>')
    .replaceAll(`dev.${HIDDEN}`, '<reference>')
    .replaceAll(/"(?:hiddenCount|revision|fromRevision|toRevision)":\d+/g, '');

/** The operations that change what is not part of every member's own, deletions last. */
const changesOf = (all: readonly Sample[]): Sample[] =>
  all
    .filter(({ operation: { method, meta, url } }) => {
      if (method === 'GET' || typeof meta.needs !== 'object') return false;
      return !(method === 'DELETE' ? DELETES_ALL : CHANGES_ALL).test(url);
    })
    .toSorted((a, b) => Number(a.operation.method === 'DELETE') - Number(b.operation.method === 'DELETE'));

/** The answers to reads of one's own part and of the rest, without those that are refused. */
async function answersTo(
  of: { machine: Caller; person: Caller },
  reads: readonly Sample[],
  worlds: { world: World; part: PartialWorld },
): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const sample of reads) {
    const own = ownInput(sample, worlds);
    const flags = sample.fields.filter((field) => sample.schemaOf(field).type === 'boolean');
    const inputs = {
      own,
      ...(flags.length > 0 && { all: { ...own, ...Object.fromEntries(flags.map((field) => [field, true])) } }),
      rest: sample.input((thing) => worlds.world.has[thing]),
    };
    for (const [which, input] of Object.entries(inputs)) {
      const answer = await ask(callerOf(of, sample.operation), sample, input);
      if (answer.status >= 300) continue;
      const { reqId: _, ...body } = typeof answer.body === 'string' ? { text: answer.body } : answer.body;
      answers.set(`${nameOf(sample.operation)} ${which}`, withoutShown(JSON.stringify(body), worlds.world));
    }
  }
  return answers;
}

/** Whoever leaves the project does not act in it any more. */
const LEAVES = /\/leave$/;
const deletesLast = ({ operation: { method } }: Sample): number => Number(method === 'DELETE');

/** Selects the rows of all tables of a project. */
async function rowsOfProject(): Promise<string> {
  const { rows: tables } = await test.coffer.pool.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.column_name = 'project_id' and c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and c.table_name not like 'audit%' and c.table_name <> 'project_revisions' order by 1`,
  );
  return tables
    .map(
      ({ name }) =>
        `select '${name} ' || coalesce(to_jsonb(t) ->> 'id', md5(t::text)) as id, t::text as text from ${name} t where project_id = $1`,
    )
    .join(' union all ');
}

/** The rows of the project that have nothing of the callers' own part, by table and ID. */
async function rowsOfRest(
  all: string,
  { world, part }: { world: World; part: PartialWorld },
): Promise<Map<string, string>> {
  const own = [part.path.slice(1), ...Object.values(part.has)];
  const { rows } = await test.coffer.pool.query<{ id: string; text: string }>(all, [world.has.project]);
  return new Map(rows.flatMap(({ id, text }) => (own.some((one) => text.includes(one)) ? [] : [[id, text] as const])));
}

describe('attack: somebody who sees a part of a project', () => {
  it(
    'finds out about no name of the rest, by any operation that takes one',
    async () => {
      const worlds = await makeWorlds();
      const found: Record<string, unknown> = {};
      let asked = 0;
      for (const sample of samples) {
        const caller = callerOf(worlds.part, sample.operation);
        const answerTo = async (field: string, name: string) => {
          const answer = await ask(caller, sample, { ...ownInput(sample, worlds), [field]: name });
          return { status: answer.status, text: comparable(answer, {}).replaceAll(ABSENT, HIDDEN) };
        };
        for (const [field, name] of hiddenNames(sample, worlds.world)) {
          asked++;
          const absent = await answerTo(field, name.replace(HIDDEN, ABSENT));
          const hidden = await answerTo(field, name);
          // Names of its own part may be those of the rest.
          const isSame = absent.status < 300 ? hidden.status < 300 : hidden.text === absent.text;
          if (!isSame) found[`${nameOf(sample.operation)} ${field}`] = { hidden, absent };
        }
      }
      expect(asked).toBeGreaterThan(100);
      expect(found).toEqual({});
    },
    PATIENCE,
  );

  it(
    'is shown nothing of the rest, and does not notice what happens to it',
    async () => {
      const worlds = await makeWorlds();
      const { world, part } = worlds;
      const reads = samples.filter(({ operation: { method, url } }) => method === 'GET' && !ABOUT_CALLER.test(url));
      let before = await answersTo(part, reads, worlds);
      expect(before.size).toBeGreaterThan(100);
      const partsOf = (text: string) => text.match(new RegExp(`.{0,200}${HIDDEN}.{0,20}`, 'g')) ?? [];
      const shown = [...before].map(([name, text]) => ({ name, parts: partsOf(text) }));
      expect(shown.filter(({ parts }) => parts.length > 0)).toEqual([]);
      const ofOwner = await answersTo(world, reads, worlds);

      const portion = runs(250, 10);
      const found: Record<string, unknown> = {};
      let names: string[] = [];
      for (const [turn, sample] of changesOf(samples).entries()) {
        const input = sample.input((thing) => world.has[thing]);
        const { status } = await ask(callerOf(world, sample.operation), sample, input);
        names.push(`${nameOf(sample.operation)} ${status}`);
        if ((turn + SEARCH_SEED) % portion !== 0 && turn + 1 < changesOf(samples).length) continue;
        const now = await answersTo(part, reads, worlds);
        for (const [name, text] of before) {
          const isGone = name.endsWith(' rest') && !now.has(name);
          if (!isGone && now.get(name) !== text) found[name] = { before: text, now: now.get(name), after: names };
        }
        [before, names] = [now, []];
      }
      expect(found).toEqual({});
      const noticed = [...(await answersTo(world, reads, worlds))].filter(([name, text]) => ofOwner.get(name) !== text);
      expect(noticed.length).toBeGreaterThan(50);
    },
    PATIENCE,
  );

  it(
    'changes nothing of the rest, and is answered no name of it, by requests in which one thing is of it',
    async () => {
      const worlds = await makeWorlds();
      const { world, part } = worlds;
      const all = await rowsOfProject();
      const before = await rowsOfRest(all, worlds);
      expect(before.size).toBeGreaterThan(80);
      const found: Record<string, unknown> = {};
      let [asked, turn] = [0, SEARCH_SEED];
      for (const sample of samples.toSorted((a, b) => deletesLast(a) - deletesLast(b))) {
        if (sample.operation.method === 'GET' || LEAVES.test(sample.operation.url)) continue;
        const caller = callerOf(part, sample.operation);
        const own = ownInput(sample, worlds);
        const attempts = sample.fields.flatMap((field): [string, unknown][] => {
          if (PATHS.test(field))
            return [
              [field, '/'],
              [field, `/${HIDDEN}-folder`],
            ];
          const thing = sample.things.get(field);
          const value = thing && world.has[thing];
          return value === undefined ? [] : [[field, Array.isArray(own[field]) ? [value] : value]];
        });
        for (const [field, value] of [['', ''] as const, ...attempts]) {
          // The short form has a third of the fields.
          if (turn++ % runs(3, 1) !== 0) continue;
          asked++;
          const { status, body } = await ask(caller, sample, field === '' ? own : { ...own, [field]: value });
          const isNamed = JSON.stringify(body ?? null).includes(part.below);
          if (status >= 500 || isNamed) found[`${nameOf(sample.operation)} ${field}`] = { status, body };
        }
        const now = await rowsOfRest(all, worlds);
        for (const [id, row] of before) {
          if (now.get(id) === row) continue;
          found[`${nameOf(sample.operation)} ${id}`] = { before: row, now: now.get(id) };
          before.delete(id);
        }
      }
      expect(asked).toBeGreaterThan(300);
      expect(found).toEqual({});
    },
    PATIENCE,
  );
});

import { randomUUID } from 'node:crypto';
import { appRouter, openApiDocument, operationsOf, type Operation } from '@coffer/api';
import { makeIdentity, makeUser, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sample } from '../harness/matrix-sample.ts';
import { makeWorld, type Thing, type World } from '../harness/matrix-world.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

const PATIENCE = searchTime(300_000);
const SECRET = 'zvictimz';

let test: TestServer;
let victim: World;
let own: World;
let samples: Sample[];
let machine: Caller;
let person: Caller;
beforeAll(async () => {
  test = await testServer({ poolSize: 1 });
  victim = await makeWorld(test, SECRET);
  const inside = {
    ...{ coffer: test.coffer, as: test.as },
    foreign: async () => ({ organizationId: victim.organizationId, call: victim.machine, identity: { token: victim.machineToken } as never }),
  };
  own = await makeWorld(inside, 'zneighbourz');
  const { organizationId } = victim;
  const place = { organizationId, organizationRole: 'no-access', projectId: own.has.project, projectRole: 'admin' };
  machine = test.as((await makeIdentity(test.coffer, place)).token);
  const user = await makeUser(test.coffer, { organizationId, role: 'no-access' });
  person = test.as(user.token);
  const add = { usernames: [user.email], emails: [], roleSlugs: ['admin'] };
  expect((await victim.machine('POST', `/api/v1/projects/${own.has.project}/memberships`, add)).status).toBe(200);
  const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  samples = operationsOf(appRouter)
    .map((operation) => new Sample(operation, document))
    .toSorted((a, b) => Number(a.operation.method === 'DELETE') - Number(b.operation.method === 'DELETE'));
}, PATIENCE);
afterAll(() => test.close());

const nameOf = ({ method, url }: Operation) => `${method} ${url}`;
const callerOf = ({ meta }: Operation): Caller => {
  const { actors } = meta.rest ?? {};
  return !actors || actors.includes('identity') ? machine : person;
};
const ask = (sample: Sample, input: Record<string, unknown>): Promise<Answer> => {
  const { url, body } = sample.request(input);
  return callerOf(sample.operation)(sample.operation.method, url, body);
};
const without = ({ status, body }: Answer) => {
  const { reqId: _, ...rest } = typeof body === 'object' && body !== null ? body : { text: body };
  return { status, body: rest };
};
const comparable = (answer: Answer, sent: Record<string, unknown>) => {
  let text = JSON.stringify(without(answer));
  for (const [field, value] of Object.entries(sent))
    for (const one of [value].flat())
      if (typeof one === 'string' && one.length > 5) text = text.replaceAll(one, `<${field}>`);
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>').replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{22}/g, '<new>');
};
const unknownFor = (thing: Thing): string => {
  const looks = victim.has[thing];
  if (looks.includes('@')) return `${randomUUID()}@example.com`;
  if (looks.startsWith(SECRET)) return `unknown-${randomUUID().slice(0, 8)}`;
  return randomUUID();
};

async function fingerprints(): Promise<Record<string, string>> {
  const { pool, usage } = test.coffer;
  await usage.flush();
  const { rows } = await pool.query<{ table: string }>(
    `select c.table_name as table from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.column_name = 'project_id' and c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name not like 'audit%' order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { table } of rows) {
    const { rows: sums } = await pool.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${table} t where project_id = $1`,
      [victim.has.project],
    );
    found[table] = sums[0]!.sum;
  }
  return found;
}

describe('an administrator of another project', () => {
  it('reaches nothing, whichever one of the things in a request is of this one', async () => {
    const before = await fingerprints();
    const found: Record<string, unknown> = {};
    let asked = 0;
    for (const sample of samples) {
      if (sample.operation.meta.needs === 'public') continue;
      for (const [field, thing] of sample.things) {
        const unknown = unknownFor(thing);
        const withOne = (value: string) => {
          const input = sample.input((one) => own.has[one]);
          if (!(field in input)) return undefined;
          return { ...input, [field]: Array.isArray(input[field]) ? [value] : value };
        };
        const [foreign, absent] = [withOne(victim.has[thing]), withOne(unknown)];
        if (!foreign || !absent) continue;
        asked++;
        const [answer, expected] = [await ask(sample, foreign), await ask(sample, absent)];
        const got = comparable(answer, foreign);
        if (got.includes(SECRET)) found[`${nameOf(sample.operation)} ${field} SHOWS`] = got;
        else if (got !== comparable(expected, absent)) found[`${nameOf(sample.operation)} ${field}`] = { foreign: got.slice(0, 300), absent: comparable(expected, absent).slice(0, 300) };
      }
    }
    console.log(asked, JSON.stringify(found, null, 1));
    expect(await fingerprints()).toEqual(before);
    expect(found).toEqual({});
  }, PATIENCE);
});

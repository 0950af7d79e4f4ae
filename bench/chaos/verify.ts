import type pg from 'pg';
import { Refused, type Client } from '../subject/client.ts';
import { ENVIRONMENT, type World } from '../subject/world.ts';
import type { State, Write, Writer } from './writer.ts';

/** What was found wrong; each with a sentence on the first cases. */
export interface Findings {
  lost: number;
  halfBatches: number;
  withoutEvent: number;
  withoutChange: number;
  gaps: number;
  readonly sentences: string[];
}

export const noFindings = (): Findings => ({
  lost: 0,
  halfBatches: 0,
  withoutEvent: 0,
  withoutChange: 0,
  gaps: 0,
  sentences: [],
});

export const isClean = ({ lost, halfBatches, withoutEvent, withoutChange, gaps }: Findings): boolean =>
  lost + halfBatches + withoutEvent + withoutChange + gaps === 0;

const NEWEST = `
select f.name as folder, s.key, s.version, false as deleted from secrets s join folders f on f.id = s.folder_id
union all
select f.name, v.key, v.version, true from secret_versions v join folders f on f.id = v.folder_id where v.is_deleted`;

/** Compares what is in the folders of the writers with their journals, and resolves ambiguous writes. The writers must be idle. */
export async function verify(
  database: pg.Client,
  client: Client,
  world: World,
  writers: readonly Writer[],
  found: Findings,
): Promise<void> {
  const { rows } = await database.query<{ folder: string; key: string; version: number; deleted: boolean }>(NEWEST);
  const stored = new Map(rows.map((row) => [`${row.folder}/${row.key}`, row]));
  const isAt = (writer: Writer, key: string, state: State | undefined): boolean => {
    const row = stored.get(`${writer.folder}/${key}`);
    return state === undefined ? row === undefined : row?.version === state.version && row.deleted === state.isDeleted;
  };
  for (const writer of writers) {
    for (const write of writer.inDoubt) settle(writer, write, (key, state) => isAt(writer, key, state), found);
    writer.inDoubt = [];
    for (const [key, state] of writer.known) {
      if (!isAt(writer, key, state))
        lose(
          found,
          `${writer.folder}/${key} should be ${describe(state)}, and is ${JSON.stringify(stored.get(`${writer.folder}/${key}`))}`,
        );
    }
  }
  const known = new Set(writers.flatMap((writer) => [...writer.known.keys()].map((key) => `${writer.folder}/${key}`)));
  const folders = new Set(writers.map(({ folder }) => folder));
  for (const [name, { folder }] of stored)
    if (folders.has(folder) && !known.has(name)) lose(found, `${name} is there, but nobody wrote it`);
  await verifyHistory(database, found);
  await verifyValues(client, world, writers, found);
}

/** An ambiguous write has happened completely or not at all; the writer continues from the actual state. */
function settle(
  writer: Writer,
  { kind, isBatch, after }: Write,
  isAt: (key: string, state: State | undefined) => boolean,
  found: Findings,
): void {
  const done = [...after].filter(([key, state]) => isAt(key, state));
  if (done.length > 0 && done.length < after.size) {
    found.halfBatches++;
    found.sentences.push(
      `${writer.folder}: ${done.length} of ${after.size} keys of one ${isBatch ? 'batch' : 'write'} (${kind}) are changed`,
    );
  }
  for (const [key, state] of done) writer.known.set(key, state);
}

const CHANGES = `
with history as (
  select id, version, false as deleted from secrets
  union all select secret_id, version, is_deleted from secret_versions
), changes as (
  select id, version, case version when 1 then 'created' else 'updated' end as what from history
  union all select id, version, 'deleted' from history where deleted
), events as (
  select (one ->> 'secretId')::uuid as id, (one ->> 'secretVersion')::integer as version, split_part(type, '.', 2) as what
  from audit_events, jsonb_array_elements(coalesce(data -> 'secrets', jsonb_build_array(data))) as one
  where split_part(type, '.', 1) in ('secret', 'secrets') and split_part(type, '.', 2) in ('created', 'updated', 'deleted')
)
select * from (select id, version, what, count(*)::integer as changes from changes group by 1, 2, 3) c
full join (select id, version, what, count(*)::integer as events from events group by 1, 2, 3) e using (id, version, what)
where changes is distinct from events`;

const GAPS = `
select id, count(*)::integer as versions, count(distinct version)::integer as different, min(version) as first, max(version) as last
from (select id, version from secrets union all select secret_id, version from secret_versions) v
group by id having min(version) <> 1 or max(version) <> count(*) or count(*) <> count(distinct version)`;

/** Every change has one event and every event its change; the versions of each secret are 1, 2, 3, … */
async function verifyHistory(database: pg.Client, found: Findings): Promise<void> {
  const { rows } = await database.query<{
    id: string;
    version: number;
    what: string;
    changes: number | null;
    events: number | null;
  }>(CHANGES);
  for (const { id, version, what, changes, events } of rows) {
    if ((changes ?? 0) > (events ?? 0)) found.withoutEvent++;
    else found.withoutChange++;
    found.sentences.push(`secret ${id}, version ${version}: ${what} ${changes ?? 0} times with ${events ?? 0} events`);
  }
  const gaps = await database.query<{ id: string }>(GAPS);
  found.gaps += gaps.rows.length;
  for (const row of gaps.rows)
    found.sentences.push(`The versions of ${row.id} are not gapless: ${JSON.stringify(row)}`);
}

const AT_ONCE = 16;

/** Changes since the last check are read like a client does: they decrypt to the written value. */
async function verifyValues(
  client: Client,
  { projectId }: World,
  writers: readonly Writer[],
  found: Findings,
): Promise<void> {
  const queue = writers.flatMap((writer) =>
    [...writer.touched].map((key) => ({ writer, key, state: writer.known.get(key) })),
  );
  for (const writer of writers) writer.touched = new Set();
  const next = async (): Promise<void> => {
    for (let one = queue.pop(); one; one = queue.pop()) {
      const { writer, key, state } = one;
      const expected = state && !state.isDeleted ? state.value : undefined;
      const value = await read(
        client,
        `/api/v4/secrets/${key}?projectId=${projectId}&environment=${ENVIRONMENT}&secretPath=%2F${writer.folder}`,
      );
      if (value !== expected)
        lose(found, `${writer.folder}/${key} reads ${JSON.stringify(value)} and not ${JSON.stringify(expected)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function read(client: Client, path: string): Promise<string | undefined> {
  try {
    return (await client<{ secret: { secretValue: string } }>('GET', path)).secret.secretValue;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  }
}

function lose(found: Findings, sentence: string): void {
  found.lost++;
  found.sentences.push(sentence);
}

const describe = ({ version, isDeleted }: State) =>
  isDeleted ? `deleted at version ${version}` : `at version ${version}`;

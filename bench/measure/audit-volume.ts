import pg from 'pg';
import { allSealed, archiveAll } from '../subject/audit.ts';
import { client, type Client } from '../subject/client.ts';
import type { Run, Stage } from '../subject/stage.ts';
import { ENVIRONMENT, secretOf, writeSecrets, type World } from '../subject/world.ts';
import { median, putLoad } from './sample.ts';

const SECRETS = 500;
const READERS = 8;
/** Of a hundred events, about one is a login and one a change. */
const OTHERS = 0.01;
const LINES = 1_000;
const PAGES = 15;

export interface AuditVolume {
  readonly events: number;
  /** Bytes of an event with all indexes: as a row, its part of the chain, and in a segment with both. */
  readonly row: number;
  readonly chain: number;
  readonly archived: number;
  /** Of the same lines, in bytes: as text, and compressed by PostgreSQL. */
  readonly text: number;
  readonly pglz: number;
  /** Milliseconds of moving a thousand events. */
  readonly moving: number;
  /** Milliseconds of a page of 20 of reads. */
  readonly pageOfRows: number;
  readonly pageOfSegments: number;
}

/** What events cost as real traffic makes them: mostly reads by several machine identities, with logins and changes. */
export async function measureAuditVolume(run: Run, seconds: number): Promise<AuditVolume> {
  const stage = await run.stage('audit-volume');
  await makeEvents(stage, seconds);
  const pool = new pg.Pool({ connectionString: stage.databaseUrl, max: 2 });
  try {
    await settled(pool);
    const rows = await sizes(pool);
    const { text, pglz } = await compressedByPostgres(pool);
    const pageOfRows = await pageTime(stage.world);
    const started = performance.now();
    const events = await archiveAll(pool, stage);
    const took = performance.now() - started;
    const after = await sizes(pool);
    const pageOfSegments = await pageTime(stage.world);
    return {
      events,
      row: rows.rowBytes / rows.events,
      chain: rows.chainBytes / rows.events,
      archived: after.segmentBytes / events,
      text,
      pglz,
      moving: (took / events) * 1000,
      pageOfRows,
      pageOfSegments,
    };
  } finally {
    await pool.end();
  }
}

async function makeEvents({ server, world }: Stage, seconds: number): Promise<void> {
  await writeSecrets(world, 'SECRET_', SECRETS);
  const place = `projectId=${world.projectId}&environment=${ENVIRONMENT}&secretPath=%2F`;
  const paths = Array.from({ length: SECRETS }, (_, i) => `/api/v4/secrets/SECRET_${(i * 211) % SECRETS}?${place}`);
  const readers = await Promise.all(
    Array.from({ length: READERS }, (_, index) => makeReader(world, server.url, index)),
  );
  const loads = readers.map(({ token }) =>
    putLoad({
      url: server.url,
      headers: { authorization: `Bearer ${token}`, 'user-agent': 'InfisicalNodeSDK/4.0.0' },
      method: 'GET',
      paths,
      connections: 2,
      seconds,
    }),
  );
  const reads = (await Promise.all(loads)).reduce((sum, { requests }) => sum + requests, 0);
  for (let n = 0; n < reads * OTHERS; n++) {
    await readers[n % READERS]!.logIn();
    const { secretKey, secretValue } = secretOf(`SECRET_${n % SECRETS}`);
    await world.admin('PATCH', `/api/v4/secrets/${secretKey}`, {
      projectId: world.projectId,
      environment: ENVIRONMENT,
      secretPath: '/',
      secretValue: `${secretValue}${n}`,
    });
  }
}

async function makeReader({ admin, organizationId, projectId }: World, url: string, index: number) {
  const { identity } = await admin<{ identity: { id: string } }>('POST', '/api/v1/identities', {
    name: `reader-${index}`,
    organizationId,
  });
  await admin('POST', `/api/v2/workspace/${projectId}/identity-memberships/${identity.id}`, { role: 'viewer' });
  const method = `/api/v1/auth/universal-auth/identities/${identity.id}`;
  const { identityUniversalAuth } = await admin<{ identityUniversalAuth: { clientId: string } }>('POST', method, {});
  const { clientSecret } = await admin<{ clientSecret: string }>('POST', `${method}/client-secrets`, {});
  const ask: Client = client(url);
  const credentials = { clientId: identityUniversalAuth.clientId, clientSecret };
  const logIn = () => ask<{ accessToken: string }>('POST', '/api/v1/auth/universal-auth/login', credentials);
  return { token: (await logIn()).accessToken, logIn };
}

/** The median of some pages of the oldest half of the reads. */
async function pageTime({ admin }: World): Promise<number> {
  const { auditLogs } = await admin<{ auditLogs: { createdAt: string }[] }>(
    'GET',
    '/api/v1/organization/audit-logs?eventType=get-secret&limit=1&offset=500',
  );
  const times: number[] = [];
  for (let n = 0; n < PAGES; n++) {
    const started = performance.now();
    await admin(
      'GET',
      `/api/v1/organization/audit-logs?eventType=get-secret&limit=20&endDate=${auditLogs[0]!.createdAt}`,
    );
    times.push(performance.now() - started);
  }
  return median(times);
}

/** Everything is sealed, and free space of updates is gone. */
async function settled(pool: pg.Pool): Promise<void> {
  await allSealed(pool);
  await pool.query('vacuum full audit_blocks');
}

async function sizes(pool: pg.Pool) {
  const { rows } = await pool.query<{ events: number; rowBytes: number; chainBytes: number; segmentBytes: number }>(
    `select (select count(*) from audit_events)::float8 as events,
       (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'audit_events'::regclass)::float8 as "rowBytes",
       pg_total_relation_size('audit_blocks')::float8 as "chainBytes",
       pg_total_relation_size('audit_segments')::float8 as "segmentBytes"`,
  );
  return rows[0]!;
}

/** What lines cost as text, and as PostgreSQL compresses them. */
async function compressedByPostgres(pool: pg.Pool): Promise<{ text: number; pglz: number }> {
  await pool.query('create table pressed (content text compression pglz)');
  await pool.query(`insert into pressed select string_agg(line, chr(10)) from (
    select audit_event_line(e) as line from audit_events e order by txid desc, id desc limit ${LINES}) l`);
  const { rows } = await pool.query<{ text: number; pglz: number }>(
    'select octet_length(content)::float8 as text, pg_column_size(content)::float8 as pglz from pressed',
  );
  await pool.query('drop table pressed');
  return { text: rows[0]!.text / LINES, pglz: rows[0]!.pglz / LINES };
}

export function showAuditVolume({ events, row, chain, archived, text, pglz, moving, ...pages }: AuditVolume): string {
  const bytes = (value: number) => `${value.toFixed(0).padStart(5)} bytes`;
  const line = (name: string, value: string) => `  ${name.padEnd(60)}${value}`;
  return [
    `audit volume: one of ${events} events, with all indexes`,
    line('as a row', bytes(row)),
    line('its part of the chain', bytes(chain)),
    line('one hour after sealing, in a segment with its part of the chain (target 150)', bytes(archived)),
    line('its line as text', bytes(text)),
    line('the same if PostgreSQL compressed lines (pglz)', bytes(pglz)),
    line('moving 1,000 events', `${moving.toFixed(0).padStart(5)} ms`),
    line('a page of 20 of rows; of segments', `${pages.pageOfRows.toFixed(1)}; ${pages.pageOfSegments.toFixed(1)} ms`),
    '',
  ].join('\n');
}

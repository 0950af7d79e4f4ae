import pg from 'pg';
import { allSealed, archiveAll } from '../../subject/audit.ts';
import { onDatabase, type Stage } from '../../subject/stage.ts';
import { makeFolder, secretOf, writeBatch, type World } from '../../subject/world.ts';
import { makeIdentities } from '../lines/others.ts';
import { copyRows } from './copies.ts';

/** Something of which an instance has more and more. */
export interface Dimension {
  readonly name: string;
  /** Numbers that are measured, the smallest first. */
  readonly sizes: readonly number[];
  /** On demand: `--sizes`. */
  readonly most: number;
  fill(stage: Stage, size: number): Promise<void>;
}

const PROJECT = 1_000;
const TEN = 10;

export const dimensions: readonly Dimension[] = [
  {
    name: 'secrets',
    sizes: [1_000, 100_000],
    most: 10_000_000,
    /** Projects of ten folders with a hundred secrets each. */
    async fill({ world, databaseUrl }, size) {
      const { project } = await world.admin<{ project: { id: string } }>('POST', '/api/v1/projects', {
        projectName: 'Other',
      });
      const other: World = { ...world, projectId: project.id };
      for (let folder = 0; folder < TEN; folder++) {
        await makeFolder(other, `folder-${folder}`);
        await writeBatch(
          other,
          `/folder-${folder}`,
          Array.from({ length: PROJECT / TEN }, (_, n) => secretOf(`S_${n}`)),
        );
      }
      await copies(databaseUrl, 'projects', project.id, size / PROJECT - 1);
    },
  },
  {
    name: 'identities',
    sizes: [10, 10_000],
    most: 100_000,
    /** Members of the organization, of a project and of a group, with a credential. */
    async fill({ world, databaseUrl }, size) {
      const { admin } = world;
      const { project } = await admin<{ project: { id: string } }>('POST', '/api/v1/projects', {
        projectName: 'Other',
      });
      const group = await admin<{ id: string }>('POST', '/api/v1/groups', {
        name: 'Others',
        slug: 'others',
        role: 'member',
      });
      const ids = await makeIdentities(
        world,
        Array.from({ length: TEN }, (_, n) => `other-${n}`),
      );
      for (const id of ids) {
        const method = `/api/v1/auth/universal-auth/identities/${id}`;
        await admin('POST', method, {});
        await admin('POST', `${method}/client-secrets`, {});
        await admin('POST', `/api/v1/projects/${project.id}/memberships/identities/${id}`, { role: 'member' });
        await admin('POST', `/api/v1/groups/${group.id}/machine-identities/${id}`, {});
      }
      for (const id of ids) await copies(databaseUrl, 'identities', id, size / TEN - 1);
    },
  },
  {
    name: 'events',
    sizes: [1_000, 1_000_000],
    most: 100_000_000,
    /** Events of a day, sealed and archived as the server does within the hour. */
    async fill(stage, size) {
      await onDatabase(stage.databaseUrl, (db) => db.query(EVENTS, [size]));
      await archive(stage);
    },
  },
  {
    name: 'certificates',
    sizes: [1_000, 1_000_000],
    most: 1_000_000,
    /** Of the authority and in the project that are measured. */
    async fill({ databaseUrl }, size) {
      const id = await onDatabase(databaseUrl, async (db) => {
        const { rows } = await db.query<{ id: string }>(
          `select id from certificates where status = 'active' and ca_id is not null order by id limit 1`,
        );
        return rows[0]!.id;
      });
      await copies(databaseUrl, 'certificates', id, size - 1);
    },
  },
];

const copies = (databaseUrl: string, table: string, id: string, count: number) =>
  onDatabase(databaseUrl, (db) => copyRows(db, { table, where: `r.id = '${id}'`, others: OTHERS }, count));

/** What a unique index reads from a document, times that follow each other, and names of their own. */
const OTHERS = {
  'certificates.created_at': `r.created_at - n * interval '1 second'`,
  'certificates.common_name': `n || '.' || r.common_name`,
  'identity_auth_methods.config': `case when r.config ? 'clientId'
    then jsonb_set(r.config, '{clientId}', to_jsonb(md5((r.config ->> 'clientId') || n)::uuid)) else r.config end`,
};

/** Reads of one project by a caller that is not measured, all of the last hour. */
const EVENTS = `
  insert into audit_events (id, organization_id, project_id, type, published, actor_type, actor_id, actor, ip_address,
    user_agent, user_agent_type, request_id, data, created_at)
  select md5(e.id::text || n)::uuid, organization_id, gen_random_uuid(), type, published, actor_type, actor_id, actor, ip_address,
    user_agent, user_agent_type, md5(request_id || n), data, created_at - interval '1 hour' * n / $1::integer
  from (select * from audit_events where project_id is not null order by id limit 1) e, generate_series(1, $1::integer) n`;

async function archive({ databaseUrl, dataDir }: Stage): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  try {
    await allSealed(pool);
    await archiveAll(pool, { dataDir });
    await pool.query('vacuum (analyze)');
  } finally {
    await pool.end();
  }
}

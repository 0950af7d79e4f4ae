import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DomainError, inTransaction, newId, withinRequest, type Actor, type Context } from '../../kernel/index.ts';
import {
  makeIdentity,
  makeOrganization,
  makeProject,
  makeUser,
  testCoffer,
  type MadeIdentity,
  type TestCoffer,
} from '../../testing/index.ts';
import { runs, SEARCH_SEED, searchTime } from '../../testing/search.ts';
import { addMember } from '../../access/membership/index.ts';
import { BRIEFLY_MS } from '../../database/transaction-connection.ts';
import { createFolder } from '../folder/create.ts';
import { createSecret, createSecrets, deleteSecret, deleteSecrets, updateSecret } from './index.ts';

interface Made {
  readonly id: string;
  readonly actor: Actor;
}

let test: TestCoffer;
let organizationId: string;
let admin: MadeIdentity;
/** A user with personal values. */
let person: Made;

beforeAll(async () => {
  test = await testCoffer();
  const organization = await makeOrganization(test.coffer);
  organizationId = organization.id;
  admin = organization.admin;
  person = await makeUser(test.coffer, { organizationId });
});
afterAll(() => test.close());

const REQUEST = { ipAddress: '192.0.2.7', userAgent: 'test' };
/** A call as a request makes it: background work has its own transactions. */
const ctx = ({ actor }: Pick<Made, 'actor'>): Context =>
  test.coffer.contextFor(actor, { ...REQUEST, id: `req-${newId()}` });

const WRITERS = ['admin', 'editor', 'otherEditor', 'person', 'reader', 'stranger'] as const;
type Writer = (typeof WRITERS)[number];

interface World {
  readonly projectId: string;
  readonly actors: Record<Writer, Made>;
}

const PATHS = ['/', '/a', '/covered'] as const;
const STORED = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE', 'SIX'] as const;
const NEW = STORED.map((key) => `NEW_${key}`);
/** The other secrets of a batch, which exist beside each of those. */
const PAIRS = STORED.map((key) => `${key}_PAIR`);
/** Nobody deletes these. */
const KEPT = ['KEPT', 'KEPT_TOO'];
/** What is special of some in `/a`. */
const [LARGE, PERSONAL, ROTATED] = ['FOUR', 'FIVE', 'THREE'] as const;

/** A personal value in place of a stored one, without a revision. */
const writePersonal = (projectId: string, path: string, key: string) =>
  test.owner.query(
    `insert into secrets (id, organization_id, project_id, folder_id, user_id, key, version, version_id, value, actor)
     select gen_random_uuid(), s.organization_id, s.project_id, s.folder_id, $4, s.key, 1, gen_random_uuid(), s.value, s.actor
     from secrets s join folders f on f.id = s.folder_id and f.path = $2 where s.project_id = $1 and s.key = $3`,
    [projectId, path, key, person.id],
  );

/** A project with secrets in each folder, and writers with other rights; a policy covers `/covered`, which exempts the admin. */
async function makeWorld(): Promise<World> {
  const { id: projectId } = await makeProject(test.coffer, organizationId, admin.actor);
  const place = { projectId, environment: 'dev' };
  for (const name of ['a', 'covered']) await createFolder(ctx(admin), { ...place, path: '/', name });
  for (const secretPath of PATHS) {
    const valueOf = (key: string) => (key === LARGE && secretPath === '/a' ? 'x'.repeat(70_000) : 'stored');
    const secrets = [...STORED, ...PAIRS, ...KEPT].map((secretKey) => ({ secretKey, secretValue: valueOf(secretKey) }));
    await createSecrets(ctx(admin), { ...place, secretPath, secrets });
  }
  await inTransaction(test.coffer.contextFor({ type: 'platform', organizationId }), (tx) =>
    addMember(tx, { organizationId, projectId, userId: person.id, roles: [{ role: 'admin', isTemporary: false }] }),
  );
  await writePersonal(projectId, '/a', PERSONAL);
  await test.owner.query(
    `update secrets s set rotation_id = gen_random_uuid() from folders f
     where s.project_id = $1 and s.key = $2 and f.id = s.folder_id and f.path = '/a'`,
    [projectId, ROTATED],
  );
  await test.owner.query(
    `with p as (insert into approval_policies (id, organization_id, project_id, environment_id, kind, name, secret_path, approvals,
         enforcement_level, allowed_self_approvals, exempt_machines, created_at, updated_at)
       select gen_random_uuid(), $1, $2, e.id, 'change', 'policy', '/covered', 1, 'hard', false, false, now(), now()
       from environments e where e.project_id = $2 and e.slug = 'dev' returning id)
     insert into approval_policy_exemptions (policy_id, identity_id, organization_id) select id, $3, $1 from p`,
    [organizationId, projectId, admin.id],
  );
  const identity = (rules: readonly { action: string[]; secretPath?: string }[]) =>
    makeIdentity(test.coffer, {
      organizationId,
      projectId,
      rules: rules.map(({ action, secretPath }) => ({
        ...{ subject: 'secrets', action },
        ...(secretPath && { conditions: { secretPath: { $eq: secretPath } } }),
      })),
    });
  const all = ['describeSecret', 'readValue', 'create', 'edit', 'delete'];
  const world: World = {
    projectId,
    actors: {
      admin,
      editor: await identity([{ action: all }]),
      otherEditor: await identity([
        { action: all, secretPath: '/a' },
        { action: ['create', 'edit'], secretPath: '/' },
      ]),
      person,
      reader: await identity([{ action: ['describeSecret', 'readValue'] }]),
      stranger: await makeIdentity(test.coffer, { organizationId }),
    },
  };
  // Their rights are known then, and their writes begin in one turn.
  for (const by of WRITERS) await outcomeOf(world, { by, kind: 'update', path: '/', key: 'NONE', value: '' });
  return world;
}

interface Write {
  readonly by: Writer;
  readonly kind: 'create' | 'createBatch' | 'update' | 'comment' | 'delete' | 'deleteBatch';
  readonly path: string;
  readonly key: string;
  readonly value: string;
  /** The names of further secrets of a batch. */
  readonly others?: readonly string[];
  /** Its client has disconnected. */
  readonly isAbandoned?: boolean;
}

/** What comes of a write: the secret without what differs from one time to the next, or the error. */
async function outcomeOf(
  { projectId, actors }: World,
  { by, kind, path, key, value, others = [], isAbandoned = false }: Write,
): Promise<object> {
  const place = { projectId, environment: 'dev', secretPath: path };
  const call = ctx(actors[by]);
  const one = { ...place, secretName: key, type: 'shared' as const };
  const run = async () => {
    if (kind === 'create') return createSecret(call, { ...one, secretValue: value });
    if (kind === 'update') return updateSecret(call, { ...one, secretValue: value });
    if (kind === 'comment') return updateSecret(call, { ...one, secretComment: value });
    if (kind === 'delete') return deleteSecret(call, one);
    if (kind === 'deleteBatch') {
      const gone = [key, ...others].map((secretKey) => ({ secretKey, type: 'shared' as const }));
      return (await deleteSecrets(call, { ...place, secrets: gone }))[0]!;
    }
    const secrets = [key, ...others].map((secretKey) => ({ secretKey, secretValue: value }));
    return (await createSecrets(call, { ...place, secrets }))[0]!;
  };
  try {
    const { secretKey, version, secretValue, secretComment, secretPath, actor } = await withinRequest(
      () => isAbandoned,
      run,
    );
    return {
      secretKey,
      version,
      secretValue,
      secretComment,
      secretPath,
      isByCaller: actor === null || actor.actorId === actors[by].id,
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { kind: status, code, message, details } = error;
    return { status, code, message, details };
  }
}

interface Stored {
  readonly key: string;
  readonly isByCommitter: boolean;
  readonly [other: string]: unknown;
}

/** What is stored of each secret and of each deleted one, with names in place of IDs, and the revisions of the project. */
async function stored({ projectId, actors }: World) {
  const { rows } = await test.owner.query<Stored>(
    `select f.path, s.key, s.version, s.actor->>'actorId' as writer, s.user_id is not null or c.actor = s.actor as "isByCommitter",
       (select array_agg(v.version order by v.version) from secret_versions v where v.secret_id = s.id) as older,
       (select array_agg(v.version) from secret_versions v where v.secret_id = s.id and v.replaced_commit_id = s.commit_id) as replaced,
       (select count(*)::int from secrets o where o.commit_id = s.commit_id) as "ofCommit",
       (select array_agg(cf.folder_id = s.folder_id and cf.revision = c.revision) from commit_folders cf where cf.commit_id = c.id) as folders,
       (select array_agg(a.type || ' ' || a.actor_id order by a.created_at, a.id) from audit_events a
        where s.id::text in (a.data->>'secretId', a.data->'secrets'->0->>'secretId')) as events
     from secrets s join folders f on f.id = s.folder_id left join commits c on c.id = s.commit_id
     where s.project_id = $1 order by f.path, s.key, s.user_id nulls first`,
    [projectId],
  );
  const { rows: deleted } = await test.owner.query<Stored>(
    `select f.path, v.key, v.version, v.user_id as owner, v.actor->>'actorId' as writer, c.actor->>'actorId' as "deletedBy",
       c.actor is not null or v.user_id is not null as "isByCommitter",
       (select count(*)::int from secret_versions o where o.replaced_commit_id = c.id) as "ofCommit",
       (select array_agg(cf.folder_id = v.folder_id and cf.revision = c.revision) from commit_folders cf where cf.commit_id = c.id) as folders,
       (select array_agg(a.type || ' ' || a.actor_id order by a.created_at, a.id) from audit_events a
        where jsonb_path_exists(a.data, '$.** ? (@ == $id)', jsonb_build_object('id', v.secret_id))) as events
     from secret_versions v join folders f on f.id = v.folder_id left join commits c on c.id = v.replaced_commit_id
     where v.project_id = $1 and v.is_deleted order by f.path, v.key, v.user_id nulls first`,
    [projectId],
  );
  const { rows: revisions } = await test.owner.query<{ revision: number; last: number }>(
    `select c.revision::int, r.revision::int as last from commits c join project_revisions r using (project_id)
     where project_id = $1 order by 1`,
    [projectId],
  );
  const text = WRITERS.reduce(
    (json, name) => json.replaceAll(actors[name].id, name),
    JSON.stringify([...rows, ...deleted]),
  );
  return { secrets: JSON.parse(text) as Stored[], revisions };
}

/** How many secrets of a project were last written, or deleted, by a transaction that wrote others, too. */
async function writtenTogether({ projectId }: World): Promise<number> {
  const { rows } = await test.owner.query<{ count: number }>(
    `select coalesce(sum(n), 0)::int as count from (select count(*) as n from (
         select xmin::text as written_by, commit_id from secrets where project_id = $1
         union all select xmin::text, replaced_commit_id from secret_versions where project_id = $1 and is_deleted) written
       group by written_by having count(distinct commit_id) > 1) together`,
    [projectId],
  );
  return rows[0]!.count;
}

const often = <T>(usual: readonly T[], ...rare: T[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...rare) });
const write = fc.record<Write>({
  by: often<Writer>(['admin', 'editor', 'otherEditor', 'person'], 'reader', 'stranger'),
  kind: fc.constantFrom('create', 'createBatch', 'update', 'comment', 'delete', 'deleteBatch'),
  path: often(['/', '/a'], '/covered', '/missing'),
  key: fc.constantFrom(...STORED, ...NEW, 'small'),
  value: often(['v', 'ünï😀\n'], '\\u0000"', '${ONE}', 'x'.repeat(70_000)),
  others: often<readonly string[]>([[], ['PAIR']], ['KEPT', 'PAIR', 'KEPT_TOO'], ['FEW', 'FEWER']),
});
/** Most of them name what is stored where it is updated, and what is not where it is created. */
const fitting = fc.tuple(write, fc.nat(9)).map(([one, dice]) => {
  const known = one.key.replace('NEW_', '');
  const fit = one.kind.startsWith('create') ? `NEW_${known}` : known;
  const key = dice === 0 || one.key === 'small' ? one.key : fit;
  // What others have is a name that exists; the rest are those of this batch alone, and so is what it deletes.
  const isKept = (other: string) => one.kind === 'createBatch' && KEPT.includes(other);
  return { ...one, key, others: one.others!.map((other) => (isKept(other) ? other : `${key}_${other}`)) };
});
/** Of two writes of one secret it would depend on the order what comes of them. */
const writes = fc.uniqueArray(fitting, { minLength: 8, maxLength: 24, selector: ({ path, key }) => `${path}:${key}` });

describe('writes that come at the same time', () => {
  it(
    'have the outcome, commits and events that they have one after the other',
    async () => {
      let together = 0;
      await fc.assert(
        fc.asyncProperty(writes, async (all) => {
          const [atOnce, inTurn] = [await makeWorld(), await makeWorld()];
          const outcomes = await Promise.all(all.map((one) => outcomeOf(atOnce, one)));
          const expected: unknown[] = [];
          for (const one of all) expected.push(await outcomeOf(inTurn, one));
          expect(outcomes).toEqual(expected);
          const found = await stored(atOnce);
          expect(found).toEqual(await stored(inTurn));
          expect(found.secrets.filter(({ isByCommitter }) => !isByCommitter)).toEqual([]);
          const { revisions } = found;
          const { last } = revisions[0]!;
          expect(revisions.map(({ revision }) => revision)).toEqual(
            revisions.map((_, index) => last - revisions.length + 1 + index),
          );
          together += await writtenTogether(atOnce);
        }),
        { numRuns: runs(6, 300), seed: SEARCH_SEED },
      );
      expect(together).toBeGreaterThan(0);
    },
    searchTime(300_000),
  );

  /** Stops the commits of a project until it is released. */
  async function holdCommits({ projectId }: World) {
    const client = await test.owner.connect();
    onTestFinished(() => client.release());
    await client.query('begin');
    await client.query('select from project_revisions where project_id = $1 for update', [projectId]);
    const blocked = async () => {
      const { rows } = await client.query<{ pid: number }>(
        'select pid from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))',
      );
      return rows.map(({ pid }) => pid);
    };
    return { blocked, release: () => client.query('rollback') };
  }

  const change = (kind: Write['kind'], by: Writer, key: string, more: Partial<Write> = {}): Write => ({
    ...{ by, kind, path: '/', key, value: `of ${by}` },
    ...more,
  });
  /** Changes of what is stored, and the versions that they return. */
  const CHANGES = [
    { kind: 'update', version: 2 },
    { kind: 'delete', version: 1 },
  ] as const;

  it.for(CHANGES)(
    'are one transaction, without those that are refused, where one waits for its commit: $kind',
    async ({ kind, version }) => {
      const world = await makeWorld();
      const commits = await holdCommits(world);
      const first = outcomeOf(world, change(kind, 'admin', 'ONE'));
      await expect.poll(commits.blocked).toHaveLength(1);
      const pile = [
        change(kind, 'editor', 'TWO', { isAbandoned: true }),
        change(kind, 'reader', 'THREE'),
        change(kind, 'admin', 'FOUR'),
        change(kind, 'person', 'FIVE'),
        change(kind, 'editor', 'MISSING'),
        change(kind, 'editor', 'SIX', { path: '/covered' }),
        change(kind, 'otherEditor', 'SIX', { path: '/a' }),
      ].map((one) => outcomeOf(world, one));
      await commits.release();
      expect(await first).toMatchObject({ version });
      expect(await Promise.all(pile)).toMatchObject([
        { secretKey: 'TWO', version },
        { status: 'forbidden' },
        { secretKey: 'FOUR', version },
        { secretKey: 'FIVE', version },
        { code: 'secret.not_found' },
        { code: 'secret_approval.needed' },
        { secretKey: 'SIX', version },
      ]);
      expect(await writtenTogether(world)).toBe(4);
      const writers = (await stored(world)).secrets.flatMap(({ key, writer, deletedBy = writer, ofCommit }) =>
        ofCommit === 1 ? `${key} ${deletedBy as string}` : [],
      );
      expect(writers).toEqual(['FIVE person', 'FOUR admin', 'ONE admin', 'TWO editor', 'SIX otherEditor']);
    },
  );

  it('are one transaction where they delete many, each with a commit, without one whose name is missing', async () => {
    const world = await makeWorld();
    const commits = await holdCommits(world);
    const many = (by: Writer, key: string, ...others: string[]) => change('deleteBatch', by, key, { others });
    const first = outcomeOf(world, many('admin', 'ONE', 'ONE_PAIR'));
    await expect.poll(commits.blocked).toHaveLength(1);
    const pile = [
      many('editor', 'TWO', 'TWO_PAIR', 'SIX'),
      many('admin', 'THREE', 'MISSING', 'THREE_PAIR'),
      many('person', 'FOUR', 'FOUR_PAIR'),
      many('reader', 'FIVE', 'FIVE_PAIR'),
    ].map((one) => outcomeOf(world, one));
    await commits.release();
    expect(await first).toMatchObject({ secretKey: 'ONE', version: 1 });
    expect(await Promise.all(pile)).toMatchObject([
      { secretKey: 'TWO' },
      { code: 'secret.not_found', details: { keys: ['MISSING'] } },
      { secretKey: 'FOUR' },
      { status: 'forbidden' },
    ]);
    expect(await writtenTogether(world)).toBe(5);
    const deleted = (await stored(world)).secrets.flatMap(({ key, deletedBy, ofCommit }) =>
      deletedBy ? `${key} ${deletedBy as string} ${ofCommit as number}` : [],
    );
    expect(deleted).toEqual([
      ...['FOUR person 2', 'FOUR_PAIR person 2', 'ONE admin 2', 'ONE_PAIR admin 2'],
      ...['SIX editor 3', 'TWO editor 3', 'TWO_PAIR editor 3'],
    ]);
  });

  it('delete personal values, also one that is written after the lock', async () => {
    const world = await makeWorld();
    const client = await test.owner.connect();
    onTestFinished(() => client.release());
    await client.query('begin');
    await client.query('lock table approval_policies in access exclusive mode');
    const pile = ['ONE', 'TWO', 'THREE'].map((key) => outcomeOf(world, change('delete', 'admin', key)));
    pile.push(outcomeOf(world, change('delete', 'editor', PERSONAL, { path: '/a' })));
    const waiting = async () =>
      (await client.query('select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))')).rows;
    await expect.poll(waiting, { interval: 10 }).not.toHaveLength(0);
    await writePersonal(world.projectId, '/', 'TWO');
    await client.query('commit');
    expect(await Promise.all(pile)).toMatchObject(
      ['ONE', 'TWO', 'THREE', PERSONAL].map((secretKey) => ({ secretKey })),
    );
    const { rows } = await test.owner.query('select key from secrets where project_id = $1 and user_id is not null', [
      world.projectId,
    ]);
    expect(rows).toEqual([]);
    const deleted = (await stored(world)).secrets.flatMap(({ key, owner }) => (owner ? key : []));
    expect(deleted).toEqual(['TWO', PERSONAL]);
  });

  it('are one transaction where they create many, each with a commit, without one whose name exists', async () => {
    const world = await makeWorld();
    const commits = await holdCommits(world);
    const many = (by: Writer, ...[key, ...others]: [string, ...string[]]): Write => ({
      ...{ by, kind: 'createBatch', path: '/', key, others, value: `of ${by}` },
    });
    const first = outcomeOf(world, many('admin', 'A1', 'A2'));
    await expect.poll(commits.blocked).toHaveLength(1);
    const pile = [
      many('editor', 'B1', 'B2', 'B3'),
      many('admin', 'C1', 'TWO', 'C3', 'ONE'),
      many('otherEditor', 'D1', 'D2'),
      many('reader', 'E1', 'E2'),
    ].map((one) => outcomeOf(world, one));
    await commits.release();
    expect(await first).toMatchObject({ secretKey: 'A1', version: 1 });
    expect(await Promise.all(pile)).toMatchObject([
      { secretKey: 'B1', version: 1, isByCaller: true },
      { code: 'secret.exists', details: { keys: ['TWO', 'ONE'] } },
      { secretKey: 'D1', version: 1, isByCaller: true },
      { status: 'forbidden' },
    ]);
    expect(await writtenTogether(world)).toBe(5);
    const { secrets } = await stored(world);
    expect(
      secrets.flatMap(({ key, writer, isByCommitter, ofCommit }) =>
        /^[A-E]\d$/.test(key) ? `${key} ${writer as string} ${isByCommitter} ${ofCommit as number}` : [],
      ),
    ).toEqual([
      ...['A1 admin true 2', 'A2 admin true 2'],
      ...['B1 editor true 3', 'B2 editor true 3', 'B3 editor true 3'],
      ...['D1 otherEditor true 2', 'D2 otherEditor true 2'],
    ]);
  });

  it('name what others have created meanwhile', async () => {
    const world = await makeWorld();
    const client = await test.owner.connect();
    onTestFinished(() => client.release());
    await client.query('begin');
    await client.query(
      `insert into secrets (id, organization_id, project_id, folder_id, key, version, version_id, value, actor)
       select gen_random_uuid(), s.organization_id, s.project_id, folder_id, slug, 1, gen_random_uuid(), value, actor
       from (secrets s join folders f on f.id = s.folder_id and f.path = '/'), unnest(array['MEANWHILE', 'TOO']) slug
       where s.project_id = $1 and s.key = 'ONE'`,
      [world.projectId],
    );
    const batch = (key: string, ...others: string[]) =>
      outcomeOf(world, { by: 'admin', kind: 'createBatch', path: '/', key, others, value: 'v' });
    const outcomes = Promise.all([batch('FREE', 'MEANWHILE', 'TOO'), batch('OTHER', 'ANOTHER')]);
    const waiting = async () =>
      (await client.query('select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))')).rows;
    await expect.poll(waiting).not.toHaveLength(0);
    await client.query('commit');
    expect(await outcomes).toMatchObject([
      { code: 'secret.exists', details: { keys: ['MEANWHILE', 'TOO'] } },
      { secretKey: 'OTHER', version: 1 },
    ]);
  });

  it.for(CHANGES)('do not wait for a secret that somebody else has locked: $kind', async ({ kind, version }) => {
    const world = await makeWorld();
    const client = await test.owner.connect();
    onTestFinished(() => client.release());
    await client.query('begin');
    await client.query("select from secrets where project_id = $1 and key = 'TWO' for update", [world.projectId]);
    const [one, two, three] = ['ONE', 'TWO', 'THREE'].map((key) => outcomeOf(world, change(kind, 'admin', key)));
    expect(await Promise.all([one, three])).toMatchObject([{ version }, { version }]);
    await client.query('rollback');
    expect(await two).toMatchObject({ version });
    expect(await writtenTogether(world)).toBe(2);
  });

  it.for(CHANGES)('do not wait long for a transaction that gets no answer: $kind', async ({ kind, version }) => {
    const world = await makeWorld();
    const commits = await holdCommits(world);
    const waiting = async () => {
      const { rows } = await test.owner.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length;
    };
    const changes = (...keys: string[]) => keys.map((key) => outcomeOf(world, change(kind, 'admin', key)));
    const first = changes('ONE');
    await expect.poll(waiting).toBe(1);
    const second = changes('TWO', 'THREE');
    await expect.poll(waiting).toBe(2);
    // Until it is begun again, and waits as long as a call that is alone.
    await new Promise((resolve) => setTimeout(resolve, 2 * BRIEFLY_MS));
    const third = changes('FOUR', 'FIVE');
    await expect.poll(waiting).toBe(3);
    await commits.release();
    const outcomes = await Promise.all([...first, ...second, ...third]);
    expect(outcomes).toMatchObject(outcomes.map(() => ({ version })));
    expect(await writtenTogether(world)).toBe(4);
  });

  it('ask once for a connection where there is none', async () => {
    const world = await makeWorld();
    const pool: { connect(): Promise<unknown> } = test.coffer.pool;
    const connect = vi.spyOn(pool, 'connect').mockRejectedValue(new Error('connect ECONNREFUSED'));
    onTestFinished(() => connect.mockRestore());
    const outcomes = await Promise.allSettled(STORED.map((key) => outcomeOf(world, change('update', 'admin', key))));
    expect(outcomes.map(({ status }) => status)).toEqual(STORED.map(() => 'rejected'));
    expect(connect).toHaveBeenCalledTimes(1);
  });

  it.for(CHANGES)('are each done alone where the database refuses one of them: $kind', async ({ kind, version }) => {
    const world = await makeWorld();
    await test.owner.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused' using errcode = '22023'; end $$;
      create trigger refuse before ${kind} on secrets for each row when (old.key = 'TWO') execute function refuse()`);
    onTestFinished(async () => void (await test.owner.query('drop function refuse cascade')));
    const outcomes = await Promise.all(STORED.map((key) => outcomeOf(world, change(kind, 'admin', key))));
    expect(outcomes).toMatchObject(STORED.map((key) => (key === 'TWO' ? { code: 'input.unstorable' } : { version })));
  });

  it.for(CHANGES)(
    'are all there, or none of them and none is acknowledged, where the database goes away: $kind',
    async ({ kind, version }) => {
      const world = await makeWorld();
      const before = await stored(world);
      const commits = await holdCommits(world);
      const pile = Promise.allSettled(STORED.map((key) => outcomeOf(world, change(kind, 'editor', key))));
      await expect.poll(commits.blocked).toHaveLength(1);
      const [pid] = await commits.blocked();
      await test.coffer.pool.query('select pg_terminate_backend($1)', [pid]);
      const ends = await pile;
      const isAcknowledged = (end: PromiseSettledResult<object>) =>
        end.status === 'fulfilled' && 'version' in end.value;
      expect(ends.filter(isAcknowledged)).toEqual([]);
      await commits.release();
      expect(await stored(world)).toEqual(before);
      const again = await Promise.all(STORED.map((key) => outcomeOf(world, change(kind, 'editor', key))));
      expect(again).toMatchObject(STORED.map(() => ({ version })));
      expect(await writtenTogether(world)).toBeGreaterThan(1);
    },
  );
});

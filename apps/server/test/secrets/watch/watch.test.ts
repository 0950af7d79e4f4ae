import { commitsAfter } from '@coffer/domain';
import { makeUser, runs, searchTime } from '@coffer/domain/testing';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { EventReader } from '../../harness/event-reader.ts';
import { ACTIONS, ALL, place, VALUE, watching } from '../../harness/watching.ts';

const all = await watching();
const { setUp, subscribe, test } = all;
afterEach(() => all.hangUp());
afterAll(() => all.close());

describe('a subscription', () => {
  it('reports created, updated and deleted secrets, in order, and never their values', async () => {
    const { projectId, write, remove } = await setUp();
    const reader = await subscribe(projectId);
    expect([reader.status, reader.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect([reader.headers.get('x-accel-buffering'), reader.headers.get('cache-control')]).toEqual(['no', 'no-store']);
    expect(reader.frames).toEqual([{ id: expect.stringMatching(/^\d+$/) }]);
    await write(['A', 'B']);
    await write(['A']);
    await remove('B');
    await expect.poll(() => reader.told().length).toBe(3);
    expect(reader.frames[1]!.data).toEqual({
      projectType: 'secret-manager',
      data: { eventType: 'secret:create', payload: [place('A'), place('B')] },
    });
    expect(reader.told()).toEqual([
      ['secret:create', [place('A'), place('B')]],
      ['secret:update', [place('A')]],
      ['secret:delete', [place('B')]],
    ]);
    const ids = reader.frames.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(new Set(ids).size).toBe(ids.length);
    expect(JSON.stringify(reader.frames)).not.toContain(VALUE);
    const { rows } = await test.coffer.pool.query<{ published: string; data: object }>(
      `select published, data from audit_events where project_id = $1 and type = 'secrets.watched'`,
      [projectId],
    );
    expect(rows).toEqual([
      {
        published: 'subscribe-project-events',
        data: { register: ALL.map((event) => ({ event, environment: null, secretPath: null })) },
      },
    ]);
  });

  it('continues after an interruption, and loses nothing', async () => {
    const { projectId, write, remove } = await setUp();
    const first = await subscribe(projectId);
    await write(['A']);
    await expect.poll(() => first.told().length).toBe(1);
    first.close();
    await write(['B']);
    await remove('A');
    const again = await subscribe(projectId, { lastEventId: first.lastId() });
    await expect.poll(() => again.told().length).toBe(2);
    await write(['C']);
    await expect.poll(() => again.told().length).toBe(3);
    expect(again.told()).toEqual([
      ['secret:create', [place('B')]],
      ['secret:delete', [place('A')]],
      ['secret:create', [place('C')]],
    ]);
    // There is a position before the first event, too.
    const quiet = await subscribe(projectId);
    quiet.close();
    await write(['D']);
    const back = await subscribe(projectId, { more: { lastEventId: quiet.lastId() } });
    await expect.poll(() => back.told()).toEqual([['secret:create', [place('D')]]]);
  });

  it('refuses a position that is none, or that is not reached', async () => {
    const { projectId, write } = await setUp();
    await write(['A']);
    const status = async (lastEventId: string) => (await subscribe(projectId, { lastEventId })).status;
    expect(await Promise.all(['x', '-1', '1.5', '9'.repeat(30), '999'].map(status))).toEqual([400, 400, 400, 400, 400]);
    expect(await status('0')).toBe(200);
  });

  it('contains the requested events, environments and folders', async () => {
    const { projectId, write, remove, folder } = await setUp();
    await folder('app');
    await folder('db', '/app');
    const only = (event: string, conditions?: object) => subscribe(projectId, { register: [{ event, conditions }] });
    const readers = {
      created: await only('secret:create'),
      root: await only('secret:create', { environmentSlug: 'dev' }),
      prod: await only('secret:create', { environmentSlug: 'prod', secretPath: '/' }),
      app: await only('secret:create', { environmentSlug: 'dev', secretPath: '/app/' }),
      below: await only('secret:create', { secretPath: '/app/**' }),
      deleted: await only('secret:delete', { secretPath: '/**' }),
    };
    await write(['A']);
    await write(['B'], '/app');
    await write(['C'], '/app/db');
    await write(['D'], '/', 'prod');
    await remove('D', '/', 'prod');
    await expect.poll(() => readers.deleted.told().length).toBe(1);
    const keys = (reader: EventReader) =>
      reader.told().flatMap(([, payload]) => (payload as { secretKey: string }[]).map(({ secretKey }) => secretKey));
    await expect
      .poll(() => Object.fromEntries(Object.entries(readers).map(([name, reader]) => [name, keys(reader)])))
      .toEqual({
        created: ['A', 'B', 'C', 'D'],
        root: ['A'],
        prod: ['D'],
        app: ['B'],
        below: ['B', 'C'],
        deleted: ['D'],
      });
  });

  it('reports a renamed and a deleted folder by the secrets in them', async () => {
    const { projectId, write, folder, ok, at } = await setUp();
    const id = await folder('a');
    await folder('b', '/a');
    await write(['A'], '/a');
    await write(['B'], '/a/b');
    const reader = await subscribe(projectId);
    await ok('PATCH', `/api/v2/folders/${id}`, { ...at(), path: '/', name: 'c' });
    await ok('DELETE', '/api/v2/folders/c', { ...at(), path: '/' });
    await expect.poll(() => reader.told().length).toBe(3);
    const sorted = reader
      .told()
      .map(([event, payload]) => [
        event,
        (payload as { secretKey: string }[]).toSorted((x, y) => x.secretKey.localeCompare(y.secretKey)),
      ]);
    expect(sorted).toEqual([
      ['secret:delete', [place('A', '/a'), place('B', '/a/b')]],
      ['secret:create', [place('A', '/c'), place('B', '/c/b')]],
      ['secret:delete', [place('A', '/c'), place('B', '/c/b')]],
    ]);
    // A later subscriber gets the same events, with the state of that time.
    const later = await subscribe(projectId, { lastEventId: reader.frames[0]!.id });
    await expect.poll(() => later.told().length).toBe(3);
    expect(later.told()).toEqual(reader.told());
  });

  it('reports a deleted environment and a renamed secret as one place and another', async () => {
    const { projectId, write, folder, ok, at } = await setUp();
    await folder('a', '/', 'staging');
    await write(['A'], '/', 'staging');
    await write(['B'], '/a', 'staging');
    await write(['OLD']);
    const reader = await subscribe(projectId);
    await ok('PATCH', '/api/v4/secrets/OLD', { ...at(), newSecretName: 'NEW' });
    const { workspace } = await ok('GET', `/api/v1/workspace/${projectId}`);
    const staging = workspace.environments.find((one: { slug: string }) => one.slug === 'staging');
    await ok('DELETE', `/api/v1/workspace/${projectId}/environments/${staging.id}`);
    await expect.poll(() => reader.told().length).toBe(3);
    expect(reader.told().slice(0, 2)).toEqual([
      ['secret:delete', [place('OLD')]],
      ['secret:create', [place('NEW')]],
    ]);
    const [, gone] = reader.told()[2] as [string, unknown[]];
    expect(gone).toHaveLength(2);
    expect(gone).toEqual(expect.arrayContaining([place('A', '/', 'staging'), place('B', '/a', 'staging')]));
  });

  it('reports folders that import what was changed, directly or through others', async () => {
    const { projectId, write, folder, ok, at } = await setUp();
    await folder('a');
    await folder('b');
    const into = (path: string, environment: string, from: string) =>
      ok('POST', '/api/v2/secret-imports', { ...at(), path, import: { environment, path: from } });
    await into('/a', 'prod', '/');
    await into('/b', 'dev', '/a');
    const reader = await subscribe(projectId, { register: [{ event: 'secret:import-mutation' }] });
    await write(['A']);
    await write(['A'], '/', 'prod');
    await expect.poll(() => reader.told().length).toBe(2);
    expect(reader.told()).toEqual([
      ['secret:import-mutation', { environment: 'dev', secretPath: '/a' }],
      ['secret:import-mutation', { environment: 'dev', secretPath: '/b' }],
    ]);
    // A subscriber who cannot see the source gets no events of it here either.
    const blind = await test.identity({
      projectId,
      rules: [
        { subject: 'secrets', action: 'describeSecret', conditions: { environment: 'dev' } },
        { subject: 'secret-events', action: ACTIONS },
      ],
    });
    const deaf = await subscribe(projectId, { token: blind.token });
    await write(['B'], '/', 'prod');
    await write(['B'], '/');
    await expect.poll(() => deaf.told()).toEqual([['secret:create', [place('B')]]]);
  });

  it('does not disclose personal values, nor anything other than secrets', async () => {
    const { projectId, write, at, ok, folder } = await setUp();
    await write(['A']);
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    await ok('POST', `/api/v2/workspace/${projectId}/memberships`, {
      usernames: [user.email],
      emails: [],
      roleSlugs: ['admin'],
    });
    const reader = await subscribe(projectId, { token: user.token });
    const own = await test.as(user.token)('POST', '/api/v4/secrets/A', {
      ...at(),
      secretValue: 'own',
      type: 'personal',
    });
    expect(own.status).toBe(200);
    await folder('a');
    await ok('POST', `/api/v1/projects/${projectId}/tags`, { slug: 'x', color: '' });
    await write(['LAST']);
    await expect.poll(() => reader.told()).toEqual([['secret:create', [place('LAST')]]]);
  });

  it('splits a large commit into several events, from the last of which it can resume', async () => {
    const { projectId, write } = await setUp();
    const reader = await subscribe(projectId);
    await write(Array.from({ length: 1200 }, (_, at) => `KEY_${at}`));
    await expect.poll(() => reader.told().length).toBe(3);
    expect(reader.told().map(([, payload]) => (payload as unknown[]).length)).toEqual([500, 500, 200]);
    const [start, first, second, last] = reader.frames.map(({ id }) => Number(id));
    expect([first, second, last]).toEqual([start, start, start! + 1]);
    const again = await subscribe(projectId, { lastEventId: String(second) });
    await expect.poll(() => again.told().length).toBe(3);
  });

  it('reads a long history in small parts, and reports all of it', async () => {
    const { projectId, write, folder, ok, at } = await setUp();
    const id = await folder('a');
    const keys = Array.from({ length: 2500 }, (_, index) => `KEY_${index}`);
    for (let count = 0; count < 5; count++) await write(keys, '/a');
    for (const name of ['b', 'c']) {
      const { environment } = at();
      await ok('PATCH', `/api/v2/folders/${id}`, { projectId, environment, path: '/', name });
    }
    const { organizationId } = test;
    const ctx = test.coffer.contextFor({ type: 'platform', organizationId });
    const counts: number[] = [];
    let revision = 0n;
    for (let isMore = true; isMore;) {
      const read = await commitsAfter(ctx, { projectId }, revision, 50);
      counts.push(...read.commits.map(({ changes }) => changes.length));
      expect(read.commits.slice(0, -1).reduce((sum, { changes }) => sum + changes.length, 0)).toBeLessThan(10_000);
      revision = read.commits.at(-1)?.revision ?? revision;
      ({ isMore } = read);
    }
    expect(counts.filter((count) => count > 0)).toEqual(Array(7).fill(2500));
    const reader = await subscribe(projectId, { lastEventId: '0' });
    await expect.poll(() => reader.told().length, { timeout: 30_000 }).toBe((5 + 2 * 2) * 5);
  });
});

describe('all notifications about a project', () => {
  const KEYS = ['A', 'B', 'C'];
  const PLACES = ['/', '/a', '/a/b'];
  type World = Awaited<ReturnType<typeof setUp>>;
  interface Drawn {
    readonly pick: number;
    readonly other: number;
  }
  /** Writes of every kind by which secrets come, go and move. Some find nothing to write to. */
  const WRITES: Readonly<Record<string, (world: World, drawn: Drawn) => Promise<unknown>>> = {
    write: ({ at }, { pick, other }) =>
      test.admin('PATCH', '/api/v4/secrets/batch', {
        ...at(PLACES[other % 3]),
        mode: 'upsert',
        secrets: KEYS.slice(pick % 3).map((secretKey) => ({ secretKey, secretValue: `${pick} \${dev.a.A}` })),
      }),
    remove: ({ at }, { pick, other }) =>
      test.admin('DELETE', `/api/v4/secrets/${KEYS[pick % 3]}`, at(PLACES[other % 3])),
    rename: ({ at }, { pick, other }) =>
      test.admin('PATCH', '/api/v4/secrets/batch', {
        ...at(PLACES[other % 3]),
        // Two exchange their names.
        secrets: [
          { secretKey: KEYS[pick % 3], newSecretName: KEYS[(pick + 1) % 3] },
          { secretKey: KEYS[(pick + 1) % 3], newSecretName: KEYS[pick % 3] },
        ],
      }),
    move: async ({ at, projectId }, { pick, other }) => {
      const from = at(PLACES[other % 3]);
      const listed = await test.admin('GET', `/api/v4/secrets?${new URLSearchParams(from).toString()}`);
      return test.admin('POST', '/api/v4/secrets/move', {
        projectId,
        sourceEnvironment: 'dev',
        sourceSecretPath: from.secretPath,
        destinationEnvironment: pick % 2 ? 'dev' : 'staging',
        destinationSecretPath: pick % 2 ? PLACES[pick % 3] : '/',
        secretIds: (listed.body.secrets ?? []).map((secret: { id: string }) => secret.id),
        shouldOverwrite: true,
      });
    },
    makeFolder: ({ projectId }, { pick }) =>
      test.admin('POST', '/api/v2/folders', {
        projectId,
        environment: 'dev',
        ...(pick % 2 ? { path: '/', name: 'a' } : { path: '/a', name: 'b' }),
      }),
    renameFolder: async ({ projectId, at }, { pick }) => {
      const { body } = await test.admin('GET', `/api/v2/folders?projectId=${projectId}&environment=dev`);
      for (const { id } of (body.folders ?? []).slice(0, 1))
        await test.admin('PATCH', `/api/v2/folders/${id}`, { ...at(), path: '/', name: pick % 2 ? 'a' : `x${pick}` });
    },
    dropFolder: async ({ projectId, at }, { pick }) => {
      const { body } = await test.admin('GET', `/api/v2/folders?projectId=${projectId}&environment=dev`);
      for (const { id } of (body.folders ?? []).slice(pick % 2, 1 + (pick % 2)))
        await test.admin('DELETE', `/api/v2/folders/${id}`, { ...at(), path: '/' });
    },
    dropEnvironment: async ({ projectId }, { pick }) => {
      const { body } = await test.admin('GET', `/api/v1/workspace/${projectId}`);
      const staging = body.workspace.environments.find((one: { slug: string }) => one.slug === 'staging');
      if (pick === 0 && staging)
        await test.admin('DELETE', `/api/v1/workspace/${projectId}/environments/${staging.id}`);
    },
    restore: ({ projectId }, { pick }) =>
      test.admin('POST', `/api/v1/projects/${projectId}/history/restore`, {
        environment: 'dev',
        secretPath: '/',
        revision: 1 + pick,
      }),
  };

  /** The state that a subscriber derives: each event applied, one after the other. */
  function known(reader: EventReader): string[] {
    const there = new Set<string>();
    for (const [event, payload] of reader.told()) {
      for (const { environment, secretPath, secretKey } of payload as ReturnType<typeof place>[]) {
        const name = `${environment} ${secretPath} ${secretKey}`;
        const wasThere = there.has(name);
        if (event === 'secret:delete') there.delete(name);
        else there.add(name);
        // Nothing existing is created, nothing missing is deleted or changed.
        expect([event, name, wasThere]).toEqual([event, name, event !== 'secret:create']);
      }
    }
    return [...there].toSorted();
  }

  it(
    'results in the current state when events are applied in order, live and afterwards',
    async () => {
      const drawn = fc.record({
        write: fc.constantFrom('write', 'write', ...Object.keys(WRITES)),
        pick: fc.nat(5),
        other: fc.nat(2),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(drawn, { minLength: 10, maxLength: 25 }), async (writes) => {
          const world = await setUp();
          const { projectId } = world;
          const register = ['secret:create', 'secret:update', 'secret:delete'].map((event) => ({ event }));
          const live = await subscribe(projectId, { register });
          await world.folder('a');
          for (const { write, ...rest } of writes) await WRITES[write]!(world, rest);
          await world.write(['LAST']);
          const isDone = (reader: EventReader) =>
            JSON.stringify(reader.told().at(-1)) === JSON.stringify(['secret:create', [place('LAST')]]);
          await expect.poll(() => isDone(live)).toBe(true);
          const afterwards = await subscribe(projectId, { register, lastEventId: '0' });
          await expect.poll(() => isDone(afterwards)).toBe(true);
          const there: string[] = [];
          for (const environment of ['dev', 'staging', 'prod']) {
            const url = `/api/v4/secrets?projectId=${projectId}&environment=${environment}&recursive=true`;
            for (const secret of (await test.admin('GET', url)).body.secrets ?? [])
              there.push(`${environment} ${secret.secretPath} ${secret.secretKey}`);
          }
          expect(known(live)).toEqual(there.toSorted());
          expect(known(afterwards)).toEqual(there.toSorted());
          live.close();
          afterwards.close();
        }),
        // Shrinking would take as long as the test may last, because each example waits.
        { numRuns: runs(4, 150), endOnFailure: true },
      );
    },
    searchTime(300_000),
  );
});

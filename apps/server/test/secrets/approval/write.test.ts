import { describe, expect, it } from 'vitest';
import { approvalTests, type Approvals, type Member } from '../../harness/approvals.ts';
import { ok } from '../../harness/groups.ts';
import type { Answer, TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let of: Approvals;
let author: Member;
let approver: Member;
approvalTests(async (project) => {
  [test, of] = [project.test, project];
  [author, approver] = [await of.member(), await of.member()];
});

/** Everything that a write could have changed. */
async function everything(): Promise<unknown> {
  const tables = ['secrets', 'secret_versions', 'folders', 'secret_imports', 'secret_references', 'commits'];
  const rows = await Promise.all(
    tables.map((table) =>
      test.coffer.pool.query(`select * from ${table} t where project_id = $1 order by t::text`, [of.project.id]),
    ),
  );
  return rows.map((one) => one.rows);
}

/** Does something that a policy covers: it is answered with a request, and has changed nothing. */
async function asked(write: () => Promise<Answer>): Promise<Record<string, unknown>> {
  const before = await everything();
  const { approval } = await ok(write());
  expect(await everything()).toEqual(before);
  return approval;
}

/** Approves and merges the request. */
async function merged({ id }: { id?: unknown }): Promise<void> {
  await ok(of.review(approver.call, String(id)));
  expect((await ok(of.merge(approver.call, String(id)))).approval).toMatchObject({ hasMerged: true, status: 'close' });
}

describe('a write to a covered folder', () => {
  it('by a user returns the published approval, and changes nothing', async () => {
    const policy = await of.policy([approver]);
    const approval = await asked(() => of.write(author.call, 'KEY', 'zvaluez'));
    expect(approval).toEqual({
      id: expect.any(String),
      policyId: policy.id,
      hasMerged: false,
      status: 'open',
      conflicts: null,
      slug: expect.stringMatching(/^[a-z0-9]+$/),
      folderId: expect.any(String),
      bypassReason: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      isReplicated: false,
      committerUserId: author.id,
      committerIdentityId: null,
      committerServiceTokenId: null,
      statusChangedByUserId: null,
    });
    await merged(approval);
    expect(await of.values()).toEqual({ KEY: 'zvaluez' });
  });

  it('elsewhere, and of a personal value, is done directly', async () => {
    await of.policy([approver], { secretPath: '/app' });
    await of.folder('/', 'app');
    await of.secret('SHARED', 'shared', '/app');
    expect((await ok(of.write(author.call, 'A', '1'))).secret.secretValue).toBe('1');
    expect((await ok(of.write(author.call, 'A', '1', '/', 'dev'))).secret.secretValue).toBe('1');
    const own = { ...of.place('/app'), type: 'personal', secretValue: 'mine' };
    expect((await ok(author.call('POST', '/api/v4/secrets/SHARED', own))).secret.type).toBe('personal');
    expect(
      (await ok(author.call('PATCH', '/api/v4/secrets/SHARED', { ...own, secretValue: 'other' }))).secret.secretValue,
    ).toBe('other');
    expect((await ok(author.call('DELETE', '/api/v4/secrets/SHARED', own))).secret.secretValue).toBe('other');
  });

  const v3 = () => ({ workspaceId: of.project.id, environment: 'prod', secretPath: '/' });
  const cases: Record<string, [write: () => Promise<Answer>, after: Record<string, string>]> = {
    'create (v4)': [() => of.write(author.call, 'NEW', 'new'), { OLD: 'old', OTHER: 'other', NEW: 'new' }],
    'update (v4)': [
      () => author.call('PATCH', '/api/v4/secrets/OLD', { ...of.place(), secretValue: 'x', newSecretName: 'RENAMED' }),
      { RENAMED: 'x', OTHER: 'other' },
    ],
    'delete (v4)': [() => author.call('DELETE', '/api/v4/secrets/OLD', of.place()), { OTHER: 'other' }],
    'create in a batch (v4)': [
      () =>
        author.call('POST', '/api/v4/secrets/batch', {
          ...of.place(),
          secrets: [
            { secretKey: 'A', secretValue: '1' },
            { secretKey: 'B', secretValue: '2' },
          ],
        }),
      { OLD: 'old', OTHER: 'other', A: '1', B: '2' },
    ],
    'update in a batch (v4)': [
      () =>
        author.call('PATCH', '/api/v4/secrets/batch', {
          ...of.place(),
          mode: 'upsert',
          secrets: [
            { secretKey: 'OLD', newSecretName: 'OTHER' },
            { secretKey: 'OTHER', newSecretName: 'OLD' },
            { secretKey: 'MADE', secretValue: 'made' },
          ],
        }),
      { OTHER: 'old', OLD: 'other', MADE: 'made' },
    ],
    'delete in a batch (v4)': [
      () =>
        author.call('DELETE', '/api/v4/secrets/batch', {
          ...of.place(),
          secrets: [{ secretKey: 'OLD' }, { secretKey: 'OTHER' }],
        }),
      {},
    ],
    'create (v3)': [
      () => author.call('POST', '/api/v3/secrets/raw/NEW', { ...v3(), secretValue: 'new' }),
      { OLD: 'old', OTHER: 'other', NEW: 'new' },
    ],
    'update (v3)': [
      () => author.call('PATCH', '/api/v3/secrets/raw/OLD', { ...v3(), secretValue: 'x' }),
      { OLD: 'x', OTHER: 'other' },
    ],
    'delete (v3)': [() => author.call('DELETE', '/api/v3/secrets/raw/OLD', v3()), { OTHER: 'other' }],
    'create in a batch (v3)': [
      () =>
        author.call('POST', '/api/v3/secrets/batch/raw', { ...v3(), secrets: [{ secretKey: 'A', secretValue: '1' }] }),
      { OLD: 'old', OTHER: 'other', A: '1' },
    ],
    'update in a batch (v3)': [
      () =>
        author.call('PATCH', '/api/v3/secrets/batch/raw', {
          ...v3(),
          secrets: [{ secretKey: 'OLD', secretValue: 'x' }],
        }),
      { OLD: 'x', OTHER: 'other' },
    ],
    'delete in a batch (v3)': [
      () => author.call('DELETE', '/api/v3/secrets/batch/raw', { ...v3(), secrets: [{ secretKey: 'OLD' }] }),
      { OTHER: 'other' },
    ],
  };
  it.each(Object.keys(cases))('waits for its approval, and is done then: %s', async (name) => {
    await of.secret('OLD', 'old');
    await of.secret('OTHER', 'other');
    await of.policy([approver]);
    const [write, after] = cases[name]!;
    await merged(await asked(write));
    expect(await of.values()).toEqual(after);
  });

  it('keeps added and removed tags for its approval', async () => {
    await of.secret('OLD', 'old');
    await ok(test.admin('POST', `/api/v1/projects/${of.project.id}/tags`, { slug: 'blue', color: '' }));
    await of.policy([approver]);
    const tag = (method: 'POST' | 'DELETE') =>
      author.call(method, '/api/v3/secrets/tags/OLD', { ...v3(), tagSlugs: ['blue'] });
    const tags = async () => {
      const query = new URLSearchParams(of.place()).toString();
      const { secret } = await ok(test.admin('GET', `/api/v4/secrets/OLD?${query}`));
      return secret.tags.map(({ slug }: { slug: string }) => slug);
    };
    await merged(await asked(() => tag('POST')));
    expect(await tags()).toEqual(['blue']);
    await merged(await asked(() => tag('DELETE')));
    expect(await tags()).toEqual([]);
  });

  it('by moving or copying waits where either folder is covered', async () => {
    await of.policy([approver]);
    const move = (secretIds: string[], from: string, to: string, verb = 'move', shouldOverwrite = false) =>
      author.call('POST', `/api/v4/secrets/${verb}`, {
        projectId: of.project.id,
        sourceEnvironment: from,
        sourceSecretPath: '/',
        destinationEnvironment: to,
        destinationSecretPath: '/',
        secretIds,
        shouldOverwrite,
      });
    const { id: a } = await of.secret('A', 'a', '/', 'dev');
    await of.secret('REF', '${dev.A}', '/', 'staging');
    const into = await test.admin('POST', '/api/v4/secrets/B', { ...of.place(), secretValue: 'b' });

    const approval = await asked(async () => {
      const answer = await move([a], 'dev', 'prod');
      expect(answer.body).toMatchObject({ isSourceUpdated: false, isDestinationUpdated: false });
      return answer;
    });
    await merged(approval);
    expect(await of.values()).toEqual({ A: 'a', B: 'b' });
    expect(await of.values('/', 'staging')).toEqual({ REF: '${prod.A}' });

    await merged(await asked(() => move([into.body.secret.id], 'prod', 'dev')));
    expect([await of.values(), await of.values('/', 'dev')]).toEqual([{ A: 'a' }, { B: 'b' }]);
    const { id: c } = await of.secret('A', 'c', '/', 'dev');
    await merged(await asked(() => move([c], 'dev', 'prod', 'duplicate', true)));
    expect(await of.values()).toEqual({ A: 'c' });
    await ok(move([c], 'dev', 'staging'));
  });

  it('by renaming or deleting a folder is requested if it, its contents, or its new path is covered', async () => {
    await of.policy([approver], { secretPath: '/app/**' });
    for (const [path, name] of [
      ['/', 'app'],
      ['/app', 'deep'],
      ['/', 'free'],
    ] as const)
      await of.folder(path, name);
    await of.secret('X', 'x', '/app/deep');
    const list = async () =>
      (await ok(test.admin('GET', `/api/v2/folders?projectId=${of.project.id}&environment=prod&path=/&recursive=true`)))
        .folders as { id: string; name: string; relativePath: string }[];
    const idOf = async (name: string) => (await list()).find((one) => one.name === name)!.id;
    const rename = async (name: string, to: string, path = '/') =>
      author.call('PATCH', `/api/v2/folders/${await idOf(name)}`, {
        projectId: of.project.id,
        environment: 'prod',
        path,
        name: to,
      });
    await ok(rename('free', 'free2'));
    await merged(await asked(() => rename('deep', 'deeper', '/app')));
    expect(await of.values('/app/deeper')).toEqual({ X: 'x' });

    const batch = async (projectSlug: string) =>
      author.call('PATCH', '/api/v2/folders/batch', {
        projectSlug,
        folders: [{ id: await idOf('app'), environment: 'prod', name: 'moved' }],
      });
    await merged(await asked(() => batch(of.project.slug)));
    expect(await of.values('/moved/deeper')).toEqual({ X: 'x' });
    // Now nothing of it is covered, except its new name.
    const legacy = async (name: string) =>
      author.call('PATCH', `/api/v1/folders/${await idOf('moved')}`, {
        workspaceId: of.project.id,
        environment: 'prod',
        name,
      });
    await merged(await asked(() => legacy('app')));
    const drop = async (url: string, name: string, project: object) =>
      author.call('DELETE', `${url}/${await idOf(name)}`, { ...project, environment: 'prod' });
    await merged(await asked(() => drop('/api/v1/folders', 'deeper', { workspaceId: of.project.id })));
    await merged(await asked(() => drop('/api/v2/folders', 'app', { projectId: of.project.id })));
    expect((await list()).map(({ name }) => name)).toEqual(['free2']);
    await ok(drop('/api/v2/folders', 'free2', { projectId: of.project.id }));
  });

  it('by making, changing or removing an import waits, on the paths of both generations', async () => {
    await of.policy([approver]);
    const versions = [
      ['/api/v1/secret-imports', { workspaceId: of.project.id }],
      ['/api/v2/secret-imports', { projectId: of.project.id }],
    ] as const;
    const imports = async () =>
      (await ok(test.admin('GET', `/api/v2/secret-imports?projectId=${of.project.id}&environment=prod&path=/`)))
        .secretImports as { id: string; importPath: string; importEnv: { slug: string } }[];
    for (const [url, project] of versions) {
      const here = { ...project, environment: 'prod', path: '/' };
      const make = () => author.call('POST', url, { ...here, import: { environment: 'dev', path: '/' } });
      await merged(await asked(make));
      const [made] = await imports();
      const change = () =>
        author.call('PATCH', `${url}/${made!.id}`, { ...here, import: { environment: 'staging', path: '/' } });
      await merged(await asked(change));
      expect((await imports()).map((one) => one.importEnv.slug)).toEqual(['staging']);
      await merged(await asked(() => author.call('DELETE', `${url}/${made!.id}`, here)));
      expect(await imports()).toEqual([]);
    }
  });

  it('by a restoration is requested, too', async () => {
    await of.folder('/', 'app');
    await of.folder('/app', 'deep');
    await of.secret('A', 'first', '/app');
    await of.secret('B', 'first', '/app/deep');
    const { commits } = await ok(
      test.admin('GET', `/api/v1/projects/${of.project.id}/commits?environment=prod&secretPath=/app/deep`),
    );
    const { revision } = commits[0];
    await ok(test.admin('PATCH', '/api/v4/secrets/A', { ...of.place('/app'), secretValue: 'second' }));
    const folders = `/api/v2/folders`;
    const query = `projectId=${of.project.id}&environment=prod&path=/app`;
    const [deep] = (await ok(test.admin('GET', `${folders}?${query}`))).folders;
    const rename = { projectId: of.project.id, environment: 'prod', path: '/app', name: 'other' };
    await ok(test.admin('PATCH', `${folders}/${deep.id}`, rename));
    await of.policy([approver], { secretPath: '/app/**' });
    const restore = () =>
      author.call('POST', `/api/v1/projects/${of.project.id}/history/restore`, { ...of.place('/app'), revision });
    await merged(await asked(restore));
    expect([await of.values('/app'), await of.values('/app/deep')]).toEqual([{ A: 'first' }, { B: 'first' }]);
  });

  it('has the same errors as without coverage', async () => {
    await of.secret('TAKEN', '1');
    await of.secret('HIDDEN', '2', '/', 'staging');
    const limited = await of.member([
      {
        subject: 'secrets',
        action: ['describeSecret', 'readValue', 'edit', 'delete'],
        conditions: { environment: 'prod' },
      },
      { subject: 'secrets', action: 'create', conditions: { environment: 'prod', secretName: { $glob: 'MY_*' } } },
    ]);
    const post = (name: string, more: object) => () =>
      limited.call('POST', `/api/v4/secrets/${name}`, { ...of.place(), secretValue: 'x', ...more });
    const writes: (() => Promise<Answer>)[] = [
      post('OTHER', {}),
      post('MY_A', { secretPath: '/nowhere' }),
      post('MY_A', { tagIds: ['no-tag'] }),
      post('MY_A', { secretValue: '${staging.HIDDEN}' }),
      post('MY_A', { secretValue: '${MY_A}' }),
      post('MY_A', { secretValue: 'x'.repeat(1024 * 1024 + 1) }),
      post('MY_A', { environment: 'none' }),
      () => author.call('POST', '/api/v4/secrets/TAKEN', { ...of.place(), secretValue: 'x' }),
      () =>
        author.call('POST', '/api/v4/secrets/batch', {
          ...of.place(),
          secrets: [
            { secretKey: 'TWICE', secretValue: '1' },
            { secretKey: 'TWICE', secretValue: '2' },
          ],
        }),
      () => author.call('PATCH', '/api/v4/secrets/NONE', { ...of.place(), secretValue: 'x' }),
      () => author.call('DELETE', '/api/v4/secrets/NONE', of.place()),
      () => limited.call('DELETE', '/api/v2/folders/none', { projectId: of.project.id, environment: 'prod' }),
      () =>
        author.call('POST', '/api/v2/secret-imports', {
          projectId: of.project.id,
          environment: 'prod',
          path: '/',
          import: { environment: 'prod', path: '/' },
        }),
    ];
    const answers = async () =>
      Promise.all(
        writes.map(async (write) => {
          const { status, body } = await write();
          return { status, body: { ...body, reqId: '' } };
        }),
      );
    const before = await answers();
    expect(before.filter(({ status }) => status < 400)).toEqual([]);
    await of.policy([approver]);
    expect(await answers()).toEqual(before);
    expect(
      await ok(approver.call('GET', `/api/v1/secret-approval-requests/count?workspaceId=${of.project.id}`)),
    ).toEqual({
      approvals: { open: 0, closed: 0 },
    });
  });

  it('needs its permissions: 401 and 404 come first', async () => {
    await of.policy([approver]);
    expect((await of.write(test.as(), 'A', '1')).status).toBe(401);
    const { call } = await test.foreign();
    expect((await of.write(call, 'A', '1')).status).toBe(404);
    const outsider = await of.member('no-access');
    expect((await of.write(outsider.call, 'A', '1')).status).toBe(403);
  });

  it('needs no approval if it only follows its target', async () => {
    await of.secret('A', 'a', '/', 'dev');
    await of.secret('REF', '${dev.A}');
    await of.policy([approver]);
    await ok(author.call('PATCH', '/api/v4/secrets/A', { ...of.place('/', 'dev'), newSecretName: 'B' }));
    expect(await of.values()).toEqual({ REF: '${dev.B}' });
    await ok(
      test.admin('PATCH', `/api/v1/projects/${of.project.id}/environments/${await environmentId('dev')}`, {
        slug: 'dev2',
      }),
    );
    expect(await of.values()).toEqual({ REF: '${dev2.B}' });
  });

  it.each(['a secret', 'an import', 'nothing yet'])(
    'cannot be had by deleting the environment, or by giving its slug to another one, where there is %s',
    async (what) => {
      if (what === 'a secret') await of.secret('A', 'a');
      if (what === 'an import')
        await ok(
          test.admin('POST', '/api/v2/secret-imports', {
            projectId: of.project.id,
            environment: 'prod',
            path: '/',
            import: { environment: 'staging', path: '/' },
          }),
        );
      await of.policy([approver]);
      const url = `/api/v1/projects/${of.project.id}/environments/${await environmentId('prod')}`;
      const refusal = {
        status: 400,
        body: { message: expect.stringContaining('A change policy covers / in prod') },
      };
      const admin = await of.member('admin');
      expect(await admin.call('DELETE', url)).toMatchObject(refusal);
      expect(await author.call('PATCH', url, { slug: 'was-prod' })).toMatchObject(refusal);
      await ok(author.call('PATCH', url, { name: 'Production', position: 1 }));
      expect((await of.write(author.call, 'NEW', 'new')).body.approval).toMatchObject({ status: 'open' });
      await ok(test.admin('PATCH', url, { slug: 'was-prod' }));
      await ok(test.admin('DELETE', url));
    },
  );

  const environmentId = async (slug: string): Promise<string> => {
    const { rows } = await test.coffer.pool.query<{ id: string }>(
      'select id from environments where project_id = $1 and slug = $2',
      [of.project.id, slug],
    );
    return rows[0]!.id;
  };

  it('may be of thousands of secrets', async () => {
    await of.policy([approver]);
    const secrets = Array.from({ length: 5000 }, (_, index) => ({ secretKey: `K${index}`, secretValue: `${index}` }));
    const { id } = await asked(() => author.call('POST', '/api/v4/secrets/batch', { ...of.place(), secrets }));
    await merged({ id });
    expect(Object.keys(await of.values())).toHaveLength(5000);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { approvalTests, type Approvals, type Member } from '../../harness/approvals.ts';
import { ok, same } from '../../harness/groups.ts';
import type { TestServer } from '../../harness/test-server.ts';

const URL = '/api/v1/secret-approval-requests';

let test: TestServer;
let of: Approvals;
let author: Member;
let ann: Member;
let bob: Member;
const groups = approvalTests(async (project) => {
  [test, of] = [project.test, project];
  [author, ann, bob] = [await of.member(), await of.member(), await of.member()];
});

describe('the requests of a project', () => {
  it('are listed newest first, in pages, filtered and counted, for everyone involved', async () => {
    const policy = await of.policy([ann]);
    await of.policy([bob], { environment: 'dev' });
    const first = await of.ask(author.call, 'A', '1');
    const second = await of.ask(ann.call, 'B', '2');
    const third = (await ok(of.write(author.call, 'C', '3', '/', 'dev'))).approval.id;
    await ok(of.status(author.call, first, 'close'));

    const ids = async (call: Member['call'], query = '') =>
      (await of.requests(call, query)).map(({ id }: { id: string }) => id);
    expect(await ids(test.admin)).toEqual([third, second, first]);
    expect(await ids(test.admin, '&limit=1&offset=1')).toEqual([second]);
    expect(await ids(test.admin, '&status=open')).toEqual([third, second]);
    expect(await ids(test.admin, '&status=close')).toEqual([first]);
    expect(await ids(test.admin, '&environment=dev')).toEqual([third]);
    expect(await ids(test.admin, `&committer=${ann.id}`)).toEqual([second]);
    expect(await ids(test.admin, '&committer=nobody')).toEqual([]);
    const count = async (call: Member['call']) =>
      (await ok(call('GET', `${URL}/count?workspaceId=${of.project.id}`))).approvals;
    expect(await count(test.admin)).toEqual({ open: 2, closed: 1 });

    // Without the permission to see all, a caller sees those that it created or may approve.
    const role = [{ subject: 'secrets', action: ['create', 'edit', 'describeSecret'] }];
    const [cat, dan] = [await of.member(role), await of.member(role)];
    await ok(
      test.admin('PATCH', `/api/v1/secret-approvals/${policy.id}`, {
        approvers: [
          { type: 'user', id: ann.id },
          { type: 'user', id: dan.id },
        ],
      }),
    );
    const own = await of.ask(cat.call, 'D', '4');
    expect(await ids(cat.call)).toEqual([own]);
    expect(await count(cat.call)).toEqual({ open: 1, closed: 0 });
    expect(await ids(dan.call)).toEqual([own, second, first]);
    expect((await of.get(cat.call, second)).status).toBe(403);
  });

  it('have every published field', async () => {
    const policy = await of.policy([ann], { name: 'Four eyes', secretPath: '/**' });
    await of.secret('OLD', 'old');
    const { body } = await author.call('PATCH', '/api/v4/secrets/batch', {
      ...of.place(),
      mode: 'upsert',
      secrets: [
        { secretKey: 'OLD', secretValue: 'new' },
        { secretKey: 'MADE', secretValue: 'made' },
      ],
    });
    const { id } = body.approval;
    await ok(of.review(ann.call, id, 'approved', { comment: 'Fine' }));
    const person = {
      userId: author.id,
      username: author.email,
      email: author.email,
      firstName: 'Ann',
      lastName: 'Lee',
    };
    const shown = {
      id: policy.id,
      name: 'Four eyes',
      secretPath: '/**',
      approvals: 1,
      envId: policy['envId'],
      enforcementLevel: 'hard',
      allowedSelfApprovals: false,
      deletedAt: null,
      approvers: [{ userId: ann.id }],
    };
    const expected = {
      ...body.approval,
      updatedAt: expect.any(String),
      version: 1,
      policy: shown,
      policies: [shown],
      committer: { type: 'user', id: author.id, name: author.email },
      environment: 'prod',
      secretPath: '/',
      committerUser: person,
      reviewers: [{ userId: ann.id, status: 'approved', comment: 'Fine', isCounted: true }],
      approvers: [{ userId: ann.id }],
      isApproved: true,
    };
    const commit = {
      kind: 'secret',
      environment: 'prod',
      secretPath: '/',
      isFollowing: false,
      id: expect.any(String),
    };
    const made = { ...commit, op: 'create', secretKey: 'MADE', secretId: null, secretVersion: null };
    const updated = { ...commit, op: 'update', secretKey: 'OLD', secretId: expect.any(String), secretVersion: 1 };
    expect(await of.requests()).toEqual([{ ...expected, commits: [made, updated], commitCount: 2 }]);
    const side = {
      environment: 'prod',
      secretPath: '/',
      secretComment: '',
      secretMetadata: [],
      metadata: null,
      tags: [],
      skipMultilineEncoding: false,
      secretReminderNote: null,
      secretReminderRepeatDays: null,
      secretReminderRecipients: null,
    };
    expect((await ok(of.get(ann.call, id))).approval).toEqual({
      ...expected,
      statusChangedByUser: null,
      commits: [
        {
          ...made,
          before: null,
          after: { ...side, secretKey: 'MADE', secretValue: 'made' },
          changed: [],
          secretValueHidden: false,
        },
        {
          ...updated,
          before: { ...side, secretKey: 'OLD', secretValue: 'old' },
          after: { ...side, secretKey: 'OLD', secretValue: 'new' },
          changed: ['secretValue'],
          secretValueHidden: false,
        },
      ],
    });
    expect(await of.events('get-secret-approval-request')).toEqual([
      {
        ...{ requestId: id, slug: body.approval.slug, policyId: policy.id },
        ...{ environment: 'prod', secretPath: '/', numberOfValues: 3 },
        secrets: [
          { secretKey: 'MADE', secretId: null, secretVersion: null },
          { secretKey: 'OLD', secretId: updated.secretId, secretVersion: 1 },
          { secretKey: 'OLD', secretId: updated.secretId, secretVersion: null },
        ],
      },
    ]);
  });

  it('are rejected without a token, for non-members, and unknown to them', async () => {
    await of.policy([ann]);
    const id = await of.ask(author.call, 'A', '1');
    const foreign = await test.foreign();
    const stranger = await groups.person();
    const calls = [
      ['GET', `${URL}?workspaceId=${of.project.id}`],
      ['GET', `${URL}/count?workspaceId=${of.project.id}`],
      ['GET', `${URL}/${id}`],
      ['POST', `${URL}/${id}/review`, { status: 'approved' }],
      ['POST', `${URL}/${id}/merge`, {}],
      ['POST', `${URL}/${id}/status`, { status: 'close' }],
    ] as const;
    for (const [method, url, body] of calls) {
      expect([url, (await test.as()(method, url, body)).status]).toEqual([url, 401]);
      expect([url, (await stranger.call(method, url, body)).status]).toEqual([url, 404]);
    }
    for (const [method, url] of calls.slice(0, 3))
      expect([url, (await foreign.call(method, url)).status]).toEqual([url, 404]);
    await same(foreign.call, 'GET', `${URL}/${id}`, `${URL}/${randomUUID()}`);
    for (const [rest, body] of [
      ['review', { status: 'approved' }],
      ['merge', {}],
      ['status', { status: 'close' }],
    ] as const) {
      await same(stranger.call, 'POST', `${URL}/${id}/${rest}`, `${URL}/${randomUUID()}/${rest}`, body);
      await same(stranger.call, 'POST', `${URL}/${id}/${rest}`, `${URL}/nonsense/${rest}`, body);
      const machine = await test.identity({ projectId: of.project.id, projectRole: 'member' });
      expect((await machine.call('POST', `${URL}/${id}/${rest}`, body)).status).toBe(403);
      const nobody = await of.member('no-access');
      expect((await nobody.call('POST', `${URL}/${id}/${rest}`, body)).status).toBe(403);
    }
    // Users alone approve.
    expect((await test.admin('POST', `${URL}/${id}/review`, { status: 'approved' })).status).toBe(403);
    for (const wrong of [{}, { status: 'maybe' }, { status: 'approved', comment: 'x'.repeat(1001) }])
      expect((await ann.call('POST', `${URL}/${id}/review`, wrong)).status).toBe(422);
    expect((await ann.call('POST', `${URL}/${id}/status`, { status: 'merged' })).status).toBe(422);
  });
});

/** A change as a reader sees it. */
interface Shown {
  secretKey: string | null;
  before: { secretValue?: string } | null;
  after: { secretValue?: string } | null;
  changed: string[];
  secretValueHidden: boolean;
}

describe('the difference of a request', () => {
  it('has no values where none are to be viewed, and its event says how many were read', async () => {
    await of.policy([ann]);
    await of.secret('KEY', 'zold-valuez');
    const pair = { key: 'pin', value: 'zpinz', isEncrypted: true };
    const change = { secretKey: 'KEY', secretValue: 'znew-valuez', secretMetadata: [pair] };
    const { body } = await author.call('PATCH', '/api/v4/secrets/batch', { ...of.place(), secrets: [change] });
    const { id } = body.approval;
    const masked = await ok(ann.call('GET', `${URL}/${id}?viewSecretValue=false`));
    expect(JSON.stringify(masked)).not.toMatch(/zold|znew|zpin/);
    expect(masked.approval.commits).toMatchObject([
      { secretKey: 'KEY', changed: ['secretValue', 'secretMetadata'], secretValueHidden: false },
    ]);
    expect(JSON.stringify(await ok(of.get(ann.call, id)))).toMatch(/zold-valuez.*znew-valuez/);
    const { rows } = await test.coffer.pool.query<{ read: number }>(
      `select (data->>'numberOfValues')::integer as read from audit_events
       where type = 'secret_approval.read' and data @> $1::jsonb order by id`,
      [JSON.stringify({ requestId: id })],
    );
    expect(rows.map(({ read }) => read)).toEqual([0, 2]);
  });

  it('returns values to callers who may read them, and to others only that they change', async () => {
    const limited = await of.member([
      { subject: 'secrets', action: ['describeSecret'], conditions: { environment: 'prod' } },
      { subject: 'secrets', action: ['readValue'], conditions: { environment: 'prod', secretName: 'OPEN' } },
    ]);
    const blind = await of.member('no-access');
    await of.policy([limited, blind, ann]);
    await of.secret('OPEN', 'zold-openz');
    await of.secret('SHUT', 'zold-shutz');
    const { body } = await author.call('PATCH', '/api/v4/secrets/batch', {
      ...of.place(),
      secrets: [
        { secretKey: 'OPEN', secretValue: 'znew-openz' },
        {
          secretKey: 'SHUT',
          secretValue: 'znew-shutz',
          secretComment: 'why',
          secretMetadata: [{ key: 'pin', value: 'zpinz', isEncrypted: true }],
        },
      ],
    });
    const { id } = body.approval;
    const seen = async ({ call }: Member) => {
      const { approval } = await ok(of.get(call, id));
      return approval.commits.map((one: Shown) => [
        one.secretKey,
        one.before?.secretValue,
        one.after?.secretValue,
        one.changed,
        one.secretValueHidden,
      ]);
    };
    const changedOfShut = ['secretValue', 'secretComment', 'secretMetadata'];
    expect(await seen(ann)).toEqual([
      ['OPEN', 'zold-openz', 'znew-openz', ['secretValue'], false],
      ['SHUT', 'zold-shutz', 'znew-shutz', changedOfShut, false],
    ]);
    expect(await seen(limited)).toEqual([
      ['OPEN', 'zold-openz', 'znew-openz', ['secretValue'], false],
      ['SHUT', '<hidden>', '<hidden>', changedOfShut, true],
    ]);
    const { body: hidden } = await of.get(limited.call, id);
    expect(JSON.stringify(hidden)).not.toMatch(/shutz|zpinz/);
    expect(await seen(blind)).toEqual([
      [null, undefined, undefined, ['secretValue'], true],
      [null, undefined, undefined, changedOfShut, true],
    ]);
    const { body: nothing } = await of.get(blind.call, id);
    expect(JSON.stringify(nothing)).not.toMatch(/openz|shutz|zpinz|OPEN|SHUT/);
    expect(JSON.stringify(await of.requests(blind.call))).not.toMatch(/OPEN|SHUT/);
    // A named approver without read permissions may approve.
    await ok(of.review(blind.call, id));
  });

  it('returns a value only if it may be read at all its locations', async () => {
    await of.policy([ann]);
    const reader = await of.member([
      { subject: 'secrets', action: ['describeSecret'] },
      { subject: 'secrets', action: ['readValue'], conditions: { environment: 'prod', secretPath: '/open' } },
      { subject: 'secret-approval', action: ['read'] },
    ]);
    await of.folder('/', 'open');
    await of.folder('/', 'shut');
    const secret = await of.secret('KEY', 'zvaluez', '/shut');
    const { body } = await author.call('POST', '/api/v4/secrets/move', {
      projectId: of.project.id,
      sourceEnvironment: 'prod',
      sourceSecretPath: '/shut',
      destinationEnvironment: 'prod',
      destinationSecretPath: '/open',
      secretIds: [secret.id],
    });
    const { body: shown } = await of.get(reader.call, body.approval.id);
    expect(shown.approval.commits).toMatchObject([
      { op: 'update', secretValueHidden: true, changed: ['secretPath'], secretPath: '/open' },
    ]);
    expect(JSON.stringify(shown)).not.toContain('zvaluez');
  });

  it('returns folders, imports and consequential changes', async () => {
    const { id: folderId } = await of.folder('/', 'app');
    await of.secret('KEY', 'value', '/app');
    await of.secret('REF', '${prod.app.KEY}');
    await of.policy([ann]);
    const rename = { projectId: of.project.id, environment: 'prod', name: 'web' };
    const renamed = await ok(author.call('PATCH', `/api/v2/folders/${folderId}`, rename));
    const commitsOf = async (id: string) => (await ok(of.get(ann.call, id))).approval.commits;
    expect(await commitsOf(renamed.approval.id)).toMatchObject([
      {
        kind: 'folder',
        op: 'update',
        secretKey: 'web',
        secretId: folderId,
        before: { secretPath: '/app' },
        after: { secretPath: '/web' },
      },
      {
        kind: 'secret',
        op: 'update',
        secretKey: 'REF',
        isFollowing: true,
        before: { secretValue: '${prod.app.KEY}' },
        after: { secretValue: '${prod.web.KEY}' },
      },
    ]);
    const gone = await ok(author.call('DELETE', `/api/v2/folders/${folderId}`, { ...rename, name: undefined }));
    expect(await commitsOf(gone.approval.id)).toMatchObject([
      { kind: 'folder', op: 'delete', before: { secretPath: '/app', folders: 1 }, after: null },
      { kind: 'secret', op: 'delete', secretKey: 'KEY', before: { secretValue: 'value' }, after: null },
    ]);
    const imported = await ok(
      author.call('POST', '/api/v2/secret-imports', {
        projectId: of.project.id,
        environment: 'prod',
        path: '/',
        import: { environment: 'dev', path: '/lib' },
      }),
    );
    expect(await commitsOf(imported.approval.id)).toMatchObject([
      {
        kind: 'import',
        op: 'create',
        secretKey: null,
        before: null,
        after: { environment: 'dev', secretPath: '/lib', position: 1 },
      },
    ]);
  });
});

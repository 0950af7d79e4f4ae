import { rotateKeys } from '@coffer/domain';
import { describe, expect, it } from 'vitest';
import { approvalTests, type Approvals, type Member } from '../../harness/approvals.ts';
import { ok, statuses } from '../../harness/groups.ts';
import type { TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let of: Approvals;
let author: Member;
let ann: Member;
let bob: Member;
approvalTests(async (project) => {
  [test, of] = [project.test, project];
  [author, ann, bob] = [await of.member(), await of.member(), await of.member()];
});

describe('merging a request', () => {
  it('makes exactly the approved changes, as the requester, once', async () => {
    await of.policy([ann]);
    const id = await of.ask(author.call, 'A', '1');
    await ok(of.review(ann.call, id));
    const answers = await Promise.all([of.merge(ann.call, id), of.merge(author.call, id)]);
    expect(statuses(answers)).toBe('200,400');
    const { approval } = answers.find(({ status }) => status === 200)!.body;
    expect(approval).toMatchObject({ hasMerged: true, status: 'close', conflicts: null, bypassReason: null });
    expect([ann.id, author.id]).toContain(approval.statusChangedByUserId);
    const { secret } = (await test.admin('GET', `/api/v4/secrets/A?${new URLSearchParams(of.place()).toString()}`))
      .body;
    expect(secret).toMatchObject({ secretValue: '1', version: 1, actor: { actorId: author.id, actorType: 'user' } });
    expect(await of.events('secret-approval-merged')).toMatchObject([
      { requestId: id, committerUserId: author.id, approvedBy: [ann.id], isBypassed: false, bypassReason: null },
    ]);
    expect(await of.events('create-secret')).toHaveLength(1);
    expect((await of.status(author.call, id, 'open')).status).toBe(400);
  });

  it('needs its requester, its approvers, or callers who may edit policies', async () => {
    await of.policy([ann]);
    const id = await of.ask(author.call, 'A', '1');
    await ok(of.review(ann.call, id));
    expect((await of.merge(bob.call, id)).status).toBe(403);
    const admin = await of.member('admin');
    await ok(of.merge(admin.call, id));
  });

  it('shows what has changed since, and overwrites nothing', async () => {
    for (const name of ['CHANGED', 'GONE', 'RENAMED']) await of.secret(name, 'old');
    await of.policy([ann]);
    const { approval } = await ok(
      author.call('PATCH', '/api/v4/secrets/batch', {
        ...of.place(),
        mode: 'upsert',
        secrets: [
          ...['CHANGED', 'GONE', 'RENAMED'].map((secretKey) => ({ secretKey, secretValue: 'new' })),
          { secretKey: 'TAKEN', secretValue: 'new' },
          { secretKey: 'FREE', secretValue: 'new' },
        ],
      }),
    );
    const { id } = approval;
    await ok(of.review(ann.call, id));
    await ok(of.change(test.admin, 'CHANGED', { secretValue: 'theirs' }));
    await ok(test.admin('DELETE', '/api/v4/secrets/GONE', of.place()));
    await ok(of.change(test.admin, 'RENAMED', { newSecretName: 'ELSEWHERE' }));
    await of.secret('TAKEN', 'theirs');
    const before = await of.values();
    const conflicts = [
      { op: 'update', reason: 'changed' },
      { op: 'update', reason: 'gone' },
      { op: 'update', reason: 'changed' },
      { op: 'create', reason: 'taken', secretId: null },
    ];
    const answer = await of.merge(ann.call, id);
    expect(answer).toMatchObject({ status: 400, body: { details: { conflicts } } });
    expect(await of.values()).toEqual(before);
    const shown = (await ok(of.get(ann.call, id))).approval;
    expect(shown).toMatchObject({ status: 'open', hasMerged: false, conflicts });
    const named = new Map(shown.commits.map((one: { id: string; secretKey: string }) => [one.id, one.secretKey]));
    expect(shown.conflicts.map((one: { changeId: string }) => named.get(one.changeId))).toEqual([
      'CHANGED',
      'GONE',
      'RENAMED',
      'TAKEN',
    ]);
    expect((await of.requests())[0].conflicts).toMatchObject(conflicts);
  });

  it('is compared with the present state after it is closed and reopened', async () => {
    await of.secret('A', 'old');
    await of.policy([ann]);
    const { approval } = await ok(of.change(author.call, 'A', { secretValue: 'new' }));
    const { id } = approval;
    await ok(of.review(ann.call, id));
    await ok(of.change(test.admin, 'A', { secretValue: 'theirs' }));
    expect((await of.merge(author.call, id)).status).toBe(400);
    expect((await of.status(author.call, id, 'open')).status).toBe(400);
    const closed = (await ok(of.status(ann.call, id, 'close'))).approval;
    expect(closed).toMatchObject({ status: 'close', hasMerged: false, statusChangedByUserId: ann.id });
    expect((await of.status(ann.call, id, 'close')).status).toBe(400);
    expect((await of.merge(ann.call, id)).status).toBe(400);
    expect((await of.review(ann.call, id)).status).toBe(400);
    const opened = (await ok(of.status(author.call, id, 'open'))).approval;
    expect(opened).toMatchObject({ id, status: 'open', conflicts: null });
    const { approval: anew } = await ok(of.get(ann.call, id));
    expect(anew).toMatchObject({ isApproved: false, reviewers: [] });
    expect(anew.commits[0]).toMatchObject({
      secretVersion: 2,
      before: { secretValue: 'theirs' },
      after: { secretValue: 'new' },
    });
    expect((await of.merge(author.call, id)).status).toBe(400);
    await ok(of.review(ann.call, id));
    await ok(of.merge(author.call, id));
    expect(await of.values()).toEqual({ A: 'new' });
    expect(await of.events('secret-approval-closed')).toHaveLength(1);
    expect(await of.events('secret-approval-reopened')).toHaveLength(1);
  });

  it('is reopened under the policy that covers it then', async () => {
    const { id: policyId } = await of.policy([ann]);
    const id = await of.ask(author.call, 'A', '1');
    const other = await of.policy([bob], { secretPath: '/' });
    await ok(test.admin('DELETE', `/api/v1/secret-approvals/${policyId}`));
    expect((await ok(of.get(author.call, id))).approval).toMatchObject({ status: 'close', hasMerged: false });
    expect((await ok(of.status(author.call, id, 'open'))).approval).toMatchObject({ id, policyId: other.id });
    await ok(of.review(bob.call, id));
    await ok(test.admin('DELETE', `/api/v1/secret-approvals/${other.id}`));
    expect(await of.status(author.call, id, 'open')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('make the change directly') },
    });
  });

  it('that swaps the names of folders keeps the meaning of references', async () => {
    for (const name of ['a', 'b']) {
      await of.folder('/', name);
      await of.secret('KEY', name, `/${name}`);
    }
    await of.secret('REF', '${prod.a.KEY} ${prod.b.KEY}', '/', 'dev');
    const history = `/api/v1/projects/${of.project.id}`;
    const { commits } = await ok(test.admin('GET', `${history}/commits?environment=prod&secretPath=/b`));
    const rename = async (from: string, name: string) => {
      const { folders } = await ok(
        test.admin('GET', `/api/v2/folders?${new URLSearchParams({ ...of.place(), path: '/' }).toString()}`),
      );
      const { id } = folders.find((one: { name: string }) => one.name === from);
      await ok(
        test.admin('PATCH', `/api/v2/folders/${id}`, {
          projectId: of.project.id,
          environment: 'prod',
          path: '/',
          name,
        }),
      );
    };
    await rename('a', 'c');
    await rename('b', 'a');
    await rename('c', 'b');
    expect(await of.values('/', 'dev')).toEqual({ REF: '${prod.b.KEY} ${prod.a.KEY}' });
    await of.policy([ann]);
    const admin = await of.member('admin');
    const { approval } = await ok(
      admin.call('POST', `${history}/history/restore`, {
        environment: 'prod',
        secretPath: '/',
        revision: commits[0].revision,
      }),
    );
    expect((await ok(of.get(ann.call, approval.id))).approval.commits).toMatchObject([
      { kind: 'folder', secretPath: '/a', before: { secretPath: '/b' } },
      { kind: 'folder', secretPath: '/b', before: { secretPath: '/a' } },
      { secretKey: 'REF', isFollowing: true, after: { secretValue: '${prod.a.KEY} ${prod.b.KEY}' } },
    ]);
    await ok(of.review(ann.call, approval.id));
    await ok(of.merge(ann.call, approval.id));
    expect(await of.values('/a')).toEqual({ KEY: 'a' });
    expect(await of.values('/', 'dev')).toEqual({ REF: '${prod.a.KEY} ${prod.b.KEY}' });
  });

  it('makes only approved changes: consequential and nested ones must be equal', async () => {
    await of.secret('A', 'a');
    const { id: folderId } = await of.folder('/', 'app');
    await of.policy([ann]);
    const renaming = (await ok(of.change(author.call, 'A', { newSecretName: 'B' }))).approval.id;
    const deleting = (
      await ok(author.call('DELETE', `/api/v2/folders/${folderId}`, { projectId: of.project.id, environment: 'prod' }))
    ).approval.id;
    for (const id of [renaming, deleting]) await ok(of.review(ann.call, id));
    await of.secret('REF', '${prod.A}', '/', 'dev');
    await of.secret('LATE', 'late', '/app');
    for (const id of [renaming, deleting]) {
      expect(await of.merge(ann.call, id)).toMatchObject({
        status: 400,
        body: { details: { conflicts: [{ op: 'other', reason: 'different' }] } },
      });
    }
    expect([await of.values(), await of.values('/app')]).toEqual([{ A: 'a' }, { LATE: 'late' }]);
  });

  it('fails if its committer no longer has the rights, and does not say why', async () => {
    await of.policy([ann]);
    const id = await of.ask(author.call, 'A', '1');
    const other = await of.ask(bob.call, 'B', '2');
    for (const one of [id, other]) await ok(of.review(ann.call, one));
    await of.remove(author);
    await ok(
      test.admin('PATCH', `/api/v1/projects/${of.project.id}/memberships/${bob.membershipId}`, {
        roles: [{ role: 'viewer', isTemporary: false }],
      }),
    );
    for (const one of [id, other]) {
      const { status, body } = await of.merge(ann.call, one);
      expect({ status, details: body.details, explanation: body.explanation }).toEqual({ status: 400 });
      expect(body.message).toMatch(/no longer has the rights for it/);
      await ok(of.status(ann.call, one, 'close'));
      expect(await of.status(ann.call, one, 'open')).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('no longer has the rights for it') },
      });
    }
    expect(await of.values()).toEqual({});
  });

  it('needs the permissions of the request', async () => {
    const { workspaceTag } = await ok(
      test.admin('POST', `/api/v1/projects/${of.project.id}/tags`, { slug: 'blue', color: '' }),
    );
    await of.policy([ann]);
    const { approval } = await ok(
      author.call('POST', '/api/v4/secrets/A', { ...of.place(), secretValue: '1', tagIds: [workspaceTag.id] }),
    );
    await ok(of.review(ann.call, approval.id));
    await ok(test.admin('DELETE', `/api/v1/projects/${of.project.id}/tags/${workspaceTag.id}`));
    expect(await of.merge(ann.call, approval.id)).toMatchObject({
      status: 400,
      body: { details: { conflicts: [{ op: 'other', reason: 'tag.not_found' }] } },
    });
    expect((await ok(of.get(ann.call, approval.id))).approval.conflicts).toMatchObject([{ reason: 'tag.not_found' }]);
  });

  it('without its approvals needs a soft policy and a reason, which is visible to all', async () => {
    const policy = await of.policy([ann]);
    const id = await of.ask(author.call, 'A', '1');
    expect((await of.merge(author.call, id, 'It burns')).status).toBe(400);
    await ok(test.admin('PATCH', `/api/v1/secret-approvals/${policy.id}`, { enforcementLevel: 'soft' }));
    const refused = await of.merge(author.call, id);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('bypassReason')]);
    expect((await of.merge(author.call, id, '  ')).status).toBe(400);
    expect((await of.merge(author.call, id, 'x'.repeat(1001))).status).toBe(422);
    expect((await of.merge(bob.call, id, 'It burns')).status).toBe(403);
    expect((await ok(of.merge(author.call, id, ' It burns '))).approval).toMatchObject({
      hasMerged: true,
      bypassReason: 'It burns',
    });
    expect(await of.values()).toEqual({ A: '1' });
    expect(await of.events('secret-approval-merged')).toMatchObject([
      { isBypassed: true, bypassReason: 'It burns', approvedBy: [] },
    ]);
    // A reason where none is needed is none.
    const second = await of.ask(author.call, 'B', '2');
    await ok(of.review(ann.call, second));
    expect((await ok(of.merge(author.call, second, 'Just so'))).approval.bypassReason).toBeNull();
  });

  it('needs every policy that covers it, including newer ones', async () => {
    await of.policy([ann], { secretPath: '/' });
    await of.policy([bob], { secretPath: '/app' });
    await of.folder('/', 'app');
    const { approval } = await ok(
      author.call('PATCH', '/api/v4/secrets/batch', {
        ...of.place(),
        mode: 'upsert',
        secrets: [
          { secretKey: 'A', secretValue: '1' },
          { secretKey: 'B', secretValue: '2', secretPath: '/app' },
        ],
      }),
    );
    const { id } = approval;
    await ok(of.review(ann.call, id));
    expect((await of.merge(author.call, id)).status).toBe(400);
    await ok(of.review(bob.call, id));
    expect((await ok(of.get(author.call, id))).approval.isApproved).toBe(true);
    // Another policy replaces the one for /app: its approvals are needed as well.
    for (const one of await policies()) if (one.secretPath === '/app') await renamePolicy(one.id);
    const cat = await of.member();
    await of.policy([cat], { secretPath: '/app' });
    expect((await of.review(cat.call, id)).status).toBe(403);
    expect(await of.merge(author.call, id)).toMatchObject({
      status: 400,
      body: { details: { missing: [{ given: 0 }] } },
    });
    expect((await ok(of.get(author.call, id))).approval.isApproved).toBe(false);
    await ok(of.review(cat.call, id));
    await ok(of.merge(author.call, id));
    expect([await of.values(), await of.values('/app')]).toEqual([{ A: '1' }, { B: '2' }]);
  });

  const policies = async (): Promise<{ id: string; secretPath: string }[]> =>
    (await ok(test.admin('GET', `/api/v1/secret-approvals?workspaceId=${of.project.id}`))).approvals;
  const renamePolicy = (id: string) =>
    ok(test.admin('PATCH', `/api/v1/secret-approvals/${id}`, { secretPath: '/elsewhere' }));

  it('counts approvals by the current policy, and ends with it', async () => {
    const policy = await of.policy([ann, bob]);
    const id = await of.ask(author.call, 'A', '1');
    await ok(of.review(ann.call, id));
    await ok(test.admin('PATCH', `/api/v1/secret-approvals/${policy.id}`, { approvals: 2 }));
    expect((await of.merge(author.call, id)).status).toBe(400);
    await ok(test.admin('DELETE', `/api/v1/secret-approvals/${policy.id}`));
    expect((await ok(of.get(author.call, id))).approval).toMatchObject({ status: 'close', isApproved: false });
    expect(await of.events('secret-approval-closed')).toHaveLength(1);
    for (const answer of [
      await of.merge(author.call, id),
      await of.review(ann.call, id),
      await of.status(author.call, id, 'open'),
    ])
      expect(answer.status).toBe(400);
    await ok(of.write(author.call, 'A', '2'));
    expect(await of.values()).toEqual({ A: '2' });
  });

  it('stores the request sealed', async () => {
    await of.policy([ann]);
    await of.ask(author.call, 'A', 'zcanaryz');
    const { rows } = await test.coffer.pool.query<{ text: string }>(
      `select (select string_agg(t::text, '') from secret_approval_requests t)
         || (select string_agg(t::text, '') from secret_approval_changes t)
         || (select string_agg(t::text, '') from audit_events t) as text`,
    );
    expect(rows[0]!.text).not.toContain('zcanaryz');
    expect(rows[0]!.text).not.toContain(Buffer.from('zcanaryz').toString('hex'));
  });

  it('can be read and merged after the keys were rotated', async () => {
    await of.policy([ann]);
    const id = await of.ask(author.call, 'A', '1');
    await ok(of.status(author.call, id, 'close'));
    await ok(of.status(author.call, id, 'open'));
    const rotated = await rotateKeys(test.coffer, { settleMs: 0, organizationId: test.organizationId });
    expect(rotated).toMatchObject([{ isComplete: true }]);
    expect((await ok(of.get(ann.call, id))).approval.commits).toMatchObject([{ after: { secretValue: '1' } }]);
    await ok(of.review(ann.call, id));
    await ok(of.merge(author.call, id));
    expect(await of.values()).toEqual({ A: '1' });
  });

  it('is merged or not, whatever is decided concurrently', async () => {
    for (const name of ['A', 'B', 'C']) {
      const policy = await of.policy([ann, bob]);
      const id = await of.ask(author.call, name, '1');
      await ok(of.review(ann.call, id));
      const others = await Promise.all([
        of.merge(ann.call, id),
        of.merge(author.call, id),
        of.review(ann.call, id, 'rejected'),
        of.status(author.call, id, 'close'),
        test.admin('PATCH', `/api/v1/secret-approvals/${policy.id}`, { approvals: 2 }),
        test.admin('DELETE', `/api/v1/secret-approvals/${policy.id}`),
      ]);
      for (const { status, body } of others) expect([body.message, status < 500]).toEqual([body.message, true]);
      const merged = others.slice(0, 2).filter(({ status }) => status === 200).length;
      const { approval } = await ok(of.get(author.call, id));
      expect(approval).toMatchObject({ status: 'close', hasMerged: merged === 1 });
      expect(name in (await of.values())).toBe(merged === 1);
    }
  });

  it('of one secret is done by one of several requests, and overwrites nothing', async () => {
    await of.secret('A', 'old');
    await of.policy([ann]);
    const wanted = ['x', 'y', 'z'];
    const ids: string[] = [];
    for (const secretValue of wanted) ids.push((await ok(of.change(author.call, 'A', { secretValue }))).approval.id);
    for (const id of ids) await ok(of.review(ann.call, id));
    const answers = await Promise.all(ids.map((id) => of.merge(ann.call, id)));
    expect(statuses(answers)).toBe('200,400,400');
    expect(await of.values()).toEqual({ A: wanted[answers.findIndex(({ status }) => status === 200)] });
  });
});

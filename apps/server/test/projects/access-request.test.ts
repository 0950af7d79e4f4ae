import { createMailer, jobs, startWorker, type Worker } from '@coffer/domain';
import { makeUser, startMailServer, type MailServer, type ReceivedMail } from '@coffer/domain/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ok, type Person, type Ref } from '../harness/groups.ts';
import { Holders } from '../harness/holders.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const HOUR = 3_600_000;
const ANSWER = { message: 'If your organization has this project, its administrators get your request' };

let test: TestServer;
let mail: MailServer;
let worker: Worker | undefined;
beforeAll(async () => {
  mail = await startMailServer();
  test = await testServer({ sendMail: createMailer(mail.smtp) });
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await test.coffer.pool.query('delete from graphile_worker._private_jobs');
  mail.received.length = 0;
});
afterAll(async () => {
  await test.close();
  await mail.close();
});

const holders = new Holders(() => test);
const ask = (call: Caller, projectId: string, body: object = {}) =>
  call('POST', `/api/v1/workspace/${projectId}/project-access`, body);
const waiting = async (): Promise<number> =>
  (await test.coffer.pool.query('select 1 from graphile_worker._private_jobs')).rowCount!;
/** The messages that are sent after all jobs. */
const whenSent = async (): Promise<ReceivedMail[]> => {
  worker ??= await startWorker(test.coffer, jobs, { pollInterval: 100 });
  await expect.poll(waiting).toBe(0);
  return mail.received;
};
const readersOf = (messages: readonly ReceivedMail[]) => messages.flatMap(({ to }) => to).toSorted();
const names = (...people: readonly Person[]) => people.map(({ username }) => username).toSorted();

/** A project with these administrators, who were not notified of that, and an administrator machine identity. */
const projectOf = async (administrators: number) => {
  const project = await test.project();
  const people: Awaited<ReturnType<typeof holders.personIn>>[] = [];
  for (let n = 0; n < administrators; n++) people.push(await holders.personIn(project, 'admin'));
  await test.coffer.pool.query('delete from graphile_worker._private_jobs');
  return { project, people };
};
const eventsOf = async (userId: string) => {
  const { rows } = await test.coffer.pool.query(
    `select organization_id, project_id, data from audit_events where published = 'project-access-request' and data ->> 'userId' = $1`,
    [userId],
  );
  return rows;
};

describe('a request for access to a project', () => {
  it('is sent with the same ID where what queues its messages is run again', async () => {
    const { project } = await projectOf(1);
    const ann = await holders.person();
    await ok(ask(ann.call, project.id));
    const queuedTwice = jobs.map((job): (typeof jobs)[number] => ({
      ...job,
      run: async (ctx, payload: never, attempt) => {
        await job.run(ctx, payload, attempt);
        const isFirst = !('readerId' in (payload as object)) && attempt.job.attempts === 1;
        if (isFirst) throw new Error('The process was killed');
      },
    }));
    worker = await startWorker(test.coffer, queuedTwice, { pollInterval: 100 });
    await expect.poll(() => mail.received.length).toBe(1);
    await test.coffer.pool.query('update graphile_worker._private_jobs set run_at = now()');
    const ids = (await whenSent()).map(({ headers }) => headers['message-id']);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  it('is sent to its administrators, each in a separate message', async () => {
    const { project, people } = await projectOf(2);
    await holders.personIn(project, 'member');
    const byGroup = await holders.person();
    const group = await holders.make();
    await holders.letInto(project, group, { role: 'admin' });
    await holders.putIn(group, byGroup);
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');
    const ann = await holders.person();
    expect(await ok(ask(ann.call, project.id, { comment: 'For the <b>release</b>\nof today' }))).toEqual(ANSWER);
    const messages = await whenSent();
    expect(readersOf(messages)).toEqual(names(...people, byGroup));
    const { name } = (await ok(test.admin('GET', `/api/v1/projects/${project.id}`))).project;
    expect(messages[0]!.subject).toBe(`Ann Lee (${ann.username}) requests access to ${name}`);
    expect(messages[0]!.text).toContain('Comment: For the <b>release</b> of today\n');
    expect(messages[0]!.html).toContain('&lt;b&gt;release&lt;/b&gt; of today');
    expect(await eventsOf(ann.id)).toEqual([
      {
        organization_id: test.organizationId,
        project_id: project.id,
        data: { projectId: project.id, userId: ann.id },
      },
    ]);
    expect((await ann.call('GET', `/api/v1/projects/${project.id}`)).status).toBe(404);
  });

  it('is sent to whoever may edit its members, by whatever role, and to no administrator to whom this is forbidden', async () => {
    const { project, people } = await projectOf(2);
    const role = await holders.projectRole(project, { subject: 'member', action: ['read', 'edit'] });
    const editor = await holders.personIn(project, role);
    const forbidding = await holders.projectRole(project, { subject: 'member', action: 'edit', inverted: true });
    const forbidden = await holders.personIn(project, 'admin');
    const url = `/api/v1/projects/${project.id}/memberships/${forbidden.membershipId}`;
    await ok(test.admin('PATCH', url, { roles: [{ role: 'admin' }, { role: forbidding }] }));
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');
    await ok(ask((await holders.person()).call, project.id));
    expect(readersOf(await whenSent())).toEqual(names(...people, editor));
  });

  it('is sent to the administrators of the organization if no one of the project can be reached', async () => {
    const { project } = await projectOf(0);
    const [ann, boss] = [await holders.person(), await holders.person()];
    const memberships = `/api/v2/organizations/${test.organizationId}/memberships`;
    const { users } = await ok(test.admin('GET', memberships));
    const { id } = users.find(({ userId }: { userId: string }) => userId === boss.id);
    await ok(test.admin('PATCH', `${memberships}/${id}`, { role: 'admin' }));
    await ok(ask(ann.call, project.id));
    expect(readersOf(await whenSent())).toEqual(names(boss));
  });

  it('includes temporary administrators while they are active', async () => {
    const { project, people } = await projectOf(1);
    const [temporary] = [await holders.personIn(project, 'viewer')];
    const url = `/api/v1/projects/${project.id}/memberships/${temporary.membershipId}`;
    const window = { isTemporary: true, temporaryMode: 'relative', temporaryRange: '1h' };
    const start = test.coffer.now().toISOString();
    const roles = [{ role: 'viewer' }, { role: 'admin', ...window, temporaryAccessStartTime: start }];
    await ok(test.admin('PATCH', url, { roles }));
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');
    await ok(ask((await holders.person()).call, project.id));
    expect(readersOf(await whenSent())).toEqual(names(people[0]!, temporary));
    mail.received.length = 0;
    test.advance(HOUR);
    await ok(ask((await holders.person()).call, project.id));
    expect(readersOf(await whenSent())).toEqual(names(people[0]!));
  });

  it('is void if the requester is in the project, or out of the organization, at the time of sending', async () => {
    const { project, people } = await projectOf(1);
    const [ann, ben, cid] = [await holders.person(), await holders.person(), await holders.person()];
    for (const one of [ann, ben, cid]) await ok(ask(one.call, project.id));
    const add = { usernames: [ann.username], emails: [] };
    await ok(test.admin('POST', `/api/v1/projects/${project.id}/memberships`, add));
    await test.coffer.pool.query('delete from memberships where user_id = $1', [ben.id]);
    const told = (await whenSent()).filter(({ subject }) => subject.includes('requests access'));
    expect(told.map(({ to, subject }) => [to, subject.includes(cid.username)])).toEqual([[names(people[0]!), true]]);
  });

  it('is sent once, however often it was made before that', async () => {
    const { project } = await projectOf(1);
    const ann = await holders.person();
    for (const comment of ['first', 'second', 'third']) await ok(ask(ann.call, project.id, { comment }));
    expect(await waiting()).toBe(1);
    const [message, ...others] = await whenSent();
    expect([message!.text.includes('third'), others]).toEqual([true, []]);
  });

  it('has the same response for every ID, and notifies no one for foreign ones', async () => {
    const ann = await holders.person();
    const foreign = await test.foreign();
    const { project } = await ok(foreign.call('POST', '/api/v1/projects', { projectName: 'Foreign' }));
    const theirs = await makeUser(test.coffer, { organizationId: foreign.organizationId });
    const add = { usernames: [theirs.email], emails: [], roleSlugs: ['admin'] };
    await ok(foreign.call('POST', `/api/v1/projects/${project.id}/memberships`, add));
    const own = await projectOf(1);
    for (const id of [project.id, NOWHERE, 'no-uuid', own.project.id])
      expect(await ok(ask(ann.call, id))).toEqual(ANSWER);
    expect(readersOf(await whenSent())).toEqual(names(...own.people));
    // Only readers of that project's log see that it was requested: no event of one's own tells the others apart.
    expect((await eventsOf(ann.id)).map((event) => [event.organization_id, event.project_id])).toEqual([
      [test.organizationId, own.project.id],
    ]);
  });

  it('is not permitted for members of the project, by membership or by a group, nor for machines, nor without a token', async () => {
    const { project, people } = await projectOf(1);
    const member = await holders.personIn(project, 'no-access');
    const byGroup = await holders.person();
    const group = await holders.make();
    await holders.letInto(project, group, { role: 'no-access' });
    await holders.putIn(group, byGroup);
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');
    for (const { call } of [...people, member, byGroup])
      expect(await ask(call, project.id)).toMatchObject({
        status: 400,
        body: { message: 'You are already in this project' },
      });
    expect((await ask(test.admin, project.id)).body.error).toBe('ForbiddenError');
    expect((await ask(test.as(), project.id)).status).toBe(401);
    const ann = await holders.person();
    for (const comment of ['x'.repeat(1001), '\0', 1])
      expect((await ask(ann.call, project.id, { comment })).status).toBe(422);
    await ok(ann.call('POST', '/api/v1/auth/logout'));
    expect((await ask(ann.call, project.id)).status).toBe(401);
    const fired = await holders.person();
    await test.coffer.pool.query('update memberships set is_active = false where user_id = $1', [fired.id]);
    expect((await ask(fired.call, project.id)).status).toBe(403);
    expect(await waiting()).toBe(0);
  });
});

describe('who enters a project by the right to enter all', () => {
  it('is reported to its administrators', async () => {
    const { project, people } = await projectOf(2);
    const { call } = await test.identity({ organizationRole: 'admin' });
    const enter = () => call('POST', `/api/v1/organization-admin/projects/${project.id}/grant-admin-access`);
    await ok(enter());
    await ok(enter());
    const messages = await whenSent();
    expect(readersOf(messages)).toEqual(names(...people));
    expect(messages[0]!.subject).toMatch(/^machine now administers /);
  });
});

describe('without a mail server', () => {
  it('is unreachable, and the response says so', async () => {
    const bare = await testServer();
    try {
      const project: Ref = await bare.project();
      const ann = await new Holders(() => bare).person();
      for (const id of [project.id, NOWHERE])
        expect(await ask(ann.call, id)).toMatchObject({
          status: 400,
          body: { message: expect.stringContaining('No mail server is configured') },
        });
      const { rowCount } = await bare.coffer.pool.query(
        `select 1 from audit_events where published = 'project-access-request'`,
      );
      expect(rowCount).toBe(0);
    } finally {
      await bare.close();
    }
  });
});

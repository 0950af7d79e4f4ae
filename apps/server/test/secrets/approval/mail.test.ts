import { createMailer, jobs, startWorker, type Worker } from '@coffer/domain';
import { startMailServer, type MailServer } from '@coffer/domain/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Approvals, type Member } from '../../harness/approvals.ts';
import { ok } from '../../harness/groups.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let mail: MailServer;
let worker: Worker;
let of: Approvals;
let author: Member;
let ann: Member;
let bob: Member;
beforeAll(async () => {
  mail = await startMailServer();
  test = await testServer({ sendMail: createMailer(mail.smtp) });
  of = await Approvals.in(test);
  [author, ann, bob] = [await of.member(), await of.member(), await of.member()];
  await test.coffer.pool.query('delete from graphile_worker._private_jobs');
  worker = await startWorker(test.coffer, jobs, { pollInterval: 100 });
});
afterAll(async () => {
  await worker.stop();
  await test.close();
  await mail.close();
});

/** What was sent since the last time, by its readers. */
async function sent(): Promise<[to: string, subject: string, text: string][]> {
  const waiting = () => test.coffer.pool.query('select 1 from graphile_worker._private_jobs');
  await expect.poll(async () => (await waiting()).rowCount).toBe(0);
  const all = mail.received.splice(0).map(({ to, subject, text }): [string, string, string] => [to[0]!, subject, text]);
  return all.toSorted(([a], [b]) => (a < b ? -1 : 1));
}
const people = (...members: Member[]) => members.map(({ email }) => email).toSorted();

it('notifies the approvers of a request, and of a merge without approvals', async () => {
  await of.policy([author, ann, bob], { enforcementLevel: 'soft' });
  const { approval } = await ok(of.write(author.call, 'KEY', 'zvaluez'));
  const asked = await sent();
  expect(asked.map(([to]) => to)).toEqual(people(ann, bob));
  expect(asked[0]![1]).toBe(`A change in ${of.project.slug} waits for your approval`);
  expect(asked[0]![2]).toContain(approval.slug);
  expect(asked[0]![2]).not.toMatch(/zvaluez|KEY/);

  await ok(of.status(author.call, approval.id, 'close'));
  expect(await sent()).toEqual([]);
  await ok(of.status(ann.call, approval.id, 'open'));
  expect((await sent()).map(([to]) => to)).toEqual(people(author, bob));
  await ok(of.merge(author.call, approval.id, 'It burns'));
  const told = await sent();
  expect(told.map(([to]) => to)).toEqual(people(ann, bob));
  expect(told[0]).toEqual([
    expect.anything(),
    `A change in ${of.project.slug} was merged without its approvals`,
    expect.stringContaining('Reason: It burns'),
  ]);
});

it('notifies the approvers of an open access request', async () => {
  const approvers = [ann, bob].map(({ id }) => ({ type: 'user', id }));
  await ok(
    test.admin('POST', '/api/v1/access-approvals/policies', {
      projectSlug: of.project.slug,
      environment: 'prod',
      approvers,
    }),
  );
  const ask = (environment: string) =>
    author.call('POST', `/api/v1/access-approvals/requests?projectSlug=${of.project.slug}`, {
      permissions: [{ subject: 'secrets', action: 'readValue', conditions: { environment } }],
      isTemporary: true,
      temporaryRange: '1h',
      note: 'On call',
    });
  await ok(ask('prod'));
  const asked = await sent();
  expect(asked.map(([to]) => to)).toEqual(people(ann, bob));
  expect(asked[0]).toEqual([
    expect.anything(),
    `${author.email} requests access in ${of.project.slug}`,
    expect.stringContaining('Note: On call'),
  ]);
  expect((await ask('dev')).status).toBe(400);
  expect(await sent()).toEqual([]);
});

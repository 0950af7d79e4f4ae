// @long: requests are held at a statement
import { describe, expect, it } from 'vitest';
import { approvalTests, type Approvals, type Member } from '../harness/approvals.ts';
import { expectRefused, ok } from '../harness/groups.ts';
import { HeldStatements } from '../harness/held-statement.ts';

let of: Approvals;
let author: Member;
let ann: Member;
let id: string;
approvalTests(async (project) => {
  of = project;
  [author, ann] = [await of.member(), await of.member()];
  await of.policy([ann]);
  id = await of.ask(author.call, 'A', '1');
  await ok(of.status(author.call, id, 'close'));
});

const INPUT = /select input from secret_approval_requests/;
/** The response to reopening the request, whose content is read after a change. */
const reopenedAfter = (change: () => Promise<unknown>) =>
  new HeldStatements(of.test).during(INPUT, () => of.status(author.call, id, 'open'), change);

describe('attack: a change request that is reopened', () => {
  it('and has another content meanwhile is left as it is, and nothing fails to open', async () => {
    const answer = reopenedAfter(async () => {
      await ok(of.status(author.call, id, 'open'));
      await ok(of.status(author.call, id, 'close'));
    });
    await expectRefused(answer, 400, 'The request has changed');
    expect((await ok(of.get(author.call, id))).approval).toMatchObject({ status: 'close', version: 2 });
    await ok(of.status(author.call, id, 'open'));
  });

  it('and is merged meanwhile stays merged', async () => {
    const answer = reopenedAfter(async () => {
      await ok(of.status(author.call, id, 'open'));
      await ok(of.review(ann.call, id));
      await ok(of.merge(author.call, id));
    });
    await expectRefused(answer, 400, 'The request has changed');
    expect((await ok(of.get(author.call, id))).approval).toMatchObject({ status: 'close', hasMerged: true });
    expect(await of.values()).toEqual({ A: '1' });
  });

  it('and vanishes with its environment is not found', async () => {
    const { environments } = (await ok(of.test.admin('GET', `/api/v1/projects/${of.project.id}`))).project;
    const { id: environmentId } = environments.find(({ slug }: { slug: string }) => slug === 'prod');
    const path = `/api/v1/projects/${of.project.id}/environments/${environmentId}`;
    await expectRefused(
      reopenedAfter(() => ok(of.test.admin('DELETE', path))),
      404,
      'There is no such secret approval request',
    );
  });

  it('closed and merged at once has one state, which each answer and event agrees with', async () => {
    await ok(of.status(author.call, id, 'open'));
    await ok(of.review(ann.call, id));
    const answers = await Promise.all([
      of.merge(author.call, id),
      of.status(author.call, id, 'open'),
      of.status(ann.call, id, 'close'),
      of.status(author.call, id, 'open'),
      of.merge(ann.call, id),
    ]);
    expect(answers.filter(({ status }) => status !== 200 && status !== 400)).toEqual([]);
    const merged = answers.filter(({ status, body }) => status === 200 && body.approval.hasMerged);
    const { approval } = await ok(of.get(author.call, id));
    expect(approval.hasMerged).toBe(merged.length === 1);
    expect(await of.events('secret-approval-merged')).toHaveLength(merged.length);
    expect(await of.values()).toEqual(merged.length === 1 ? { A: '1' } : {});
  });
});

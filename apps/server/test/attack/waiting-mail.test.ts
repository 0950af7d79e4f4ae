import { createOutbound, jobs, parseCidrs, remindOfDue, startWorker } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/certificates.ts';
import { openReceiver, type Receiver } from '../harness/receiver.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const DAY = 24 * 3600_000;
/** Reminders that are sent by one run of their schedule, all organizations together. */
const MOST = 1_000;
const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
/** The addressees of messages, each of which takes some time. */
const sent: string[] = [];

let test: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  const sendMail = async ({ to }: { to: string }) => {
    sent.push(to);
    await sleep(600);
  };
  [test, receiver] = [await testServer({ sendMail, fetch: outbound.fetch }), await openReceiver()];
});
afterAll(async () => {
  await test.close();
  await receiver.close();
  await outbound.close();
});

describe('attack: a thousand messages of one organization', () => {
  it('keep nobody else waiting, nor an invitation of their own', async () => {
    const { id: projectId } = await test.project();
    const mallory = await makeUser(test.coffer, { organizationId: test.organizationId });
    ok(await test.admin('POST', `/api/v2/workspace/${projectId}/memberships`, { usernames: [mallory.email] }));
    const at = { projectId, environment: 'dev', secretPath: '/' };
    const reminder = { secretValue: 'x', secretReminderRepeatDays: 1, secretReminderRecipients: [mallory.id] };
    for (let from = 0; from < MOST; from += 200) {
      const secrets = Array.from({ length: 200 }, (_, n) => ({ secretKey: `K${from + n}`, ...reminder }));
      ok(await test.as(mallory.token)('POST', '/api/v4/secrets/batch', { ...at, secrets }));
    }

    const other = await test.foreign();
    const victim = await makeUser(test.coffer, { organizationId: other.organizationId, password: 'correct horse' });
    const theirs = ok(await other.call('POST', '/api/v1/projects', { projectName: 'Theirs' })).project.id;
    const webhookUrl = `${receiver.url}/hook`;
    ok(await other.call('POST', '/api/v1/webhooks', { workspaceId: theirs, environment: 'dev', webhookUrl }));
    ok(await other.call('POST', `/api/v2/workspace/${theirs}/memberships`, { usernames: [victim.email] }));
    const there = { projectId: theirs, environment: 'dev', secretPath: '/' };
    const mine = { ...reminder, secretReminderRecipients: [victim.id] };
    ok(await other.call('POST', '/api/v4/secrets/REMINDED', { ...there, ...mine }));
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');

    test.advance(2 * DAY);
    expect(await remindOfDue(test.coffer.contextFor({ type: 'platform', organizationId: undefined }))).toBe(MOST);
    const worker = await startWorker(test.coffer, jobs, { pollInterval: 100 });
    const ofMallory = () => sent.filter((to) => to === mallory.email).length;
    try {
      await expect.poll(ofMallory).toBeGreaterThan(0);
      const invited = { inviteeEmails: ['invited@example.com'], organizationId: test.organizationId };
      ok(await test.admin('POST', '/api/v1/invite-org/signup', invited));
      await test.as()('POST', '/api/v1/password/email/password-reset', { email: victim.email });
      ok(await other.call('POST', '/api/v4/secrets/CHANGED', { ...there, secretValue: 'v' }));
      const isThere = () => [
        sent.includes('invited@example.com'),
        // The reset and the reminder.
        sent.filter((to) => to === victim.email).length,
        receiver.received.length,
      ];
      await expect.poll(isThere).toEqual([true, 2, 1]);
      expect(ofMallory()).toBeLessThan(MOST / 10);
    } finally {
      await test.coffer.pool.query('delete from graphile_worker._private_jobs where locked_at is null');
      await worker.stop();
    }
  });
});

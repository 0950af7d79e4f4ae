// @long: large values, many callers
import { remindOfDue } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';
import { turnsOf } from '../harness/turns.ts';

const MEMBERS = 40;
const DAYS_MS = 2 * 24 * 3_600_000;
let test: TestServer;

beforeAll(async () => {
  test = await testServer({ sendMail: async () => undefined });
});
afterAll(() => test.close());

describe('attack: due reminders in a project whose members have costly rules', () => {
  it('are compared in turns: the others go on meanwhile', async () => {
    const { id: projectId } = await test.project();
    const globs = Array.from({ length: 60 }, (_, n) => `${'*A'.repeat(100)}B${n}*`);
    const action = ['describeSecret', 'readValue'];
    const permissions = globs.map((glob) => ({
      subject: 'secrets',
      action,
      conditions: { secretName: { $glob: glob } },
    }));
    const role = { slug: 'costly', name: 'Costly', permissions };
    expect((await test.admin('POST', `/api/v1/projects/${projectId}/roles`, role)).status).toBe(200);
    const emails: string[] = [];
    while (emails.length < MEMBERS)
      emails.push((await makeUser(test.coffer, { organizationId: test.organizationId })).email);
    const members = { emails, roleSlugs: ['costly'] };
    expect((await test.admin('POST', `/api/v1/projects/${projectId}/memberships`, members)).status).toBe(200);
    const secrets = Array.from({ length: 100 }, (_, n) => ({
      secretKey: `${'A'.repeat(240)}${n}`,
      secretValue: 'x',
      secretReminderRepeatDays: 1,
    }));
    const place = { projectId, environment: 'dev', secretPath: '/' };
    expect((await test.admin('POST', '/api/v4/secrets/batch', { ...place, secrets })).status).toBe(200);

    const due: number[] = [];
    await turnsOf(10, async () => {
      test.advance(DAYS_MS);
      due.push(await remindOfDue(test.coffer.contextFor({ type: 'platform', organizationId: undefined })));
    });
    expect(new Set(due)).toEqual(new Set([100]));
  });
});

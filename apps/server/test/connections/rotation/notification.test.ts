import { rotationFailedMail, webhookJob } from '@coffer/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../harness/groups.ts';
import { openReceiver, type Receiver } from '../../harness/receiver.ts';
import { rotatedPostgres, type RotatedPostgres } from '../../harness/rotated-postgres.ts';
import { RotationAtWork } from '../../harness/rotation.ts';

const DAY = 86_400_000;

let system: RotatedPostgres;
let receiver: Receiver;
const messages: { to: string; subject: string; text: string }[] = [];
beforeAll(async () => {
  system = await rotatedPostgres({ sendMail: async (message) => void messages.push(message) });
  receiver = await openReceiver();
});
beforeEach(() => {
  messages.length = 0;
  receiver.received.length = 0;
});
afterAll(async () => {
  await receiver.close();
  await system.close();
});

const made = () =>
  RotationAtWork.made(system, 'postgres-credentials', ['username', 'password'], { rotationInterval: 1 });
const platform = () => {
  const { coffer, organizationId } = system.test;
  return coffer.contextFor({ type: 'platform', organizationId });
};

/** Lets the scheduled rotation fail, so many times. */
async function failing(one: RotationAtWork, times = 1): Promise<void> {
  await system.shut();
  for (let i = 0; i < times; i++) {
    system.test.advance(2 * DAY);
    await one.job();
  }
  await system.open();
}

const jobsOf = async (one: RotationAtWork): Promise<object[]> => {
  const { rows } = await system.test.coffer.pool.query<{ payload: object }>(
    `select payload from graphile_worker._private_jobs where payload ->> 'rotationId' = $1
       and task_id = (select id from graphile_worker._private_tasks where identifier = $2)`,
    [one.id, rotationFailedMail.name],
  );
  return rows.map(({ payload }) => payload);
};

describe('of a rotation that fails', () => {
  it('those who may rotate it are notified by e-mail, once, and only as long as it fails', async () => {
    const one = await made();
    const { organizationId } = system.test;
    const [rotator, reader] = [await system.user(one.projectId, 'admin'), await system.user(one.projectId, 'member')];
    await failing(one, 3);
    expect(await jobsOf(one)).toEqual([{ organizationId, rotationId: one.id }]);
    await rotationFailedMail.run(platform(), { organizationId, rotationId: one.id }, {} as never);
    const readers = (await jobsOf(one)).map((job) => (job as { readerId?: string }).readerId);
    expect(readers).toContain(rotator.id);
    expect(readers).not.toContain(reader.id);
    const toRotator = { organizationId, rotationId: one.id, readerId: rotator.id };
    await rotationFailedMail.run(platform(), toRotator, {} as never);
    const { secretRotation } = await ok(one.get());
    expect(messages).toMatchObject([
      {
        to: rotator.email,
        subject: expect.stringContaining('the-rotation'),
        text: expect.stringContaining(secretRotation.lastRotationMessage),
      },
    ]);
    for (const value of Object.values(await one.active())) expect(messages[0]!.text).not.toContain(value);
    await ok(one.rotate());
    await rotationFailedMail.run(platform(), toRotator, {} as never);
    expect(messages).toHaveLength(1);
  });

  it('webhooks of its folder are notified, also beside changes of that', async () => {
    const one = await made();
    const hook = {
      workspaceId: one.projectId,
      environment: 'dev',
      secretPath: '/',
      webhookUrl: `${receiver.url}/hook`,
    };
    const { webhook } = await ok(system.test.admin('POST', '/api/v1/webhooks', hook));
    const slack = await ok(system.test.admin('POST', '/api/v1/webhooks', { ...hook, type: 'slack' }));
    await ok(system.test.admin('POST', '/api/v1/webhooks', { ...hook, environment: 'prod' }));
    await failing(one, 2);
    const { organizationId } = system.test;
    for (const { id } of [webhook, slack.webhook])
      await webhookJob.run(platform(), { organizationId, webhookId: id }, {} as never);
    const { secretRotation } = await ok(one.get());
    expect(receiver.received.map(({ body }) => body)).toEqual([
      expect.objectContaining({
        event: 'secrets.rotation-failed',
        project: expect.objectContaining({
          ...{ projectId: one.projectId, environment: 'dev', secretPath: '/', rotationName: 'the-rotation' },
          ...{ errorMessage: secretRotation.lastRotationMessage, triggeredManually: false },
        }),
      }),
      expect.objectContaining({ text: expect.stringContaining('the-rotation failed') }),
    ]);
  });

  it('nobody is notified who was answered the error', async () => {
    const one = await made();
    await system.shut();
    expect((await one.rotate()).status).toBe(400);
    await system.open();
    expect(await jobsOf(one)).toEqual([]);
    expect((await one.events()).at(-1)).toMatchObject({ type: 'secret_rotation.failed', data: { isManual: true } });
  });
});

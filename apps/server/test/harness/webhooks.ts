import { createOutbound, parseCidrs, sendWebhooks, webhookJob } from '@coffer/domain';
import { expect } from 'vitest';
import { openReceiver, type Receiver } from './receiver.ts';
import { testServer, type TestServer } from './test-server.ts';
import { wholeAttempt } from './whole-attempt.ts';

export const MINUTE = 60_000;
export const KEY = 'a key that both sides know';
export const VALUE = 'v4lue-of-a-secret';
export const fails: Parameters<Receiver['answer']>[0] = (_req, res) => res.writeHead(500).end('broken');

/** A server that may call this machine, and a new receiver of webhooks for each test. */
export async function webhooks() {
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  const test = await testServer({ fetch: outbound.fetch, clock: 'standing' });
  let receiver = await openReceiver();

  const platform = (on: TestServer = test) =>
    on.coffer.contextFor({ type: 'platform', organizationId: on.organizationId });

  /** A project with a webhook, and functions to write secrets and send notifications. */
  async function setUp(webhook: Record<string, unknown> = {}, on: TestServer = test) {
    const project = await on.project();
    const scope = { organizationId: on.organizationId, projectId: project.id };
    const create = (more: Record<string, unknown> = {}) =>
      on.admin('POST', '/api/v1/webhooks', {
        workspaceId: project.id,
        environment: 'dev',
        webhookUrl: `${receiver.url}/hook`,
        webhookSecretKey: KEY,
        ...more,
      });
    const made = await create(webhook);
    expect([made.status, made.body.message]).toEqual([200, made.body.message]);
    const ids = [made.body.webhook.id as string];
    return {
      project,
      scope,
      id: ids[0]!,
      create: async (more?: Record<string, unknown>) => {
        const another = await create(more);
        if (another.status === 200) ids.push(another.body.webhook.id);
        return another;
      },
      write: async (key: string, secretPath = '/', environment = 'dev') => {
        const place = { projectId: project.id, environment, secretPath };
        const answer = await on.admin('PATCH', '/api/v4/secrets/batch', {
          ...place,
          mode: 'upsert',
          secrets: [{ secretKey: key, secretValue: `${VALUE} ${Math.random()}` }],
        });
        expect(answer.status).toBe(200);
      },
      folder: async (name: string, path = '/', environment = 'dev') => {
        const { status, body } = await on.admin('POST', '/api/v2/folders', {
          projectId: project.id,
          environment,
          path,
          name,
        });
        expect(status).toBe(200);
        return body.folder.id as string;
      },
      collect: () => sendWebhooks(platform(on), { ...scope }),
      /** Does what the jobs do that are due, also of further webhooks. */
      tell: async (...further: readonly string[]) => {
        await sendWebhooks(platform(on), { ...scope });
        for (const webhookId of [...ids, ...further])
          await wholeAttempt(on, 'webhooks', webhookId, () =>
            webhookJob.run(platform(on), { organizationId: on.organizationId, webhookId }, {} as never),
          );
      },
      look: async () =>
        (await on.admin('GET', `/api/v1/webhooks?workspaceId=${project.id}`)).body.webhooks.find(
          (one: { id: string }) => one.id === ids[0],
        ),
    };
  }

  return {
    test,
    outbound,
    platform,
    setUp,
    /** The folders in the received notifications. */
    paths: () => receiver.received.map(({ body }) => body.project.secretPath as string),
    /** Replaces the receiver. */
    async renewed(): Promise<Receiver> {
      await receiver.close();
      receiver = await openReceiver();
      return receiver;
    },
    async close() {
      await receiver.close();
      await test.close();
      await outbound.close();
    },
  };
}

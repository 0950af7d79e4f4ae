import type { Rule } from '@coffer/domain';
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { readEvents, type EventReader } from './event-reader.ts';
import { testServer, type Caller, type TestServer } from './test-server.ts';

const URL_PATH = '/api/v1/events/subscribe/project-events';
export const ALL = ['secret:create', 'secret:update', 'secret:delete', 'secret:import-mutation'] as const;
export const ACTIONS = ['created', 'updated', 'deleted', 'import-mutation'].map(
  (kind) => `subscribe-to-${kind}-events`,
);
export const VALUE = 'v4lue-of-a-secret';
/** For background work: a test never waits for it here. */

export const listen = (app: FastifyInstance): Promise<string> => app.listen({ port: 0, host: '127.0.0.1' });

/** The part of an event about one secret. */
export const place = (secretKey: string, secretPath = '/', environment = 'dev') => ({
  environment,
  secretPath,
  secretKey,
});

export interface Subscribe {
  readonly token?: string;
  readonly at?: string;
  readonly register?: object[];
  readonly lastEventId?: string | undefined;
  readonly more?: object;
}

/** A listening server with subscribers; default: as its administrator. */
export async function watching() {
  const test = await testServer();
  const origin = await listen(test.app);
  const open: EventReader[] = [];

  async function subscribe(
    projectId: string,
    { token, at = origin, register, lastEventId, more }: Subscribe = {},
  ): Promise<EventReader> {
    const reader = await readEvents(at + URL_PATH, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== '' && { authorization: `Bearer ${token ?? test.adminIdentity.token}` }),
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      body: JSON.stringify({ projectId, register: register ?? ALL.map((event) => ({ event })), ...more }),
    });
    open.push(reader);
    const least = reader.status === 200 ? 1 : 0;
    await expect.poll(() => reader.frames.length).toBeGreaterThanOrEqual(least);
    return reader;
  }

  /** The same by way of tRPC. */
  async function subscribeByTrpc(
    projectId: string,
    {
      token = test.adminIdentity.token,
      at = origin,
      lastEventId,
    }: Pick<Subscribe, 'token' | 'at' | 'lastEventId'> = {},
  ): Promise<EventReader> {
    const input = JSON.stringify({ projectId, register: ALL.map((event) => ({ event })) });
    const reader = await readEvents(`${at}/api/trpc/secretEvents.watch?input=${encodeURIComponent(input)}`, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${token}`,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
    });
    open.push(reader);
    await expect.poll(() => reader.frames.length).toBeGreaterThan(1);
    return reader;
  }

  /** A project, and how to write to it. */
  async function setUp(on: TestServer = test) {
    const project = await on.project();
    const projectId = project.id;
    const at = (secretPath = '/', environment = 'dev') => ({ projectId, environment, secretPath });
    const ok = async (...[method, url, body]: Parameters<Caller>) => {
      const answer = await on.admin(method, url, body);
      expect([url, answer.status, answer.status === 200 ? undefined : answer.body]).toEqual([url, 200, undefined]);
      return answer.body;
    };
    return {
      projectId,
      at,
      ok,
      write: (keys: string[], secretPath = '/', environment = 'dev') =>
        ok('PATCH', '/api/v4/secrets/batch', {
          ...at(secretPath, environment),
          mode: 'upsert',
          secrets: keys.map((secretKey) => ({ secretKey, secretValue: `${VALUE} ${Math.random()}` })),
        }),
      remove: (key: string, secretPath = '/', environment = 'dev') =>
        ok('DELETE', `/api/v4/secrets/${key}`, at(secretPath, environment)),
      folder: async (name: string, path = '/', environment = 'dev'): Promise<string> =>
        (await ok('POST', '/api/v2/folders', { projectId, environment, path, name })).folder.id,
      /** A caller with these permissions in the project, and those for subscribing. */
      listener: (rules: Rule[], actions = ACTIONS) =>
        on.identity({ projectId, rules: [...rules, { subject: 'secret-events', action: actions }] }),
    };
  }

  return {
    test,
    subscribe,
    subscribeByTrpc,
    setUp,
    /** Ends what was subscribed to so far. */
    hangUp() {
      for (const reader of open.splice(0)) reader.close();
    },
    close: () => test.close(),
  };
}

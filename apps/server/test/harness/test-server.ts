import { text } from 'node:stream/consumers';
import { appRouter } from '@coffer/api';
import {
  makeIdentity,
  makeOrganization,
  makeProject,
  testCoffer,
  type MadeIdentity,
  type MakeIdentity,
  type TestCoffer,
} from '@coffer/domain/testing';
import type { FastifyInstance } from 'fastify';
import { createApp, type AppOptions } from '../../src/app.ts';
import { drain } from '../../src/http/drain.ts';
import { asking, NotedWaysOut } from './asking-operations.ts';
import { undocumentedAnswers } from './documented.ts';

export interface Answer {
  readonly status: number;
  // Tests look into answers of every shape; what they expect of them is written where they do.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly headers: Record<string, unknown>;
}

/** Calls the server as one caller: `await admin('POST', '/api/v1/…', { name: 'x' })`. */
export type Caller = (
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  url: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Answer>;

export interface TestServer extends TestCoffer {
  readonly app: FastifyInstance;
  readonly organizationId: string;
  /** Administers the organization. */
  readonly admin: Caller;
  readonly adminIdentity: MadeIdentity;
  /** A caller with a token, or with none. */
  as(token?: string): Caller;
  /** A project of the organization that `admin` administers, with the environments dev, staging and prod. */
  project(): Promise<{ id: string; slug: string }>;
  /** A caller with exactly these rights in the organization. */
  identity(make?: Omit<MakeIdentity, 'organizationId'>): Promise<{ id: string; token: string; call: Caller }>;
  /** Another organization with its administrator: everything here is foreign to it. */
  foreign(): Promise<{ organizationId: string; call: Caller; identity: MadeIdentity }>;
}

/** Calls the routes of a process, without a socket, as one caller or another. */
export const callersOf =
  (app: FastifyInstance) =>
  (token?: string): Caller =>
  async (method, url, body, headers = {}) => {
    const answer = await asking(
      `${method} ${url}`,
      async () =>
        await app.inject({
          method,
          url,
          headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
          ...(body && { payload: body }),
          payloadAsStream: true,
        }),
    );
    const { statusCode: status, headers: answered } = answer;
    const type = String(answered['content-type']);
    const payload = answer.stream();
    if (type.startsWith('text/event-stream')) {
      // It would go on forever; readEvents (event-reader.ts) reads it.
      payload.destroy();
      return { status, body: '', headers: answered };
    }
    const sent = await text(payload);
    return { status, body: type.includes('application/json') ? JSON.parse(sent) : sent, headers: answered };
  };

/** Seconds, as little as a test waits for its hooks. */
const STOP_TIMEOUT = 5;

/** The complete application with its own database, called through its routes without a socket. */
export async function testServer(
  options: Parameters<typeof testCoffer>[0] = {},
  appOptions: Omit<AppOptions, 'coffer'> = {},
): Promise<TestServer> {
  const out = new NotedWaysOut();
  const test = await testCoffer({
    ...options,
    ...(options.fetch && { fetch: out.fetch(options.fetch) }),
    ...(options.connect && { connect: out.connect(options.connect) }),
  });
  const app = await createApp({ coffer: test.coffer, ...appOptions });
  const organization = await makeOrganization(test.coffer);
  const as = callersOf(app);
  return {
    ...test,
    app,
    organizationId: organization.id,
    admin: as(organization.admin.token),
    adminIdentity: organization.admin,
    as,
    project: () => makeProject(test.coffer, organization.id, organization.admin.actor),
    identity: async (make = {}) => {
      const identity = await makeIdentity(test.coffer, { organizationId: organization.id, ...make });
      return { ...identity, call: as(identity.token) };
    },
    foreign: async () => {
      const { id, admin } = await makeOrganization(test.coffer, 'Foreign');
      return { organizationId: id, call: as(admin.token), identity: admin };
    },
    close: async () => {
      await drain(app, STOP_TIMEOUT, test.coffer.log);
      await test.close();
      const undocumented = undocumentedAnswers(app, appOptions.router ?? appRouter);
      if (undocumented.length > 0)
        throw new Error(`Operations answered what the OpenAPI document does not list: ${undocumented.join(', ')}`);
      if (out.unknown.size > 0)
        throw new Error(
          `Operations ask another system, and are not among ASKING_OPERATIONS: ${[...out.unknown].join(', ')}`,
        );
    },
  };
}

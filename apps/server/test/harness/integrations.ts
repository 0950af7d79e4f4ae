import { runSync, followChanges } from '@coffer/domain';
import { expect } from 'vitest';
import { ok } from './groups.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';
import { wholeAttempt } from './whole-attempt.ts';

interface Scheduled {
  failures: number;
  due_at: string | null;
  last_used: string | null;
  claimed_until: string | null;
}

/** A project with secrets to be synced, and the ways in which tests make and run its integrations. */
export class SyncedProject {
  readonly id: string;
  readonly call: Caller;
  readonly #test: TestServer;

  constructor(test: TestServer, id: string) {
    this.#test = test;
    this.id = id;
    this.call = test.admin;
  }

  static async make(test: TestServer): Promise<SyncedProject> {
    const { id } = await test.project();
    return new SyncedProject(test, id);
  }

  /** Creates or updates secrets; `null` deletes one. */
  async write(secrets: Record<string, string | null>, environment = 'dev', secretPath = '/'): Promise<void> {
    const place = { workspaceId: this.id, projectId: this.id, environment, secretPath };
    const values = Object.entries(secrets).flatMap(([secretKey, secretValue]) =>
      secretValue === null ? [] : [{ secretKey, secretValue }],
    );
    if (values.length > 0)
      await ok(this.call('PATCH', '/api/v4/secrets/batch', { ...place, mode: 'upsert', secrets: values }));
    for (const [secretKey, value] of Object.entries(secrets))
      if (value === null) await ok(this.call('DELETE', `/api/v4/secrets/${secretKey}`, place));
  }

  /** The contents of a folder of its own. */
  async read(environment = 'dev', secretPath = '/'): Promise<Record<string, string>> {
    const query = `projectId=${this.id}&environment=${environment}&secretPath=${secretPath}`;
    const { secrets } = await ok(this.call('GET', `/api/v4/secrets?${query}`));
    return Object.fromEntries(
      secrets.map(({ secretKey, secretValue }: Record<string, string>) => [secretKey, secretValue]),
    );
  }

  async authorize(integration: string, credentials: object): Promise<string> {
    const body = { workspaceId: this.id, integration, ...credentials };
    return (await ok(this.call('POST', '/api/v1/integration-auth/access-token', body))).integrationAuth.id;
  }

  async integrate(integration: string, credentials: object, given: object): Promise<string> {
    const integrationAuthId = await this.authorize(integration, credentials);
    const body = { integrationAuthId, sourceEnvironment: 'dev', ...given };
    return (await ok(this.call('POST', '/api/v1/integration', body))).integration.id;
  }

  /** Runs a due sync as the worker does, and returns the resulting integration. */
  async run(integrationId: string): Promise<Answer['body']> {
    const { organizationId } = this.#test;
    await wholeAttempt(this.#test, 'secret_syncs', integrationId, () =>
      runSync.run(this.#platform(), { organizationId, integrationId }, {} as never),
    );
    return this.status(integrationId);
  }

  /** Notifies the integrations of a change, as the worker does after each. */
  async follow(): Promise<void> {
    const { organizationId } = this.#test;
    await followChanges(this.#platform(), { organizationId, projectId: this.id });
  }

  /** When the next try is due, and how many have failed since the last success. */
  async scheduled(integrationId: string): Promise<Scheduled> {
    const { rows } = await this.#test.coffer.pool.query<Scheduled>(
      'select failures, due_at, last_used, claimed_until from secret_syncs where id = $1',
      [integrationId],
    );
    return rows[0]!;
  }

  /** Seconds until the next attempt; `undefined` if there is none. */
  async dueIn(integrationId: string): Promise<number | undefined> {
    const { due_at: due, last_used: last } = await this.scheduled(integrationId);
    return due === null ? undefined : Math.round((Date.parse(due) - Date.parse(last ?? '')) / 1000);
  }

  /** How many syncs of it wait for a worker. */
  async waiting(integrationId: string): Promise<number | null> {
    const key = `integration:${integrationId}`;
    return (await this.#test.coffer.pool.query('select 1 from graphile_worker.jobs where key = $1', [key])).rowCount;
  }

  #platform() {
    const { organizationId, coffer } = this.#test;
    return coffer.contextFor({ type: 'platform', organizationId });
  }

  /** Requests a sync and runs it. */
  async sync(integrationId: string): Promise<Answer['body']> {
    await ok(this.call('POST', `/api/v1/integration/${integrationId}/sync`));
    return this.run(integrationId);
  }

  async status(integrationId: string): Promise<Answer['body']> {
    return (await ok(this.call('GET', `/api/v1/integration/${integrationId}`))).integration;
  }
}

/** Requests a sync, which must succeed. */
export async function synced(project: SyncedProject, integrationId: string): Promise<void> {
  expect(await project.sync(integrationId)).toMatchObject({ isSynced: true, syncMessage: null });
}

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { client, Refused } from '../subject/client.ts';
import { hasEnded, type Running } from '../subject/server.ts';
import { ENVIRONMENT, folderOf, type World } from '../subject/world.ts';

export const METRICS = 'a-token-of-sixteen-letters-or-more';
/** Milliseconds until a job that a failover has interrupted is run by another process. */
const PATIENCE_MS = 150_000;
/** Milliseconds within which other processes must know of a revocation. */
const REVOKED_MS = 1_000;

/** Looks whether two processes do again what they did before a failover. */
export class Recovery {
  /** Milliseconds until the other process refused a revoked token. */
  readonly revocations: number[] = [];
  readonly #world: World;
  readonly #processes: readonly [Running, Running];
  readonly #hook: Server;
  #calls = 0;
  #turn = 0;

  private constructor(world: World, processes: readonly [Running, Running], hook: Server) {
    this.#world = world;
    this.#processes = processes;
    this.#hook = hook;
    hook.on('request', (req, res) => {
      this.#calls++;
      req.resume();
      res.end();
    });
  }

  /** Makes what is looked at: a webhook of changes in the root folder. */
  static async prepare(world: World, processes: readonly [Running, Running]): Promise<Recovery> {
    const hook = createServer().listen(0, '127.0.0.1');
    await once(hook, 'listening');
    const { port } = hook.address() as AddressInfo;
    const recovery = new Recovery(world, processes, hook);
    const webhookUrl = `http://127.0.0.1:${port}/`;
    await world.admin('POST', '/api/v1/webhooks', {
      workspaceId: world.projectId,
      environment: ENVIRONMENT,
      webhookUrl,
    });
    return recovery;
  }

  close(): void {
    this.#hook.close();
    this.#hook.closeAllConnections();
  }

  /** Sentences about what is not as before. `database`: of a superuser. */
  async findings(database: pg.Client): Promise<string[]> {
    const found: string[] = [];
    this.#turn++;
    for (const { child, pid } of this.#processes) if (hasEnded(child)) found.push(`Process ${pid} has ended`);
    if (!(await this.#callsWebhook())) found.push('No job ran: a webhook was not called');
    if (!(await this.#listens(database))) found.push('The job queue of a process is not connected');
    if (!(await this.#seals(database))) found.push('The audit log is not sealed any more');
    found.push(...(await this.#hears()));
    return found;
  }

  async #callsWebhook(): Promise<boolean> {
    const before = this.#calls;
    const path = `/api/v4/secrets/HOOK_${this.#turn}`;
    await this.#world.admin('POST', path, { ...folderOf(this.#world, '/'), secretValue: 'value' });
    return within(PATIENCE_MS, () => Promise.resolve(this.#calls > before));
  }

  /** The queue of each process, since one that is left would run all jobs. */
  async #listens(database: pg.Client): Promise<boolean> {
    const text = `select count(*)::integer as queues from pg_stat_activity where application_name = 'coffer-jobs' and query like 'LISTEN %'`;
    return within(PATIENCE_MS, async () => {
      const { rows } = await database.query<{ queues: number }>(text);
      return rows[0]!.queues === this.#processes.length;
    });
  }

  async #seals(database: pg.Client): Promise<boolean> {
    const sealed = async () => {
      const text = 'select coalesce(sum(events), 0)::text as events from audit_blocks';
      return Number((await database.query<{ events: string }>(text)).rows[0]!.events);
    };
    const before = await sealed();
    await this.#world.admin('GET', `/api/v4/secrets/HOOK_${this.#turn}?${this.#place()}`);
    return within(PATIENCE_MS, async () => (await sealed()) > before);
  }

  /** A token that each process has cached is refused there, soon after the other one has revoked it. */
  async #hears(): Promise<string[]> {
    const { organizationId, token } = this.#world;
    const [first, second] = this.#processes;
    const [here, there] = this.#turn % 2 === 0 ? [first, second] : [second, first];
    const admin = client(here.url, token);
    const { identity } = await admin<{ identity: { id: string } }>('POST', '/api/v1/identities', {
      name: `recovery-${this.#turn}`,
      organizationId,
      role: 'member',
    });
    const auth = `/api/v1/auth/token-auth/identities/${identity.id}`;
    await admin('POST', auth, {});
    const issued = await admin<{ accessToken: string; tokenData: { id: string } }>('POST', `${auth}/tokens`, {});
    const other = client(there.url, issued.accessToken);
    const isAccepted = () =>
      other('GET', `/api/v1/identities/${identity.id}`).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Refused && error.status === 401) return false;
          throw error;
        },
      );
    if (!(await isAccepted())) return ['A new token was refused'];
    const caches = await within(PATIENCE_MS, async () => (await isAccepted()) && (await cachedTokens(there)) > 0);
    await admin('POST', `/api/v1/auth/token-auth/tokens/${issued.tokenData.id}/revoke`, {});
    const since = performance.now();
    await within(PATIENCE_MS, async () => !(await isAccepted()));
    const ms = performance.now() - since;
    this.revocations.push(ms);
    return [
      ...(caches ? [] : [`Process ${there.pid} caches no tokens any more`]),
      ...(ms <= REVOKED_MS ? [] : [`A revoked token was accepted by the other process for ${Math.round(ms)} ms`]),
    ];
  }

  #place(): string {
    return new URLSearchParams(folderOf(this.#world, '/')).toString();
  }
}

async function cachedTokens({ url }: Running): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS}` } });
  const [, count = '0'] = /coffer_cache_entries\{of="identity_tokens"\} (\d+)/.exec(await answer.text()) ?? [];
  return Number(count);
}

async function within(ms: number, isSo: () => Promise<boolean>): Promise<boolean> {
  for (const deadline = performance.now() + ms; performance.now() < deadline; await sleep(20))
    if (await isSo()) return true;
  return false;
}

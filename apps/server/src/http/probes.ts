import type { Coffer } from '@coffer/domain';
import { requireDatabase } from '@coffer/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { discardBody } from './body-gate.ts';

/** Milliseconds for which all probes share one answer of the database. */
const SHARED_MS = 250;

/** Whether load balancers may send requests to this process. */
export class Readiness {
  readonly #check: () => Promise<void>;
  #isLeaving = false;
  /** The last answer, which may still be awaited; absent when it is too old. */
  #last: Promise<string | undefined> | undefined;

  /** `check`: rejects while the database does not take writes. */
  constructor(check: () => Promise<void>) {
    this.#check = check;
  }

  /** From now on the process is not ready: it is about to stop. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Why it is not ready; absent if it is. */
  async obstacle(): Promise<string | undefined> {
    if (this.#isLeaving) return 'The server is stopping';
    this.#last ??= this.#ask();
    return this.#last;
  }

  async #ask(): Promise<string | undefined> {
    try {
      await this.#check();
      return undefined;
    } catch {
      return 'The database does not respond, or does not take writes';
    } finally {
      setTimeout(() => (this.#last = undefined), SHARED_MS).unref();
    }
  }
}

export const readinessOf = ({ pool }: Coffer): Readiness => new Readiness(() => requireDatabase(pool));

/**
 * `/livez` and `/readyz`, for load balancers and orchestrators: whatever the host, without limits and without a place in
 * the queue, because a busy process must not seem dead. They reveal nothing, and cost the database four statements a second at most.
 * Registered before the routes of callers, whose hooks admit, log and count.
 */
export function registerProbes(
  app: FastifyInstance,
  { readiness, headers }: { readonly readiness: Readiness; readonly headers: Readonly<Record<string, string>> },
): void {
  const answer = (req: FastifyRequest, reply: FastifyReply, obstacle?: string) => {
    discardBody(req, reply);
    return reply
      .status(obstacle === undefined ? 200 : 503)
      .headers({ ...headers, 'content-type': 'text/plain; charset=utf-8' })
      .send(`${obstacle ?? 'ok'}\n`);
  };
  app.route({ method: ['GET', 'HEAD'], url: '/livez', handler: (req, reply) => answer(req, reply) });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    handler: async (req, reply) => answer(req, reply, await readiness.obstacle()),
  });
}

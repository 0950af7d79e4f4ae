import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@coffer/domain';
import type { FastifyInstance } from 'fastify';

const CHECK_MS = 50;
/** How long clients get to use their open connections once more: only then are idle ones closed. */
const HAND_OVER_MS = 2_000;

/** Stops accepting connections, finishes running requests, and closes the rest when they are done or the time is up. */
export async function drain(app: FastifyInstance, seconds: number, log: Log): Promise<void> {
  const giveUpAt = performance.now() + seconds * 1000;
  let quiet = 0;
  const check = () => {
    const isLate = performance.now() >= giveUpAt;
    if (isLate && app.traffic.inFlight > 0)
      log.warn({ requests: app.traffic.inFlight }, 'The time to stop is up: requests are cut off');
    // Twice, so that the last answer has left.
    quiet = app.traffic.inFlight === 0 ? quiet + 1 : 0;
    if (isLate || quiet >= 2) app.server.closeAllConnections();
  };
  const timer = setInterval(check, CHECK_MS);
  try {
    await app.close();
    // After a handover, the server has stopped listening before and does not wait for its connections.
    while ((await connectionsOf(app)) > 0) await sleep(CHECK_MS);
  } finally {
    clearInterval(timer);
  }
}

/**
 * Stops accepting connections, while other processes do, and lets each open one end with its next response: a client that
 * sends a request at the moment in which its connection is closed would get none.
 */
export async function handOver(app: FastifyInstance): Promise<void> {
  app.server.prependListener('request', (_req, res) => void res.setHeader('connection', 'close'));
  // Not `close` of the HTTP server, which closes idle connections at once.
  Server.prototype.close.call(app.server);
  const until = performance.now() + HAND_OVER_MS;
  while (performance.now() < until && (await connectionsOf(app)) > 0) await sleep(CHECK_MS);
}

const connectionsOf = (app: FastifyInstance): Promise<number> =>
  new Promise((resolve) => app.server.getConnections((error, count) => resolve(error ? 0 : count)));

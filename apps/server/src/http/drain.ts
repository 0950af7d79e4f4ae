import type { Log } from '@coffer/domain';
import type { FastifyInstance } from 'fastify';

const CHECK_MS = 50;

/** Stops accepting connections, finishes running requests, and closes the rest when they are done or the time is up. */
export async function drain(app: FastifyInstance, seconds: number, log: Log): Promise<void> {
  const giveUpAt = performance.now() + seconds * 1000;
  let quiet = 0;
  const check = setInterval(() => {
    const isLate = performance.now() >= giveUpAt;
    if (isLate && app.traffic.inFlight > 0)
      log.warn({ requests: app.traffic.inFlight }, 'The time to stop is up: requests are cut off');
    // Twice, so that the last answer has left.
    quiet = app.traffic.inFlight === 0 ? quiet + 1 : 0;
    if (isLate || quiet >= 2) app.server.closeAllConnections();
  }, CHECK_MS);
  try {
    await app.close();
  } finally {
    clearInterval(check);
  }
}

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { EmbeddedPostgresError } from './errors.ts';

/**
 * A free port on loopback, below the range of ephemeral ports (32768 and up): the server must get the same port again
 * after a crash, and a client that retries connections to a closed port of that range could get this port as its own,
 * and connect to itself.
 */
export async function findPort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(16_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new EmbeddedPostgresError('port_taken', 'There is no free port on 127.0.0.1 between 16000 and 32000');
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    probe.listen({ host: '127.0.0.1', port, exclusive: true });
    await once(probe, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../subject/world.ts';

const EVENTS = ['secret:create', 'secret:update', 'secret:delete'].map((event) => ({ event }));
const OPEN_MS = 60_000;

/** Listens to the changes of the project, each minute on a new connection, until the signal aborts. Returns what it has received. */
export async function watch(
  { admin, projectId }: World,
  signal: AbortSignal,
): Promise<{ streams: number; bytes: number }> {
  const received = { streams: 0, bytes: 0 };
  while (!signal.aborted) {
    const closing = AbortSignal.any([signal, AbortSignal.timeout(OPEN_MS)]);
    try {
      const answer = await fetch(`${admin.url}/api/v1/events/subscribe/project-events`, {
        method: 'POST',
        headers: admin.headers,
        body: JSON.stringify({ projectId, register: EVENTS }),
        signal: closing,
      });
      if (!answer.ok) throw new Error(`A subscription was answered with ${answer.status}: ${await answer.text()}`);
      received.streams++;
      for await (const chunk of answer.body!) received.bytes += chunk.length;
      throw new Error('A subscription has ended');
    } catch (error) {
      if (!closing.aborted) throw error;
    }
    await sleep(10);
  }
  return received;
}

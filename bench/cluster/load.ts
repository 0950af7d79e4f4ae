import { setTimeout as sleep } from 'node:timers/promises';
import { client } from '../subject/client.ts';
import { folderOf, type World } from '../subject/world.ts';

/** What clients heard of a service while something was done to it. */
export interface Heard {
  answered: number;
  /** Requests without an answer, or with one that is no success. */
  readonly failed: string[];
}

/**
 * Reads, creates and updates secrets over keep-alive connections, each request after the answer to the one before, until
 * `work` is done. A failed request is not repeated.
 */
export async function underLoad(url: string, world: World, clients: number, work: () => Promise<void>): Promise<Heard> {
  const heard: Heard = { answered: 0, failed: [] };
  let isOver = false;
  const one = async (name: string): Promise<void> => {
    const ask = client(url, world.token);
    const place = folderOf(world, '/');
    const query = new URLSearchParams(place).toString();
    for (let turn = 0; !isOver; turn++) {
      const path = `/api/v4/secrets/${name}_${Math.floor(turn / 3)}`;
      const body = { ...place, secretValue: `value ${turn}` };
      const request = [
        () => ask('POST', path, body),
        () => ask('PATCH', path, body),
        () => ask('GET', `${path}?${query}`),
      ][turn % 3]!;
      await request().then(
        () => heard.answered++,
        (error: Error) =>
          heard.failed.push(
            [error, error.cause].flatMap((fault) => (fault instanceof Error ? [fault.message] : [])).join(': '),
          ),
      );
      await sleep(20);
    }
  };
  const all = Array.from({ length: clients }, (_, index) => one(`LOAD_${Date.now()}_${index}`));
  await work().finally(() => (isOver = true));
  await Promise.all(all);
  return heard;
}

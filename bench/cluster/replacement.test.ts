// @long: kills processes
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts, type Running } from '../subject/server.ts';
import { Run } from '../subject/stage.ts';
import { makeWorld, type World } from '../subject/world.ts';
import { HAPROXY, startHaproxy } from './haproxy.ts';
import { underLoad } from './load.ts';
import { POSTGRES, startPostgres, type ExternalPostgres } from './postgres.ts';

const METRICS = 'a-token-of-sixteen-letters-or-more';

const areThere = existsSync(HAPROXY) && POSTGRES !== undefined;

describe.skipIf(!areThere && process.env['CI'] === undefined)(
  'two processes behind HAProxy, on PostgreSQL of Debian',
  () => {
    const run = new Run();
    let postgres: ExternalPostgres;
    let url: string;
    let world: World;
    let second: Running;
    const ports: number[] = [];
    const start = async (number: number) =>
      run.server({
        dataDir: await run.directory(`process-${number}`),
        environment: {
          PORT: String(ports[number]),
          DATABASE_URL: postgres.servingUrl,
          COFFER_MIGRATION_DATABASE_URL: postgres.url,
          COFFER_ROOT_KEY: Buffer.alloc(32, 7).toString('base64'),
          COFFER_STOP_DELAY: '1',
          COFFER_METRICS_TOKEN: METRICS,
        },
      });
    beforeAll(async () => {
      postgres = run.adopt(await startPostgres(await run.directory('postgres')));
      ports.push(...(await freePorts(3)));
      const [first] = await Promise.all([start(0), start(1).then((one) => (second = one))]);
      world = await makeWorld(first.url);
      url = `http://127.0.0.1:${ports[2]}`;
      const addresses = {
        '10.0.0.10:80': `127.0.0.1:${ports[2]}`,
        '10.0.0.1:8080': `127.0.0.1:${ports[0]}`,
        '10.0.0.2:8080': `127.0.0.1:${ports[1]}`,
      };
      run.adopt(await startHaproxy('coffer', addresses, await run.directory('haproxy.cfg')));
    });
    afterAll(() => run.close());

    /** How many requests of clients a process has answered. */
    async function requestsOf({ url: own }: Running): Promise<number> {
      const answer = await fetch(`${own}/metrics`, { headers: { authorization: `Bearer ${METRICS}` } });
      const counts = (await answer.text()).matchAll(/_count\{[^}]*route="\/api\/v4\/secrets[^}]*\} (\d+)/g);
      return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
    }
    const statusOf = (path: string) => fetch(`${second.url}${path}`).then(({ status }) => status);

    it('replace one of them under load, and no request fails', async () => {
      const heard = await underLoad(url, world, 3, async () => {
        const stopped = second.stop();
        // It is live, and still answers those who have not noticed.
        await expect.poll(() => statusOf('/readyz')).toBe(503);
        expect([await statusOf('/livez'), await statusOf('/api/status')]).toEqual([200, 200]);
        await stopped;
        second = await start(1);
        const before = await requestsOf(second);
        await expect.poll(() => requestsOf(second)).toBeGreaterThan(before);
      });
      expect(heard.failed).toEqual([]);
      expect(heard.answered).toBeGreaterThan(100);
    });
  },
);

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCoffer, type Coffer } from './coffer.ts';
import { DatabaseClock } from './database-clock.ts';
import { parseRootKey } from '../crypto/index.ts';
import { newId, type Log } from '../kernel/index.ts';
import { testCoffer, type TestCoffer } from '../testing/index.ts';

const MINUTES = 5 * 60_000;
const silent = () => undefined;

/** A clock on a machine whose time stands at `time`, with its warnings. */
function standing(time: number) {
  const warnings: string[] = [];
  const log: Log = {
    debug: silent,
    info: silent,
    error: silent,
    warn: (_: object, text: string) => void warnings.push(text),
  };
  const machine = { time };
  const clock = new DatabaseClock(log, () => machine.time);
  return { machine, warnings, now: () => clock.now().getTime(), compare: clock.compare };
}

describe('the clock of a process', () => {
  it('is that of its machine while the database has the same time to a second', () => {
    const { now, compare, warnings } = standing(50_000);
    for (const time of [49_000, 50_000, 51_000]) compare({ time, took: 0 });
    expect([now(), warnings]).toEqual([50_000, []]);
  });

  it.each([-MINUTES, -1_001, 1_001, MINUTES])('is that of the database, which is %i ms ahead', (ahead) => {
    const { now, compare, warnings, machine } = standing(500_000);
    compare({ time: 500_000 + ahead - 10, took: 20 });
    expect([now(), warnings.length]).toEqual([500_000 + ahead, 1]);
    // It is not set anew by each heartbeat, whose answers take different times.
    machine.time += 300;
    compare({ time: machine.time + ahead + 900, took: 0 });
    expect([now(), warnings.length]).toEqual([500_300 + ahead, 1]);
  });

  it('follows a machine or a database whose clock is set, and does not trust slow answers', () => {
    const { now, compare, warnings, machine } = standing(500_000);
    compare({ time: 900_000, took: 501 });
    expect(now()).toBe(500_000);
    compare({ time: 900_000, took: 0 });
    machine.time = 900_100;
    expect(now()).toBe(1_300_100);
    compare({ time: 900_200, took: 0 });
    expect([now(), warnings.length]).toEqual([900_100, 2]);
  });
});

describe('two processes on machines whose clocks differ by ten minutes', () => {
  let test: TestCoffer;
  const processes: Coffer[] = [];
  beforeAll(async () => {
    test = await testCoffer();
    for (const difference of [-MINUTES, MINUTES])
      processes.push(
        await openCoffer({
          databaseUrl: test.servingUrl,
          rootKey: parseRootKey(test.rootKey),
          fetch: () => Promise.reject(new Error('This test reaches no network')),
          machineTime: () => Date.now() + difference,
          migrate: false,
          poolSize: 4,
        }),
      );
  });
  afterAll(async () => {
    for (const coffer of processes) await coffer.close();
    await test.close();
  });

  it('have the time of the database', async () => {
    // This machine is the database's.
    const differences = () => processes.map(({ now }) => Math.round((now().getTime() - Date.now()) / MINUTES));
    await expect.poll(differences).toEqual([0, 0].map((zero) => expect.closeTo(zero)));
  });

  it('make IDs with the time of the database', () => {
    const time = Number.parseInt(newId().replace('-', '').slice(0, 12), 16);
    expect(Math.round((time - Date.now()) / MINUTES)).toBeCloseTo(0);
  });
});

import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { configOfWorker, connectionsOf } from './share.ts';

it('gives all workers together no more connections and places than one process has', () => {
  for (const workers of [1, 2, 3, 4, 8, 64]) {
    const { config } = readConfig({ COFFER_WORKERS: String(workers), COFFER_CONCURRENCY: '64' });
    const { COFFER_DATABASE_POOL: pool, COFFER_CONCURRENCY: places } = configOfWorker(config, workers);
    expect(pool).toBeGreaterThanOrEqual(2);
    expect(pool * workers).toBeLessThanOrEqual(config.COFFER_DATABASE_POOL);
    expect(places * workers).toBeLessThanOrEqual(64);
  }
});

it('says how many connections the database has to admit', () => {
  const connections = (workers: string) => connectionsOf(readConfig({ COFFER_WORKERS: workers }).config);
  expect([connections('1'), connections('2')]).toEqual([25, 44]);
});

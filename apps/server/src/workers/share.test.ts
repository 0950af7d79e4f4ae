import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { configOfWorker, connectionsOf } from './share.ts';

it('gives all workers together no more connections than are configured, and each enough that no caller has all', () => {
  const places = ['', '0', '1', '16', '64', '1000'].map((text) => ({ COFFER_CONCURRENCY: text }));
  for (const workers of [1, 2, 3, 4, 8, 10, 64])
    for (const environment of places) {
      const { config } = readConfig({ COFFER_WORKERS: String(workers), ...environment });
      const own = configOfWorker(config, workers);
      expect(own.COFFER_DATABASE_POOL).toBeGreaterThanOrEqual(4);
      expect(own.COFFER_DATABASE_POOL * workers).toBeLessThanOrEqual(config.COFFER_DATABASE_POOL);
      const most = Math.max(config.COFFER_CONCURRENCY, workers === 1 ? 0 : 4 * workers);
      expect(own.COFFER_CONCURRENCY * workers).toBeLessThanOrEqual(most);
      const isAsConfigured = own.COFFER_CONCURRENCY === config.COFFER_CONCURRENCY;
      const isEnough = workers === 1 || config.COFFER_CONCURRENCY === 0 ? isAsConfigured : own.COFFER_CONCURRENCY >= 4;
      expect([workers, environment, isEnough]).toEqual([workers, environment, true]);
    }
});

it('says how many connections the database has to admit', () => {
  const connections = (workers: string) => connectionsOf(readConfig({ COFFER_WORKERS: workers }).config);
  expect([connections('1'), connections('2')]).toEqual([25, 44]);
});

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Starts the PostgreSQL that tests share. Packages without a database do not wait for it.
const database = 'packages/domain/src/testing/global-setup.ts';
const withDatabase = existsSync(new URL(database, import.meta.url)) ? [`${import.meta.dirname}/${database}`] : [];

/** How long a test may wait: enough on a loaded machine, where nothing asserts a time. What passes is not slower by it. */
export const patience = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000, interval: 20 } },
};

const inSource = ['src/**/*.test.ts', 'test/**/*.test.ts'];
const loose = ['**/*.test.ts'];

export default defineConfig({
  test: {
    // All workers share one database: beyond a few they only wait for it. On two cores a third one works while the others
    // wait for programs that they have started.
    maxWorkers: Math.min(4, Math.max(3, availableParallelism())),
    // What a file needs of its own it makes itself (a database, a server); to load the product for each takes a third of the run.
    isolate: false,
    projects: [
      project('domain', 'packages/domain', inSource, withDatabase),
      project('api', 'packages/api', inSource, withDatabase),
      project('client', 'packages/client', inSource, withDatabase),
      project('server', 'apps/server', inSource, withDatabase),
      project('examples', 'examples', loose, withDatabase),
      project('postgres', 'packages/postgres', inSource),
      project('x509', 'packages/x509', inSource),
      project('bench', 'bench', loose),
      project('scripts', 'scripts', ['**/*.test.mjs']),
    ],
  },
});

function project(name: string, root: string, include: string[], globalSetup: string[] = []) {
  return { test: { name, root, include, globalSetup, ...patience } };
}

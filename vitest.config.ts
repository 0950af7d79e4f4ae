import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { ResolvedConfig } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Starts the PostgreSQL that tests share. Packages without a database do not wait for it.
const database = 'packages/domain/src/testing/global-setup.ts';
const withDatabase = existsSync(new URL(database, import.meta.url)) ? [`${import.meta.dirname}/${database}`] : [];

/** How long a test may wait: enough on a loaded machine, where nothing asserts a time. What passes is not slower by it. */
export const patience = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 30_000, interval: 20 } },
};

/**
 * The files that mostly wait for programs that they start, the longest first. vitest begins with large files, and these are
 * small: a core would wait for the last of them.
 */
const LONGEST = [
  'apps/server/test/web/console',
  'apps/cli/test/compatibility',
  'apps/server/test/pki/acme/clients',
  'examples/packages',
  'apps/server/test/start',
  'apps/server/test/workers',
  'examples/extending',
  'apps/server/test/cli',
  'apps/server/test/races',
  'apps/server/test/secrets/dynamic/crash',
  'apps/server/test/secrets/replication/crash',
  'apps/server/test/pki/authority/crash',
  'apps/server/test/connections/integration/target-search',
  'packages/postgres/src/postgres',
  'bench/cluster/replacement',
].map((name) => `${import.meta.dirname}/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's own order, in a new array
    const sorted = await super.sort(files);
    // A worker that turned to the other project and back would load the product once more.
    return [...Map.groupBy(sorted, (file) => file.project.name).values()].flatMap((all) => {
      const longest = LONGEST.flatMap((file) => all.filter(({ moduleId }) => moduleId === file));
      return [...longest, ...all.filter((file) => !longest.includes(file))];
    });
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // All workers share one database: beyond a few they only wait for it. On two cores a third one works while the others
    // wait for programs that they have started. A fourth saves a sixth of the time, and makes everything slow that a test waits for.
    maxWorkers: Math.min(4, Math.max(3, availableParallelism())),
    // What a file needs of its own it makes itself (a database, a server); to load the product for each takes a third of the run.
    isolate: false,
    // Node loads the sources as in production and caches compiled code on disk. Vite would transform them for each run.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // A worker ends with its project: in one project, the product is loaded and compiled once per worker.
    projects: [
      project(
        'product',
        [
          'packages/{domain,api,client}/{src,test}/**/*.test.ts',
          'apps/{server,cli,web}/{src,test}/**/*.test.ts',
          'examples/**/*.test.ts',
        ],
        withDatabase,
      ),
      project('tools', [
        'packages/{postgres,ssh,x509}/{src,test}/**/*.test.ts',
        'bench/**/*.test.ts',
        'scripts/**/*.test.mjs',
      ]),
    ],
  },
});

function project(name: string, include: string[], globalSetup: string[] = []) {
  const setupFiles = ['keep-compiled', 'search-seed'].map((file) => `${import.meta.dirname}/scripts/${file}.mjs`);
  // As in production: Vite would add `development`, by which some packages export their TypeScript sources.
  const conditions = ['node'];
  const configResolved = ({ ssr }: ResolvedConfig) => void Object.assign(ssr, { resolve: { conditions } });
  const plugins = [{ name: 'conditions', configResolved }];
  return { plugins, test: { name, include, globalSetup, setupFiles, ...patience } };
}

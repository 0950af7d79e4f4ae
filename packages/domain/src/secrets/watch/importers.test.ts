import fc from 'fast-check';
import { expect, it } from 'vitest';
import { reachedFrom } from './importers.ts';

const environmentId = 'e1';
const folder = fc.integer({ min: 0, max: 9 }).map((n) => `/f${n}`);
const imports = fc.array(fc.record({ from: folder, by: folder }), { maxLength: 20 });

/** All that a folder reaches, one import after the other. */
function naive(all: readonly { from: string; by: string }[], source: string, depth = 10): Set<string> {
  if (depth === 0) return new Set();
  return new Set(all.filter(({ from }) => from === source).flatMap(({ by }) => [by, ...naive(all, by, depth - 1)]));
}

it('are those of each folder, each once, in generated graphs of imports', () => {
  fc.assert(
    // Imports go from a lower to a higher folder: there are no cycles.
    fc.property(imports, fc.array(folder, { maxLength: 4 }), (some, sources) => {
      const all = some.filter(({ from, by }) => from < by);
      const rows = all.map(({ from, by }) => ({
        sourceEnvironmentId: environmentId,
        sourcePath: from,
        environmentId,
        environment: 'dev',
        path: by,
      }));
      const bySource = Map.groupBy(rows, ({ sourcePath }) => `${environmentId} ${sourcePath}`);
      const found = reachedFrom(
        bySource,
        sources.map((path) => ({ environmentId, path })),
      );
      const expected = new Set(sources.flatMap((path) => [...naive(all, path)]));
      expect(found.map(({ path }) => path).toSorted()).toEqual([...expected].toSorted());
    }),
  );
});

it('are found in as many steps as there are imports, where one folder imports many and is imported by many', () => {
  const row = (from: string, by: string) => ({
    ...{ sourceEnvironmentId: environmentId, sourcePath: from },
    ...{ environmentId, environment: 'dev', path: by },
  });
  const many = Array.from({ length: 1000 }, (_, n) => n);
  let looked = 0;
  const bySource = new Map<string, ReturnType<typeof row>[]>([
    ...many.map((n) => [`${environmentId} /s${n}`, [row(`/s${n}`, '/hub')]] as [string, ReturnType<typeof row>[]]),
    [`${environmentId} /hub`, many.map((n) => row('/hub', `/k${n}`))],
  ]);
  const counting = { get: (key: string) => (looked++, bySource.get(key)) } as unknown as typeof bySource;
  const found = reachedFrom(
    counting,
    many.map((n) => ({ environmentId, path: `/s${n}` })),
  );
  expect(found).toHaveLength(1001);
  expect(looked).toBeLessThan(3000);
});

import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const SETUP = new URL('search-seed.mjs', import.meta.url).href;
const ROUNDS = `
  await import(${JSON.stringify(SETUP)});
  const { default: fc } = await import('fast-check');
  const drawn = [];
  for (let round = 0; round < 3; round++) fc.assert(fc.property(fc.uuid(), (id) => void drawn.push(id)), { numRuns: 20 });
  console.log(JSON.stringify([...drawn, ...fc.sample(fc.uuid(), 20)]));
`;
const drawnWith = (seed) => {
  const env = { ...process.env, COFFER_SEARCH_SEED: seed };
  const options = { cwd: import.meta.dirname, env, encoding: 'utf8' };
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', ROUNDS], options);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
};

it('with COFFER_SEARCH_SEED, each run draws the same cases, and each round of a search other ones', () => {
  const drawn = drawnWith('7');
  expect(drawn).toHaveLength(80);
  expect(drawnWith('7')).toEqual(drawn);
  expect(drawnWith('700')).not.toEqual(drawn);
  const rounds = [0, 20, 40, 60].map((from) => drawn.slice(from, from + 20).join());
  expect(new Set(rounds).size).toBe(4);
});

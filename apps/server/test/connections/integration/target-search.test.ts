import { reportSearch, runs, SEARCH_SEED, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dice } from '../../harness/granting/dice.ts';
import { violationsOf, type Counts, type Fault } from '../../harness/target-search/steps.ts';
import { FAULTS } from '../../harness/target-search/faults.ts';
import { Systems } from '../../harness/target-search/systems.ts';
import { TargetWorld } from '../../harness/target-search/world.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

const SEQUENCES = runs(6, 2_000);
const LENGTH = 24;
/** Sequences in the same projects. */
const EACH = 50;

let test: TestServer;
let systems: Systems;
beforeAll(async () => {
  systems = await Systems.serve();
  test = await testServer({ fetch: systems.fetch });
});
afterAll(async () => {
  await test.close();
  await systems.close();
});

/** The violations of the first sequence that has some. */
async function search(seed: number, sequences: number, fault?: Fault): Promise<[violations: string[], Counts]> {
  const counts: Counts = { steps: 0, done: 0, written: 0, imported: 0 };
  let world: TargetWorld | undefined;
  for (let n = 0; n < sequences; n++) {
    const dice = new Dice(seed + n);
    // A project has a limited number of credentials.
    if (!world || n % EACH === 0) world = await TargetWorld.make(test, systems);
    const sequence = await world.sequence(dice, fault?.system);
    const found = await violationsOf(sequence, dice, LENGTH, { ...(fault && { fault }), counts });
    if (found.length > 0) return [[`seed ${seed + n}`, ...found], counts];
  }
  return [[], counts];
}

/** Sequences in which each planted fault is found, with some to spare. */
const ENOUGH = 150;

describe('random changes of integrations by actors with random rights', () => {
  it(
    'bring nothing to a target that its actor could not write there, and read nothing that it could not read',
    async () => {
      const [violations, counts] = await search(SEARCH_SEED, SEQUENCES);
      reportSearch({ ...counts });
      expect(violations).toEqual([]);
      expect(counts.written).toBeGreaterThan(0);
    },
    searchTime(300_000),
  );
});

describe('the search finds a planted fault', () => {
  it.each(Object.entries(FAULTS))(
    '%s',
    async (_, fault) => {
      const made = fault(test);
      const [violations, counts] = await search(made.seed, ENOUGH, made);
      reportSearch({ ...counts, violations });
      expect(violations).not.toEqual([]);
    },
    searchTime(300_000),
  );
});

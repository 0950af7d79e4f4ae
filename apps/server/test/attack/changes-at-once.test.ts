import { setTimeout as sleep } from 'node:timers/promises';
import { runs, sampleOf, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/certificates.ts';
import { fieldChanges, KINDS, rulesOf, type FieldChange, type Guarded } from '../harness/field-changes.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

// A generated search: every pair of changes of one resource that only together disclose it, so that each is rejected
// after the other; then both concurrently. A missing lock lets both succeed.

const ROUNDS = runs(1, 60);
/** Maximum delay of the second change in milliseconds. */
const APART = 12;

let test: TestServer;
let world: Awaited<ReturnType<typeof fieldChanges>>;
beforeAll(async () => {
  test = await testServer();
  world = await fieldChanges(test);
});
afterAll(() => test.close());

type Pair = readonly [FieldChange, FieldChange];

/**
 * A resource with a denial of deletion cannot be renamed, so the change that ends the denial has nothing to disclose.
 */
const isHeldBack = (kind: Guarded, pair: Pair): boolean =>
  kind === 'deletion of secrets' &&
  pair.some(({ becomes }) => becomes.without) &&
  pair.some(({ becomes, isCreation }) => !isCreation && (becomes.environment ?? becomes.outer ?? becomes.name));

const pairsOf = (changes: readonly FieldChange[]): Pair[] =>
  changes.flatMap((one, index) =>
    changes
      .slice(index + 1)
      .filter((other) => !one.apartFrom?.includes(other.title) && !other.apartFrom?.includes(one.title))
      .map((other): Pair => [one, other]),
  );

/** Tries a change; returns whether it was done or rejected. */
async function tryIt(change: FieldChange, call: Caller): Promise<boolean> {
  const { status, body } = await change.send(call);
  if (status === 200) change.note?.();
  else expect([403, 404], JSON.stringify([change.title, body])).toContain(status);
  return status === 200;
}

async function inTurn([first, second]: Pair, call: Caller): Promise<string> {
  return [await tryIt(first, call), await tryIt(second, call)].join();
}

/** How many of two concurrent changes are done. */
async function atOnce(pair: Pair, call: Caller, round: number): Promise<FieldChange[]> {
  const later = Math.random() * APART;
  const tried = pair.map(async (change, index) => {
    await sleep(index === round % 2 ? later : 0);
    return (await tryIt(change, call)) ? change : [];
  });
  return (await Promise.all(tried)).flat();
}

describe('attack: two concurrent changes of fields that rules use', () => {
  it.each(KINDS)(
    '%s: never are both done where each is refused after the other',
    async (kind) => {
      const changes = world.changes[kind];
      const undo = async (done: readonly FieldChange[]) => {
        for (const change of changes) if (done.includes(change)) await change.undo();
      };
      const wrong: unknown[] = [];
      for (const pair of sampleOf(pairsOf(changes), 2).filter((each) => !isHeldBack(kind, each))) {
        const [one, other] = pair;
        const { projectId } = world;
        const { id, call } = await test.identity({ projectId, rules: rulesOf(kind, pair) });
        const turns = [await inTurn(pair, call)];
        await undo([one]);
        turns.push(await inTurn([other, one], call));
        await undo([other]);
        let both = 0;
        for (let round = 0; round < ROUNDS; round++) {
          const done = await atOnce(pair, call, round);
          if (done.length === 2) both++;
          await undo(done);
        }
        // Remaining actors would gain by the changes of others.
        ok(await test.admin('DELETE', `/api/v2/workspace/${projectId}/identity-memberships/${id}`));
        if (both > 0 || turns.some((turn) => turn !== 'true,false'))
          wrong.push({ changes: [one.title, other.title], turns, both, rounds: ROUNDS });
      }
      expect(wrong).toEqual([]);
    },
    searchTime(300_000),
  );
});

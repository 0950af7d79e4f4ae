import { setTimeout as sleep } from 'node:timers/promises';
import { runs, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/certificates.ts';
import { fieldChanges, KINDS, rulesOf, type FieldChange, type Guarded } from '../harness/field-changes.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

// A generated search: every pair of changes of one thing that together open it, so that each is refused after the other;
// then both at about the same time. What is judged by a field that somebody is just changing is done twice.

const ROUNDS = runs(1, 60);
/** Milliseconds by which one of them comes later, at the most. */
const APART = 12;

let test: TestServer;
let world: Awaited<ReturnType<typeof fieldChanges>>;
beforeAll(async () => {
  test = await testServer();
  world = await fieldChanges(test);
});
afterAll(() => test.close());

type Pair = readonly [FieldChange, FieldChange];

/** What a rule forbids to delete gets no other name: there is nothing left for the change that ends the denial to open. */
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

/** Tries a change; answers whether it was done, and else it was refused. */
async function tryIt(change: FieldChange, call: Caller): Promise<boolean> {
  const { status, body } = await change.send(call);
  if (status === 200) change.note?.();
  else expect([403, 404], JSON.stringify([change.title, body])).toContain(status);
  return status === 200;
}

async function inTurn([first, second]: Pair, call: Caller): Promise<string> {
  return [await tryIt(first, call), await tryIt(second, call)].join();
}

/** How many of both are done where they are asked for at about the same time. */
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
      for (const pair of pairsOf(changes).filter((each) => !isHeldBack(kind, each))) {
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
        // Whoever is still there would gain by the changes of others.
        ok(await test.admin('DELETE', `/api/v2/workspace/${projectId}/identity-memberships/${id}`));
        if (both > 0 || turns.some((turn) => turn !== 'true,false'))
          wrong.push({ changes: [one.title, other.title], turns, both, rounds: ROUNDS });
      }
      expect(wrong).toEqual([]);
    },
    searchTime(60_000),
  );
});

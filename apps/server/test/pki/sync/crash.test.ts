// @long: kills processes
import { pkiSyncTargets, StandIns } from '@coffer/domain/testing';
import type { Context } from '@coffer/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PkiSyncWorld } from '../../harness/pki-syncs.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

// A process is killed before or after each of its calls at the destination: its claim lapses, and it does nothing more. What
// it has committed is what the next one finds, so that these are all the states that a kill can leave.

class Killed extends Error {}

const MINUTE = 60_000;
const standIns = new StandIns();
let test: TestServer;
/** How many calls a process makes before it is killed, and whether the last one is answered. */
let kill: { left: number; isAnswered: boolean; isDone?: boolean } | undefined;

const LAPSE = `update pki_syncs set claim_id = gen_random_uuid(), claimed_until = $1 where claim_id is not null`;

const fetch: Context['fetch'] = async (url, request) => {
  if (!kill || kill.left-- > 0) return standIns.fetch(url, request);
  if (kill.isAnswered) await standIns.fetch(url, request);
  kill.isDone = true;
  await test.coffer.pool.query(LAPSE, [test.coffer.now()]);
  throw new Killed();
};

beforeAll(async () => {
  test = await testServer({ fetch, clock: 'standing' });
});
beforeEach(() => test.advance(MINUTE));
afterAll(async () => {
  await test.close();
  await standIns.close();
});

/** Runs a sync, which is killed at a call; whether it was. */
async function isKilled(one: PkiSyncWorld, sync: { id: string }, at: NonNullable<typeof kill>): Promise<boolean> {
  const now = (kill = { ...at });
  try {
    await one.run(sync);
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
  kill = undefined;
  test.advance(MINUTE);
  return now.isDone === true;
}

const namesOf = (one: PkiSyncWorld) => one.held().filter((name) => name !== 'theirs.example.com');
const named = (commonName: string) => ({ commonName, altNames: commonName });

/** A sync that is killed at each of its calls in turn, until it comes through without. */
async function survive(one: PkiSyncWorld, sync: { id: string }, isAnswered: boolean): Promise<number> {
  for (let left = 0; ; left++) if (!(await isKilled(one, sync, { left, isAnswered }))) return left;
}

describe.each(Object.keys(pkiSyncTargets))('a PKI sync to %s', (destination) => {
  it.each([
    ['before', false],
    ['after', true],
  ])('that is killed %s each of its calls has each certificate once in the end', async (_, isAnswered) => {
    const one = await PkiSyncWorld.make(test, standIns, destination);
    const foreign = await one.issue(named('theirs.example.com'));
    one.target.put('theirs', { ...foreign, privateKey: await one.keyOf(foreign), chain: '' });
    const [a, b] = [await one.issue(named('a.example.com')), await one.issue(named('b.example.com'))];
    const made = await one.create({ certificateIds: [a.id, b.id] });
    expect(await survive(one, made, isAnswered)).toBeGreaterThan(2);
    expect(namesOf(one)).toEqual(['a.example.com', 'b.example.com']);
    const before = new Map(one.target.held().map(({ reference, certificate }) => [certificate.trim(), reference]));

    const [renewed, c] = [await one.renew(a), await one.issue(named('c.example.com'))];
    await one.certificates.revoke(b);
    await one.change(made, 'POST', [c.id]);
    expect(await survive(one, made, isAnswered)).toBeGreaterThan(2);
    expect(namesOf(one)).toEqual(['a.example.com', 'c.example.com']);
    expect(one.held()).toContain('theirs.example.com');
    const after = one.target.held().find(({ certificate }) => certificate.trim() === renewed.certificate.trim());
    expect([...before.keys()]).toContain(a.certificate.trim());
    expect(after?.privateKey.trim()).toBe((await one.keyOf(renewed)).trim());

    await one.ask(made, 'remove-certificates');
    await survive(one, made, isAnswered);
    expect(one.held()).toEqual(['theirs.example.com']);
    expect(await one.get(made)).toMatchObject({ removeStatus: 'succeeded', syncStatus: 'succeeded' });
  });
});

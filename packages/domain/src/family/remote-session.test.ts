import { globSync, readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { CallerLimiter, parseCidrs, type Actor } from '../kernel/index.ts';
import { createOutbound } from '../outbound/index.ts';
import { serve } from '../outbound/testing/servers.ts';
import { RemoteSession, type RemoteBounds } from './remote-session.ts';

const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
afterAll(() => outbound.close());

/** Work of organizations at a system that answers each path with so many bytes. */
async function worldWith(places: number) {
  const { origin } = await serve((req, res) => res.end(Buffer.alloc(Number(req.url!.slice(1)), 'x')));
  const largeAnswers = new CallerLimiter(places);
  const begin = (organizationId: string, bounds: Partial<RemoteBounds> = {}) => {
    const { fetch, connect } = outbound;
    const ctx = { fetch, connect, largeAnswers, actor: { organizationId } as Actor, now: () => new Date() };
    const session = new RemoteSession(ctx, { timeMs: 20_000, ...bounds });
    return { session, read: (bytes: number) => session.fetch(`${origin}/${bytes}`, { maxBytes: 2 ** 26 }) };
  };
  return { begin };
}

/** How many of some calls have their answers once no further one gets any. */
async function answered(calls: readonly Promise<unknown>[], expected: number): Promise<number> {
  let count = 0;
  for (const call of calls) void call.then(() => count++).catch(() => undefined);
  await expect.poll(() => count, { interval: 5 }).toBe(expected);
  for (let i = 0; i < 50; i++) await turn();
  return count;
}

const SMALL = 100_000;
const LARGE = 400_000;

describe('work at another system', () => {
  it('with large answers has a few places: an organization never all of them, and each until its work is over', async () => {
    const { begin } = await worldWith(4);
    const own = Array.from({ length: 8 }, () => begin('a'));
    const calls = own.map(({ read }) => read(LARGE));
    expect(await answered(calls, 3)).toBe(3);
    expect(await answered([begin('b').read(LARGE)], 1)).toBe(1);
    expect(await answered([begin('a').read(SMALL), begin('c').read(SMALL)], 2)).toBe(2);
    for (const { session } of own) session[Symbol.dispose]();
    expect(await answered(calls, 8)).toBe(8);
  });

  it('has large answers also where each of them is small, and is refused where its turn does not come', async () => {
    const { begin } = await worldWith(2);
    const [first, second] = [begin('a'), begin('a', { patienceMs: 20 })];
    for (let i = 0; i < 4; i++) await first.read(SMALL);
    for (let i = 0; i < 2; i++) await second.read(SMALL);
    await expect(second.read(SMALL)).rejects.toMatchObject({ code: 'outbound.busy' });
    first.session[Symbol.dispose]();
    second.session[Symbol.dispose]();
    const third = begin('a');
    await third.read(LARGE);
    third.session[Symbol.dispose]();
  });

  it('receives no more than it may, in however many answers', async () => {
    const { begin } = await worldWith(2);
    const { read } = begin('a', { maxReceived: 4 * LARGE });
    for (let i = 0; i < 3; i++) await read(LARGE);
    await expect(read(LARGE + 1)).rejects.toMatchObject({ code: 'outbound.too_large' });
    await read(LARGE);
    await expect(read(1)).rejects.toMatchObject({ code: 'remote.exhausted' });
  });

  it('is ended by whatever begins it', () => {
    const cwd = new URL('..', import.meta.url).pathname;
    const begun = globSync('**/*.ts', { cwd, exclude: ['**/*.test.ts'] }).flatMap(
      (file) => readFileSync(cwd + file, 'utf8').match(/^.*(?:\bbeginWork|\bnew RemoteSession)\(.*$/gm) ?? [],
    );
    expect(begun.length).toBeGreaterThan(12);
    // The helper itself returns what it makes.
    expect(begun.filter((line) => !/^ {2}using \w+ = /.test(line))).toEqual(['  new RemoteSession(ctx, {']);
  });
});

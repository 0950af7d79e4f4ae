import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

/** A queue, who was started in which order, and how to end them. */
function queueOf(limit: number) {
  let now = 0;
  const queue = new FairQueue(limit, () => now);
  const started: string[] = [];
  const leaves = new Map<string, () => void>();
  const enter = (caller: string, name: string) =>
    void leaves.set(
      name,
      queue.enter(
        () => caller,
        () => void started.push(name),
      ),
    );
  const end = (name: string) => leaves.get(name)!();
  return { queue, started, enter, end, advance: (ms: number) => void (now += ms) };
}

describe('FairQueue', () => {
  it('starts requests immediately while there is capacity, without looking at their callers', () => {
    const queue = new FairQueue(2);
    const neverAsked = () => expect.unreachable();
    const leave = queue.enter(neverAsked, () => undefined);
    queue.enter(neverAsked, () => undefined);
    leave();
    let isStarted = false;
    queue.enter(neverAsked, () => void (isStarted = true));
    expect([isStarted, queue.waiting]).toEqual([true, 0]);
  });

  it('alternates between callers: the next request of one caller is not behind all of another', () => {
    const { started, enter, end } = queueOf(1);
    for (let i = 0; i < 200; i++) enter('heavy', `heavy-${i}`);
    enter('light', 'light-0');
    enter('light', 'light-1');
    enter('other', 'other-0');
    for (let i = 0; i < 6; i++) end(started.at(-1)!);
    expect(started).toEqual(['heavy-0', 'heavy-1', 'light-0', 'other-0', 'heavy-2', 'light-1', 'heavy-3']);
  });

  it('never works on more than its limit at a time, and finally on everything', () => {
    const { queue, started, enter, end } = queueOf(3);
    for (let i = 0; i < 50; i++) enter(`caller-${i % 7}`, `${i}`);
    let ended = 0;
    while (ended < started.length) {
      expect(started.length - ended).toBeLessThanOrEqual(3);
      end(started[ended++]!);
    }
    expect([new Set(started).size, queue.waiting]).toEqual([50, 0]);
  });

  it('skips callers that disconnected while waiting, and frees a place once', () => {
    const { started, enter, end } = queueOf(1);
    for (const name of ['a', 'b', 'c', 'd']) enter(name, name);
    end('b');
    end('a');
    end('a');
    expect(started).toEqual(['a', 'c']);
    end('c');
    expect(started).toEqual(['a', 'c', 'd']);
  });

  it('does not count long requests: streams, and those that wait for remotes', () => {
    const { queue, started, enter, end, advance } = queueOf(2);
    for (const name of ['stream', 'slow', 'next', 'last']) enter('x', name);
    advance(500);
    queue.sweep();
    expect(started).toEqual(['stream', 'slow']);
    advance(500);
    queue.sweep();
    expect(started).toEqual(['stream', 'slow', 'next', 'last']);
    end('stream');
    enter('x', 'later');
    expect([started.length, queue.waiting]).toEqual([4, 1]);
    end('next');
    expect(started.at(-1)).toBe('later');
  });

  it('refuses a caller with too many waiting requests, and no other', () => {
    const { enter, queue } = queueOf(1);
    for (let i = 0; i < 1001; i++) enter('heavy', `${i}`);
    expect(() => enter('heavy', 'more')).toThrow(expect.objectContaining({ kind: 'rate_limited', retryAfter: 1 }));
    enter('light', 'one');
    expect(queue.waiting).toBe(1001);
  });

  it('limits nothing at 0', () => {
    const { started, enter, queue } = queueOf(0);
    for (let i = 0; i < 100; i++) enter('x', `${i}`);
    expect([started.length, queue.waiting]).toEqual([100, 0]);
  });
});

import { describe, expect, it } from 'vitest';
import { FairQueue, type Place } from './fair-queue.ts';

/** A queue, who was started in which order, and how to end them. */
function queueOf(limit: number) {
  let now = 0;
  const queue = new FairQueue(limit, () => now);
  const started: string[] = [];
  const places = new Map<string, Place>();
  const enter = (caller: string, name: string, isStranger = () => false) =>
    void places.set(
      name,
      queue.enter(
        () => caller,
        () => void started.push(name),
        isStranger,
      ),
    );
  const place = (name: string) => places.get(name)!;
  const end = (name: string) => place(name).leave();
  return { queue, started, enter, place, end, advance: (ms: number) => void (now += ms) };
}

describe('FairQueue', () => {
  it('starts requests immediately while there is capacity, without looking at their callers', () => {
    const queue = new FairQueue(3);
    const neverAsked = () => expect.unreachable();
    const place = queue.enter(neverAsked, () => undefined);
    queue.enter(neverAsked, () => undefined);
    place.leave();
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

  it('never gives all places to one caller while it has several: the next caller starts at once', () => {
    const { queue, started, enter, end } = queueOf(8);
    for (let i = 0; i < 200; i++) enter('heavy', `heavy-${i}`);
    expect(started).toHaveLength(6);
    enter('light', 'light-0');
    enter('other', 'other-0');
    expect(started.slice(6)).toEqual(['light-0', 'other-0']);
    end('light-0');
    expect([started.length, queue.waiting]).toEqual([8, 194]);
    end('other-0');
    end('heavy-0');
    expect(started.at(-1)).toBe('heavy-6');
  });

  it.each([
    [2, 1],
    [3, 2],
    [4, 3],
    [5, 3],
    [8, 6],
  ])('with %s places, as one worker of many has, gives one caller %s', (places, most) => {
    const { queue, started, enter, end } = queueOf(places);
    for (let i = 0; i < 60; i++) enter('heavy', `heavy-${i}`);
    expect([started.length, queue.waiting]).toEqual([most, 60 - most]);
    for (const name of ['light', 'other']) {
      enter(name, name);
      expect(started.at(-1)).toBe(name);
      end(name);
    }
    expect(started).toHaveLength(most + 2);
  });

  it('leaves places to a third caller while two have many requests', () => {
    const { started, enter } = queueOf(32);
    for (const caller of ['a', 'b']) for (let i = 0; i < 100; i++) enter(caller, caller);
    expect(started.filter((caller) => caller === 'a')).toHaveLength(24);
    expect(started.filter((caller) => caller === 'b')).toHaveLength(6);
    enter('c', 'c');
    expect(started.at(-1)).toBe('c');
  });

  it.each([
    [2, 1],
    [4, 2],
    [10, 5],
    [32, 16],
  ])('gives strangers together, of %s places, %s, so that known callers wait for none of them', (places, most) => {
    const { queue, started, enter, end } = queueOf(places);
    for (let i = 0; i < 200; i++) enter(`address-${i}`, `stranger-${i}`, () => true);
    expect([started.length, queue.waiting]).toEqual([most, 200 - most]);
    enter('known', 'known');
    expect(started.at(-1)).toBe('known');
    for (let ended = 0; ended < started.length; ended++) end(started[ended]!);
    expect([new Set(started).size, queue.waiting]).toEqual([201, 0]);
  });

  it('does not look through waiting strangers while these have their places', () => {
    const { started, enter, end } = queueOf(10);
    let looks = 0;
    for (let i = 0; i < 1000; i++) enter(`address-${i}`, `stranger-${i}`, () => ++looks > 0);
    for (let i = 0; i < 6; i++) enter(`caller-${i}`, `known-${i}`);
    looks = 0;
    end('known-0');
    expect([started.at(-1), started.length]).toEqual(['known-5', 11]);
    expect(looks).toBeLessThan(20);
  });

  it('starts known callers and strangers alternately where both wait', () => {
    const { started, enter, end } = queueOf(4);
    for (let i = 0; i < 50; i++) enter(`address-${i}`, `stranger-${i}`, () => true);
    for (let i = 0; i < 50; i++) enter(`caller-${i}`, `known-${i}`);
    expect(started).toEqual(['stranger-0', 'stranger-1', 'known-0', 'known-1']);
    for (let ended = 0; ended < 40; ended++) end(started[ended]!);
    expect(started.filter((name) => name.startsWith('known'))).toHaveLength(22);
    expect(started).toHaveLength(44);
  });

  it('takes nobody for a stranger whose token has been verified meanwhile', () => {
    const { started, enter } = queueOf(4);
    let isStranger = true;
    for (const name of ['a', 'b']) enter(name, name, () => isStranger);
    isStranger = false;
    enter('c', 'c', () => true);
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('gives the place of a request to others at once where a wait is known to be long', () => {
    const { started, enter, place, end } = queueOf(1);
    for (const name of ['password', 'next', 'last']) enter(name, name);
    place('password').beginWait(true);
    expect(started).toEqual(['password', 'next']);
    place('password').endWait();
    end('password');
    expect(started).toEqual(['password', 'next']);
    end('next');
    expect(started).toEqual(['password', 'next', 'last']);
  });

  it('counts work however long it takes, up to a minute', () => {
    const { queue, started, enter, advance } = queueOf(3);
    for (const name of ['list', 'slow', 'next']) enter('x', name);
    advance(59_000);
    queue.sweep();
    expect(started).toEqual(['list', 'slow']);
    advance(1_000);
    queue.sweep();
    expect(started).toEqual(['list', 'slow', 'next']);
  });

  it('does not count requests that wait for other systems for long', () => {
    const { queue, started, enter, place, end, advance } = queueOf(3);
    for (const name of ['login', 'list', 'next', 'last']) enter('x', name);
    place('login').beginWait();
    advance(200);
    queue.sweep();
    expect(started).toEqual(['login', 'list']);
    advance(100);
    queue.sweep();
    expect(started).toEqual(['login', 'list', 'next']);
    place('login').endWait();
    end('login');
    expect([started.length, queue.waiting]).toEqual([3, 1]);
    end('next');
    expect(started.at(-1)).toBe('last');
  });

  it('gives another place to a request whose body was long in coming, before those of its caller that wait', () => {
    const { queue, started, enter, place, end, advance } = queueOf(3);
    for (const name of ['upload', 'quick', 'next', 'last']) enter('x', name);
    let isRead = '';
    place('quick').beginWait();
    place('quick').resume(() => void (isRead += 'quick'));
    place('upload').beginWait();
    advance(300);
    queue.sweep();
    expect(started).toEqual(['upload', 'quick', 'next']);
    place('upload').resume(() => void (isRead += ' upload'));
    expect(isRead).toBe('quick');
    end('next');
    expect([isRead, queue.waiting]).toEqual(['quick upload', 1]);
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

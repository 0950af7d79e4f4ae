import { beforeEach, describe, expect, it } from 'vitest';
import { CallerTurns } from './caller-turns.ts';

let turns: CallerTurns<string, string>;

beforeEach(() => {
  turns = new CallerTurns();
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) turns.add(name[0]!, name);
});

const takeAll = (mayStart = (_: string) => true): string[] => {
  const taken: string[] = [];
  for (let next = turns.take(mayStart); next; next = turns.take(mayStart)) taken.push(next);
  return taken;
};

describe('what waits in turns of callers', () => {
  it('is taken one of each caller after the other, each caller’s in their order', () => {
    expect([turns.size, turns.sizeOf('a'), turns.sizeOf('d')]).toEqual([6, 3, 0]);
    expect(takeAll()).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
    expect([turns.isEmpty, turns.size]).toEqual([true, 0]);
  });

  it('passes over callers who may not start, who keep their turn', () => {
    expect(turns.first((caller) => caller !== 'a')).toBe('b1');
    expect(turns.take((caller) => caller !== 'a')).toBe('b1');
    expect(takeAll()).toEqual(['a1', 'c1', 'a2', 'c2', 'a3']);
    expect(turns.first(() => true)).toBeUndefined();
  });

  it('may be added before what its caller waits for, and removed', () => {
    turns.add('a', 'a0', true);
    turns.remove('b', 'b1');
    turns.remove('b', 'b1');
    turns.remove('a', 'a2');
    expect(takeAll()).toEqual(['a0', 'c1', 'a1', 'c2', 'a3']);
  });
});

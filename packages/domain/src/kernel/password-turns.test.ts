import { describe, expect, it } from 'vitest';
import { PasswordTurns } from './password-turns.ts';

/** Who has started, in order, and how to end the first of these. */
function turnsOf(places: number) {
  const turns = new PasswordTurns(places);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const hash = (key: string, isStranger: boolean) =>
    turns.run({ key, isStranger }, () => {
      started.push(key);
      return new Promise<void>((end) => ends.push(end));
    });
  const endFirst = async () => {
    ends.shift()!();
    await new Promise((next) => setImmediate(next));
  };
  return { started, endFirst, stranger: (key: string) => hash(key, true), known: (key: string) => hash(key, false) };
}

describe('hashing passwords', () => {
  it('of strangers, however many these are, has one place, and another one is for who is known', async () => {
    const { started, endFirst, stranger, known } = turnsOf(2);
    const all = Array.from({ length: 100 }, (_, n) => stranger(`192.0.2.${n}`));
    await new Promise((next) => setImmediate(next));
    expect(started).toEqual(['192.0.2.0']);
    all.push(known('ann'), known('ben'));
    await new Promise((next) => setImmediate(next));
    expect(started).toEqual(['192.0.2.0', 'ann']);
    for (let n = 0; n < 102; n++) await endFirst();
    await Promise.all(all);
    expect([started[2], new Set(started).size]).toEqual(['ben', 102]);
  });

  it('alternates between strangers and others where there is one place, and between the addresses of strangers', async () => {
    const { started, endFirst, stranger, known } = turnsOf(1);
    const all = ['a', 'a', 'a', 'b'].map(stranger);
    all.push(known('ann'));
    for (let n = 0; n < 6; n++) {
      await new Promise((next) => setImmediate(next));
      if (n < 5) await endFirst();
    }
    await Promise.all(all);
    expect(started.slice(0, 2).toSorted()).toEqual(['a', 'ann']);
    expect(started.indexOf('b')).toBeLessThan(started.lastIndexOf('a'));
  });
});

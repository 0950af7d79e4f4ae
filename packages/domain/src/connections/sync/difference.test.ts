import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, nameAll, nameAtSource, nameAtTarget, type Entry } from './difference.ts';
import type { Hash } from './hash.ts';

const hash: Hash = (...texts) => createHash('sha256').update(JSON.stringify(texts)).digest();
const NAMES = ['A', 'B'];
const VALUES = ['1', '2', '3'];

/** Events between and during syncs. */
type Step =
  | { readonly is: 'source'; readonly name: string; readonly value: string | undefined }
  | { readonly is: 'stranger'; readonly name: string; readonly value: string | undefined }
  | { readonly is: 'sync'; readonly fails: readonly string[]; readonly dies: boolean };

const name = fc.constantFrom(...NAMES);
const value = fc.option(fc.constantFrom(...VALUES), { nil: undefined });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ is: fc.constant('source' as const), name, value }),
  fc.record({ is: fc.constant('stranger' as const), name, value }),
  fc.record({ is: fc.constant('sync' as const), fails: fc.subarray(NAMES), dies: fc.boolean() }),
);

/** A target with its items and their owners, and the entries of the engine. */
class World {
  readonly source = new Map<string, string>();
  readonly target = new Map<string, { value: string; by: 'us' | 'stranger' }>();
  readonly entries = new Map<string, Entry>();
  readonly writeOnly: boolean;
  readonly mayRemove: boolean;

  constructor(writeOnly: boolean, mayRemove: boolean) {
    this.writeOnly = writeOnly;
    this.mayRemove = mayRemove;
  }

  difference() {
    const { source: wanted, entries, writeOnly, mayRemove } = this;
    const present = new Map([...this.target].map(([at, one]) => [at, writeOnly ? undefined : one.value]));
    return compare({ wanted, present, entries, hash, writeOnly, mayRemove, kept: new Set() });
  }

  take(one: Step): void {
    if (one.is === 'sync') return this.sync(one.fails, one.dies);
    if (one.is === 'source') {
      if (one.value === undefined) this.source.delete(one.name);
      else this.source.set(one.name, one.value);
      return;
    }
    if (one.value === undefined) this.target.delete(one.name);
    else this.target.set(one.name, { value: one.value, by: this.isSame(one.name, one.value) ? 'us' : 'stranger' });
  }

  /** If others write the value that we have written, or may have written, it cannot be distinguished from ours. */
  isSame(at: string, is: string): boolean {
    const { hash: put = null, nextHash = null } = this.entries.get(at) ?? {};
    return [put, nextHash].some((known) => known?.equals(hash(at, is)));
  }

  /**
   * As `carryOut` does: notes what may be written before, and what is written after, unless the process dies in
   * between.
   */
  sync(fails: readonly string[], dies: boolean): void {
    const { found, puts, removals, dropped } = this.difference();
    for (const one of found) this.entries.set(one.name, { hash: one.hash, nextHash: null });
    for (const { name: at, value: to, exists } of puts)
      if (!this.writeOnly || !exists || this.entries.has(at))
        this.entries.set(at, { hash: this.entries.get(at)?.hash ?? null, nextHash: hash(at, to) });
    const done = <T extends { name: string }>(some: readonly T[]) => some.filter((one) => !fails.includes(one.name));
    for (const { name: at, value: to } of done(puts)) this.target.set(at, { value: to, by: 'us' });
    const gone = done(removals.map((at) => ({ name: at }))).map((one) => one.name);
    for (const at of gone) this.target.delete(at);
    if (dies) return;
    for (const { name: at, value: to } of done(puts)) this.entries.set(at, { hash: hash(at, to), nextHash: null });
    for (const at of [...gone, ...dropped]) this.entries.delete(at);
  }
}

const anyWorld = (writeOnly: boolean, check: (world: World, mayRemove: boolean) => void) =>
  fc.assert(
    fc.property(fc.boolean(), fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }), (mayRemove, steps) => {
      const world = new World(writeOnly, mayRemove);
      for (const one of steps) {
        const theirs = [...world.target].filter(([at, { by }]) => by === 'stranger' && !world.source.has(at));
        world.take(one);
        // No sync deletes items of others, whatever failed in earlier ones.
        const lost = theirs.filter(([at, { value: was }]) => world.target.get(at)?.value !== was);
        expect(one.is === 'sync' && !writeOnly ? lost : []).toEqual([]);
      }
      check(world, mayRemove);
    }),
    { numRuns: 1_000 },
  );

describe('the changes to make at a target', () => {
  it.each([false, true])(
    'makes it hold the source, and then there is nothing to do (values hidden: %s)',
    (writeOnly) => {
      anyWorld(writeOnly, (world) => {
        world.sync([], false);
        const wrong = [...world.source].filter(([at, wanted]) => world.target.get(at)?.value !== wanted);
        expect(writeOnly ? [] : wrong).toEqual([]);
        expect([...world.source.keys()].every((at) => world.target.has(at))).toBe(true);
        expect(world.difference()).toMatchObject({ puts: [], removals: [], dropped: [] });
      });
    },
  );

  it('leaves no unwanted item that this integration has written, also after a crash', () => {
    anyWorld(false, (world, mayRemove) => {
      world.sync([], false);
      const ours = [...world.target].filter(([at, { by }]) => by === 'us' && !world.source.has(at));
      expect(mayRemove ? ours : []).toEqual([]);
    });
    expect.hasAssertions();
  });

  it('never deletes if that is disabled, nor what cannot be written now', () => {
    anyWorld(false, (world, mayRemove) => {
      expect(mayRemove ? [] : world.difference().removals).toEqual([]);
    });
    const entries = new Map([['A', { hash: hash('A', '1'), nextHash: null }]]);
    const common = { wanted: new Map(), entries, hash, writeOnly: false, mayRemove: true };
    const present = new Map([['A', '1']]);
    expect(compare({ ...common, present, kept: new Set(['A']) }).removals).toEqual([]);
    expect(compare({ ...common, present, kept: new Set() }).removals).toEqual(['A']);
  });

  it('does not adopt an existing item if values cannot be read', () => {
    const world = new World(true, true);
    world.take({ is: 'stranger', name: 'A', value: '1' });
    world.take({ is: 'source', name: 'A', value: '2' });
    world.sync(['A'], false);
    world.take({ is: 'source', name: 'A', value: undefined });
    world.sync([], false);
    expect(world.target.get('A')).toEqual({ value: '1', by: 'stranger' });
  });
});

describe('names', () => {
  it('are mapped back from the target', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), fc.string(), (at, prefix, suffix) => {
        const naming = { prefix, suffix };
        expect(nameAtSource(nameAtTarget(at, naming), naming)).toBe(at);
      }),
    );
    expect(nameAtSource('PX', { prefix: 'P', suffix: 'X' })).toBeUndefined();
    expect(nameAtSource('P', { prefix: 'P', suffix: 'P' })).toBeUndefined();
  });

  it('that collide at the target, or are invalid there, are rejected, and existing items stay', () => {
    const limits = { name: /^[A-Z]+$/, expected: 'capitals', bytes: [1, 3], secrets: 9 } as const;
    const values = new Map([
      ['a', 'x'],
      ['A', 'y'],
      ['1', 'x'],
      ['E', ''],
      ['L', 'ääx'],
    ]);
    const { wanted, rejected, kept } = nameAll(
      values,
      { prefix: '', suffix: '', nameOf: (at) => at.toUpperCase() },
      limits,
    );
    expect([...wanted]).toEqual([['A', 'x']]);
    expect([...rejected.keys()]).toEqual(['A', '1', 'E', 'L']);
    expect([...kept]).toEqual(['A', '1', 'E', 'L']);
  });
});

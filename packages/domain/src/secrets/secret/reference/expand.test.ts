import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportSearch, runs, searchTime } from '../../../testing/search.ts';
import type { SecretReferenceError } from '../secret.ts';
import { EXPANSION_LIMITS, Expander, MAX_DEPTH, type ExpansionLimits, type Holding, type Known } from './expand.ts';
import { failureOf, type Failure } from './failure.ts';
import { MAX_REFERENCES, parseValue } from './parse.ts';
import { targetKey, type Target } from './reference.ts';

const placeOf = (key: string): Target => ({ environment: 'dev', path: '/', key });
const nameOf = (key: string) => targetKey(placeOf(key));
const holding = (key: string, value: string): Holding => {
  const place = placeOf(key);
  return { place, parsed: parseValue(value, place) };
};
/** Secrets by their keys; what begins with `!` is a failure. */
const knownOf = (values: Readonly<Record<string, string>>): Known =>
  new Map(
    Object.entries(values).map(([key, value]) => [
      nameOf(key),
      value.startsWith('!') ? (value.slice(1) as Failure) : holding(key, value),
    ]),
  );

/** The value with every reference followed again, without caching. */
function naive(known: Known, one: Holding, depth: number, trail: readonly string[], most: number) {
  const errors = new Map<string, SecretReferenceError>();
  const results = new Map<string, string | undefined>();
  const report = (error: SecretReferenceError) => {
    const name = `${error.secretKey} ${error.reference}`;
    if (!errors.has(name)) errors.set(name, error);
  };
  const shown = (reference: { name: string; text: string }): string | undefined => {
    const there = known.get(reference.name) ?? 'missing';
    const code = depth >= MAX_DEPTH ? 'too-deep' : trail.includes(reference.name) ? 'circular' : there;
    if (typeof code !== 'string') {
      const inner = naive(known, code, depth + 1, [...trail, reference.name], most);
      for (const error of inner.errors) report(error);
      return inner.text;
    }
    report(failureOf(code, reference.text, one.place));
    return code === 'missing' || code === 'circular' ? '' : undefined;
  };
  for (const reference of one.parsed.distinct) results.set(reference.text, shown(reference));
  let { length } = one.parsed.value;
  const text = one.parsed.value.replaceAll(/\$\{\w+\}/g, (written) => {
    const brought = results.get(written) ?? written;
    const isTooLarge = brought.length > written.length && length + brought.length - written.length > most;
    if (isTooLarge) report(failureOf('too-large', written, one.place));
    const now = isTooLarge ? written : brought;
    length += now.length - written.length;
    return now;
  });
  return { text, errors: [...errors.values()] };
}

const expanded = async (expander: Expander, what: string | Holding) => {
  const { text, errors } = await expander.expand(what);
  return { text, errors: errors.list() };
};

/** Chains longer than the depth that is followed, with short cuts, circles, and secrets under two names. */
const graphs = fc.integer({ min: 1, max: 14 }).chain((size) => {
  const keys = Array.from({ length: size }, (_, index) => `K${index}`);
  const reference = fc.constantFrom(...keys, ...keys, 'NOTHING', 'HIDDEN', 'ALIAS').map((key) => `\${${key}}`);
  const value = (index: number) =>
    fc
      .tuple(
        fc.array(fc.oneof(reference, fc.constantFrom('-', 'text')), { maxLength: size > 8 ? 1 : 4 }),
        fc.constantFrom(...(size > 8 ? [] : ['']), `\${K${index + 1}}`),
      )
      .map(([parts, next]) => [...parts, next].join(''));
  return fc.record({
    values: fc.tuple(...keys.map((_, index) => value(index))),
    alias: fc.nat(size - 1),
    most: fc.constantFrom(12, 30, 100, EXPANSION_LIMITS.characters),
  });
});

describe('expanding references', () => {
  it(
    'a cached resolution of each secret equals following every reference again, on cycles and at the limits too',
    { timeout: searchTime(300_000) },
    async () => {
      let [circular, tooDeep, tooLarge] = [0, 0, 0];
      await fc.assert(
        fc.asyncProperty(graphs, async ({ values, alias, most }) => {
          const known = new Map(knownOf(Object.fromEntries(values.map((value, index) => [`K${index}`, value]))));
          known.set(nameOf('HIDDEN'), 'unavailable');
          known.set(nameOf('ALIAS'), known.get(nameOf(`K${alias}`))!);
          const limits = { steps: Infinity, stepsOfOne: Infinity, characters: most };
          const expander = await Expander.of(known, limits);
          for (const [index] of values.entries()) {
            const name = nameOf(`K${index}`);
            const root = known.get(name) as Holding;
            const expected = naive(known, root, 0, [name], most);
            expect(await expanded(expander, name)).toEqual(expected);
            // A personal value, to which nothing refers.
            expect(await expanded(expander, root)).toEqual(naive(known, root, 0, [], most));
            const codes = new Set(expected.errors.map(({ code }) => code));
            circular += Number(codes.has('circular'));
            tooDeep += Number(codes.has('too-deep'));
            tooLarge += Number(codes.has('too-large'));
          }
        }),
        { numRuns: runs(400, 20_000) },
      );
      const counts = { circular, tooDeep, tooLarge };
      expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(20);
      reportSearch(counts);
    },
  );

  it('takes a step for each written reference, however often they multiply', async () => {
    const times = (key: string, count: number) => `\${${key}}`.repeat(count);
    const values: Record<string, string> = { F: times('Z', 2000), E: times('F', 4) };
    for (const [key, next] of ['DE', 'CD', 'BC', 'AB']) values[key!] = times(next!, 10);
    const expander = await Expander.of(knownOf(values));
    for (const key of Object.keys(values)) expect((await expander.expand(nameOf(key))).text).toBe('');
    expect(expander.steps).toBeLessThan(2200);
  });

  it('takes as few if they are too deep or too large, and reports both', async () => {
    const chain = Array.from({ length: 30 }, (_, index) => [`S${index}`, `\${S${index + 1}}`.repeat(10)]);
    const known = knownOf({ ...Object.fromEntries(chain), S30: 'x' });
    const expander = await Expander.of(known);
    const { text, errors } = await expander.expand(nameOf('S0'));
    expect(text.length).toBeLessThanOrEqual(EXPANSION_LIMITS.characters);
    expect(new Set(errors.list().map(({ code }) => code))).toEqual(new Set(['too-deep', 'too-large']));
    for (const [name] of known) await expander.expand(name);
    expect(expander.steps).toBeLessThan(11 * 30 * 11);
  });

  it('on cycles, where each path counts separately, takes no more steps than one value may, and then the others continue', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `K${index}`);
    const all = keys.map((key) => `\${${key}}`).join('');
    const known = knownOf({ ...Object.fromEntries(keys.map((key) => [key, all])), PLAIN: '${LEAF}!', LEAF: 'leaf' });
    const limits: ExpansionLimits = { ...EXPANSION_LIMITS, stepsOfOne: 5_000 };
    const expander = await Expander.of(known, limits);
    const { errors } = await expander.expand(nameOf('K0'));
    expect(errors.list().map(({ code }) => code)).toContain('too-many');
    expect(expander.steps).toBeLessThan(2 * limits.stepsOfOne);
    expect((await expander.expand(nameOf('PLAIN'))).text).toBe('leaf!');
  });

  it('reports missing references of a value up to a limit, and the first of each kind', async () => {
    const many = Array.from({ length: 500 }, (_, index) => `\${NO${index}}`).join('');
    const expander = await Expander.of(knownOf({ A: `${many}\${HIDDEN}`, HIDDEN: '!unavailable', B: '${A}' }));
    const { errors } = await expander.expand(nameOf('B'));
    expect(errors.size).toBe(101);
    expect(errors.list(true).map(({ reference }) => reference)).toEqual(['${NO0}', '${HIDDEN}']);
  });

  it('follows a limited number of references of one value, and leaves and reports the rest', async () => {
    const expander = await Expander.of(knownOf({ A: '${B}'.repeat(MAX_REFERENCES + 2), B: 'b' }));
    const { text, errors } = await expander.expand(nameOf('A'));
    expect(text).toBe(`${'b'.repeat(MAX_REFERENCES)}\${B}\${B}`);
    expect(errors.list()).toMatchObject([{ code: 'too-many', reference: '${B}', secretKey: 'A' }]);
  });
});

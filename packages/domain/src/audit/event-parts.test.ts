import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../testing/search.ts';
import { MAX_EVENT_DATA, partsOf } from './event-parts.ts';

const eventWith = (data: object) => ({ type: 'things.happened', published: 'happen-things', data });
const bytesOf = (data: unknown): number => Buffer.byteLength(JSON.stringify(data));
type Lists = Record<string, unknown[]>;

describe('partsOf', () => {
  it('leaves a small event as it is', () => {
    const event = eventWith({ environment: 'dev', secrets: [{ secretKey: 'A' }] });
    expect(partsOf(event)).toEqual([event]);
  });

  it('divides what names many things, in their order, and loses nothing', () => {
    const text = fc.string({ maxLength: 300, unit: 'grapheme' });
    const thing = fc.oneof(text, fc.record({ id: fc.uuid(), name: text, version: fc.nat() }));
    const lists = fc.record({
      secrets: fc.array(thing, { maxLength: 700, size: 'max' }),
      folders: fc.array(thing, { maxLength: 50, size: 'max' }),
    });
    fc.assert(
      fc.property(lists, text, (named, place) => {
        const parts = partsOf(eventWith({ place, ...named })).map(({ data }) => data as Lists & { part?: number });
        for (const part of parts) {
          expect(bytesOf(part)).toBeLessThanOrEqual(MAX_EVENT_DATA);
          expect(part).toMatchObject({ place });
        }
        for (const name of ['secrets', 'folders'] as const)
          expect(parts.flatMap((part) => part[name])).toEqual(named[name]);
        expect(parts.map(({ part }) => part ?? 1)).toEqual(Array.from(parts.keys(), (index) => index + 1));
      }),
      { numRuns: runs(15, 1_000) },
    );
  });

  it('is within the limit for anything else, too, and says what was cut', () => {
    const large = [
      { text: 'ä"'.repeat(MAX_EVENT_DATA) },
      { nested: { list: Array.from({ length: 10_000 }, (_, n) => `element ${n}`) } },
      { list: [{ text: '\u0001'.repeat(MAX_EVENT_DATA) }, 'small'] },
      { one: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`field ${n}`, n])), list: ['small'] },
      { numbers: Array.from({ length: 10_000 }, (_, n) => -n / 7e-300) },
    ];
    for (const data of large)
      for (const part of partsOf(eventWith(data))) expect(bytesOf(part.data)).toBeLessThanOrEqual(MAX_EVENT_DATA);
    const [cut] = partsOf(eventWith(large[0]!));
    expect((cut!.data as { text: string }).text).toMatch(/… \(65536 characters\)$/);
    expect(JSON.stringify(partsOf(eventWith(large[2]!)))).toContain('small');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant, parseInstant } from './instant.ts';

const iso = (text: string) => parseInstant(text)?.toISOString();

describe('a time of a request', () => {
  it('is read by RFC 3339, with any offset and any number of fraction digits', () => {
    for (const [text, expected] of [
      ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
      ['2026-01-31T12:00:00+00:00', '2026-01-31T12:00:00.000Z'],
      ['2026-01-31T12:00:00-00:00', '2026-01-31T12:00:00.000Z'],
      ['2026-01-31T12:00:00.123456+00:00', '2026-01-31T12:00:00.123Z'],
      ['2026-01-31T12:00:00.1Z', '2026-01-31T12:00:00.100Z'],
      ['2026-01-31T12:00:00.999999999999Z', '2026-01-31T12:00:00.999Z'],
      ['2026-01-31T23:30:00-05:30', '2026-02-01T05:00:00.000Z'],
      ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000Z'],
      ['2026-01-31 12:00:00Z', '2026-01-31T12:00:00.000Z'],
      ['2026-01-31T12:00Z', '2026-01-31T12:00:00.000Z'],
      ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
      ['2017-01-01T00:59:60.5+01:00', '2017-01-01T00:00:00.000Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ] as const)
      expect([text, iso(text)]).toEqual([text, expected]);
  });

  it('is rejected if it is invalid, or no database could store it', () => {
    for (const text of [
      '',
      'now',
      '2026-01-31',
      '2026-01-31T12:00:00',
      '2026-01-31T12:00:00 00:00',
      '2026-02-29T12:00:00Z',
      '2026-01-31T24:00:00Z',
      '2026-01-31T12:60:00Z',
      '2026-01-31T12:00:61Z',
      '2026-01-31T12:00:60Z',
      '2026-01-31T12:00:00+24:00',
      '2026-01-31T12:00:00+01:60',
      '2026-01-31T12:00:00+0100',
      '2026-01-31T12:00:00.Z',
      '12026-01-31T12:00:00Z',
      '0000-12-31T12:00:00Z',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
      ' 2026-01-31T12:00:00Z',
    ])
      expect([text, iso(text)]).toEqual([text, undefined]);
    const refused = instant().safeParse('2026-01-31');
    expect(refused.error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining('RFC 3339')]);
    expect(instant().safeParse(new Date('+020000-01-01T00:00:00Z')).success).toBe(false);
  });

  it('is the moment that was written down, whatever its offset', () => {
    const date = fc.date({ min: new Date('0002-01-01'), max: new Date('9998-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(date, fc.integer({ min: -1439, max: 1439 }), (moment, offset) => {
        const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const two = (number: number) => String(number).padStart(2, '0');
        const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
        expect(parseInstant(local + zone)).toEqual(moment);
      }),
    );
  });
});

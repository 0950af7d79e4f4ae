import { describe, expect, it } from 'vitest';
import type { Found } from './destination.ts';
import { plan, type Item, type Wanted } from './plan.ts';

const certificate = (id: string, lineId = id, content = `content of ${id}`): Wanted => ({
  certificateId: id,
  lineId,
  fingerprint: `print of ${id}`,
  content,
});
const item = (id: string, lineId = id, changes: Partial<Item> = {}): Item => ({
  name: `name-${lineId}`,
  certificateId: id,
  lineId,
  reference: `reference of ${lineId}`,
  fingerprint: `print of ${id}`,
  nextFingerprint: null,
  content: `content of ${id}`,
  mark: null,
  ...changes,
});
const there = (id: string, lineId = id, more: Partial<Found> = {}): [string, Found] => [
  `name-${lineId}`,
  { reference: `reference of ${lineId}`, fingerprint: `print of ${id}`, ...more },
];

interface Case {
  wanted?: Wanted[];
  kept?: string[];
  items?: Item[];
  found?: [string, Found][];
  replaces?: boolean;
  updates?: boolean;
  mayRemove?: boolean;
}

function planned(given: Case) {
  const { wanted = [], kept = [], items = [], found = [], replaces = true, updates = true, mayRemove = true } = given;
  const { puts, removals, dropped, upToDate, taken } = plan({
    ...{ wanted, items, replaces, updates, mayRemove },
    kept: new Set(kept),
    found: new Map(found),
    nameOf: (id) => `name-${id}`,
  });
  return {
    puts: puts.map((put) => [put.name, put.reference, put.certificate.certificateId]),
    removals: removals.map(({ item: { name }, reference }) => [name, reference]),
    dropped: dropped.map(({ name }) => name),
    upToDate: upToDate.map(({ certificateId }) => certificateId),
    taken: [...taken],
  };
}
const nothing = { puts: [], removals: [], dropped: [], upToDate: [], taken: [] };

describe('the plan of a PKI sync', () => {
  it('puts what is new, and leaves what is as it should be', () => {
    const wanted = [certificate('a'), certificate('b')];
    expect(planned({ wanted, items: [item('a')], found: [there('a')] })).toEqual({
      ...nothing,
      puts: [['name-b', null, 'b']],
      upToDate: ['a'],
    });
  });

  it('puts a renewal into the slot of its line, if renewals replace', () => {
    const wanted = [certificate('b', 'a')];
    expect(planned({ wanted, items: [item('a')], found: [there('a')] })).toEqual({
      ...nothing,
      puts: [['name-a', 'reference of a', 'b']],
    });
  });

  it('puts a renewal beside its predecessor otherwise', () => {
    const wanted = [certificate('a'), certificate('b', 'a')];
    expect(planned({ wanted, items: [item('a')], found: [there('a')], replaces: false })).toEqual({
      ...nothing,
      puts: [['name-b', null, 'b']],
      upToDate: ['a'],
    });
  });

  it.each([
    ['is gone', [] as [string, Found][], item('a'), null],
    ['was replaced by others', [there('x', 'a')], item('a'), 'reference of a'],
    ['was written with other options', [there('a')], item('a', 'a', { content: 'other' }), 'reference of a'],
    ['may be incomplete', [there('a')], item('a', 'a', { nextFingerprint: 'print of a' }), 'reference of a'],
  ])('writes a certificate again that %s', (_why, found, own, reference) => {
    expect(planned({ wanted: [certificate('a')], items: [own], found })).toEqual({
      ...nothing,
      puts: [['name-a', reference, 'a']],
    });
  });

  it('leaves one that was written with other options, if it does not update', () => {
    const own = item('a', 'a', { content: 'other' });
    const compared = { wanted: [certificate('a')], items: [own], updates: false };
    expect(planned({ ...compared, found: [there('a')] })).toEqual({ ...nothing, upToDate: ['a'] });
    expect(planned({ ...compared, found: [there('x', 'a')] }).puts).toEqual([['name-a', 'reference of a', 'a']]);
  });

  it('takes a certificate that cannot be read for what it has written', () => {
    const found = [there('x', 'a', { fingerprint: undefined })];
    expect(planned({ wanted: [certificate('a')], items: [item('a')], found })).toEqual({ ...nothing, upToDate: ['a'] });
    expect(planned({ items: [item('a')], found })).toEqual({ ...nothing, removals: [['name-a', 'reference of a']] });
  });

  it('overwrites nothing of others under the name of a certificate, but what the destination calls its own', () => {
    const wanted = [certificate('a')];
    expect(planned({ wanted, found: [there('x', 'a')] })).toEqual({ ...nothing, taken: [['a', 'name-a']] });
    expect(planned({ wanted, found: [there('x', 'a', { isOurs: true })] })).toEqual({
      ...nothing,
      puts: [['name-a', 'reference of a', 'a']],
    });
  });

  it('overwrites nothing that others have put there after an attempt that wrote nothing', () => {
    const wanted = [certificate('a')];
    const intended = item('a', 'a', {
      reference: null,
      fingerprint: null,
      nextFingerprint: 'print of a',
      content: null,
    });
    const taken = { ...nothing, taken: [['a', 'name-a']] };
    expect(planned({ wanted, items: [intended], found: [there('x', 'a')] })).toEqual(taken);
    const puts = [['name-a', 'reference of a', 'a']];
    for (const more of [{ isOurs: true }, { fingerprint: undefined }, { fingerprint: 'print of a' }])
      expect(planned({ wanted, items: [intended], found: [there('x', 'a', more)] })).toEqual({ ...nothing, puts });
    expect(planned({ wanted, items: [intended] }).puts).toEqual([['name-a', null, 'a']]);
  });

  it('knows what it has written without an answer, before it intends to write something else', () => {
    const presentAfter = (changes: Partial<Item>, found: [string, Found][]) =>
      plan({
        ...{ wanted: [certificate('b', 'a')], items: [item('a', 'a', changes)], replaces: true, updates: true },
        ...{ kept: new Set<string>(), found: new Map(found), mayRemove: true, nameOf: (id: string) => `name-${id}` },
      }).puts.map(({ present }) => present);
    const lost = { fingerprint: null, nextFingerprint: 'print of a' };
    expect(presentAfter(lost, [there('a')])).toEqual(['print of a']);
    expect(presentAfter(lost, [])).toEqual([null]);
    expect(presentAfter({}, [there('x', 'a')])).toEqual(['print of a']);
  });

  it('removes what it has written, and not what has replaced that, or is kept', () => {
    const items = [item('a'), item('b'), item('c'), item('d', 'd', { nextFingerprint: 'print of e' })];
    const found = [there('a'), there('x', 'b'), there('c'), there('e', 'd')];
    const compared = { items, found, kept: ['c'] };
    expect(planned(compared)).toEqual({
      ...nothing,
      removals: [
        ['name-a', 'reference of a'],
        ['name-d', 'reference of d'],
      ],
      dropped: ['name-b'],
    });
    expect(planned({ ...compared, mayRemove: false })).toEqual(nothing);
  });
});

import { describe, expect, it } from 'vitest';
import { distinct, distinctNames, shortId } from './short-id.ts';

const things = [
  { id: '01a22474-26b2-762b-9b98-de4d3a560e9b', name: 'deploy' },
  { id: '01a22474-26b2-762b-9b98-de4d62ebaf17', name: 'deploy' },
  { id: '01a22474-3365-7490-860c-cdb2aecb4110', name: 'billing' },
];

describe('things of one name', () => {
  it('are told apart by the ends of their IDs, and others keep their names', () => {
    const names = distinctNames(things, ({ id }) => shortId(id));
    expect(things.map((thing) => names.get(thing))).toEqual(['deploy (…3a560e9b)', 'deploy (…62ebaf17)', 'billing']);
  });

  it('have nothing beside their name where nothing is known', () => {
    expect(distinct('deploy', undefined)).toBe('deploy');
  });
});

import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi.ts';
import { claimsOn, tagGroupsOf } from './openapi-groups.ts';
import { appRouter } from './router.ts';

describe('the groups of tags', () => {
  it('have each tag once, secrets first', async () => {
    const { tags = [] } = await openApiDocument(appRouter, { version: '1', serverUrl: 'https://coffer.example' });
    const names = tags.map(({ name }) => name);
    expect(names.filter((name) => claimsOn(name).length !== 1).map((name) => [name, claimsOn(name)])).toEqual([]);
    const groups = tagGroupsOf(names);
    expect(groups[0]).toMatchObject({
      name: 'Secrets',
      tags: expect.arrayContaining(['Secrets', 'Folders']) as unknown,
    });
    expect(groups.flatMap((group) => group.tags).toSorted()).toEqual(names.toSorted());
  });
});

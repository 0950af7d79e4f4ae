import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAtOrBelow } from '../folder/index.ts';
import { MAX_NOTIFIED, NotifiedFolders } from './notified-folders.ts';

const notifiedOf = (paths: readonly string[]): readonly string[] => {
  const notified = new NotifiedFolders();
  for (const path of paths) notified.add(path);
  for (const [named, changed] of notified.paths)
    expect([isAtOrBelow(changed, named), paths]).toEqual([true, expect.arrayContaining([changed])]);
  return [...notified.paths.keys()];
};

const path = fc.array(fc.constantFrom('a', 'ab', 'b'), { maxLength: 4 }).map((names) => `/${names.join('/')}`);

it('are all folders of a commit where these are few', () => {
  fc.assert(
    fc.property(fc.array(path, { maxLength: MAX_NOTIFIED }), (paths) => {
      expect(notifiedOf(paths).toSorted()).toEqual([...new Set(paths)].toSorted());
    }),
  );
});

it('are the lowest folder that contains all where these are many', () => {
  fc.assert(
    fc.property(path, fc.array(path, { minLength: 2 }), (top, others) => {
      const many = Array.from({ length: MAX_NOTIFIED }, (_, n) => `${top === '/' ? '' : top}/n${n}`);
      const paths = [...many, top, ...others];
      const [notified, ...more] = notifiedOf(paths);
      expect(more).toEqual([]);
      expect(paths.every((one) => isAtOrBelow(one, notified!))).toBe(true);
      const names = new Set(paths.map((one) => one.slice(notified === '/' ? 1 : notified!.length + 1).split('/')[0]));
      expect(names.has('') || names.size > 1).toBe(true);
    }),
  );
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAtOrBelow } from '../folder/index.ts';
import { MAX_TOLD, ToldFolders } from './told-folders.ts';

const toldOf = (paths: readonly string[]): readonly string[] => {
  const told = new ToldFolders();
  for (const path of paths) told.add(path);
  return told.paths;
};

const path = fc.array(fc.constantFrom('a', 'ab', 'b'), { maxLength: 4 }).map((names) => `/${names.join('/')}`);

it('are all folders of a commit where these are few', () => {
  fc.assert(
    fc.property(fc.array(path, { maxLength: MAX_TOLD }), (paths) => {
      expect(toldOf(paths).toSorted()).toEqual([...new Set(paths)].toSorted());
    }),
  );
});

it('are the lowest folder that contains all where these are many', () => {
  fc.assert(
    fc.property(path, fc.array(path, { minLength: 2 }), (top, others) => {
      const many = Array.from({ length: MAX_TOLD }, (_, n) => `${top === '/' ? '' : top}/n${n}`);
      const paths = [...many, top, ...others];
      const [told, ...more] = toldOf(paths);
      expect(more).toEqual([]);
      expect(paths.every((one) => isAtOrBelow(one, told!))).toBe(true);
      const names = new Set(paths.map((one) => one.slice(told === '/' ? 1 : told!.length + 1).split('/')[0]));
      expect(names.has('') || names.size > 1).toBe(true);
    }),
  );
});

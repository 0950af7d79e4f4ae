import { isLongSearch, SEARCH_SEED } from '@coffer/domain/testing';

/** One in `share` of all in `npm test`, others with the next seed; `turn` begins elsewhere. All of them in `pnpm console`. */
export const sampleOf = <Item>(all: readonly Item[], share: number, turn = 0): readonly Item[] =>
  all.filter((_, index) => isLongSearch || (index + turn + SEARCH_SEED) % share === 0);

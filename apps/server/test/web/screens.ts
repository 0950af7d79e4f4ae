import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A screen of the console, as its list names it. */
export interface ListedScreen {
  /** With parameters: `/projects/$projectId/secrets`. */
  readonly path: string;
  readonly label: string;
  readonly group: string;
}

const SOURCES = join(import.meta.dirname, '../../../web/src');

/** All screens, read from the lists of the console: what is added there is in here. */
export function listedScreens(): ListedScreen[] {
  const text = globSync('{app,screens/*}/{,*-}screens.ts', { cwd: SOURCES })
    .map((file) => readFileSync(join(SOURCES, file), 'utf8'))
    .join('\n');
  const found = Array.from(
    text.matchAll(/(kindScreens\(\{\s+)?\bpath: '([^']+)',\s+label: '([^']+)',\s+group: '([^']+)'/g),
    ([, kind, path = '', label = '', group = '']) => ({ path, label, group, isKind: kind !== undefined }),
  );
  const count = text.split('load: () =>').length - 1;
  if (found.length !== count)
    throw new Error(`${count} screens are listed, and ${found.length} have path, label and group`);
  // A kind has a list, and the page of one.
  return found.flatMap(({ isKind, ...one }) => (isKind ? [one, { ...one, path: `${one.path}/$id` }] : [one]));
}

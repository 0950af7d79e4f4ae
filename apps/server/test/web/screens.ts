import { existsSync, globSync, readFileSync } from 'node:fs';
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
export const listedScreens = (): ListedScreen[] =>
  globSync('{app,screens/*}/{,*-}screens.ts', { cwd: SOURCES }).flatMap((file) => screensIn(join(SOURCES, file)));

function screensIn(path: string): ListedScreen[] {
  const text = readFileSync(path, 'utf8');
  const labels = labelsIn(join(path, '../screens.texts.ts'));
  const found = Array.from(
    text.matchAll(/(kindScreens\(\{\s+)?\bpath: '([^']+)',\s+label: (?:'([^']+)'|texts\.(\w+)),\s+group: '([^']+)'/g),
    ([, kind, address = '', label = '', key = '', group = '']) => ({
      path: address,
      label: label || (labels.get(key) ?? ''),
      group,
      isKind: kind !== undefined,
    }),
  );
  const count = text.split('load: () =>').length - 1;
  if (found.length !== count || found.some(({ label }) => label === ''))
    throw new Error(`${path} lists ${count} screens, and ${found.length} have path, label and group`);
  // A kind has a list, and the page of one.
  return found.flatMap(({ isKind, ...one }) => (isKind ? [one, { ...one, path: `${one.path}/$id` }] : [one]));
}

/** The labels of screens, by their keys in a module of texts. */
const labelsIn = (path: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(
      existsSync(path) ? readFileSync(path, 'utf8').matchAll(/^ {2}(\w+): '([^']+)',$/gm) : [],
      ([, key = '', label = '']) => [key, label] as const,
    ),
  );

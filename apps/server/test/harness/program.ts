import { join } from 'node:path';

const SOURCES = join(import.meta.dirname, '../../src');

/** The program that `npm start` runs. */
export const MAIN = join(SOURCES, 'main.ts');

/** Arguments for Node: the same, always from the sources. */
export const FROM_SOURCES: readonly string[] = [
  '--input-type=module',
  '--eval',
  `import { startCompactly } from '${SOURCES}/compact-start.ts';
   await startCompactly(async () => (await import('${SOURCES}/run.ts')).run());`,
];

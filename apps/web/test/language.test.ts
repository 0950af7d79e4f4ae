import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spoken } from '../build/language.ts';
import { texts } from '../src/app/texts.ts';

/** A translation has all texts of the module, with the same parameters; `tsc` refuses another. */
const german: typeof texts = { ...texts, signIn: 'Anmelden' };
// @ts-expect-error: a text that the module does not have
const unknown: typeof texts = { ...texts, signInn: 'Anmelden' };

const PROGRAM = `
  import { texts } from './texts.ts';
  import { words } from './words.texts.ts';
  export const shown = [texts.lead, texts.deleted('API', 2), words.name];`;
const ENGLISH = `
  export const texts = {
    lead: 'Keys that programs use.',
    deleted: (name: string, keys: number) => \`\${name}: \${keys === 1 ? 'one key' : \`\${keys} keys\`} deleted\`,
  };`;
const GERMAN = `
  import { texts as english } from './texts.ts';
  export const texts: typeof english = { ...english, deleted: (name, keys) => \`\${name}: \${keys} Schlüssel gelöscht\` };`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coffer-language-'));
  await writeFile(join(folder, 'program.ts'), PROGRAM);
  await writeFile(join(folder, 'texts.ts'), ENGLISH);
  await writeFile(join(folder, 'texts.de.ts'), GERMAN);
  await cp(join(import.meta.dirname, '../src/ui/words.texts.ts'), join(folder, 'words.texts.ts'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the program shows after a build in a language. */
async function shownIn(language: string): Promise<readonly string[]> {
  const outDir = join(folder, language);
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    plugins: [spoken(language)],
    build: { outDir, lib: { entry: 'program.ts', formats: ['iife'], name: 'program', fileName: () => 'program.js' } },
  });
  return runInNewContext(`${await readFile(join(outDir, 'program.js'), 'utf8')}; [...program.shown]`) as string[];
}

describe('a build in another language', () => {
  it('has the texts of its modules, and English ones where it has none', async () => {
    expect(await shownIn('de')).toEqual(['Keys that programs use.', 'API: 2 Schlüssel gelöscht', 'Name']);
    expect(await shownIn('fr')).toEqual(['Keys that programs use.', 'API: 2 keys deleted', 'Name']);
    expect([german.signIn, german.signOut, unknown.signOut]).toEqual(['Anmelden', texts.signOut, texts.signOut]);
  });

  it('has accents on all texts and nothing else, in the language for tests', async () => {
    expect(await shownIn('en-XA')).toEqual(['[Ķéýš ţĥåţ þŕöĝŕåṁš ûšé.]', '[API: [2 ķéýš] ðéļéţéð]', '[Ñåṁé]']);
  });
});

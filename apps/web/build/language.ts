import { existsSync } from 'node:fs';
import type { Plugin } from 'vite';
import { pseudoLanguage, withAccents } from './pseudo.ts';

/** A module of texts: `texts.ts` of a folder, or `editor.texts.ts` beside `editor.tsx`. */
export const isTexts = (path: string): boolean => /(?:^|[/.])texts\.ts$/.test(path);

/** The module with the same texts in another language: `texts.de.ts`. */
export const translationOf = (path: string, language: string): string => path.replace(/\.ts$/, `.${language}.ts`);

/**
 * Makes a build speak another language: each module of texts is replaced by its translation, and the page names the language. A
 * module without a translation stays in English. A translation may import the English texts and replace some of them.
 */
export function spoken(language: string): Plugin {
  return {
    name: 'language',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!isTexts(source) || importer?.endsWith(`.${language}.ts`)) return undefined;
      const english = await this.resolve(source, importer, { ...options, skipSelf: true });
      const translation = english && translationOf(english.id, language);
      return translation && existsSync(translation) ? translation : english;
    },
    transformIndexHtml: (html) => html.replace('<html lang="en">', `<html lang="${language}">`),
    transform: {
      // After the types are gone.
      order: 'post',
      handler(code, id) {
        return language === pseudoLanguage && isTexts(id) ? withAccents(code, (text) => this.parse(text)) : undefined;
      },
    },
  };
}

import { randomUUID } from 'node:crypto';
import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, type ConsoleWorld } from '../harness.ts';
import { projectOf } from '../people.ts';
import { sampleOf } from '../sample.ts';
import { listedScreens } from '../screens.ts';
import { Visit } from '../visit.ts';
import { MORE } from './accessibility.ts';

/** `npm test` takes one screen in so many: `npm run check -- texts` reads all. */
const SHARE = 8;

/** English with accents, generated from all modules of texts. */
const PSEUDO = 'en-XA';

/** The same in all languages. */
const NAMES = /^(?:Coffer|curl|TypeScript|Chrome|Linux|PostgreSQL|kB|MB|GB)$/;

/** What is shown and read out, one string each: without code, keys and times. */
const SHOWN = `(() => {
  const left = 'code, pre, kbd, time, script, style, noscript';
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest(left)) found.push(walker.currentNode.data);
  for (const name of ['aria-label', 'title', 'placeholder'])
    for (const element of document.querySelectorAll('[' + name + ']')) if (!element.closest(left)) found.push(element.getAttribute(name));
  return found;
})()`;

/** No text of the console passes by the modules: what is shown in this language without accents comes from the server. */
export const languages = (world: () => ConsoleWorld): void => {
  describe('in the language for tests, with accents on all texts', () => {
    let project: Awaited<ReturnType<typeof projectOf>>;
    let person: Reader;
    let operator: Reader;
    /** Has the description of the API, in which most words are. */
    let programmer: Reader;
    const values = () => ({ projectId: project.id, identityId: world().adminIdentity.id });

    beforeAll(async () => {
      project = await projectOf(world());
      await world().admin('POST', '/api/v4/secrets/DATABASE_URL', {
        projectId: project.id,
        environment: 'dev',
        secretValue: 'v',
      });
      person = await Reader.of(world(), project.email);
      operator = await Reader.of(world(), OPERATOR);
      programmer = await Reader.of(world(), project.email);
    });
    afterAll(() => Promise.all([person, operator, programmer].map((reader) => reader?.visit.close())));

    it('has its page, with the language named', async () => {
      expect(await person.visit.page.locator('html').getAttribute('lang')).toBe(PSEUDO);
      expect(await person.visit.page.getByRole('navigation').first().innerText()).toContain('[Þŕöĵéçţš]');
    });

    it.each(sampleOf(listedScreens(), SHARE))(
      '$path shows no text but those of its modules and the server',
      async (screen) => {
        const isReference = screen.path.startsWith('/api/docs');
        const reader = isReference ? programmer : screen.group === 'instance' ? operator : person;
        expect(await reader.plainAt(screen.path, values())).toEqual([]);
      },
    );

    // With a form, a panel or a tab. Labels of forms are from the description of the API.
    it.each(sampleOf(MORE, SHARE))('%s shows no text but those of its modules and the server', async (path) => {
      expect(await programmer.plainAt(path, values())).toEqual([]);
    });
  });
};

/** Somebody who reads the console in this language, with all that the server has answered them. */
class Reader {
  readonly visit: Visit;
  readonly #answers: Promise<void>[] = [];
  /** Texts that the server has answered. */
  readonly #texts = new Set<string>();
  /** Single words among them, and names of fields: the console may show them one by one. */
  readonly #identifiers = new Set<string>();

  private constructor(world: ConsoleWorld, page: Page) {
    this.visit = new Visit(world, page, 'Ļöåðîñĝ…');
    page.on('response', (response) => this.#answers.push(this.#keep(response)));
  }

  static async of(world: ConsoleWorld, email: string): Promise<Reader> {
    const page = await world.open({ language: PSEUDO });
    const reader = new Reader(world, page);
    await world.enter(page, email, '/');
    await reader.visit.settle();
    return reader;
  }

  /** What a screen shows that is neither of a module nor of the server. */
  async plainAt(path: string, values: Readonly<Record<string, string>>): Promise<string[]> {
    const address = path.replaceAll(/\$(\w+)/g, (_, name: string) => values[name] ?? randomUUID());
    await this.visit.goTo(address);
    await Promise.all(this.#answers);
    const shown = await this.visit.page.evaluate<string[]>(SHOWN);
    // What stands between accents, brackets and commas.
    const runs = shown.flatMap((text) => text.match(/(?<!\p{L})[A-Za-z][\w .@/'-]*(?!\p{L})/gu) ?? []);
    return [
      ...new Set(runs.map((run) => run.trim().replace(/[.]+$/, '')).filter((run) => !this.#isOfServer(run, address))),
    ];
  }

  #isOfServer(run: string, address: string): boolean {
    if (address.includes(run) || [...this.#texts].some((text) => text.includes(run))) return true;
    return (run.match(/[A-Za-z][\w-]*/g) ?? []).every(
      (word) => NAMES.test(word) || this.#identifiers.has(word.toLowerCase()),
    );
  }

  async #keep(response: Response): Promise<void> {
    if (!/\/api\/(?:trpc\/|docs\/json)/.test(response.url())) return;
    const body = await response.text().catch(() => '');
    for (const line of body.split('\n')) {
      try {
        this.#collect(JSON.parse(line));
      } catch {
        // No JSON: it has nothing that is shown.
      }
    }
  }

  #collect(value: unknown): void {
    if (typeof value === 'string') {
      this.#texts.add(value);
      if (!/\s/.test(value)) this.#addWords(value);
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [name, one] of Object.entries(value)) {
      // Of paths.
      if (name.startsWith('/')) this.#texts.add(name);
      this.#addWords(name);
      this.#collect(one);
    }
  }

  /** `tokenAuth` and `token-auth`: they may be shown as `Token auth`. */
  #addWords(identifier: string): void {
    this.#identifiers.add(identifier.toLowerCase());
    for (const word of identifier.match(/[A-Z]?[a-z0-9]+|[A-Z]+/g) ?? []) this.#identifiers.add(word.toLowerCase());
  }
}

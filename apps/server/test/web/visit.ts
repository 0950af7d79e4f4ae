import { setTimeout } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';
import type { ConsoleWorld } from './harness.ts';
import { openInPage } from './page.ts';

/** What a screen has once it is drawn; the title of the one before does not count. */
const isDrawn = (loading: string) =>
  `!!document.querySelector('main h1:not([data-left])') && !document.querySelector('main').textContent.includes('${loading}')`;

/** After what has arrived is drawn, and what that asks for has been sent. */
const AFTER_TWO_FRAMES = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))`;

/** For what runs in the page: the buttons that can be pressed now, in the dialog that is open if there is one, and their names. */
export const IN_PAGE = `
  const opened = () => [...document.querySelectorAll('dialog[open]')].at(-1);
  const buttons = () =>
    [...(opened() ?? document.querySelector('main')).querySelectorAll('button:enabled, input[aria-label^="Select "]')].filter((one) => one.checkVisibility());
  const nameOf = (button) => button.getAttribute('aria-label') ?? button.innerText.trim();
`;

/** Milliseconds. A screen that is never complete is looked at as it is. */
const MOST_MS = 20_000;

/** An answer of the server. */
interface Answered {
  readonly status: number;
  readonly url: string;
}

/** One person, who goes from screen to screen without loading the page again. */
export class Visit {
  readonly page: Page;
  readonly #world: ConsoleWorld;
  readonly #open = new Set<Request>();
  #sent = 0;
  #statuses: Answered[] = [];
  #complaints: string[] = [];
  #next = Promise.withResolvers<void>();
  readonly #isDrawn: string;

  /** `loading`: what a screen shows, in its language, until it is complete. */
  constructor(world: ConsoleWorld, page: Page, loading = 'Loading…') {
    this.#world = world;
    this.page = page;
    this.#isDrawn = isDrawn(loading);
    page.on('request', (request) => {
      this.#open.add(request);
      this.#sent++;
    });
    const ended = (request: Request) => {
      this.#open.delete(request);
      this.#next.resolve();
      this.#next = Promise.withResolvers();
    };
    page.on('requestfailed', ended);
    page.on('requestfinished', ended);
    page.on('response', (response) => this.#statuses.push({ status: response.status(), url: response.url() }));
    page.on('pageerror', (error) => this.#complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
        this.#complaints.push(message.text());
    });
  }

  /** In a window of its own. */
  static async of(
    world: ConsoleWorld,
    email: string,
    options: Parameters<ConsoleWorld['open']>[0] = {},
  ): Promise<Visit> {
    const page = await world.open(options);
    const visit = new Visit(world, page);
    await world.enter(page, email, '/');
    await visit.settle();
    return visit;
  }

  /** Opens a screen by its address, as a link does. What the browser complained about on the way fails a test. */
  async goTo(
    address: string,
  ): Promise<{ readonly statuses: readonly Answered[]; readonly complaints: readonly string[] }> {
    const statuses: Answered[] = (this.#statuses = []);
    const complaints: string[] = (this.#complaints = []);
    await this.page.evaluate(openInPage(address));
    await this.settle();
    return { statuses, complaints };
  }

  /** Until everything that was asked for has arrived and is drawn. */
  async settle(): Promise<void> {
    const isLate = new AbortController();
    const late = setTimeout(MOST_MS, undefined, { signal: isLate.signal }).catch(() => undefined);
    const until = performance.now() + MOST_MS;
    for (let quiet = 0; quiet < 2 && performance.now() < until;) {
      const sent = this.#sent;
      if (this.#open.size > 0) await Promise.race([this.#next.promise, late]);
      const isComplete = await this.page.evaluate<boolean>(`${AFTER_TWO_FRAMES}.then(() => ${this.#isDrawn})`);
      const isQuiet = isComplete && this.#open.size === 0 && sent === this.#sent;
      quiet = isQuiet ? quiet + 1 : 0;
    }
    isLate.abort();
  }

  /** Presses the first button with this name, if there is one. */
  async press(name: string): Promise<void> {
    await this.page.evaluate(
      `(() => { ${IN_PAGE}; buttons().find((one) => nameOf(one) === ${JSON.stringify(name)})?.click(); })()`,
    );
    await this.settle();
  }

  /** The names of the buttons that can be pressed now. */
  buttons(): Promise<string[]> {
    return this.page.evaluate(`(() => { ${IN_PAGE}; return [...new Set(buttons().map(nameOf).filter(Boolean))]; })()`);
  }

  close(): Promise<void> {
    return this.#world.leave(this.page);
  }
}

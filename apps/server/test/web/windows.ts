import type { FastifyInstance } from 'fastify';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Milliseconds for one step. A page that is not what it should be is seen by its last picture. */
const PATIENCE = 120_000;

/** An empty page of the server, at which windows are that nobody uses. */
const EMPTY = '/empty-page-of-tests';

/** What tests listen to. */
const EVENTS = [
  ...['console', 'pageerror', 'dialog', 'download'],
  ...['request', 'requestfailed', 'requestfinished', 'response'],
] as const;

export interface WindowOptions {
  readonly isDark?: boolean;
  readonly isNarrow?: boolean;
  readonly bypassCSP?: boolean;
  /** What the browser prefers; `en-XA`: English with accents, for tests. */
  readonly language?: string;
}

/** Of the same group of pages as the console, by its opener policy: the process of the window stays. It may ask the server. */
const HEADERS = { 'cross-origin-opener-policy': 'same-origin', 'content-security-policy': "connect-src 'self'" };

/** Before the server listens. */
export function serveEmptyPage(app: FastifyInstance): void {
  app.get(EMPTY, (_request, reply) => reply.headers(HEADERS).type('text/html').send('<!doctype html><title>-</title>'));
}

/**
 * Windows of a browser. A new one takes a second of processor time, and three processes that load and compile the console. So each
 * is used again, without cookies and storage of who had it before.
 */
export class Windows {
  readonly #browser: Browser;
  readonly #url: string;
  readonly #idle = new Map<string, Page[]>();
  readonly #kinds = new WeakMap<Page, string>();
  readonly #contexts: BrowserContext[] = [];
  /** What pages complained about. */
  readonly complaints: string[] = [];

  constructor(browser: Browser, url: string) {
    this.#browser = browser;
    this.#url = url;
  }

  async open({ isDark = false, isNarrow = false, bypassCSP = false, language }: WindowOptions): Promise<Page> {
    const kind = JSON.stringify([bypassCSP, language]);
    const page = this.#idle.get(kind)?.pop() ?? (await this.#make(bypassCSP, language));
    this.#kinds.set(page, kind);
    await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
    await page.setViewportSize(isNarrow ? { width: 380, height: 720 } : { width: 1200, height: 800 });
    this.#watch(page);
    return page;
  }

  /** Gives a window back. One whose clock was replaced, or that was at another server, is closed: `page.context().close()`. */
  async leave(page: Page): Promise<void> {
    const context = page.context();
    for (const other of context.pages()) if (other !== page) await other.close();
    for (const event of EVENTS) page.removeAllListeners(event);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    await page.goto(EMPTY);
    await context.clearCookies();
    await page.evaluate(FORGET);
    const kind = this.#kinds.get(page) ?? '';
    this.#idle.set(kind, [...(this.#idle.get(kind) ?? []), page]);
  }

  async close(): Promise<void> {
    for (const context of this.#contexts) await context.close();
  }

  async #make(bypassCSP: boolean, language: string | undefined): Promise<Page> {
    const context = await this.#browser.newContext({
      bypassCSP,
      ...(language && { extraHTTPHeaders: { 'accept-language': language } }),
      baseURL: this.#url,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    this.#contexts.push(context);
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    await page.goto(EMPTY);
    return page;
  }

  #watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error' && !isExpected(message.text())) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }
}

/** No page of the console is open any more that could use it. */
const FORGET = `(async () => {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases())
    await new Promise((done, fail) => Object.assign(indexedDB.deleteDatabase(name), { onsuccess: done, onerror: fail }));
})()`;

/** Chromium reports each refused call as an error; that the console explains it is what tests look at. */
const isExpected = (text: string): boolean =>
  /Failed to load resource: (?:the server responded|net::ERR_(?:CONNECTION|INTERNET_DISCONNECTED))/.test(text) ||
  // Over plain HTTP.
  text.startsWith('The Cross-Origin-Opener-Policy header has been ignored');

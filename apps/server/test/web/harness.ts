import { existsSync } from 'node:fs';
import { createOutbound, parseCidrs } from '@coffer/domain';
import { GitHubApp, StandIns, syncSettings } from '@coffer/domain/testing';
import { consoleDirectory, webConsole } from '@coffer/web';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

/** Debian's browser. Others are not tried: what they draw differs. */
const CHROMIUM = '/usr/bin/chromium';
export const hasBrowser = existsSync(CHROMIUM);

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--host-resolver-rules=MAP coffer.acme.example 127.0.0.1',
];

/** As people reach it, through a proxy. */
const SITE = 'https://coffer.acme.example';

/** Milliseconds for one step. A page that is not what it should be is seen by its last picture. */
const patience = 60_000;

/** Of every test user. */
export const PASSWORD = 'correct horse battery';

/** The address of who has claimed the server: an administrator of the instance. */
export const OPERATOR = 'operator@example.com';

export interface ConsoleWorld extends TestServer {
  /** The internet, as the server reaches it. */
  readonly standIns: StandIns;
  /** Its OAuth application is set by the operator. */
  readonly github: GitHubApp;
  readonly url: string;
  /** The same by its name, over plain HTTP, which browsers do not trust. */
  readonly plainUrl: string;
  /** A window of its own, with its own session: whoever signs in there is nobody elsewhere. What it complains about fails the test. */
  open(options?: {
    readonly isDark?: boolean;
    readonly isNarrow?: boolean;
    readonly bypassCSP?: boolean;
    /** What the browser prefers; `en-XA`: English with accents, for tests. */
    readonly language?: string;
  }): Promise<Page>;
  /** Signs in at the page that is shown. */
  signIn(page: Page, email: string): Promise<void>;
}

/** A server with the console, and a browser: shared by all flows. `isNew`: nobody has claimed it yet. */
export async function consoleWorld({ isNew = false } = {}): Promise<ConsoleWorld> {
  // Built beforehand: a browser would wait for it.
  await consoleDirectory();
  const standIns = new StandIns();
  const github = new GitHubApp();
  github.redirectUri = `${SITE}/organization/app-connections/github/oauth/callback`;
  for (const host of ['github.com', 'api.github.com']) await standIns.serve(host, github.listener);
  // Google Cloud is not set up.
  const apps = {
    ...syncSettings,
    gcpServiceAccount: undefined,
    oauth: { ...syncSettings.oauth, github: github.clients.oauth },
  };
  // Databases of tests are on this machine.
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  const server = await testServer(
    { connect: outbound.connect, fetch: standIns.fetch, settings: { siteUrl: SITE, apps } },
    { console: { ...webConsole, languages: [...webConsole.languages, 'en-XA'] } },
  );
  const operator = { email: OPERATOR, password: PASSWORD, organization: 'Operators' };
  // Without an administrator it shows the first run.
  if (!isNew) await server.as()('POST', '/api/v1/admin/bootstrap', operator);
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  return {
    ...server,
    standIns,
    github,
    url: address,
    plainUrl: address.replace('127.0.0.1', new URL(SITE).hostname),
    async open({ isDark = false, isNarrow = false, bypassCSP = false, language } = {}) {
      const context = await browser.newContext({
        bypassCSP,
        ...(language && { extraHTTPHeaders: { 'accept-language': language } }),
        baseURL: address,
        colorScheme: isDark ? 'dark' : 'light',
        viewport: isNarrow ? { width: 380, height: 720 } : { width: 1200, height: 800 },
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      contexts.push(context);
      context.setDefaultTimeout(patience);
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error' && !isExpected(message.text())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      return page;
    },
    async signIn(page, email) {
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
    },
    async close() {
      for (const context of contexts) await context.close();
      await browser.close();
      await server.close();
      await standIns.close();
      await outbound.close();
      expect(complaints, 'what the browser complained about').toEqual([]);
    },
  };
}

/** Chromium reports each refused call as an error; that the console explains it is what tests look at. */
const isExpected = (text: string): boolean =>
  /Failed to load resource: (?:the server responded|net::ERR_(?:CONNECTION|INTERNET_DISCONNECTED))/.test(text) ||
  // Over plain HTTP.
  text.startsWith('The Cross-Origin-Opener-Policy header has been ignored');

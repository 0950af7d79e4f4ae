import { existsSync } from 'node:fs';
import { createOutbound, parseCidrs } from '@coffer/domain';
import { GitHubApp, StandIns, syncSettings } from '@coffer/domain/testing';
import { consoleDirectory, webConsole } from '@coffer/web';
import { chromium, type Browser, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';
import { serveEmptyPage, Windows, type WindowOptions } from './windows.ts';

/**
 * Debian's browser, where there is one without its window: that has the same pages and takes less processor time. Others are not
 * tried: what they draw differs.
 */
const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file));
export const hasBrowser = CHROMIUM !== undefined;

/**
 * What this browser adds to a window for its own frame: two pages of their own, and a process that waits for the next page. They take more
 * processor time than the console. The last list counts, so it repeats what Playwright turns off and a test would notice.
 */
const UNUSED_FEATURES = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'],
  ...['SpareRendererForSitePerProcess', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose'],
  ...['HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

const ARGUMENTS = [
  '--no-sandbox',
  `--disable-features=${UNUSED_FEATURES.join()}`,
  // Drawn without OpenGL, which the processor would emulate.
  '--disable-gpu',
  '--disable-software-rasterizer',
  // A page does not live long enough for it to pay.
  '--js-flags=--no-turbofan',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--host-resolver-rules=MAP coffer.acme.example 127.0.0.1',
];

/** As people reach it, through a proxy. */
const SITE = 'https://coffer.acme.example';

/** Of every test user. */
export const PASSWORD = 'correct horse battery';

/** The address of who has claimed the server: an administrator of the instance. */
export const OPERATOR = 'operator@example.com';

export interface ConsoleWorld extends TestServer {
  readonly browser: Browser;
  /** The internet, as the server reaches it. */
  readonly standIns: StandIns;
  /** Its OAuth application is set by the operator. */
  readonly github: GitHubApp;
  readonly url: string;
  /** The same by its name, over plain HTTP, which browsers do not trust. */
  readonly plainUrl: string;
  /** A window with a session of its own: whoever signs in there is nobody elsewhere. What it complains about fails the test. */
  open(options?: WindowOptions): Promise<Page>;
  /** The same for somebody who has signed in, at the address of a screen. */
  openAs(email: string, path: string, options?: WindowOptions): Promise<Page>;
  /** Somebody signs in with their password in a new window, without the form, and goes to a screen. */
  enter(page: Page, email: string, path: string): Promise<void>;
  /** Gives a window back, for the next who opens one. */
  leave(page: Page | undefined): Promise<void>;
  /** Signs in at the page that is shown. */
  signIn(page: Page, email: string): Promise<void>;
}

interface MakeWorld {
  /** Nobody has claimed the server yet. */
  readonly isNew?: boolean;
  /** One that is there already, and stays. */
  readonly browser?: Browser;
}

/** A server with the console, and a browser: shared by all flows. */
export async function consoleWorld({ isNew = false, browser: given }: MakeWorld = {}): Promise<ConsoleWorld> {
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
  serveEmptyPage(server.app);
  // Without an administrator it shows the first run.
  if (!isNew) await server.as()('POST', '/api/v1/admin/bootstrap', operator);
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const browser = given ?? (await chromium.launch({ executablePath: CHROMIUM!, args: ARGUMENTS }));
  const windows = new Windows(browser, address);
  return {
    ...server,
    browser,
    standIns,
    github,
    url: address,
    plainUrl: address.replace('127.0.0.1', new URL(SITE).hostname),
    open: (options = {}) => windows.open(options),
    async openAs(email, path, options = {}) {
      const page = await windows.open(options);
      await enter(page, email, path);
      return page;
    },
    enter,
    async leave(page) {
      if (page) await windows.leave(page);
    },
    async signIn(page, email) {
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
    },
    async close() {
      await (given ? windows : browser).close();
      await server.close();
      await standIns.close();
      await outbound.close();
      expect(windows.complaints, 'what the browser complained about').toEqual([]);
    },
  };
}

async function enter(page: Page, email: string, path: string): Promise<void> {
  await page.evaluate(logIn(email));
  await page.goto(path);
  await page.getByRole('navigation').first().waitFor();
}

/** As the form does it, by the page that is shown: a session and its cookie, and the sign that it is there. */
const logIn = (email: string): string => `(async () => {
  const body = JSON.stringify({ email: ${JSON.stringify(email)}, password: ${JSON.stringify(PASSWORD)} });
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch('/api/v3/auth/login', { method: 'POST', headers, body });
  if (status !== 200) throw new Error('The login answers ' + status);
  localStorage.setItem('coffer-session', 'here');
  localStorage.setItem('coffer-active', String(Date.now()));
})()`;

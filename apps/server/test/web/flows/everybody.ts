import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { makeProject } from '@coffer/domain/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { person } from '../people.ts';
import { listedScreens, type ListedScreen } from '../screens.ts';

type Role = Parameters<typeof person>[1];

const PEOPLE = [
  { who: 'an administrator', inOrganization: 'admin', inProject: 'admin' },
  { who: 'a developer', inOrganization: 'member', inProject: 'member' },
  { who: 'a viewer', inOrganization: 'member', inProject: 'viewer' },
  { who: 'somebody without permissions', inOrganization: 'no-access', inProject: 'no-access' },
] as const satisfies readonly { who: string; inOrganization: Role; inProject: string }[];

/** Actions that change something, by the first words of their names. */
const CHANGES =
  /^(?:New|Add|Create|Invite|Delete|Remove|Rotate|Run|Sync|Import|Merge|Approve|Reject|Revoke|Update|Rename|Save|Issue|Sign(?! (?:in|out))|Generate|Renew|Order|Lock|Restore|Move|Copy to|Secret$|Folder$)\b/;

/** What everybody may do: it changes nothing of others. */
const OF_ONESELF = /\b(?:ask|request) (?:for )?access\b/i;

export const everybody = (world: () => ConsoleWorld): void => {
  describe.each(PEOPLE)('for $who', ({ inOrganization, inProject }) => {
    let visit: Visit;
    beforeAll(async () => {
      visit = await Visit.of(world(), inOrganization, inProject);
    });
    afterAll(() => visit?.page.context().close());

    it.each(listedScreens())('$path shows its content, or why it does not', async (screen) => {
      const seen = await visit.open(screen);
      expect(seen.complaints).toEqual([]);
      expect(seen.failures).toEqual([]);
      expect(seen.heading).not.toBe('');
      expect(seen.text.length).toBeGreaterThan(seen.heading.length + 10);
      expect(seen.text).not.toMatch(/Something went wrong|This page failed|The server failed|\bundefined\b|\[object/);
      // Where everything was refused, it says why.
      expect(seen.isRefused && seen.alerts.length === 0).toBe(false);
      expect(seen.alerts.filter((text) => text.length < 20)).toEqual([]);
      const offered = mayChange(screen, inProject) ? [] : seen.buttons;
      expect(offered.filter((name) => CHANGES.test(name) && !OF_ONESELF.test(name))).toEqual([]);
    });
  });
};

/** Those who may only read are offered nothing else; in the account is what is their own. */
const mayChange = ({ group }: ListedScreen, inProject: string): boolean =>
  group === 'account' ||
  inProject === 'admin' ||
  inProject === 'member' ||
  (inProject === 'viewer' && group !== 'project');

interface Seen {
  readonly heading: string;
  readonly text: string;
  readonly alerts: readonly string[];
  readonly buttons: readonly string[];
  /** Everything that was asked for was refused. */
  readonly isRefused: boolean;
  readonly failures: readonly string[];
  readonly complaints: readonly string[];
}

const TRY_MS = 30;
const MOST_TRIES = 700;

/** One person, who goes from screen to screen without loading the page again. */
class Visit {
  readonly page: Page;
  readonly #values: Readonly<Record<string, string>>;
  readonly #open = new Set<unknown>();
  #statuses: { readonly status: number; readonly url: string }[] = [];
  #complaints: string[] = [];

  private constructor(page: Page, values: Readonly<Record<string, string>>) {
    this.page = page;
    this.#values = values;
    page.on('request', (request) => this.#open.add(request));
    page.on('requestfailed', (request) => this.#open.delete(request));
    page.on('requestfinished', (request) => this.#open.delete(request));
    page.on('response', (response) => this.#statuses.push({ status: response.status(), url: response.url() }));
    page.on('pageerror', (error) => this.#complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
        this.#complaints.push(message.text());
    });
  }

  static async of(world: ConsoleWorld, inOrganization: Role, inProject: string): Promise<Visit> {
    const { id: projectId } = await makeProject(world.coffer, world.organizationId, world.adminIdentity.actor);
    const { email } = await person(world, inOrganization);
    const body = { emails: [email], roleSlugs: [inProject] };
    await world.admin('POST', `/api/v1/projects/${projectId}/memberships`, body);
    const at = { projectId, environment: 'dev', secretValue: 'v' };
    await world.admin('POST', '/api/v4/secrets/DATABASE_URL', at);
    const page = await world.open();
    const visit = new Visit(page, { projectId, identityId: world.adminIdentity.id });
    await page.goto('/');
    await world.signIn(page, email);
    await visit.#settle();
    return visit;
  }

  async open({ path }: ListedScreen): Promise<Seen> {
    this.#statuses = [];
    this.#complaints = [];
    // Of most kinds of things there is none: their pages say so.
    const address = path.replaceAll(/\$(\w+)/g, (_, name: string) => this.#values[name] ?? randomUUID());
    await this.page.evaluate(
      `history.pushState({}, '', ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await this.#settle();
    const main = this.page.getByRole('main');
    const asked = this.#statuses.filter(({ url }) => url.includes('/api/trpc/'));
    return {
      heading: (await main.getByRole('heading', { level: 1 }).allInnerTexts()).join(),
      text: await main.innerText(),
      alerts: await main.getByRole('alert').allInnerTexts(),
      buttons: (await main.getByRole('button').allInnerTexts()).map((name) => name.trim()),
      isRefused: asked.length > 0 && asked.every(({ status }) => status >= 400),
      failures: this.#statuses.filter(({ status }) => status >= 500).map(({ status, url }) => `${status} ${url}`),
      complaints: this.#complaints,
    };
  }

  /** Until nothing is loaded any more, three times in a row. A screen that never gets there is looked at as it is. */
  async #settle(): Promise<void> {
    const isDrawn = `!!document.querySelector('main h1') && !document.querySelector('main').innerText.includes('Loading…')`;
    for (let tries = 0, quiet = 0; tries < MOST_TRIES && quiet < 3; tries++) {
      await setTimeout(TRY_MS);
      quiet = this.#open.size === 0 && (await this.page.evaluate<boolean>(isDrawn)) ? quiet + 1 : 0;
    }
  }
}

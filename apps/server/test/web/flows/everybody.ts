import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { sampleOf } from '../sample.ts';
import { listedScreens, type ListedScreen } from '../screens.ts';
import { PEOPLE, stockOf, type Somebody, type Stock } from '../stock.ts';
import { Visit } from '../visit.ts';

/** Actions that change something, by the first words of their names. */
const CHANGES =
  /^(?:New|Add|Create|Invite|Delete|Remove|Rotate|Run|Sync|Import|Merge|Approve|Reject|Revoke|Update|Rename|Save|Issue|Sign(?! (?:in|out))|Generate|Renew|Order|Lock|Restore|Move|Copy to|Secret$|Folder$)\b/;

/** What everybody may do: it changes nothing of others. */
const OF_ONESELF = /\b(?:ask|request) (?:for )?access\b/i;

interface Case {
  readonly screen: ListedScreen;
  /** Whether there is what the address names. */
  readonly isThere: boolean;
}

const isOfOne = ({ path }: ListedScreen): boolean => path.replace('$projectId', '').includes('$');

const CASES: readonly Case[] = [
  ...listedScreens().map((screen) => ({ screen, isThere: true })),
  ...listedScreens()
    .filter(isOfOne)
    .map((screen) => ({ screen, isThere: false })),
];

export const everybody = (world: () => ConsoleWorld): void => {
  describe.each(PEOPLE.map((somebody, index) => ({ ...somebody, index })))('for $who', ({ inProject, index }) => {
    let stock: Stock;
    let visit: Visit;
    beforeAll(async () => {
      stock = await stockOf(world());
      visit = await Visit.of(world(), stock.emailOf(PEOPLE[index]!));
    });
    afterAll(() => visit?.close());

    // In `npm test` half of them are opened, each for one of the people.
    it.each(sampleOf(CASES, 2 * PEOPLE.length, 2 * index))(
      '$screen.path shows its content, or why it does not (there: $isThere)',
      async (seen) => {
        const { screen, isThere } = seen;
        const found = await look(visit, isThere ? stock.addressOf(screen.path) : missing(screen, stock));
        expect(found.complaints).toEqual([]);
        expect(found.failures).toEqual([]);
        expect(found.heading).not.toBe('');
        expect(found.text.length).toBeGreaterThan(found.heading.length + 10);
        expect(found.text).not.toMatch(
          /Something went wrong|This page failed|The server failed|\bundefined\b|\[object/,
        );
        // Where everything was refused, it says why.
        expect(found.isRefused && found.alerts.length === 0).toBe(false);
        expect(found.alerts.filter((text) => text.length < 20)).toEqual([]);
        const offered = mayChange(screen, inProject) ? [] : found.buttons;
        expect(offered.filter((name) => CHANGES.test(name) && !OF_ONESELF.test(name))).toEqual([]);
      },
    );
  });
};

/** Of something that is not there. */
const missing = ({ path }: ListedScreen, { projectId }: Stock): string =>
  path.replace('$projectId', projectId).replaceAll(/\$\w+/g, () => randomUUID());

/** Those who may only read are offered nothing else; in the account is what is their own. */
const mayChange = ({ group }: ListedScreen, inProject: Somebody['inProject']): boolean =>
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

async function look(visit: Visit, address: string): Promise<Seen> {
  const { statuses, complaints } = await visit.goTo(address);
  const main = visit.page.getByRole('main');
  const asked = statuses.filter(({ url }) => url.includes('/api/trpc/'));
  return {
    heading: (await main.getByRole('heading', { level: 1 }).allInnerTexts()).join(),
    text: await main.innerText(),
    alerts: await main.getByRole('alert').allInnerTexts(),
    buttons: (await main.getByRole('button').allInnerTexts()).map((name) => name.trim()),
    isRefused: asked.length > 0 && asked.every(({ status }) => status >= 400),
    failures: statuses.filter(({ status }) => status >= 500).map(({ status, url }) => `${status} ${url}`),
    complaints,
  };
}

import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, type ConsoleWorld } from '../harness.ts';
import { sampleOf } from '../sample.ts';
import { listedScreens } from '../screens.ts';
import { PEOPLE, stockOf, type Stock } from '../stock.ts';
import { Visit } from '../visit.ts';

/** Screens with something opened, and those that are not in the lists. */
export const MORE: readonly string[] = [
  '/projects/$projectId/secrets?env=dev&key=stock',
  '/projects/$projectId/imports?new=choose',
  '/projects/$projectId/history?restore=0',
  '/projects/$projectId/approval-policies?new=choose',
  '/projects/$projectId/access?tab=identities',
  '/projects/$projectId/access?tab=yours',
  '/projects/$projectId/who?environment=dev',
  '/organization/groups?new=group',
  '/organization/role?slug=admin',
  '/login?callback_port=8123',
  '/projects/$projectId/app-connections?new=aws',
  '/projects/$projectId/secret-syncs?new=choose',
  '/projects/$projectId/secret-rotations?new=redis-credentials',
  '/projects/$projectId/dynamic-secrets?new=kubernetes',
  '/projects/$projectId/certificates?new=authority',
  '/projects/$projectId/certificates/authorities?new=intermediate',
  '/projects/$projectId/certificates/profiles?new=choose',
  '/projects/$projectId/certificates/alerts?new=choose',
  '/projects/$projectId/certificates/syncs?new=aws-secrets-manager',
  '/projects/$projectId/keys?new=choose',
  '/projects/$projectId/ssh?new=choose',
  '/projects/$projectId/ssh/authorities?new=choose',
  '/projects/$projectId/ssh/certificates?new=issue',
];

/** Those of the administrators of the instance. */
const OF_INSTANCE = ['/instance', '/instance?tab=users', '/instance?tab=settings', '/instance?tab=rate-limits'];

const THEMES = ['light', 'dark'] as const;

/** In both themes. `npm test` takes one in so many in each theme, and never the same in both. */
const inThemes = (addresses: readonly string[], share: number) =>
  THEMES.flatMap((theme, turn) =>
    sampleOf(addresses, share, (turn * share) / THEMES.length).map((address) => ({ address, theme })),
  );

/** What `npm test` takes of the screens, for each theme. */
const SHARE = 12;
/** And of what is opened in them. */
const SHARE_OF_MORE = 24;

/** Those whose page has axe in it already. */
const prepared = new WeakSet<Visit>();

async function violationsAt(visit: Visit) {
  // The page stays, and axe with it.
  const axe = new AxeBuilder({ page: visit.page, ...(prepared.has(visit) && { axeSource: ';' }) });
  const { violations } = await axe
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze();
  prepared.add(visit);
  return violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }));
}

/** WCAG 2.2 AA by axe, for every screen in both themes. The policy is off here only: axe writes a script into the page. */
export const accessibility = (world: () => ConsoleWorld): void => {
  describe('accessibility', () => {
    let stock: Stock;
    let visit: Visit;

    beforeAll(async () => {
      stock = await stockOf(world());
      visit = await Visit.of(world(), stock.emailOf(PEOPLE[0]), { bypassCSP: true });
    });
    afterAll(() => visit?.close());

    const screens = listedScreens().map(({ path }) => path);
    it.each([...inThemes(screens, SHARE), ...inThemes(MORE, SHARE_OF_MORE)])(
      'axe finds nothing at $address, $theme',
      async (shown) => {
        await visit.page.emulateMedia({ colorScheme: shown.theme });
        await visit.goTo(stock.addressOf(shown.address));
        expect(await violationsAt(visit)).toEqual([]);
      },
    );

    it('axe finds nothing at the screens of the instance', async () => {
      await visit.close();
      visit = await Visit.of(world(), OPERATOR, { bypassCSP: true });
      for (const { address, theme } of inThemes(OF_INSTANCE, THEMES.length)) {
        await visit.page.emulateMedia({ colorScheme: theme });
        await visit.goTo(address);
        await visit.page.getByRole('heading', { name: 'Instance', level: 1 }).waitFor();
        expect(await violationsAt(visit), `${address}, ${theme}`).toEqual([]);
      }
    });
  });
};

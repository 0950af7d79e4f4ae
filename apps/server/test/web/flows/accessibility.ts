import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import type { ConsoleWorld } from '../harness.ts';
import { projectOf } from '../people.ts';

/** The address of each screen, and what it has when it is complete. */
const SCREENS: readonly (readonly [path: string, heading: string])[] = [
  ['/', 'Projects'],
  ['/projects/$projectId/secrets', 'Secrets'],
  ['/projects/$projectId/read-by-machine', 'Read by a machine'],
  ['/projects/$projectId/inbox', 'Inbox'],
  ['/projects/$projectId/access', 'Access'],
  ['/projects/$projectId/access?tab=identities', 'Access'],
  ['/projects/$projectId/who?environment=dev', 'Who can access this?'],
  ['/projects/$projectId/effective', 'What'],
  ['/projects/$projectId/roles', 'Roles'],
  ['/projects/$projectId/role', 'New role'],
  ['/organization/people', 'People'],
  ['/organization/groups?new=group', 'Groups'],
  ['/organization/identities', 'Machine identities'],
  ['/organization/role?slug=admin', 'Role admin'],
  ['/app-connections', 'App connections'],
  ['/projects/$projectId/app-connections?new=aws', 'App connections'],
  ['/projects/$projectId/secret-syncs?new=choose', 'Secret syncs'],
  ['/projects/$projectId/secret-rotations?new=redis-credentials', 'Secret rotations'],
  ['/projects/$projectId/dynamic-secrets?new=kubernetes', 'Dynamic secrets'],
  ['/api/docs', 'API reference'],
  ['/api/docs/secrets_create', 'Create a secret'],
];

/** WCAG 2.2 AA by axe, for every screen in both themes. The policy is off here only: axe writes a script into the page. */
export const accessibility = (world: () => ConsoleWorld): void => {
  describe.each([{ isDark: false }, { isDark: true }])('accessibility, dark: $isDark', ({ isDark }) => {
    let page: Page;
    let projectId: string;

    beforeAll(async () => {
      const project = await projectOf(world());
      projectId = project.id;
      page = await world().open({ isDark, bypassCSP: true });
      await page.goto('/');
      await world().signIn(page, project.email);
    });
    afterAll(() => page?.close());

    it.each(SCREENS)('axe finds nothing at %s', async (path, heading) => {
      await page.goto(path.replace('$projectId', projectId));
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await page.getByText('Loading…').first().waitFor({ state: 'hidden' });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }))).toEqual([]);
    });
  });
};

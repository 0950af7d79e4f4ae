import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { OPERATOR, type ConsoleWorld } from '../harness.ts';
import { projectOf } from '../people.ts';

/** The address of each screen, and what it has when it is complete. */
const SCREENS: readonly (readonly [path: string, heading: string])[] = [
  ['/', 'Projects'],
  ['/projects/$projectId/secrets', 'Secrets'],
  ['/projects/$projectId/secrets?env=dev&key=OPENED', 'Secrets'],
  ['/projects/$projectId/imports?new=choose', 'Secret imports'],
  ['/projects/$projectId/history', 'History'],
  ['/projects/$projectId/history?restore=0', 'History'],
  ['/projects/$projectId/approval-policies?new=choose', 'Approval policies'],
  ['/projects/$projectId/read-by-machine', 'Read by a machine'],
  ['/projects/$projectId/inbox', 'Inbox'],
  ['/projects/$projectId/access', 'Access'],
  ['/projects/$projectId/access?tab=identities', 'Access'],
  ['/projects/$projectId/access?tab=yours', 'Access'],
  ['/projects/$projectId/settings', 'Settings'],
  ['/projects/$projectId/who?environment=dev', 'Who can access this?'],
  ['/projects/$projectId/effective', 'What'],
  ['/projects/$projectId/roles', 'Roles'],
  ['/projects/$projectId/role', 'New role'],
  ['/organization/people', 'People'],
  ['/organization/groups?new=group', 'Groups'],
  ['/organization/identities', 'Machine identities'],
  ['/organization/role?slug=admin', 'Role admin'],
  ['/projects/$projectId/audit', 'Audit log'],
  ['/organization/audit', 'Audit log'],
  ['/account', 'Account'],
  ['/password-reset', 'Forgotten password'],
  ['/signup', 'New account'],
  ['/signupinvite', 'Invitation'],
  ['/login?callback_port=8123', 'Log in the command line?'],
  ['/app-connections', 'App connections'],
  ['/projects/$projectId/app-connections?new=aws', 'App connections'],
  ['/projects/$projectId/secret-syncs?new=choose', 'Secret syncs'],
  ['/projects/$projectId/secret-rotations?new=redis-credentials', 'Secret rotations'],
  ['/projects/$projectId/dynamic-secrets?new=kubernetes', 'Dynamic secrets'],
  ['/projects/$projectId/certificates?new=authority', 'Certificates'],
  ['/projects/$projectId/certificates/authorities?new=intermediate', 'Certificate authorities'],
  ['/projects/$projectId/expiry', 'What ends when'],
  ['/organization/expiry', 'Credentials that end'],
  ['/projects/$projectId/certificates/profiles?new=choose', 'Certificate profiles'],
  ['/projects/$projectId/certificates/alerts?new=choose', 'Certificate alerts'],
  ['/projects/$projectId/certificates/syncs?new=aws-secrets-manager', 'Certificate syncs'],
  ['/projects/$projectId/certificates/requests', 'Certificate requests'],
  ['/projects/$projectId/keys?new=choose', 'Keys'],
  ['/projects/$projectId/ssh?new=choose', 'SSH hosts'],
  ['/projects/$projectId/ssh/logins', 'Who may log in'],
  ['/projects/$projectId/ssh/authorities?new=choose', 'SSH authorities'],
  ['/projects/$projectId/ssh/certificates?new=issue', 'SSH certificates'],
  ['/api/docs', 'API reference'],
  ['/api/docs/secrets_create', 'Create a secret'],
];

/** Those of the administrators of the instance. */
const OF_INSTANCE = ['/instance', '/instance?tab=users', '/instance?tab=settings', '/instance?tab=rate-limits'];

/** WCAG 2.2 AA by axe, for every screen in both themes. The policy is off here only: axe writes a script into the page. */
export const accessibility = (world: () => ConsoleWorld): void => {
  describe.each([{ isDark: false }, { isDark: true }])('accessibility, dark: $isDark', ({ isDark }) => {
    let page: Page;
    let projectId: string;

    beforeAll(async () => {
      const project = await projectOf(world());
      projectId = project.id;
      await world().admin('POST', '/api/v4/secrets/OPENED', { projectId, environment: 'dev', secretValue: 'v' });
      page = await world().open({ isDark, bypassCSP: true });
      await page.goto('/');
      await world().signIn(page, project.email);
    });
    afterAll(() => page?.close());

    const violationsAt = async (shown: Page, path: string, heading: string) => {
      await shown.goto(path);
      await shown.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await shown.getByText('Loading…').first().waitFor({ state: 'hidden' });
      const { violations } = await new AxeBuilder({ page: shown }).analyze();
      return violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }));
    };

    it.each(SCREENS)('axe finds nothing at %s', async (path, heading) => {
      expect(await violationsAt(page, path.replace('$projectId', projectId), heading)).toEqual([]);
    });

    it('axe finds nothing at the screens of the instance', async () => {
      const own = await world().open({ isDark, bypassCSP: true });
      await own.goto('/');
      await world().signIn(own, OPERATOR);
      for (const path of OF_INSTANCE) expect(await violationsAt(own, path, 'Instance'), path).toEqual([]);
      await own.close();
    });
  });
};

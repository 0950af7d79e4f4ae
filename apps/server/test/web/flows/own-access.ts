import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { goTo } from '../page.ts';
import { member, projectOf } from '../people.ts';

export const ownAccess = (world: () => ConsoleWorld): void => {
  describe("one's own access", () => {
    let project: { id: string; email: string };
    let page: Page;

    beforeAll(async () => {
      // Somebody who may not see who else is in the project.
      project = await projectOf(world(), 'no-access');
      const { body } = await world().admin('GET', `/api/v1/projects/${project.id}/memberships`);
      const { id } = body.memberships.find((one: { user: { email: string } }) => one.user.email === project.email);
      const privilege = await world().admin('POST', '/api/v1/user-project-additional-privilege', {
        projectMembershipId: id,
        slug: 'on-call',
        permissions: [{ subject: 'secrets', action: ['describeSecret'], conditions: { environment: 'dev' } }],
        type: {
          ...{ isTemporary: true, temporaryMode: 'relative', temporaryRange: '2h' },
          temporaryAccessStartTime: new Date().toISOString(),
        },
      });
      expect(privilege.status).toBe(200);
      const approver = await member(world(), project.id, 'admin');
      const policy = await world().admin('POST', '/api/v1/access-approvals/policies', {
        ...{ projectSlug: await slug(), environment: 'dev', name: 'Dev', approvals: 1 },
        approvers: [{ type: 'user', username: approver }],
      });
      expect([policy.status, policy.body]).toEqual([200, expect.anything()]);
      page = await world().openAs(project.email, `/projects/${project.id}/access?tab=yours`);
    });
    afterAll(() => world().leave(page));

    const slug = async (): Promise<string> =>
      (await world().admin('GET', `/api/v1/projects/${project.id}`)).body.project.slug;

    it('is shown with when it ends, also without the right to see others', async () => {
      const row = page.getByRole('table', { name: 'What you hold' }).getByRole('row', { name: /Privilege on-call/ });
      await row.getByText('active').waitFor();
      expect(await row.textContent()).toMatch(/in (?:1 hour|2 hours|\d+ minutes)/);
      await page.getByText('You have not asked for access yet.').waitFor();
    });

    it('can be asked to be more, and the request is listed there', async () => {
      await page.getByRole('link', { name: 'Ask for more access' }).click();
      const dialog = page.getByRole('dialog', { name: 'Ask for access' });
      await dialog.getByRole('combobox', { name: 'Environment' }).selectOption('dev');
      await dialog.getByRole('button', { name: 'Ask' }).click();
      await page.getByText('Your request waits for approval.').waitFor();
      await page.getByRole('link', { name: 'Open the request' }).click();
      await page.getByRole('heading', { name: /asks for access in/ }).waitFor();
      await page.getByRole('link', { name: 'All requests' }).waitFor();
      await goTo(page, `/projects/${project.id}/access?tab=yours`);
      const asked = page.getByRole('table', { name: 'What you have asked for' });
      await asked.getByText('pending').waitFor();
      expect(await asked.getByRole('row').count()).toBe(2);
    });
  });
};

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { closeWithoutCopy, field, goTo, kept } from '../page.ts';
import { member, projectOf } from '../people.ts';

/** Hosts, who may log in there, and what is issued for that. */
export const ssh = (world: () => ConsoleWorld): void => {
  describe('SSH', () => {
    let page: Page;
    let projectId: string;
    let email: string;
    let viewer: string;
    const at = (path: string) => goTo(page, `/projects/${projectId}/ssh${path}`);

    beforeAll(async () => {
      ({ id: projectId, email } = await projectOf(world()));
      viewer = await member(world(), projectId, 'viewer');
      page = await world().openAs(email, '/');
    });
    afterAll(() => world().leave(page));

    /** One login mapping in the form that is open. */
    const map = async (loginUser: string, who: string) => {
      await page.getByRole('button', { name: 'Add to Login mappings' }).click();
      await field(page, 'Login user').fill(loginUser);
      await page.getByRole('group', { name: 'Users' }).getByLabel(who).check();
    };
    const loginOf = (who: string) =>
      page.getByRole('table', { name: 'Logins' }).getByRole('row').filter({ hasText: who });

    it('has hosts: who is mapped may log in, with a key that is shown once', async () => {
      await at('?new=choose');
      await field(page, 'Hostname').fill('db1.example.com');
      await map('deploy', email);
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name: 'db1.example.com', level: 1 }).waitFor();
      await loginOf(email).getByText('by name, on the host itself').waitFor();

      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click();
      const dialog = page.getByRole('dialog', { name: 'The SSH certificate is issued' });
      const key = await dialog.getByLabel('Private key', { exact: true }).innerText();
      expect(key).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----/);
      expect(await dialog.getByLabel('Certificate', { exact: true }).innerText()).toMatch(
        /^ssh-ed25519-cert-v01@openssh\.com /,
      );
      await dialog.getByText('deploy@db1.example.com').waitFor();
      await closeWithoutCopy(page);
      expect((await kept(page)) + (await page.content())).not.toContain(key.split('\n')[1]);
    });

    it('shows who may log in where and why, also by host groups', async () => {
      await at('/host-groups?new=choose');
      await field(page, 'Name').fill('databases');
      await map('backup', viewer);
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name: 'databases', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('db1.example.com is in databases').waitFor();

      await goTo(page, `/projects/${projectId}/ssh`);
      await page.getByRole('link', { name: 'Who may log in' }).click();
      await loginOf(viewer)
        .getByText(/by name, in the host group/)
        .waitFor();
      await page.getByLabel('As login user').fill('deploy');
      await loginOf(viewer).waitFor({ state: 'detached' });
      await expect.poll(() => loginOf(email).count()).toBe(1);
    });

    it('issues certificates by templates, and revokes them', async () => {
      await at('/templates?new=choose');
      await field(page, 'Name').fill('admins');
      await field(page, 'Authority').selectOption({ index: 1 });
      await field(page, 'Allowed users 1').fill('ops-*');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name: 'admins', level: 1 }).waitFor();

      await at('/certificates?new=issue');
      await field(page, 'Template').selectOption('admins');
      await field(page, 'Principals 1').fill('root');
      await page.getByRole('button', { name: 'Issue', exact: true }).click();
      await page.getByRole('dialog').getByRole('alert').first().waitFor();
      await field(page, 'Principals 1').fill('ops-1');
      await page.getByRole('button', { name: 'Issue', exact: true }).click();
      await closeWithoutCopy(page);
      await page.getByRole('row', { name: 'ops-1' }).getByRole('link').click();
      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Revoked', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Revoke' }).count()).toBe(0);
    });

    it('offers to others only what they may: a login that is theirs', async () => {
      const other = await world().openAs(viewer, `/projects/${projectId}/ssh`);
      await other.getByRole('link', { name: 'db1.example.com' }).click();
      await other.getByRole('button', { name: 'Log in' }).click();
      expect(await other.getByRole('dialog').getByLabel('As').locator('option').allInnerTexts()).toEqual(['backup']);
      expect(await other.getByRole('button', { name: /^(Update|Delete|Host certificate)$/ }).count()).toBe(0);
      await world().leave(other);

      const stranger = await world().openAs(
        await member(world(), projectId, 'no-access'),
        `/projects/${projectId}/ssh`,
      );
      await stranger
        .getByText(/You may not read ssh-hosts|None of your rules allows it/)
        .first()
        .waitFor();
      expect(await stranger.getByRole('link', { name: 'db1.example.com' }).count()).toBe(0);
      await world().leave(stranger);
    });
  });
};

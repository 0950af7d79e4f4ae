import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, type ConsoleWorld } from '../harness.ts';
import { person } from '../people.ts';

export const instance = (world: () => ConsoleWorld): void => {
  describe('the instance', () => {
    let page: Page;

    beforeAll(async () => {
      page = await world().openAs(OPERATOR, '/');
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Instance' }).click();
    });
    afterAll(() => world().leave(page));

    const open = (tab: string) =>
      page.getByRole('navigation', { name: 'Parts of the instance' }).getByRole('link', { name: tab }).click();

    it('shows memory, database, jobs and keys, and draws how they change', async () => {
      await page.getByRole('img', { name: /^Resident: now \d/ }).waitFor();
      await page.getByText(new RegExp(` ${process.pid}$`)).waitFor();
      await page.getByRole('img', { name: /^Size: now \d/ }).waitFor();
      await page.getByRole('table', { name: 'Largest tables' }).getByRole('row').nth(3).waitFor();
      await page.getByText('No rotation is under way').waitFor();
      const points = () => page.locator('polyline').first().getAttribute('points');
      const before = await points();
      await expect.poll(points).not.toBe(before);
    });

    it('finds users, makes one an administrator and removes them again', async () => {
      const { email, token } = await person(world());
      await open('Users');
      await page.getByLabel('Search names and addresses').fill(email);
      const row = page.getByRole('row').filter({ hasText: email });
      const confirm = async (label: string) => {
        await row.getByRole('button', { name: label }).click();
        await page.getByRole('dialog').getByRole('button', { name: label }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      };
      const isAdmin = async () =>
        (await world().as(token)('GET', '/api/v1/admin/user-management/users')).status === 200;
      await confirm('Make administrator');
      await row.getByText('administrator', { exact: true }).waitFor();
      expect(await isAdmin()).toBe(true);
      await confirm('Remove as administrator');
      await row.getByRole('button', { name: 'Make administrator' }).waitFor();
      expect(await isAdmin()).toBe(false);
      await confirm('Delete');
      await page.getByText('Nobody has this name').waitFor();
    });

    it('lists organizations, and lets people sign up where it is allowed', async () => {
      await open('Organizations');
      await page.getByRole('row').filter({ hasText: 'Operators' }).waitFor();
      await open('Settings');
      const everybody = page.getByLabel('Anybody may create an account');
      await everybody.check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The settings are saved').waitFor();

      const other = await world().open();
      await other.goto('/');
      await other.getByRole('link', { name: 'Create an account' }).click();
      // First what the sign-in does not have.
      await other.getByLabel('First name').fill('Nele');
      await other.getByLabel('E-mail').fill('new@example.com');
      await other.getByLabel('Password', { exact: true }).fill('another fine battery');
      await other.getByRole('button', { name: 'Create the account' }).click();
      await other.getByText('You are in no organization').waitFor();
      await world().leave(other);

      await everybody.uncheck();
      await page.getByRole('button', { name: 'Save' }).click();
      await expect
        .poll(async () => (await world().as()('GET', '/api/v1/admin/config')).body.config.allowSignUp)
        .toBe(false);
    });

    it('stores rate limits, and goes back to those of the operator', async () => {
      await open('Rate limits');
      const reads = page.getByLabel('Reads');
      const before = await reads.inputValue();
      await reads.fill('123456');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The rate limits are saved').waitFor();
      await page.reload();
      await expect.poll(() => reads.inputValue()).toBe('123456');
      await page.getByRole('button', { name: "Use the operator's settings" }).click();
      await page.getByRole('dialog').getByRole('button', { name: "Use the operator's settings" }).click();
      await expect.poll(() => reads.inputValue()).toBe(before);
    });

    it('has the log of what belongs to no organization', async () => {
      await world().as('cfu_nonsense')('GET', '/api/v2/users/me');
      await open('Audit log');
      const rows = page.getByRole('table', { name: 'Events' }).getByRole('row');
      await expect.poll(() => rows.count()).toBeGreaterThan(1);
    });

    it('is not offered to others, also not at its address', async () => {
      const { email } = await person(world(), 'admin');
      const own = await world().openAs(email, '/instance');
      await own.getByText('Only administrators of the instance see this').waitFor();
      expect(await own.getByRole('link', { name: 'Instance' }).count()).toBe(0);
      await world().leave(own);
    });
  });
};

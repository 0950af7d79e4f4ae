import { describe, expect, it, onTestFinished } from 'vitest';
import { PASSWORD, type ConsoleWorld } from '../harness.ts';
import { person } from '../people.ts';

const NEW_PASSWORD = 'another fine battery';

export const account = (world: () => ConsoleWorld): void => {
  describe('the account', () => {
    const opened = async () => {
      const { email, token } = await person(world());
      const page = await world().openAs(email, '/account');
      onTestFinished(() => world().leave(page));
      return { page, email, token };
    };

    it('lists the sessions, ends another one, and knows its own', async () => {
      const { page, token } = await opened();
      const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
      await expect.poll(() => rows.count()).toBe(3);
      await rows.filter({ hasText: 'this one' }).getByText('Chrome on Linux').waitFor();
      await rows.last().getByRole('button', { name: 'End' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
      await expect.poll(() => rows.count()).toBe(2);
      expect((await world().as(token)('GET', '/api/v2/users/me')).status).toBe(401);
      await rows.last().getByRole('button', { name: 'End' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });

    it('shows an API key once, which works until it is deleted', async () => {
      const { page } = await opened();
      await page.getByRole('button', { name: 'Create an API key' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('reports');
      await dialog.getByRole('button', { name: 'Create' }).click();
      const key = (await dialog.getByText(/^ak\./).textContent())!;
      const status = async () =>
        (await world().as()('GET', '/api/v2/users/me', undefined, { 'x-api-key': key })).status;
      expect(await status()).toBe(200);
      await dialog.getByRole('button', { name: 'Copy API key' }).click();
      await page.getByText('API key is on the clipboard').waitFor();
      await dialog.getByRole('button', { name: 'Done' }).click();
      await expect.poll(() => page.content()).not.toContain(key);
      await page.getByRole('row', { name: 'reports' }).getByRole('button', { name: 'Delete' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('There is no key').waitFor();
      expect(await status()).toBe(401);
    });

    it('changes the password with the old one only, which ends all other sessions', async () => {
      const { page, email, token } = await opened();
      const change = async (old: string) => {
        await page.getByLabel('Current password').fill(old);
        await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
        await page.getByRole('button', { name: 'Change the password' }).click();
      };
      await change('not the password');
      await page.getByRole('alert').waitFor();
      await change(PASSWORD);
      await page.getByText('Your password is changed').waitFor();
      expect((await world().as(token)('GET', '/api/v2/users/me')).status).toBe(401);
      const login = { email, password: NEW_PASSWORD };
      expect((await world().as()('POST', '/api/v3/auth/login', login)).status).toBe(200);
      await page.reload();
      await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    });

    it('keeps the chosen theme in this browser', async () => {
      const { page } = await opened();
      await page.getByLabel('Theme', { exact: true }).selectOption('Dark');
      await page.reload();
      await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
      await page.getByRole('button', { name: 'Light theme' }).click();
      expect(await page.getByLabel('Theme', { exact: true }).inputValue()).toBe('light');
    });

    it('is deleted after its password, and signs out', async () => {
      const { page, email } = await opened();
      const confirm = async (password: string) => {
        await page.getByRole('dialog').getByLabel('Password').fill(password);
        await page.getByRole('dialog').getByRole('button', { name: 'Delete the account' }).click();
      };
      await page.getByRole('button', { name: 'Delete the account' }).click();
      await confirm('not the password');
      await page.getByRole('dialog').getByRole('alert').waitFor();
      await confirm(PASSWORD);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect((await world().as()('POST', '/api/v3/auth/login', { email, password: PASSWORD })).status).toBe(401);
    });
  });
};

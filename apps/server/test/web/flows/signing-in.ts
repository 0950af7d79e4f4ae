import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PASSWORD, type ConsoleWorld } from '../harness.ts';
import { person } from '../people.ts';

export const signingIn = (world: () => ConsoleWorld): void => {
  describe('signing in', () => {
    const opened = async () => {
      const page = await world().open();
      onTestFinished(() => world().leave(page));
      return page;
    };
    /** Nothing was done there for a quarter of an hour. */
    const idle = (page: Page) =>
      page.evaluate(
        `localStorage.setItem('coffer-active', '1'); document.dispatchEvent(new Event('visibilitychange'))`,
      );

    it('leads to the projects, survives a reload, and ends in all tabs at once', async () => {
      const { email } = await person(world());
      const page = await opened();
      await page.goto('/');
      await world().signIn(page, email);
      await page.getByRole('heading', { name: 'Projects' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'Projects' }).waitFor();

      const other = await page.context().newPage();
      await other.goto('/');
      await other.getByRole('heading', { name: 'Projects' }).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await other.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
    });

    it('says that a password is wrong, and leads to the address that was opened once it is right', async () => {
      const { email } = await person(world());
      const page = await opened();
      await page.goto('/account/sessions?from=link');
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill('not the password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      await world().signIn(page, email);
      expect(new URL(page.url()).search).toBe('?from=link');
    });

    it('is asked for again when the session has ended elsewhere', async () => {
      const { email, token } = await person(world());
      const page = await opened();
      await page.goto('/');
      await world().signIn(page, email);
      expect((await world().as(token)('DELETE', '/api/v2/users/me/sessions')).status).toBe(200);
      await page.reload();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });

    it('is unlocked by the password in all tabs without a reload; a tab of another user begins anew', async () => {
      const [{ email }, { email: another }] = [await person(world()), await person(world())];
      const page = await opened();
      await page.goto('/');
      await world().signIn(page, email);
      const other = await page.context().newPage();
      await other.goto('/account/sessions');
      await other.getByRole('navigation', { name: 'Main' }).waitFor();
      for (const tab of [page, other]) await tab.evaluate('globalThis.isSamePage = true');
      const locked = async () => {
        await idle(page);
        for (const tab of [page, other]) await tab.getByRole('heading', { name: 'Locked' }).waitFor();
      };
      await locked();
      await page.getByLabel('Password').fill('not the password');
      await page.getByRole('button', { name: 'Unlock' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Unlock' }).click();
      for (const tab of [page, other]) await tab.getByRole('navigation', { name: 'Main' }).waitFor();
      await page.getByRole('heading', { name: 'Projects' }).waitFor();
      for (const tab of [page, other]) expect(await tab.evaluate('globalThis.isSamePage')).toBe(true);

      await locked();
      await page.reload();
      await world().signIn(page, another);
      await other.getByRole('navigation', { name: 'Main' }).waitFor();
      expect(await other.evaluate('globalThis.isSamePage')).toBeUndefined();
    });

    it('is needed after a lock, also where the organization was still to be chosen', async () => {
      const { email, token } = await person(world());
      expect((await world().as(token)('POST', '/api/v2/organizations', { name: 'Second' })).status).toBe(200);
      const page = await opened();
      await page.goto('/');
      const other = await page.context().newPage();
      await other.goto('/');
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      for (const tab of [page, other]) await tab.getByRole('button', { name: 'Second' }).waitFor();
      await page.getByRole('button', { name: 'Second' }).click();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      await idle(page);
      await page.getByRole('heading', { name: 'Locked' }).waitFor();
      await other.getByLabel('Password').waitFor();
      expect(await other.getByRole('button', { name: 'Second' }).count()).toBe(0);
    });

    it('is needed where no page was open when the time was over', async () => {
      const { email } = await person(world());
      const page = await opened();
      await page.goto('/');
      await world().signIn(page, email);
      await page.goto('/api/status');
      await page.evaluate(`localStorage.setItem('coffer-active', String(Date.now() - 3_600_000))`);
      await page.goto('/');
      await expect.poll(() => page.getByText('The console is locked').count()).toBe(1);
      await world().signIn(page, email);
    });

    it('is needed again after a lock, also after a reload; a locked session can be ended', async () => {
      const { email, token } = await person(world());
      const page = await opened();
      await page.goto('/');
      await world().signIn(page, email);
      await idle(page);
      await page.getByRole('heading', { name: 'Locked' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await world().signIn(page, email);
      await idle(page);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      const { body } = await world().as(token)('GET', '/api/v2/users/me/sessions');
      // The one of the token, and the first that was replaced by the second: not the one that was ended.
      expect(body).toHaveLength(2);
    });
  });
};

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { member, projectOf } from '../people.ts';

export const projectSettings = (world: () => ConsoleWorld): void => {
  describe('settings of a project', () => {
    let project: { id: string; email: string };
    let page: Page;
    const stored = async () => (await world().admin('GET', `/api/v1/projects/${project.id}`)).body.project;
    const names = async (): Promise<string[]> =>
      (await stored()).environments.map(({ slug }: { slug: string }) => slug);
    const dialog = () => page.getByRole('dialog');
    const cache = () => page.getByRole('textbox', { name: 'Offline cache of command lines' });
    /** Saves. The forms begin anew then, with what is stored: what is typed before is lost. */
    const save = async (button: string) => {
      await cache().evaluate((field) => field.setAttribute('data-before', ''));
      await page.getByRole('button', { name: button }).click();
      await expect.poll(() => cache().getAttribute('data-before')).toBeNull();
    };

    beforeAll(async () => {
      project = await projectOf(world());
      page = await world().openAs(project.email, `/projects/${project.id}/settings`);
    });
    afterAll(() => world().leave(page));

    it('are its name, description, and rules for names of secrets', async () => {
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
      await page.getByRole('textbox', { name: 'Description' }).fill('Sells things');
      await page.getByRole('checkbox', { name: 'Names of new secrets are in capital letters only' }).check();
      await save('Save settings');
      expect((await stored()).name).toBe('Shop');
      expect(await stored()).toMatchObject({ description: 'Sells things', autoCapitalization: true });
    });

    it('are for how long command lines keep values, at most 30 days, and events are kept', async () => {
      await cache().fill('31d');
      await page.getByText('A number and a unit, at most 30d').waitFor();
      expect(await page.getByRole('button', { name: 'Save how long' }).isDisabled()).toBe(true);
      await cache().fill('8h');
      await page.getByRole('spinbutton', { name: 'Audit events, days' }).fill('90');
      await save('Save how long');
      expect(await stored()).toMatchObject({ auditLogsRetentionDays: 90, offlineCacheMaxAge: 28_800 });
      expect(await cache().inputValue()).toBe('8h');
      await cache().fill('');
      await save('Save how long');
      expect((await stored()).offlineCacheMaxAge).toBe(0);
    });

    it('are its environments: created, ordered by keyboard, renamed, deleted and restored', async () => {
      await page.getByRole('button', { name: 'New environment' }).click();
      await dialog().getByRole('textbox', { name: 'Name' }).fill('Quality');
      await dialog().getByRole('textbox', { name: 'Slug' }).fill('qa');
      await dialog().getByRole('button', { name: 'Create' }).click();
      await dialog().waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Earlier: Quality' }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(names).toEqual(['dev', 'staging', 'qa', 'prod']);
      await page.getByRole('button', { name: 'Rename Quality' }).click();
      await dialog().getByRole('textbox', { name: 'Slug' }).fill('test');
      await dialog().getByRole('button', { name: 'Save' }).click();
      await dialog().waitFor({ state: 'detached' });
      await page
        .getByRole('row', { name: /Quality test/ })
        .getByRole('button', { name: 'Delete' })
        .click();
      await dialog().getByRole('button', { name: 'Delete' }).click();
      await expect.poll(names).toEqual(['dev', 'staging', 'prod']);
      await page.getByRole('table', { name: 'Deleted environments' }).getByRole('button', { name: 'Restore' }).click();
      await expect.poll(names).toContain('test');
    });

    it('are its tags and the addresses from which it may be used', async () => {
      await page.getByRole('button', { name: 'New tag' }).click();
      await dialog().getByRole('textbox', { name: 'Slug' }).fill('critical');
      await dialog().getByRole('textbox', { name: 'Color' }).fill('#ff0000');
      await dialog().getByRole('button', { name: 'Create' }).click();
      await page.getByRole('table', { name: 'Tags' }).getByText('critical').waitFor();
      await page
        .getByRole('row', { name: /critical/ })
        .getByRole('button', { name: 'Delete' })
        .click();
      await dialog().getByRole('button', { name: 'Delete' }).click();
      await page.getByText('This project has no tags.').waitFor();
      await page.getByRole('button', { name: 'Add an address' }).click();
      await dialog().getByRole('textbox', { name: 'Ip address' }).fill('10.0.0.0/8');
      await dialog().getByRole('button', { name: 'Add' }).click();
      const row = page.getByRole('row', { name: /10\.0\.0\.0\/8/ });
      await row.getByText('not active').waitFor();
      await row.getByRole('button', { name: 'Remove' }).click();
      await dialog().getByRole('button', { name: 'Remove' }).click();
      await page.getByText('The project can be used from all addresses.').waitFor();
      const { body } = await world().admin('GET', `/api/v1/projects/${project.id}/tags`);
      expect(body.workspaceTags).toEqual([]);
    });

    it('are shown, not offered, to those who may not change them', async () => {
      const email = await member(world(), project.id, 'viewer');
      const other = await world().openAs(email, `/projects/${project.id}/settings`);
      await other.getByText('Sells things').waitFor();
      await other.getByText('You may not delete the project').waitFor();
      expect(await other.getByRole('main').getByRole('button').allInnerTexts()).toEqual([]);
      expect(await other.getByRole('main').getByRole('textbox').count()).toBe(0);
      await world().leave(other);
    });

    it('end with its deletion, which takes its name, and is refused while it is protected', async () => {
      await page.getByRole('checkbox', { name: 'Protect the project against deletion' }).check();
      await page.getByRole('button', { name: 'Save settings' }).click();
      await page.getByText('The project is protected').waitFor();
      expect(await page.getByRole('button', { name: 'Delete the project…' }).count()).toBe(0);
      await page.getByRole('checkbox', { name: 'Protect the project against deletion' }).uncheck();
      await page.getByRole('button', { name: 'Save settings' }).click();
      await page.getByRole('button', { name: 'Delete the project…' }).click();
      await dialog().getByRole('textbox', { name: 'Type its name: Shop' }).fill('shop');
      expect(await dialog().getByRole('button', { name: 'Delete for good' }).isDisabled()).toBe(true);
      await dialog().getByRole('textbox', { name: 'Type its name: Shop' }).fill('Shop');
      await dialog().getByRole('button', { name: 'Delete for good' }).click();
      await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
      expect((await world().admin('GET', `/api/v1/projects/${project.id}`)).status).toBe(404);
    });
  });
};

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { projectOf } from '../people.ts';
import { edit, saveAll, signedIn } from '../secrets-page.ts';

const MANY = 10_000;
/** What a session begins with, whatever is shown. */
const OF_SESSION = /^(?:account|sessions)\./;
/** With 10,000 keys. */
const MOST_NODES = 1_500;

/** What is there when the page is opened: a test has its own. */
const THERE = {
  HIDDEN_KEY: 'zsecretz-value',
  LONG_VALUE: 'long-'.repeat(60),
  CHOSEN: 'one',
  EDITED: 'before',
  SHARED: 'first',
  GOING: 'first',
  SLOW: 'stays',
  THERE: 'old',
};

export const secrets = (world: () => ConsoleWorld): void => {
  describe('secrets', () => {
    let project: { id: string; email: string };
    let page: Page;

    beforeAll(async () => {
      project = await projectOf(world());
      for (const [name, value] of Object.entries(THERE)) await put(name, value);
      page = await signedIn(world(), project);
    });
    afterAll(() => world().leave(page));

    const stored = async (name: string, environment = 'dev') => {
      const { body } = await world().admin(
        'GET',
        `/api/v4/secrets/${encodeURIComponent(name)}?projectId=${project.id}&environment=${environment}`,
      );
      return body.secret?.secretValue as string | undefined;
    };
    const put = (name: string, value: string, environment = 'dev') =>
      world().admin('POST', `/api/v4/secrets/${encodeURIComponent(name)}`, {
        ...{ projectId: project.id, environment, secretValue: value },
      });

    it('are set in two environments, and saved together after a review', async () => {
      await page.keyboard.press('n');
      await page.getByRole('textbox', { name: 'Key' }).fill('DATABASE_URL');
      await page.getByRole('textbox', { name: 'Value' }).fill('postgres://<b>&"\nline 2');
      await page.getByRole('checkbox', { name: 'staging' }).check();
      await page.getByRole('button', { name: 'Add' }).click();
      expect(await stored('DATABASE_URL')).toBeUndefined();
      await saveAll(page);
      expect(await stored('DATABASE_URL')).toBe('postgres://<b>&"\nline 2');
      expect(await stored('DATABASE_URL', 'staging')).toBe('postgres://<b>&"\nline 2');
    });

    it('are shown on request only, by keyboard, and each reveal is in the audit log', async () => {
      const cell = page.getByRole('gridcell', { name: 'HIDDEN_KEY in dev: set' });
      await cell.waitFor();
      expect(await page.content()).not.toContain('zsecretz-value');
      await cell.focus();
      await page.keyboard.press(' ');
      await page.getByText('zsecretz-value').waitFor();
      await page.keyboard.press(' ');
      await expect.poll(() => page.content()).not.toContain('zsecretz-value');
      const { body } = await world().admin('GET', '/api/v1/organization/audit-logs?eventType=get-secret&limit=20');
      expect(JSON.stringify(body)).toContain('HIDDEN_KEY');
    });

    it('are readable whole where they are shown, however long they are', async () => {
      const cell = page.getByRole('gridcell', { name: 'LONG_VALUE in dev: set' });
      await cell.focus();
      await page.keyboard.press(' ');
      const value = cell.getByText('long-');
      await value.waitFor();
      const isWhole =
        "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('[data-shown]'))";
      expect(await page.evaluate(isWhole)).toBe(true);
      await page.keyboard.press(' ');
    });

    it('are selected only while they are in sight: a search begins anew', async () => {
      await page.getByRole('checkbox', { name: 'Select CHOSEN' }).check();
      await page.getByRole('button', { name: 'Delete in all environments' }).waitFor();
      await page.getByRole('searchbox').fill('HIDDEN');
      await page.getByRole('checkbox', { name: 'Select CHOSEN' }).waitFor({ state: 'detached' });
      expect(await page.getByRole('button', { name: 'Delete in all environments' }).count()).toBe(0);
      await page.getByRole('searchbox').fill('');
    });

    it('keep an unsaved edit over a reload, without its text in any storage', async () => {
      await edit(page, 'EDITED', 'zdraftz');
      await page.getByText('1 change in 1 environment').waitFor();
      await expect.poll(() => page.evaluate(`indexedDB.databases().then((all) => all.length)`)).toBe(1);
      await page.reload();
      await page.getByText('1 change in 1 environment').waitFor();
      expect(await page.evaluate(`JSON.stringify({ ...localStorage, ...sessionStorage })`)).not.toContain('zdraftz');
      await saveAll(page);
      expect(await stored('EDITED')).toBe('zdraftz');
    });

    it('tell of two people who edit one the second of them', async () => {
      await edit(page, 'SHARED', 'mine');
      const at = { projectId: project.id, environment: 'dev', secretValue: 'theirs' };
      expect((await world().admin('PATCH', '/api/v4/secrets/SHARED', at)).status).toBe(200);
      await page.getByRole('button', { name: 'Review and save' }).click();
      await page.getByRole('button', { name: 'Save all' }).click();
      await page.getByText('Somebody else has changed this').waitFor();
      expect(await stored('SHARED')).toBe('theirs');
      await page.getByRole('button', { name: 'Base my edits on the newest versions' }).click();
      await expect
        .poll(async () => {
          // It cannot be clicked while it saves, and is gone once it has.
          await page
            .getByRole('button', { name: 'Save all' })
            .click({ timeout: 1_000 })
            .catch(() => undefined);
          return stored('SHARED');
        })
        .toBe('mine');
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    });

    it('are deleted only at the version that was seen', async () => {
      await page.getByRole('gridcell', { name: 'GOING in dev: set' }).focus();
      await page.keyboard.press('Delete');
      const at = { projectId: project.id, environment: 'dev', secretValue: 'changed' };
      expect((await world().admin('PATCH', '/api/v4/secrets/GOING', at)).status).toBe(200);
      await page.getByRole('button', { name: 'Review and save' }).click();
      await page.getByRole('button', { name: 'Save all' }).click();
      await page.getByText('Others have changed these secrets').first().waitFor();
      expect(await stored('GOING')).toBe('changed');
      await page.getByRole('button', { name: 'Take back' }).click();
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    });

    it('are not emptied by an editor that has not read the value yet', async () => {
      const cell = page.getByRole('gridcell', { name: 'SLOW in dev: set' });
      await cell.waitFor();
      const held = Promise.withResolvers<void>();
      await page.route('**/api/trpc/secrets.get*', async (route) => {
        await held.promise;
        await route.continue();
      });
      await cell.focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Enter');
      await page.keyboard.press('Escape');
      expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0);
      held.resolve();
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('are imported from a pasted file, after what exists has been listed', async () => {
      await page.getByRole('button', { name: 'Import' }).click();
      await page.getByRole('textbox', { name: 'Paste' }).fill('# comment\nTHERE="new\\nline"\nexport FRESH=\'a b\'\n');
      await page.getByRole('cell', { name: 'replaces the present value' }).waitFor();
      await page.getByRole('button', { name: 'Take over 2 secrets' }).click();
      await saveAll(page);
      expect(await stored('THERE')).toBe('new\nline');
      expect(await stored('FRESH')).toBe('a b');
    });

    it('keep edits while the server is away, and say so', async () => {
      await edit(page, 'DATABASE_URL', 'typed offline');
      await page.context().setOffline(true);
      await page.getByRole('searchbox', { name: 'Search in this folder' }).fill('DATA');
      await page.getByText('The server cannot be reached').first().waitFor();
      await page.context().setOffline(false);
      await expect.poll(() => page.getByText('The server cannot be reached').count()).toBe(0);
      await saveAll(page);
      expect(await stored('DATABASE_URL')).toBe('typed offline');
    });

    it(`are ${MANY} without a heavy page, drawn from one request, and searched by the server`, async () => {
      const big = await projectOf(world());
      for (let from = 0; from < MANY; from += 1_000) {
        const some = Array.from({ length: 1_000 }, (_, i) => ({
          secretKey: `KEY_${String(from + i).padStart(5, '0')}`,
          secretValue: 'v',
        }));
        const at = { projectId: big.id, environment: 'dev', secrets: some };
        expect((await world().admin('POST', '/api/v4/secrets/batch', at)).status).toBe(200);
      }
      const reader = await signedIn(world(), big);
      await reader.getByText('KEY_00000').waitFor();
      // Once more: of all requests for data, one is answered, and the others wait until the first screen is drawn.
      const answered: string[][] = [];
      const drawn = Promise.withResolvers<void>();
      await reader.route('**/api/trpc/**', async (route) => {
        const asked = decodeURIComponent(new URL(route.request().url()).pathname).replace('/api/trpc/', '').split(',');
        if (asked.includes('secrets.overview')) answered.push(asked);
        else if (!asked.every((one) => OF_SESSION.test(one))) await drawn.promise;
        await route.continue();
      });
      await reader.reload();
      await reader.getByRole('gridcell', { name: 'KEY_00000 in dev: set' }).waitFor();
      await reader.getByRole('gridcell', { name: 'KEY_00010 in prod: not set' }).waitFor();
      expect(answered).toHaveLength(1);
      drawn.resolve();
      await reader.unrouteAll({ behavior: 'wait' });
      expect(await reader.evaluate(`document.querySelectorAll('*').length`)).toBeLessThan(MOST_NODES);
      await reader.getByRole('searchbox', { name: 'Search in this folder' }).fill('key_09876');
      await reader.getByText('KEY_09876').waitFor();
      expect(await reader.getByRole('gridcell', { name: /KEY_/ }).count()).toBe(3);
      // It is on another page of the table.
      await reader.getByRole('searchbox', { name: 'Search in this folder' }).fill('');
      await reader.getByRole('button', { name: 'Secret', exact: true }).click();
      await reader.getByRole('textbox', { name: 'Key' }).fill('KEY_05000');
      await reader.getByText('This key exists').waitFor();
      await world().leave(reader);
    });
  });
};

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { member, projectOf } from '../people.ts';
import { edit, saveAll, signedIn } from '../secrets-page.ts';

const MEGABYTE = 1024 * 1024;

/** The drafts that this browser stores. */
const storedDrafts = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((done) => {
    indexedDB.open('coffer').onsuccess = ({ target: { result: db } }) => {
      db.transaction('texts').objectStore('texts').count().onsuccess = ({ target }) => { db.close(); done(target.result); };
    };
  })`);

/** As if they had been written eight days ago. */
const ageDrafts = (page: Page): Promise<void> =>
  page.evaluate(`new Promise((done) => {
    indexedDB.open('coffer').onsuccess = ({ target: { result: db } }) => {
      const writing = db.transaction('texts', 'readwrite');
      writing.oncomplete = () => { db.close(); done(); };
      writing.objectStore('texts').openCursor().onsuccess = ({ target: { result: cursor } }) => {
        if (!cursor) return;
        cursor.update({ ...cursor.value, at: cursor.value.at - 8 * 86_400_000 });
        cursor.continue();
      };
    };
  })`);

export const drafts = (world: () => ConsoleWorld): void => {
  describe('unsaved edits', () => {
    let project: { id: string; email: string };
    let page: Page;

    beforeAll(async () => {
      project = await projectOf(world());
      for (const key of ['ONE', 'TWO', 'GONE'])
        await world().admin('POST', `/api/v4/secrets/${key}`, {
          ...{ projectId: project.id, environment: 'dev', secretValue: 'before' },
        });
      page = await signedIn(world(), project);
    });
    afterAll(() => world().leave(page));

    const stored = async (name: string): Promise<string> => {
      const { body } = await world().admin('GET', `/api/v4/secrets/${name}?projectId=${project.id}&environment=dev`);
      return body.secret.secretValue;
    };

    it('are those of all tabs together, at once and after a reload', async () => {
      const other = await page.context().newPage();
      await other.goto(`/projects/${project.id}/secrets`);
      await other.getByRole('gridcell', { name: 'TWO in dev: set' }).waitFor();
      await edit(page, 'ONE', 'of the first tab');
      await other.getByText('1 change in 1 environment').waitFor();
      await edit(other, 'TWO', 'of the second tab');
      await page.getByText('2 changes in 1 environment').waitFor();
      await expect.poll(() => storedDrafts(page)).toBe(2);
      await page.reload();
      await page.getByText('2 changes in 1 environment').waitFor();
      await saveAll(page);
      await other.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
      await expect.poll(() => storedDrafts(page)).toBe(0);
      await other.close();
    });

    it('are discarded after a question, and not by one click', async () => {
      await edit(page, 'ONE', 'typed');
      await page.getByRole('button', { name: 'Discard all' }).click();
      const dialog = page.getByRole('dialog', { name: 'Discard 1 change?' });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('1 change in 1 environment').waitFor();
      await page.getByRole('button', { name: 'Discard all' }).click();
      await dialog.getByRole('button', { name: 'Discard all' }).click();
      await page.getByRole('gridcell', { name: 'ONE in dev: set', exact: true }).waitFor();
      expect(await stored('ONE')).toBe('of the first tab');
    });

    it('can be saved while a message is shown', async () => {
      const refused = { error: { message: 'Not now', code: -32_603, data: { code: 'FORBIDDEN', httpStatus: 403 } } };
      await page.route('**/api/trpc/secrets.get*', (route) => route.fulfill({ status: 403, json: [refused] }));
      await page.getByRole('gridcell', { name: 'TWO in dev: set', exact: true }).focus();
      await page.keyboard.press(' ');
      const dismiss = page.getByRole('button', { name: 'Dismiss' }).last();
      await dismiss.waitFor();
      await page.unrouteAll({ behavior: 'wait' });
      await edit(page, 'ONE', 'typed');
      const message = (await dismiss.locator('..').boundingBox())!;
      const bar = (await page.getByRole('region', { name: 'Unsaved changes' }).boundingBox())!;
      expect(message.y + message.height).toBeLessThanOrEqual(bar.y);
      await saveAll(page);
      expect(await stored('ONE')).toBe('typed');
      await page.reload();
    });

    it('of a key that others have deleted are in the table, and can be saved as a new one', async () => {
      await edit(page, 'GONE', 'typed');
      const at = { projectId: project.id, environment: 'dev' };
      expect((await world().admin('DELETE', '/api/v4/secrets/GONE', at)).status).toBe(200);
      await page.reload();
      const cell = page.getByRole('gridcell', { name: 'GONE in dev: deleted by others, edited here' });
      await cell.focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('gridcell', { name: 'GONE in dev: new, not saved' }).waitFor();
      await saveAll(page);
      await page.getByRole('gridcell', { name: 'GONE in dev: set' }).waitFor();
    });

    it('come from a file of a megabyte, read once nobody types any more', async () => {
      await page.getByRole('button', { name: 'Import' }).click();
      const box = page.getByRole('textbox', { name: 'Paste' });
      const line = `${'x'.repeat(1000)}\n`;
      await box.fill(`BIG="${line.repeat(MEGABYTE / line.length - 1)}"\nZ`);
      await page.getByRole('button', { name: 'Take over 1 secret' }).waitFor();
      await box.pressSequentially('=1');
      await page.getByRole('cell', { name: 'Z', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Take over 2 secrets' }).click();
      await saveAll(page);
      expect(await stored('BIG')).toHaveLength(line.length * Math.floor(MEGABYTE / line.length - 1));
    });

    it('come from a file of which some lines are left out and one is replaced, which is said', async () => {
      await page.getByRole('button', { name: 'Import' }).click();
      const dialog = page.getByRole('dialog', { name: 'Import' });
      await dialog.getByRole('textbox', { name: 'Paste' }).fill('A=1\nno assignment\n# a comment\nfoo bar=2\nA=3');
      await dialog.getByRole('button', { name: 'Take over 1 secret' }).waitFor();
      expect(await dialog.innerText()).toContain('2 lines are not NAME=value, and left out: 2, 4.');
      expect(await dialog.innerText()).toContain(
        '1 name stands in it more than once; the last value of each counts: A',
      );
      await dialog.getByRole('textbox', { name: 'Paste' }).fill('{"A": "1", "B": "2", "A": "3"}');
      await dialog.getByRole('button', { name: 'Take over 2 secrets' }).waitFor();
      await dialog.getByRole('row', { name: 'A new stands there more than once: the last value counts' }).waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    });

    it('go when they are a week old, and when somebody else signs in', async () => {
      const second = await member(world(), project.id, 'member');
      await edit(page, 'ONE', 'old');
      await expect.poll(() => storedDrafts(page)).toBe(1);
      await ageDrafts(page);
      await page.reload();
      await page.getByRole('gridcell', { name: 'ONE in dev: set', exact: true }).waitFor();
      await expect.poll(() => storedDrafts(page)).toBe(0);

      await edit(page, 'ONE', 'of the first user');
      await expect.poll(() => storedDrafts(page)).toBe(1);
      await page.context().clearCookies();
      await page.reload();
      await world().signIn(page, second);
      await page.getByRole('gridcell', { name: 'ONE in dev: set', exact: true }).waitFor();
      await expect.poll(() => storedDrafts(page)).toBe(0);
    });

    it('leave no value on the clipboard, also if the window has no focus when it is time', async () => {
      const reader = await world().open();
      await reader.clock.install();
      await reader.goto(`/projects/${project.id}/secrets`);
      await world().signIn(reader, project.email);
      await reader.getByRole('gridcell', { name: 'TWO in dev: set' }).focus();
      await reader.keyboard.press('c');
      await reader.getByText('TWO is on the clipboard').waitFor();
      const clipboard = () => reader.evaluate(`navigator.clipboard.readText()`);
      expect(await clipboard()).toBe('of the second tab');
      await reader.evaluate(`document.hasFocus = () => false`);
      await reader.clock.runFor(60_000);
      expect(await clipboard()).toBe('of the second tab');
      await reader.evaluate(`delete document.hasFocus; dispatchEvent(new Event('focus'))`);
      await expect.poll(clipboard).toBe('');
      await reader.context().close();
    });

    it('work over plain HTTP, in memory; the page says what the browser forbids there', async () => {
      const reader = await world().open();
      await reader.goto(`${world().plainUrl}/projects/${project.id}/secrets`);
      await reader.getByText('This page was opened over plain HTTP').waitFor();
      await world().signIn(reader, project.email);
      await reader.getByText('This page was opened over plain HTTP').waitFor();
      await reader.getByRole('gridcell', { name: 'TWO in dev: set' }).focus();
      await reader.keyboard.press('c');
      await reader.getByText('select the text and copy it').waitFor();
      await reader.getByText('of the second tab').waitFor();
      await edit(reader, 'TWO', 'over HTTP');
      await saveAll(reader);
      expect(await stored('TWO')).toBe('over HTTP');
      await reader.context().close();
    });
  });
};

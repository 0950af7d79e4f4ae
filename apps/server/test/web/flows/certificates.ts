import { readFile } from 'node:fs/promises';
import { X509Certificate } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { field, goTo, kept } from '../page.ts';
import { member, projectOf } from '../people.ts';

/** Authorities, what they issue, and what governs that. */
export const certificates = (world: () => ConsoleWorld): void => {
  describe('certificates', () => {
    let page: Page;
    let projectId: string;
    const at = (path: string) => goTo(page, `/projects/${projectId}/certificates${path}`);

    beforeAll(async () => {
      const project = await projectOf(world());
      projectId = project.id;
      page = await world().openAs(project.email, '/');
    });
    afterAll(() => world().leave(page));

    it('need authorities: a root, and an intermediate below it, whose chain is drawn', async () => {
      await at('/authorities');
      await page.getByRole('button', { name: 'New authority' }).click();
      await page.getByRole('button', { name: /^Root/ }).click();
      await field(page, 'Name').fill('acme-root');
      await field(page, 'Common name').fill('Acme Root');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name: 'acme-root', level: 1 }).waitFor();

      await at('/authorities?new=intermediate');
      await field(page, 'Name').fill('acme-issuing');
      await field(page, 'Common name').fill('Acme Issuing');
      await field(page, 'Parent authority').selectOption('acme-root (root)');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name: 'acme-issuing', level: 1 }).waitFor();
      const chain = page.getByRole('list', { name: 'Chain, from the root to the certificate' });
      await chain.waitFor();
      expect(await chain.getByRole('listitem').allInnerTexts()).toEqual([
        expect.stringContaining('Acme Root'),
        expect.stringContaining('Acme Issuing'),
      ]);

      await page.getByRole('link', { name: 'Certificate authorities' }).click();
      const tree = page.getByRole('list', { name: 'Authorities' });
      await tree
        .getByRole('listitem')
        .filter({ hasText: 'acme-root' })
        .getByRole('list')
        .getByText('acme-issuing')
        .waitFor();
    });

    it('are issued from the page of an authority by this one', async () => {
      await at('/authorities');
      await page.getByRole('link', { name: 'acme-issuing' }).click();
      await page.getByRole('link', { name: 'Issue a certificate' }).click();
      const authority = page.getByRole('dialog').getByLabel('Authority');
      await expect
        .poll(() => authority.locator('option:checked').allInnerTexts())
        .toEqual(['acme-issuing (intermediate)']);
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      expect(new URL(page.url()).search).toBe('');
    });

    it('are issued with a private key that is shown once, and stays in no address and no storage', async () => {
      await at('');
      await page.getByRole('button', { name: 'New certificate' }).click();
      await page.getByRole('button', { name: /^By an authority/ }).click();
      const form = page.getByRole('dialog', { name: 'New certificate: By an authority' });
      await form.getByLabel('Authority').selectOption('acme-issuing (intermediate)');
      await field(page, 'Common name').fill('app.acme.example');
      await page.getByRole('button', { name: 'Issue', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'The certificate is issued' });
      const key = await dialog.getByLabel('Private key', { exact: true }).innerText();
      const saved = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Certificate and chain' }).click();
      const file = await saved;
      expect(file.suggestedFilename()).toBe('app.acme.example.fullchain.pem');
      const blocks = (await readFile(await file.path(), 'utf8')).split(/(?<=-----END CERTIFICATE-----)/);
      const [leaf, issuer] = blocks.map((block) => block.trim() && new X509Certificate(block));
      if (!leaf || !issuer) throw new Error('The file is not whole');
      expect(leaf.verify(issuer.publicKey)).toBe(true);

      // However long the dialog is, its button is in sight.
      const { y, height } = (await dialog.getByRole('button', { name: 'Done' }).boundingBox())!;
      expect(y + height).toBeLessThanOrEqual(page.viewportSize()!.height);
      // Nothing closes the only copy of the key without asking: not Escape, also twice, not the buttons, not going back.
      const question = page.getByRole('dialog', { name: 'Close without a copy?' });
      const closings = [
        () => page.keyboard.press('Escape'),
        async () => {
          await page.keyboard.press('Escape');
          await page.keyboard.press('Escape');
          await page.keyboard.press('Escape');
        },
        () => dialog.getByRole('button', { name: 'Close' }).click(),
        () => dialog.getByRole('button', { name: 'Done' }).click(),
        () => page.evaluate('history.back()'),
      ];
      for (const close of closings) {
        await close();
        await question.getByText('Neither copied nor downloaded: Private key.').waitFor();
        await question.getByRole('button', { name: 'Go back' }).click();
        await question.waitFor({ state: 'detached' });
        expect(await dialog.getByLabel('Private key', { exact: true }).innerText()).toBe(key);
      }
      const leaving = page.waitForEvent('dialog');
      await Promise.all([leaving.then((asked) => asked.dismiss()), page.evaluate('void location.reload()')]);
      expect((await leaving).type()).toBe('beforeunload');

      const savedKey = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Private key', exact: true }).click();
      expect((await readFile(await (await savedKey).path(), 'utf8')).trim()).toBe(key.trim());
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { name: 'app.acme.example', level: 1 }).waitFor();
      const body = key.split('\n')[1]!;
      expect(await page.content()).not.toContain(body);
      expect(await kept(page)).not.toContain(body);
      await page
        .getByText('Nothing is wrong with this certificate.')
        .or(page.getByRole('table', { name: 'Lint report' }))
        .waitFor();
    });

    it('are found by what the server searches, and stand on the board of ends', async () => {
      await at('?search=app.acme&status=active');
      await page.getByRole('link', { name: 'app.acme.example' }).waitFor();
      await page.getByLabel('Status').selectOption('Revoked');
      await page.getByText('There is no such certificate.').waitFor();
      await page.getByRole('link', { name: 'What ends when' }).click();
      await page
        .getByRole('heading', { name: /^Week of .*: 1$/ })
        .first()
        .waitFor();
      await page.getByRole('link', { name: 'app.acme.example' }).click();
      await page.getByRole('heading', { name: 'app.acme.example', level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toMatch(/\/certificates\/[\da-f-]{36}$/);
    });

    it('are revoked for a reason', async () => {
      await page.getByRole('button', { name: 'Revoke' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').selectOption('Key compromise');
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Revoked', { exact: true }).waitFor();
      await page.getByText('Code 1', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Revoke' }).count()).toBe(0);
    });

    it('are explained to those who may not read them, who are offered nothing', async () => {
      const other = await world().openAs(
        await member(world(), projectId, 'no-access'),
        `/projects/${projectId}/certificates`,
      );
      const alert = other.getByRole('alert');
      await alert.getByText('None of your rules allows it.').first().waitFor();
      expect(await other.getByRole('button', { name: 'New certificate' }).count()).toBe(0);
      await other.getByRole('link', { name: 'Authorities' }).click();
      await other.getByText('You may not read certificate-authorities').waitFor();
      expect(await other.getByRole('button', { name: /^New/ }).count()).toBe(0);
      await world().leave(other);
    });
  });
};

import { createPublicKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { field, goTo, kept } from '../page.ts';
import { member, projectOf } from '../people.ts';

/** Keys that are used without being given out. */
export const kms = (world: () => ConsoleWorld): void => {
  describe('keys of the KMS', () => {
    let page: Page;
    let projectId: string;

    beforeAll(async () => {
      const project = await projectOf(world());
      projectId = project.id;
      page = await world().openAs(project.email, '/');
    });
    afterAll(() => world().leave(page));

    const create = async (name: string, usage: string) => {
      await goTo(page, `/projects/${projectId}/keys?new=choose`);
      await field(page, 'Name').fill(name);
      await field(page, 'Key usage').selectOption(usage);
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
    };

    it('encrypt and decrypt by hand, also after a rotation, and nothing of it is kept', async () => {
      await create('files', 'encrypt-decrypt');
      await field(page, 'Plaintext').fill('zsecretz Ünïcode\nsecond line');
      await field(page, 'Associated data').fill('of this row');
      await page.getByRole('button', { name: 'Encrypt' }).click();
      const ciphertext = field(page, 'Ciphertext');
      await expect.poll(() => ciphertext.inputValue()).not.toBe('');

      await page.getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
      await page.getByText('2; older ones still decrypt and verify').waitFor();
      await field(page, 'Plaintext').fill('');
      await page.getByRole('button', { name: 'Decrypt' }).click();
      await expect.poll(() => field(page, 'Plaintext').inputValue()).toBe('zsecretz Ünïcode\nsecond line');
      await field(page, 'Associated data').fill('of another row');
      await page.getByRole('button', { name: 'Decrypt' }).click();
      await page.getByText('The ciphertext does not open').waitFor();

      await page.getByRole('link', { name: 'Keys', exact: true }).click();
      await page.getByRole('link', { name: 'files' }).click();
      await page.getByRole('button', { name: 'Encrypt' }).waitFor();
      expect(await field(page, 'Plaintext').inputValue()).toBe('');
      expect((await kept(page)) + (await page.content())).not.toContain('zsecretz');
    });

    it('sign what their public key, as it is downloaded, verifies', async () => {
      await create('releases', 'sign-verify');
      await field(page, 'Data').fill('version 1');
      await page.getByRole('button', { name: 'Sign', exact: true }).click();
      await expect.poll(() => field(page, 'Signature').inputValue()).not.toBe('');
      const signature = Buffer.from(await field(page, 'Signature').inputValue(), 'base64');
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'PEM' }).click();
      const publicKey = createPublicKey(await readFile(await (await saved).path()));
      const [algorithm] = await field(page, 'Algorithm').locator('option').allInnerTexts();
      expect(algorithm).toBe('ECDSA_SHA_256');
      expect(verify('sha256', Buffer.from('version 1'), publicKey, signature)).toBe(true);
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByText('It is valid.').waitFor();
      await field(page, 'Data').fill('version 2');
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByText('It is not valid for this data and key.').waitFor();
    });

    it('are deleted after a while, in which that is cancelled', async () => {
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
      await field(page, 'Show').selectOption('Keys being deleted');
      await page.getByRole('link', { name: 'releases' }).click();
      await page.getByText('Is destroyed').waitFor();
      expect(await page.getByRole('button', { name: 'Sign', exact: true }).count()).toBe(0);
      await page.getByRole('button', { name: 'Cancel the deletion' }).click();
      await page.getByText('Enabled', { exact: true }).waitFor();
    });

    it('that are rotated by a schedule are used again by whoever may rotate them', async () => {
      const { admin } = world();
      const made = await admin('POST', '/api/v1/kms/keys', { projectId, name: 'monthly', rotationPeriodDays: 30 });
      const slug = 'keeper';
      const permissions = [{ subject: 'cmek', action: ['read', 'create', 'edit', 'delete'] }];
      await admin('POST', `/api/v1/projects/${projectId}/roles`, { name: slug, slug, permissions });
      const address = `/projects/${projectId}/keys/${made.body.key.id}`;
      const other = await world().openAs(await member(world(), projectId, slug), address);
      await other.getByRole('button', { name: 'Disable' }).waitFor();

      await admin('PATCH', `/api/v1/kms/keys/${made.body.key.id}`, { isDisabled: true });
      await other.reload();
      await other.getByRole('button', { name: 'Delete' }).waitFor();
      expect(await other.getByRole('button', { name: 'Enable' }).count()).toBe(0);

      await admin('DELETE', `/api/v1/kms/keys/${made.body.key.id}`);
      await other.reload();
      await other.getByText('Is destroyed').waitFor();
      expect(await other.getByRole('button', { name: 'Cancel the deletion' }).count()).toBe(0);
      await world().leave(other);

      await goTo(page, address);
      await page.getByRole('button', { name: 'Cancel the deletion' }).click();
      await page.getByRole('button', { name: 'Enable' }).waitFor();
    });

    it('are not offered to those who may not use them', async () => {
      const other = await world().openAs(await member(world(), projectId, 'no-access'), `/projects/${projectId}/keys`);
      await other
        .getByText(/You may not read cmek|None of your rules allows it/)
        .first()
        .waitFor();
      expect(await other.getByRole('button', { name: 'New key' }).count()).toBe(0);
      await world().leave(other);
    });
  });
};

import { readFile } from 'node:fs/promises';
import { verifyAuditLog, verifyExport } from '@coffer/domain';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { sealedLog } from '../../harness/sealed-log.ts';
import { member, person, projectOf } from '../people.ts';

export const audit = (world: () => ConsoleWorld): void => {
  describe('the audit log', () => {
    let project: { id: string; email: string };
    let page: Page;

    const put = (name: string, environment = 'dev') =>
      world().admin('POST', `/api/v4/secrets/${name}`, {
        projectId: project.id,
        environment,
        secretValue: `zvaluez-${name}`,
      });
    const rows = () => page.getByRole('table', { name: 'Events' }).getByRole('row');

    beforeAll(async () => {
      project = await projectOf(world());
      await put('FIRST');
      await put('SECOND', 'prod');
      page = await world().openAs(project.email, `/projects/${project.id}/audit`);
    });
    afterAll(() => world().leave(page));

    it('shows events of the project, filtered by the server, with the filters in the address', async () => {
      await rows().filter({ hasText: 'create-secret' }).filter({ hasText: 'FIRST' }).waitFor();
      await page.getByLabel('Event', { exact: true }).fill('create-secret');
      await page.getByLabel('Environment').fill('prod');
      await page.getByRole('button', { name: 'Filter' }).click();
      await expect.poll(() => rows().count()).toBe(2);
      await rows().filter({ hasText: 'SECOND' }).waitFor();
      expect(new URL(page.url()).search).toBe('?type=create-secret&environment=prod');
      await page.reload();
      await expect.poll(() => rows().count()).toBe(2);
    });

    it('opens an event with all that it holds, and leads to others of its actor', async () => {
      await rows().filter({ hasText: 'SECOND' }).getByRole('button').click();
      const dialog = page.getByRole('dialog', { name: 'create-secret' });
      await dialog.getByText('"secretKey": "SECOND"').waitFor();
      expect(await page.content()).not.toContain('zvaluez');
      await dialog.getByRole('button', { name: 'Only this actor' }).click();
      await expect.poll(() => new URL(page.url()).searchParams.get('actor')).toBe(world().adminIdentity.id);
      await page.getByRole('button', { name: 'Reset' }).click();
      await expect.poll(() => new URL(page.url()).search).toBe('');
    });

    it('is reached from a secret, with its events only', async () => {
      await page.goto(`/projects/${project.id}/secrets?env=dev&key=FIRST`);
      await page.getByRole('link', { name: 'Events: who has read and changed it' }).click();
      await rows().filter({ hasText: 'create-secret' }).waitFor();
      await expect.poll(() => rows().filter({ hasText: 'SECOND' }).count()).toBe(0);
      expect(new URL(page.url()).searchParams.get('key')).toBe('FIRST');
    });

    it('shows what happens while one looks at it', async () => {
      await page.goto(`/projects/${project.id}/audit?type=create-secret`);
      await page.getByLabel('Live').check();
      await put('THIRD');
      await expect.poll(() => rows().filter({ hasText: 'THIRD' }).count()).toBe(1);
    });

    it('is exported as a file that the offline verifier accepts, and shows how far it is sealed', async () => {
      const log = await sealedLog(world());
      await log.sealed();
      await log.stop();
      const { email } = await person(world(), 'admin');
      const own = await world().openAs(email, '/organization/audit');
      await own.getByText('Chain', { exact: true }).click();
      await own.getByText('Hash of the last block').waitFor();
      await own.getByRole('button', { name: 'Export', exact: true }).click();
      const saving = own.waitForEvent('download');
      await own.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
      const path = await (await saving).path();
      const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
      expect(await verifyExport(lines)).toMatchObject({ valid: true });
      expect(lines.join('')).toContain('create-secret');
      await world().leave(own);
    });

    it('is verified by the server on request, with the result and its time', async () => {
      const { email } = await person(world(), 'admin');
      const own = await world().openAs(email, '/organization/audit');
      await own.getByText('Chain', { exact: true }).click();
      await own.getByText('Never', { exact: true }).waitFor();
      await own.getByRole('button', { name: 'Verify now' }).click();
      await own.getByText('Running', { exact: true }).waitFor();
      const { coffer, organizationId } = world();
      await verifyAuditLog(coffer.pool).run(
        coffer.contextFor({ type: 'platform', organizationId }),
        { organizationId },
        {} as never,
      );
      await own.getByText(/^In order: \d+ blocks$/).waitFor();
      expect(await own.getByRole('button', { name: 'Verify now' }).isEnabled()).toBe(true);
      await world().leave(own);
    });

    it('explains itself to a member of the project who may not read it', async () => {
      const email = await member(world(), project.id, 'no-access');
      const own = await world().openAs(email, `/projects/${project.id}/audit`);
      await own.getByRole('alert').first().waitFor();
      expect(await own.getByRole('table', { name: 'Events' }).count()).toBe(0);
      await world().leave(own);
    });
  });
};

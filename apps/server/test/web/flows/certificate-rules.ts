import { CertifyingAuthority, DigiCert, makeConnection, pkiSyncTargets } from '@coffer/domain/testing';
import { runPkiSync } from '@coffer/domain';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Certificates } from '../../harness/certificates.ts';
import type { ConsoleWorld } from '../harness.ts';
import { closeWithoutCopy, field, goTo } from '../page.ts';
import { member, projectOf } from '../people.ts';

/** What governs certificates, groups them, notifies of them, and takes them elsewhere. */
export const certificateRules = (world: () => ConsoleWorld): void => {
  describe('what governs certificates', () => {
    let page: Page;
    let projectId: string;
    let authority: string;
    let certificateId: string;
    const at = (path: string) => goTo(page, `/projects/${projectId}/certificates${path}`);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
    const choose = async (label: string, part: string) => {
      const option = field(page, label).locator('option').filter({ hasText: part });
      await option.waitFor({ state: 'attached' });
      await field(page, label).selectOption((await option.getAttribute('value')) ?? '');
    };
    const remove = async () => {
      await button('Delete').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };

    beforeAll(async () => {
      const project = await projectOf(world());
      projectId = project.id;
      const certificates = new Certificates(world(), projectId);
      const { id } = await certificates.authority();
      const { body } = await world().admin('GET', `/api/v1/cert-manager/ca/internal/${id}`);
      authority = body.name;
      const names = { commonName: 'shop.example.com', altNames: 'shop.example.com' };
      certificateId = (await certificates.issue(id, names)).id;
      page = await world().openAs(project.email, '/');
    });
    afterAll(() => world().leave(page));

    it('are policies, whose events are a link away, and profiles that name them', async () => {
      await at('/policies?new=choose');
      await field(page, 'Name').fill('web');
      await button('Create').click();
      await heading('web');
      await button('Update').click();
      await field(page, 'Description').fill('Of the shop');
      await button('Save').click();
      await page.getByText('Of the shop').first().waitFor();

      await at('/profiles?new=choose');
      await field(page, 'Slug').fill('web-servers');
      await choose('Authority', authority);
      await choose('Policy', 'web');
      await choose('Enrollment type', 'Api');
      await button('Create').click();
      await heading('web-servers');
      await page.getByRole('link', { name: 'web', exact: true }).click();
      await heading('web');
      await page.getByRole('link', { name: 'Events' }).click();
      const events = page.getByRole('table', { name: 'Events' });
      await events.getByText('update-certificate-policy').waitFor();
      expect(await events.getByText('create-certificate-profile').count()).toBe(0);
    });

    it('are templates, which are deleted again', async () => {
      await at('/templates?new=choose');
      await field(page, 'Name').fill('short');
      await choose('Authority', authority);
      await field(page, 'Common name').fill('.*\\.example\\.com');
      await field(page, 'Subject alternative name').fill('.*\\.example\\.com');
      await button('Create').click();
      await heading('short');
      await remove();
      await heading('Certificate templates');
      await page.getByText('There is no template yet').waitFor();
      expect(new URL(page.url()).pathname).toMatch(/\/templates$/);
    });

    it('are collections: certificates are added and taken out', async () => {
      await at('/collections?new=choose');
      await field(page, 'Name').fill('shops');
      await button('Create').click();
      await heading('shops');
      await button('Add').click();
      await choose('What', 'shop.example.com');
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
      const items = page.getByRole('table', { name: 'What is in the collection' });
      await items.getByText('Certificate', { exact: true }).waitFor();
      await items.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('Nothing is in it yet.').waitFor();
      expect(await items.getByRole('button').count()).toBe(0);
    });

    it('are alerts, with a channel that notifies', async () => {
      await at('/alerts?new=choose');
      await field(page, 'Name').fill('ending');
      await choose('Channel type', 'Email');
      await field(page, 'Recipients 1').fill('ops@example.com');
      await button('Create').click();
      await heading('ending');
      await page.getByText('Email to ops@example.com').waitFor();
      expect(new URL(page.url()).pathname).toMatch(/\/alerts\/[\da-f-]{36}$/);
    });

    it('are subscribers, which get a certificate on request', async () => {
      await at('/subscribers?new=choose');
      await field(page, 'Name').fill('shop');
      await field(page, 'Common name').fill('subscriber.example.com');
      await choose('Authority', authority);
      await button('Create').click();
      await heading('shop');
      await button('Issue a certificate').click();
      const dialog = page.getByRole('dialog', { name: 'The certificate is issued' });
      expect(await dialog.getByLabel('Private key', { exact: true }).innerText()).toContain('PRIVATE KEY');
      await closeWithoutCopy(page);
      await page.getByRole('link', { name: 'subscriber.example.com' }).waitFor();
    });

    it('are syncs, which show what they would write before they do', async () => {
      const { target, connection } = await keyVault(world(), projectId);
      await at('/syncs?new=azure-key-vault');
      await field(page, 'Name').fill('to-the-vault');
      await field(page, 'Connection').selectOption(connection);
      for (const [name, value] of Object.entries(target.config))
        await page.getByLabel(wordsOf(name)).fill(String(value));
      for (const summary of await page.getByText(/^More options/).all()) await summary.click();
      await page.getByRole('checkbox', { name: 'Auto sync enabled' }).uncheck();
      await button('Create').click();
      await heading('to-the-vault');
      await page.getByText('Both sides are the same').waitFor();
      await button('Add certificates').click();
      await page.getByRole('dialog').getByLabel('shop.example.com').check();
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText(`1: shop.example.com as Coffer-${certificateId.replaceAll('-', '')}`).waitFor();
      expect(target.held()).toEqual([]);

      await button('Sync now').click();
      await page.getByText('The sync to-the-vault is started').waitFor();
      await runSync(world(), page.url());
      await page.getByText('Both sides are the same').waitFor();
      expect(target.held()).toHaveLength(1);
      await remove();
      await page.getByText('No certificate is written elsewhere yet.').waitFor();
      expect(target.held()).toHaveLength(1);
    });

    it('are authorities elsewhere, once their configuration is right', async () => {
      const digicert = await digiCert(world(), projectId);
      await at('/authorities?new=digicert');
      await field(page, 'Name').fill('bought');
      await field(page, 'Connection').selectOption('digicert-of-the-team');
      await field(page, 'Organization ID').fill('1');
      await field(page, 'Product name ID').fill('ssl_basic');
      await button('Check and create').click();
      expect(await page.getByRole('dialog').getByRole('alert').innerText()).not.toContain(digicert.apiKey);
      await field(page, 'Organization ID').fill(String(digicert.organizationId));
      await button('Check and create').click();
      await heading('bought');
      await page.getByText('DigiCert', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Events' }).click();
      await page.getByRole('table', { name: 'Events' }).getByText('create-external-certificate-authority').waitFor();
      await page.goBack();
      await heading('bought');
      await remove();
      await heading('Certificate authorities');
    });

    it('are shown to a viewer without what changes them, and explained to others', async () => {
      const screens = [
        'Authorities',
        'Profiles',
        'Policies',
        'Templates',
        'Subscribers',
        'Collections',
        'Alerts',
        'Syncs',
      ];
      const viewer = await world().openAs(
        await member(world(), projectId, 'viewer'),
        `/projects/${projectId}/certificates/policies`,
      );
      const changing = viewer.getByRole('button', { name: /^(New|Update|Delete|Add|Remove|Sync|Issue)/ });
      await viewer.getByRole('link', { name: 'web', exact: true }).click();
      await viewer.getByRole('heading', { name: 'web', level: 1 }).waitFor();
      expect(await changing.count()).toBe(0);
      await viewer.goBack();
      for (const name of screens) {
        await viewer.getByRole('navigation', { name: 'Certificates' }).getByRole('link', { name }).click();
        await viewer.getByText('Loading…').first().waitFor({ state: 'hidden' });
        expect(await changing.count(), name).toBe(0);
      }
      await world().leave(viewer);

      const other = await world().openAs(
        await member(world(), projectId, 'no-access'),
        `/projects/${projectId}/certificates/policies`,
      );
      const refused = other.getByText(/You may not read|None of your rules allows it/).first();
      for (const name of screens) {
        await other.getByRole('navigation', { name: 'Certificates' }).getByRole('link', { name }).click();
        await refused.waitFor();
        expect(await other.getByRole('button', { name: /^New/ }).count(), name).toBe(0);
      }
      await world().leave(other);
    });
  });
};

/** The label of a field: `vaultBaseUrl` is `Vault base URL`. */
const wordsOf = (name: string) => new RegExp(`^${name.replaceAll(/([A-Z])/g, ' $1')}$`, 'i');

/** A key vault, and a connection to it. */
async function keyVault({ coffer, organizationId, standIns }: ConsoleWorld, projectId: string) {
  const target = pkiSyncTargets['azure-key-vault']!();
  target.setClock(() => coffer.now().getTime());
  await target.serve(standIns);
  const connection = 'vault-of-certificates';
  const place = { organizationId, projectId, app: 'azure-key-vault', name: connection } as const;
  await makeConnection(coffer, { ...place, credentials: target.credentials });
  return { target, connection };
}

/** Does what is due, as the worker does. */
const runSync = ({ coffer, organizationId }: ConsoleWorld, address: string): Promise<void> =>
  runPkiSync.run(
    coffer.contextFor({ type: 'platform', organizationId }),
    { organizationId, syncId: new URL(address).pathname.split('/').at(-1)! },
    {} as never,
  );

async function digiCert({ coffer, organizationId, standIns }: ConsoleWorld, projectId: string): Promise<DigiCert> {
  const digicert = new DigiCert(await CertifyingAuthority.make('Elsewhere'));
  await standIns.serve('www.digicert.com', digicert.listener);
  const place = { organizationId, projectId, app: 'digicert', name: 'digicert-of-the-team' } as const;
  const credentials = { method: 'api-key', region: 'us', apiKey: digicert.apiKey };
  await makeConnection(coffer, { ...place, credentials });
  return digicert;
}

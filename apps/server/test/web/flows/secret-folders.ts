import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { projectOf } from '../people.ts';
import { signedIn } from '../secrets-page.ts';

export const secretFolders = (world: () => ConsoleWorld): void => {
  describe('folders of secrets', () => {
    let project: { id: string; email: string };
    let page: Page;

    const put = async (name: string, value: string, environment = 'dev') => {
      const at = { projectId: project.id, environment, secretValue: value };
      expect((await world().admin('POST', `/api/v4/secrets/${name}`, at)).status).toBe(200);
    };
    const value = async (name: string) => {
      const url = `/api/v4/secrets/${name}?projectId=${project.id}&environment=dev`;
      return (await world().admin('GET', url)).body.secret?.secretValue;
    };
    const sources = async (): Promise<string[]> => {
      const url = `/api/v2/secret-imports?projectId=${project.id}&environment=dev&path=/`;
      const { body } = await world().admin('GET', url);
      return body.secretImports.map((one: { importEnv: { slug: string } }) => one.importEnv.slug);
    };

    beforeAll(async () => {
      project = await projectOf(world());
      await put('OWN', 'zfirstz');
      await put('SHARED', 'of staging', 'staging');
      await put('SHARED', 'of prod', 'prod');
      await put('OWN', 'of prod', 'prod');
      page = await signedIn(world(), project);
    });
    afterAll(() => world().leave(page));

    it('import others, in an order that the keyboard changes, and show where a secret comes from', async () => {
      await page.getByRole('main').getByRole('link', { name: 'Secret imports' }).click();
      await page.getByText('This folder imports nothing.').waitFor();
      for (const environment of ['staging', 'prod']) {
        await page.getByRole('button', { name: 'New import' }).click();
        const form = page.getByRole('dialog');
        await form.getByRole('combobox', { name: 'Environment' }).selectOption(environment);
        await form.getByRole('button', { name: 'Import', exact: true }).click();
        await form.waitFor({ state: 'detached' });
      }
      expect(await sources()).toEqual(['staging', 'prod']);
      const imported = page.getByRole('table', { name: 'Imported secrets' });
      await imported.getByRole('row', { name: 'SHARED prod / yes' }).waitFor();
      await imported.getByRole('row', { name: 'SHARED staging / no: a later import, prod /, has it' }).waitFor();
      await imported.getByRole('row', { name: 'OWN prod / no: this folder has its own' }).waitFor();
      await page.getByRole('button', { name: 'Earlier: prod /' }).focus();
      await page.keyboard.press('Enter');
      await imported.getByRole('row', { name: 'SHARED staging / yes' }).waitFor();
      expect(await sources()).toEqual(['prod', 'staging']);
    });

    it('are replicated on request, and no longer import what is removed', async () => {
      await page
        .getByRole('row', { name: /prod \// })
        .getByRole('button', { name: 'Remove' })
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await expect.poll(sources).toEqual(['staging']);
      await page.goto(`/projects/${project.id}/imports?environment=prod`);
      await page.getByRole('button', { name: 'New import' }).click();
      const form = page.getByRole('dialog');
      await form.getByRole('combobox', { name: 'Environment' }).selectOption('dev');
      await form.getByRole('checkbox', { name: 'Replication' }).check();
      await form.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByRole('cell', { name: 'Replication' }).waitFor();
    });

    it('show each commit with what it changed, values only on request', async () => {
      const at = { projectId: project.id, environment: 'dev', secretValue: 'zsecondz' };
      expect((await world().admin('PATCH', '/api/v4/secrets/OWN', at)).status).toBe(200);
      await page.goto(`/projects/${project.id}/history?environment=dev`);
      await page
        .getByRole('button', { name: /^Changes of revision/ })
        .first()
        .click();
      const row = page.getByRole('table', { name: 'Differences' }).getByRole('row', { name: /OWN/ });
      await row.getByText('value').waitFor();
      expect(await page.content()).not.toMatch(/zfirstz|zsecondz/);
      await page.getByRole('button', { name: 'Show values' }).click();
      await row.getByText('zfirstz').waitFor();
      await row.getByText('zsecondz').waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
    });

    it('are restored to an earlier state, after its effect has been shown', async () => {
      await put('LATER', 'goes again');
      await page.reload();
      await page
        .getByRole('button', { name: /^Restore to here/ })
        .last()
        .click();
      const preview = page.getByRole('table', { name: 'Differences' });
      await preview.getByRole('row', { name: /changed dev \/ OWN value/ }).waitFor();
      await preview.getByRole('row', { name: /deleted dev \/ LATER/ }).waitFor();
      expect(await value('OWN')).toBe('zsecondz');
      await page.getByRole('textbox', { name: 'Message' }).fill('as it was');
      await page.getByRole('button', { name: 'Restore', exact: true }).click();
      await page.getByRole('cell', { name: 'as it was' }).waitFor();
      expect(await value('OWN')).toBe('zfirstz');
      expect(await value('LATER')).toBeUndefined();
    });

    it('are compared at two instants', async () => {
      await page.getByLabel('State at', { exact: true }).fill('2020-01-01T00:00:00');
      await page.getByRole('button', { name: 'Show the difference' }).click();
      await page
        .getByRole('table', { name: 'Differences' })
        .getByRole('row', { name: /new dev \/ OWN/ })
        .waitFor();
      expect(new URL(page.url()).searchParams.get('from')).toContain('2020-01-01');
      await page.getByRole('button', { name: 'Close' }).click();
    });

    it('are under policies, which are made, changed and deleted', async () => {
      await page.goto(`/projects/${project.id}/approval-policies`);
      const policies = async () =>
        (await world().admin('GET', `/api/v1/secret-approvals?workspaceId=${project.id}`)).body.approvals;
      await page.getByRole('button', { name: 'New policy' }).click();
      const form = page.getByRole('dialog');
      await form.getByRole('combobox', { name: 'Environment' }).selectOption('prod');
      await form.getByText('More options').click();
      await form.getByRole('textbox', { name: 'Name' }).fill('two pairs of eyes');
      await form.getByRole('button', { name: 'Create' }).click();
      await form.getByText('Approvers: Choose at least one').waitFor();
      await form.getByRole('group', { name: 'Approvers' }).getByRole('checkbox').first().check();
      await form.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('cell', { name: 'two pairs of eyes', exact: true }).waitFor();
      expect(await policies()).toMatchObject([{ name: 'two pairs of eyes', enforcementLevel: 'hard' }]);
      await page.getByRole('button', { name: 'Edit two pairs of eyes' }).click();
      await form.getByRole('checkbox', { name: 'Allowed self approvals' }).check();
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText('self-approval').waitFor();
      expect(await policies()).toMatchObject([{ allowedSelfApprovals: true, approvers: [{ type: 'user' }] }]);
      await page.getByRole('button', { name: 'Delete' }).click();
      await form.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Secrets can be changed without approval').waitFor();
      expect(await policies()).toEqual([]);
      await page.getByRole('link', { name: 'Requests for access' }).click();
      await page.getByText('Nobody can ask for access').waitFor();
    });
  });
};

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { projectOf } from '../people.ts';
import { signedIn } from '../secrets-page.ts';

export const folderTransfer = (world: () => ConsoleWorld): void => {
  describe('whole folders', () => {
    let project: { id: string; email: string };
    let page: Page;

    const put = async (name: string, value: string, secretPath = '/', environment = 'dev') => {
      const at = { projectId: project.id, environment, secretPath, secretValue: value };
      expect((await world().admin('POST', `/api/v4/secrets/${name}`, at)).status).toBe(200);
    };
    const value = async (name: string, secretPath: string, environment = 'dev'): Promise<string | undefined> => {
      const query = new URLSearchParams({ projectId: project.id, environment, secretPath });
      return (await world().admin('GET', `/api/v4/secrets/${name}?${query.toString()}`)).body.secret?.secretValue;
    };
    const folder = async (path: string, name: string, environment = 'dev') => {
      const at = { projectId: project.id, environment, path, name };
      expect((await world().admin('POST', '/api/v2/folders', at)).status).toBe(200);
    };
    const act = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Actions of the folder ${name}` }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: action }).press('Enter');
      return page.getByRole('dialog');
    };

    beforeAll(async () => {
      project = await projectOf(world());
      await folder('/app', 'db');
      await put('PASSWORD', 'hunter2', '/app/db');
      await put('URL', 'db://${dev.app.db.PASSWORD}');
      await folder('/app', 'db', 'prod');
      await put('PASSWORD', 'of prod', '/app/db', 'prod');
      const imported = { environment: 'staging', path: '/', import: { environment: 'dev', path: '/app/db' } };
      await world().admin('POST', '/api/v2/secret-imports', { projectId: project.id, ...imported });
      page = await signedIn(world(), project);
    });
    afterAll(() => world().leave(page));

    it('are copied to another environment by keyboard, after what is replaced there has been shown', async () => {
      const dialog = await act('app', 'Copy to…');
      await dialog.getByRole('combobox', { name: 'To environment' }).selectOption('prod');
      await dialog.getByText('1 secret there has the same name and would be replaced: /app/db/PASSWORD.').waitFor();
      await dialog.getByRole('button', { name: 'Copy 1 folder' }).click();
      await dialog.getByText('These secret names already exist').waitFor();
      expect(await value('PASSWORD', '/app/db', 'prod')).toBe('of prod');
      await dialog.getByRole('checkbox', { name: 'Replace secrets that exist there' }).check();
      await dialog.getByRole('button', { name: 'Copy 1 folder' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await value('PASSWORD', '/app/db', 'prod')).toBe('hunter2');
      expect(await value('PASSWORD', '/app/db')).toBe('hunter2');
    });

    it('are moved when selected, after what follows and what is lost has been named', async () => {
      await page.getByRole('checkbox', { name: 'Select app' }).check();
      await page.getByRole('button', { name: 'Move to…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'To environment' }).selectOption('dev');
      expect(await dialog.getByRole('button', { name: 'Move 1 folder' }).isDisabled()).toBe(true);
      await dialog.getByText('Their references follow: URL in dev /.').waitFor();
      await dialog.getByText('They will import nothing from it any more: staging /.').waitFor();
      await dialog.getByRole('combobox', { name: 'Into folder' }).fill('/team');
      await dialog.getByRole('button', { name: 'Move 1 folder' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'team', exact: true }).waitFor();
      expect(await value('PASSWORD', '/team/app/db')).toBe('hunter2');
      expect(await value('PASSWORD', '/app/db')).toBeUndefined();
      expect(await value('URL', '/')).toBe('db://${dev.team.app.db.PASSWORD}');
    });

    it('are renamed in all their environments at once, with what names them', async () => {
      await folder('/', 'team', 'staging');
      await page.reload();
      const dialog = await act('team', 'Rename…');
      await dialog.getByText('Their references follow: URL in dev /.').waitFor();
      await dialog.getByRole('textbox', { name: 'New name' }).fill('crew');
      await dialog.getByRole('button', { name: 'Rename' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'crew', exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'team', exact: true }).count()).toBe(0);
      expect(await value('URL', '/')).toBe('db://${dev.crew.app.db.PASSWORD}');
    });

    it('are deleted after a warning of the references that break', async () => {
      const dialog = await act('crew', 'Delete…');
      await dialog.getByText('Their references break: URL in dev /.').waitFor();
      await dialog.getByRole('button', { name: 'Delete 1 folder' }).click();
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => page.getByRole('button', { name: 'crew', exact: true }).count()).toBe(0);
      expect(await value('PASSWORD', '/crew/app/db')).toBeUndefined();
    });
  });

  describe('imported secrets', () => {
    let project: { id: string; email: string };
    let page: Page;
    beforeAll(async () => {
      project = await projectOf(world());
      const { id: projectId } = project;
      await world().admin('POST', '/api/v2/folders', { projectId, environment: 'staging', path: '/', name: 'shared' });
      const put = (name: string, environment: string, secretPath: string, secretValue: string) =>
        world().admin('POST', `/api/v4/secrets/${name}`, { projectId, environment, secretPath, secretValue });
      await put('COMMON', 'staging', '/shared', 'zsharedz');
      await put('OWN', 'dev', '/', 'own');
      const source = { environment: 'staging', path: '/shared' };
      await world().admin('POST', '/api/v2/secret-imports', {
        projectId,
        environment: 'dev',
        path: '/',
        import: source,
      });
      page = await signedIn(world(), project);
    });
    afterAll(() => world().leave(page));

    it('are in the table, marked by what they are imported from, and are not deleted there', async () => {
      const cell = page.getByRole('gridcell', { name: 'COMMON in dev: imported from staging /shared' });
      await cell.focus();
      await page.keyboard.press(' ');
      await cell.getByText('zsharedz').waitFor();
      await page.keyboard.press(' ');
      await page.keyboard.press('Delete');
      expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0);
      expect(await cell.getByRole('button', { name: /Delete|Details/ }).count()).toBe(0);
      await cell.getByRole('link', { name: 'staging /shared' }).click();
      await page.getByRole('gridcell', { name: 'COMMON in staging: set' }).waitFor();
      expect(new URL(page.url()).searchParams.get('path')).toBe('/shared');
    });

    it('are overridden by a value of the folder itself', async () => {
      await page.goto(`/projects/${project.id}/secrets`);
      const cell = page.getByRole('gridcell', { name: /^COMMON in dev: imported/ });
      await cell.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: 'Value of COMMON in dev' }).fill('of dev');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('button', { name: 'Review and save' }).click();
      await page.getByRole('button', { name: 'Save all' }).click();
      await page.getByRole('gridcell', { name: 'COMMON in dev: set' }).waitFor();
      const url = `/api/v4/secrets/COMMON?projectId=${project.id}&environment=dev`;
      expect((await world().admin('GET', url)).body.secret.secretValue).toBe('of dev');
    });
  });

  describe('those who may do less', () => {
    let project: { id: string; email: string };
    const put = (name: string, environment: string) =>
      world().admin('POST', `/api/v4/secrets/${name}`, { projectId: project.id, environment, secretValue: 'v' });
    beforeAll(async () => {
      project = await projectOf(world(), 'viewer');
      for (const environment of ['dev', 'prod']) for (const name of ['OPEN', 'CLOSED']) await put(name, environment);
      await world().admin('POST', '/api/v2/folders', {
        projectId: project.id,
        environment: 'dev',
        path: '/',
        name: 'app',
      });
    });

    /** Whether a cell opens for editing, by keyboard, double click and button. */
    async function opens(page: Page, name: string): Promise<boolean> {
      const cell = page.getByRole('gridcell', { name });
      await cell.focus();
      await page.keyboard.press('Enter');
      const box = page.getByRole('textbox', { name: 'Value of' });
      const isOpen = (await box.count()) > 0;
      if (isOpen) await page.keyboard.press('Escape');
      await cell.dblclick();
      expect((await box.count()) > 0).toBe(isOpen);
      if (isOpen) await page.keyboard.press('Escape');
      await cell.focus();
      expect((await cell.getByRole('button', { name: /^(?:Edit|Set a value)/ }).count()) > 0).toBe(isOpen);
      expect(await cell.getAttribute('aria-readonly')).toBe(String(!isOpen));
      return isOpen;
    }

    it('read: no cell opens for editing, nothing is deleted, folders have no actions', async () => {
      const page = await signedIn(world(), { ...project, isReader: true });
      await page.getByRole('gridcell', { name: 'OPEN in dev: set' }).waitFor();
      expect(await opens(page, 'OPEN in dev: set')).toBe(false);
      expect(await opens(page, 'OPEN in staging: not set')).toBe(false);
      await page.getByRole('gridcell', { name: 'OPEN in dev: set' }).focus();
      await page.keyboard.press('Delete');
      expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: /^Actions of/ }).count()).toBe(0);
      for (const name of ['Folder', 'Secret', 'Import'])
        expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
      await page.getByRole('checkbox', { name: 'Select app' }).check();
      await page.getByRole('checkbox', { name: 'Select OPEN' }).check();
      expect(await page.getByRole('button', { name: /^(?:Delete|Move|Tag|Copy to)/ }).count()).toBe(0);
      await page.keyboard.press('o');
      await world().leave(page);
    });

    it('edit some: cells open by the rules for each secret and environment, not by the name of a role', async () => {
      const rules = [
        { subject: 'secrets', action: ['describeSecret', 'readValue'] },
        { subject: 'secrets', action: ['edit', 'create'], conditions: { environment: { $in: ['dev', 'staging'] } } },
        { subject: 'secrets', action: 'edit', conditions: { secretName: 'CLOSED' }, inverted: true },
      ];
      const role = { slug: 'some', name: 'Some', permissions: rules };
      expect((await world().admin('POST', `/api/v1/projects/${project.id}/roles`, role)).status).toBe(200);
      const { body } = await world().admin('GET', `/api/v1/projects/${project.id}/memberships`);
      const { id } = body.memberships.find((one: { user: { email: string } }) => one.user.email === project.email);
      const url = `/api/v1/projects/${project.id}/memberships/${id}`;
      const changed = await world().admin('PATCH', url, { roles: [{ role: 'some', isTemporary: false }] });
      expect(changed.status).toBe(200);
      const page = await signedIn(world(), project);
      expect(await opens(page, 'OPEN in dev: set')).toBe(true);
      expect(await opens(page, 'OPEN in staging: not set')).toBe(true);
      expect(await opens(page, 'OPEN in prod: set')).toBe(false);
      expect(await opens(page, 'CLOSED in dev: set')).toBe(false);
      await page.getByRole('button', { name: 'Secret', exact: true }).click();
      const choices = page.getByRole('group', { name: 'Environments' }).getByRole('checkbox');
      expect(await choices.count()).toBe(2);
      await world().leave(page);
    });
  });
};

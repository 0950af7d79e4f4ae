import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { projectOf } from '../people.ts';
import { edit, saveAll, signedIn } from '../secrets-page.ts';

export const secretDetails = (world: () => ConsoleWorld): void => {
  describe('details of secrets', () => {
    let project: { id: string; email: string };
    let page: Page;

    const put = async (name: string, value: string, more: object = {}) => {
      const at = { projectId: project.id, environment: 'dev', secretValue: value, ...more };
      const { status } = await world().admin('POST', `/api/v4/secrets/${name}`, at);
      expect(status).toBe(200);
    };
    const read = async (name: string, environment = 'dev', secretPath = '/') => {
      const query = new URLSearchParams({ projectId: project.id, environment, secretPath });
      return (await world().admin('GET', `/api/v4/secrets/${name}?${query.toString()}`)).body.secret;
    };
    const open = async (name: string, environment = 'dev') => {
      await page.getByRole('gridcell', { name: `${name} in ${environment}: set`, exact: true }).focus();
      await page.keyboard.press('o');
      await page.getByRole('button', { name: 'Keep the edit' }).waitFor();
    };
    const closeDialog = () => page.keyboard.press('Escape');

    beforeAll(async () => {
      project = await projectOf(world());
      await put('DETAILED', 'zvaluez');
      await put('OTHER', 'zotherz');
      page = await signedIn(world(), project);
    });
    afterAll(() => world().leave(page));

    it('are edited together with the value, and saved with all other edits', async () => {
      await open('DETAILED');
      await page.getByRole('textbox', { name: 'Comment' }).fill('why it is there');
      await page.getByRole('textbox', { name: 'Name of a new tag' }).fill('critical');
      await page.getByRole('button', { name: 'Create tag' }).click();
      await page.getByRole('checkbox', { name: 'critical' }).waitFor();
      await page.getByRole('button', { name: 'Add a pair' }).click();
      await page.getByRole('textbox', { name: 'Name of pair 1' }).fill('owner');
      await page.getByRole('textbox', { name: 'Value of pair 1' }).fill('zsealedz');
      await page.getByRole('checkbox', { name: 'Encrypted' }).check();
      await page.getByRole('spinbutton', { name: 'Remind after days' }).fill('30');
      await page.getByRole('textbox', { name: 'What the reminder says' }).fill('rotate it');
      await page.getByRole('button', { name: 'Keep the edit' }).click();
      await closeDialog();
      await edit(page, 'DETAILED', 'another value');
      expect((await read('DETAILED')).secretComment).toBe('');
      await page.getByRole('button', { name: 'Review and save' }).click();
      const review = page.getByRole('dialog');
      for (const text of ['why it is there', 'critical', 'owner=••••••', '30', 'rotate it'])
        await review.getByText(text, { exact: true }).waitFor();
      await review.getByRole('button', { name: 'Back', exact: true }).click();
      await saveAll(page);
      expect(await read('DETAILED')).toMatchObject({
        secretValue: 'another value',
        secretComment: 'why it is there',
        tags: [{ slug: 'critical' }],
        secretMetadata: [{ key: 'owner', value: 'zsealedz', isEncrypted: true }],
        secretReminderRepeatDays: 30,
        secretReminderNote: 'rotate it',
      });
    });

    it('keep encrypted metadata masked until they are to be edited', async () => {
      await open('DETAILED');
      expect(await page.content()).not.toContain('zsealedz');
      await page.getByRole('button', { name: 'Read and edit metadata' }).click();
      await expect.poll(() => page.getByRole('textbox', { name: 'Value of pair 1' }).inputValue()).toBe('zsealedz');
      await closeDialog();
    });

    it('request approval where a change policy covers them', async () => {
      const { body } = await world().admin('GET', `/api/v1/projects/${project.id}/memberships`);
      const policy = await world().admin('POST', '/api/v1/secret-approvals', {
        ...{ workspaceId: project.id, environment: 'staging', approvals: 1 },
        approvers: [{ type: 'user', id: body.memberships[0].userId }],
        exemptMachines: true,
      });
      expect(policy.status).toBe(200);
      await put('COVERED', 'v', { environment: 'staging' });
      await page.reload();
      await open('COVERED', 'staging');
      await page.getByRole('textbox', { name: 'Comment' }).fill('to be approved');
      await page.getByRole('button', { name: 'Keep the edit' }).click();
      await closeDialog();
      await page.getByRole('button', { name: 'Review and save' }).click();
      await page.getByRole('button', { name: 'Request approval' }).click();
      await page.getByText('approval has been requested').waitFor();
      expect((await read('COVERED', 'staging')).secretComment).toBe('');
    });

    it('lead to the request from a copy into a folder that a change policy covers', async () => {
      await page.getByRole('checkbox', { name: 'Select OTHER' }).check();
      await page.getByRole('button', { name: 'Copy to…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Copy secrets' });
      await dialog.getByRole('combobox', { name: 'To environment' }).selectOption('staging');
      await dialog.getByRole('button', { name: 'Copy 1 secret' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Open the request' }).last().click();
      await page.getByRole('heading', { level: 2, name: /^New OTHER/ }).waitFor();
      expect(await read('OTHER', 'staging')).toBeUndefined();
      await page.goto(`/projects/${project.id}/secrets`);
    });

    it('have a value of one’s own, which is saved at once and leaves the shared one', async () => {
      await open('OTHER');
      await page.getByLabel('A value of your own', { exact: true }).fill('zminez');
      await page.getByRole('button', { name: 'Save your own value' }).click();
      await page.getByRole('button', { name: 'Reveal your own value' }).click();
      await page.getByRole('region', { name: 'Your own value' }).getByText('zminez').waitFor();
      expect((await read('OTHER')).secretValue).toBe('zotherz');
      await page.getByRole('button', { name: 'Remove your own value' }).click();
      await page.getByRole('button', { name: 'Reveal your own value' }).waitFor({ state: 'detached' });
      await closeDialog();
    });

    it('are tags of many at once, those below a folder included', async () => {
      const folder = { projectId: project.id, environment: 'dev', path: '/', name: 'below' };
      expect((await world().admin('POST', '/api/v2/folders', folder)).status).toBe(200);
      await put('DEEP', 'v', { secretPath: '/below' });
      await page.reload();
      await page.getByRole('checkbox', { name: 'Select OTHER' }).check();
      await page.getByRole('checkbox', { name: 'Select below' }).check();
      await page.getByRole('button', { name: 'Tag…' }).click();
      await page.getByRole('group', { name: 'Add' }).getByRole('checkbox', { name: 'critical' }).check();
      await page.getByRole('button', { name: 'Keep the edits' }).click();
      await page.getByText('2 changes in 1 environment').waitFor();
      await saveAll(page);
      expect((await read('OTHER')).tags).toMatchObject([{ slug: 'critical' }]);
      expect((await read('DEEP', 'dev', '/below')).tags).toMatchObject([{ slug: 'critical' }]);
    });

    it('say before a deletion which references it breaks', async () => {
      await put('SOURCE', 'v');
      await put('USER_OF_IT', '${SOURCE}/x');
      await page.reload();
      await page.getByRole('gridcell', { name: 'SOURCE in dev: set', exact: true }).focus();
      await page.keyboard.press('Delete');
      await page.getByRole('button', { name: 'Review and save' }).click();
      await page.getByText('breaks 1 reference').waitFor();
      await page.getByText('USER_OF_IT in dev /').waitFor();
      await page.getByRole('button', { name: 'Take back' }).click();
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
      expect((await read('SOURCE')).secretValue).toBe('v');
    });

    it('refer to others by completion, and are resolved step by step on request', async () => {
      const folder = { projectId: project.id, environment: 'dev', path: '/', name: 'vault' };
      expect((await world().admin('POST', '/api/v2/folders', folder)).status).toBe(200);
      await put('VAULT_PASSWORD', 'zdeepz', { secretPath: '/vault' });
      await put('VAULT_USER', 'user-${dev.vault.VAULT_PASSWORD}');
      await put('TARGET_URL', 'x');
      await page.reload();
      await page.getByRole('gridcell', { name: 'TARGET_URL in dev: set', exact: true }).focus();
      await page.keyboard.press('Enter');
      const box = page.getByRole('textbox', { name: 'Value of TARGET_URL in dev' });
      await expect.poll(() => box.inputValue()).toBe('x');
      await box.fill('');
      await box.pressSequentially('db://${vault');
      const offers = page.getByRole('listbox', { name: 'References' });
      await offers.getByRole('option', { name: 'dev.vault.VAULT_PASSWORD' }).waitFor();
      await offers.getByRole('option', { name: 'VAULT_USER', exact: true }).waitFor();
      while ((await offers.getByRole('option', { selected: true }).textContent()) !== 'VAULT_USER')
        await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      expect(await box.inputValue()).toBe('db://${VAULT_USER}');
      await page.keyboard.press('Control+Enter');
      await saveAll(page);
      expect((await read('TARGET_URL')).secretValue).toBe('db://${VAULT_USER}');
      await open('TARGET_URL');
      expect(await page.content()).not.toContain('zdeepz');
      await page.getByRole('button', { name: 'Resolve the value' }).click();
      await page.getByText('db://user-zdeepz').waitFor();
      await page.getByText('VAULT_PASSWORD in dev /vault').waitFor();
      await closeDialog();
    });

    it('can be read by the commands that a folder offers', async () => {
      await page.getByRole('button', { name: 'Read by a machine' }).click();
      await page.getByRole('button', { name: 'curl' }).click();
      const curl = (await page.getByLabel('curl', { exact: true }).textContent()) ?? '';
      const [, url] = /'(http[^']*)'/.exec(curl) ?? [];
      const { body } = await world().admin('GET', url!.replace(world().url, ''));
      expect(body.secrets.map((one: { secretKey: string }) => one.secretKey)).toContain('DETAILED');
      await page.getByRole('button', { name: 'Command line' }).click();
      const command = (await page.getByLabel('Command line', { exact: true }).textContent()) ?? '';
      expect(command).toBe(
        `coffer export --projectId ${project.id} --env dev --path / --domain ${new URL(page.url()).origin}`,
      );
      await page.getByRole('button', { name: 'TypeScript' }).click();
      const code = (await page.getByLabel('TypeScript', { exact: true }).textContent()) ?? '';
      const [, input] = /secrets\.list\.query\((\{.*\})\)/.exec(code) ?? [];
      expect(JSON.parse(input ?? '{}')).toEqual({ projectId: project.id, environment: 'dev', secretPath: '/' });
      await closeDialog();
    });

    it('are found by the search for everything, in other projects, too', async () => {
      const other = await projectOf(world());
      const added = await world().admin('POST', `/api/v1/projects/${other.id}/memberships`, {
        ...{ emails: [project.email], roleSlugs: ['viewer'] },
      });
      expect(added.status).toBe(200);
      const at = { projectId: other.id, environment: 'prod', secretValue: 'v' };
      expect((await world().admin('POST', '/api/v4/secrets/FOUND_ELSEWHERE', at)).status).toBe(200);
      const foreign = await projectOf(world());
      const hidden = { projectId: foreign.id, environment: 'prod', secretValue: 'v' };
      expect((await world().admin('POST', '/api/v4/secrets/FOUND_NOWHERE', hidden)).status).toBe(200);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search screens' }).fill('found_');
      await page.getByRole('option', { name: /FOUND_ELSEWHERE prod/ }).waitFor();
      expect(await page.getByRole('option', { name: /FOUND_NOWHERE/ }).count()).toBe(0);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'FOUND_ELSEWHERE in prod' }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/projects/${other.id}/secrets`);
    });
  });
};

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type ConsoleWorld } from '../harness.ts';
import { Keyboard } from '../keyboard.ts';
import { person, projectOf } from '../people.ts';

/** The main flows without a mouse. Nothing here clicks, fills or focuses an element. */
export const keyboardOnly = (world: () => ConsoleWorld): void => {
  describe('by keyboard only', () => {
    let project: { id: string; email: string };
    let page: Page;
    let keyboard: Keyboard;

    beforeAll(async () => {
      project = await projectOf(world());
      for (const name of ['FIND_ME', 'COPY_ME'])
        await write('POST', name, { environment: 'dev', secretValue: 'before' });
      page = await world().open();
      keyboard = new Keyboard(page);
      await page.goto(`/projects/${project.id}/secrets`);
    });
    afterAll(() => world().leave(page));

    const write = (method: 'POST' | 'PATCH', name: string, body: Record<string, unknown>) =>
      world().admin(method, `/api/v4/secrets/${name}`, { projectId: project.id, ...body });
    const stored = async (name: string, environment: string) => {
      const { body } = await world().admin(
        'GET',
        `/api/v4/secrets/${name}?projectId=${project.id}&environment=${environment}`,
      );
      return body.secret?.secretValue as string | undefined;
    };
    /** Leaves one row in the table. */
    const search = async (name: string) => {
      await page
        .getByRole('gridcell', { name: /in dev: set/ })
        .first()
        .waitFor();
      await keyboard.press('/');
      await keyboard.press('Control+a');
      await keyboard.type(name);
      await expect.poll(() => page.getByRole('gridcell', { name: /in dev: set/ }).count()).toBe(1);
    };

    it('somebody signs in', async () => {
      await page.getByLabel('E-mail').waitFor();
      await keyboard.tabTo('E-mail');
      await keyboard.type(project.email);
      await keyboard.tabTo('Password');
      await keyboard.type(PASSWORD);
      await keyboard.press('Enter');
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/projects/${project.id}/secrets`);
    });

    it('a secret is found, edited and saved', async () => {
      await search('FIND_ME');
      await keyboard.use(/^FIND_ME in dev: set/);
      const editor = page.getByRole('textbox', { name: 'Value of FIND_ME in dev' });
      await expect.poll(() => editor.inputValue()).toBe('before');
      await keyboard.press('Control+a');
      await keyboard.type('after');
      await keyboard.press('Control+Enter');
      await keyboard.use('Review and save');
      await page.getByRole('dialog').waitFor();
      await keyboard.use('Save all');
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
      expect(await stored('FIND_ME', 'dev')).toBe('after');
    });

    it('a secret is found, revealed and copied', async () => {
      await search('COPY_ME');
      await keyboard.tabTo(/^COPY_ME in dev: set/);
      await keyboard.press('Space');
      await page.getByText('before', { exact: true }).waitFor();
      await keyboard.press('c');
      await page.getByText('COPY_ME is on the clipboard').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe('before');
    });

    it('secrets are copied to another environment', async () => {
      await search('COPY_ME');
      await keyboard.tabTo('Select COPY_ME');
      await keyboard.press('Space');
      await keyboard.use('Copy to…');
      await page.getByRole('dialog', { name: 'Copy secrets' }).waitFor();
      await keyboard.use(/^Copy (?:1|one) secret$/i);
      await page.getByRole('dialog', { name: 'Copy secrets' }).waitFor({ state: 'detached' });
      expect(await stored('COPY_ME', 'prod')).toBe('before');
    });

    it('somebody gets access to the project, after its effect has been shown', async () => {
      const { email } = await person(world());
      await keyboard.goTo('Access');
      await page.getByRole('button', { name: 'Add people' }).waitFor();
      await keyboard.use('Add people');
      await page.getByRole('checkbox', { name: email }).waitFor();
      await keyboard.tabTo(new RegExp(`${email}$`));
      await keyboard.press('Space');
      await keyboard.use('Show the effect');
      await page.getByRole('status', { name: 'The effect of this change' }).getByText('Gains').first().waitFor();
      await keyboard.use('Add');
      await page.getByText('One person is added.').waitFor();
      const { body } = await world().admin('GET', `/api/v1/projects/${project.id}/memberships`);
      expect(JSON.stringify(body)).toContain(email);
    });

    it('a machine identity gets a login method', async () => {
      // The tab has the name of a screen of the organization: its address is typed.
      await page.goto(`/projects/${project.id}/access?tab=identities`);
      await page.getByRole('button', { name: 'Add a machine identity' }).waitFor();
      await keyboard.use('Add a machine identity');
      await keyboard.tabTo('Name');
      await keyboard.type('by-keyboard');
      await keyboard.use('Create');
      await page.getByRole('heading', { name: 'by-keyboard', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Add a login method' }).waitFor();
      await keyboard.use('Add a login method');
      await keyboard.use(/^Universal Auth/);
      await page.getByRole('button', { name: 'Add Universal Auth' }).waitFor();
      await keyboard.use('Add Universal Auth');
      await page.getByRole('button', { name: 'Create a client secret' }).waitFor();
      const identityId = new URL(page.url()).pathname.split('/').at(-1);
      const { status } = await world().admin('GET', `/api/v1/auth/universal-auth/identities/${identityId}`);
      expect(status).toBe(200);
    });

    it('a change request is approved and merged', async () => {
      await write('POST', 'WAITING', { environment: 'staging', secretValue: 'before' });
      const policy = await world().admin('POST', '/api/v1/secret-approvals', {
        ...{ workspaceId: project.id, environment: 'staging', name: 'Staging', approvals: 1 },
        approvers: [{ type: 'user', name: project.email }],
      });
      const change = await write('PATCH', 'WAITING', { environment: 'staging', secretValue: 'after' });
      expect([policy.status, change.body]).toMatchObject([200, { approval: {} }]);
      await page.goto(`/projects/${project.id}/secrets`);
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      await keyboard.goTo('Inbox');
      await page.getByRole('link', { name: 'One change in staging /' }).waitFor();
      await keyboard.use('One change in staging /');
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      await keyboard.use('Approve');
      await expect.poll(() => page.getByRole('button', { name: 'Merge' }).isEnabled()).toBe(true);
      await keyboard.use('Merge');
      await page.getByText('The changes are made.').waitFor();
      expect(await stored('WAITING', 'staging')).toBe('after');
    });

    it('a certificate is issued', async () => {
      const authority = await world().admin('POST', '/api/v1/cert-manager/ca/internal', {
        ...{ projectId: project.id, name: 'by-keyboard' },
        configuration: { type: 'root', commonName: 'By Keyboard', keyAlgorithm: 'EC_prime256v1' },
      });
      expect(authority.status).toBe(200);
      await keyboard.goTo('Certificates');
      await page.getByRole('button', { name: 'New certificate' }).waitFor();
      await keyboard.use('New certificate');
      await keyboard.use(/^By an authority/);
      await page.getByRole('option', { name: 'by-keyboard (root)' }).waitFor({ state: 'attached' });
      await keyboard.tabTo('Authority');
      await keyboard.press('ArrowDown');
      await keyboard.tabTo('Common name');
      await keyboard.type('keyboard.example.com');
      await keyboard.use('Issue');
      await page.getByRole('dialog', { name: 'The certificate is issued' }).waitFor();
      await keyboard.use('Done');
      await keyboard.use('Close without a copy');
      await page.getByRole('heading', { name: 'keyboard.example.com', level: 1 }).waitFor();
    });
  });
};

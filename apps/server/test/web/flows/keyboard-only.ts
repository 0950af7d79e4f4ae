import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type ConsoleWorld } from '../harness.ts';
import { Keyboard } from '../keyboard.ts';
import { projectOf } from '../people.ts';

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
    afterAll(() => page?.context().close());

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
  });
};

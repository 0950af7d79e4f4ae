import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { closeWithoutCopy, goTo } from '../page.ts';
import { member, projectOf } from '../people.ts';
import { edit } from '../secrets-page.ts';

export const access = (world: () => ConsoleWorld): void => {
  describe('access', () => {
    let project: { id: string; email: string };
    let page: Page;
    let viewer: string;

    beforeAll(async () => {
      project = await projectOf(world());
      viewer = await member(world(), project.id, 'viewer');
      await write('POST', 'DB_URL', { environment: 'prod', secretValue: 'zsecretz-before' });
      page = await world().openAs(project.email, `/projects/${project.id}/access`);
    });
    afterAll(() => world().leave(page));

    const write = (method: 'POST' | 'PATCH', name: string, body: Record<string, unknown>) =>
      world().admin(method, `/api/v4/secrets/${name}`, { projectId: project.id, secretPath: '/', ...body });

    const rowOf = (email: string) => page.getByRole('row').filter({ hasText: email });
    const rolesOf = async (email: string) => {
      const { body } = await world().admin('GET', `/api/v1/projects/${project.id}/memberships`);
      const found = (
        body.memberships as { user: { email: string }; roles: { role: string; temporaryRange: string }[] }[]
      ).find(({ user }) => user.email === email);
      return found?.roles.map(({ role, temporaryRange }) => [role, temporaryRange]);
    };

    it('of a member is extended for a time, after its effect has been shown', async () => {
      await rowOf(viewer).getByRole('button').click();
      await page.getByRole('button', { name: 'One more role' }).click();
      await page.getByLabel('Role 2').selectOption('member');
      await page.getByLabel('For how long: Developer').selectOption('temporary');
      await page.getByLabel('Duration: Developer').fill('2h');
      await page.getByRole('button', { name: 'Show the effect' }).click();
      const effect = page.getByRole('status', { name: 'The effect of this change' });
      await effect.getByText('Gains').first().waitFor();
      expect(await rolesOf(viewer)).toEqual([['viewer', null]]);
      await page.getByRole('button', { name: 'Save roles' }).click();
      await page.getByText('The roles are saved.').waitFor();
      expect(await rolesOf(viewer)).toEqual([
        ['viewer', null],
        ['member', '2h'],
      ]);
      await page.getByRole('button', { name: 'Close' }).click();
    });

    it('to a secret is explained: who has it, and by which role', async () => {
      await goTo(page, `/projects/${project.id}/who?environment=prod&path=/&name=DB_URL`);
      await rowOf(viewer).getByRole('button').click();
      const why = page.getByRole('region', { name: 'readValue of secrets' });
      await why.getByText('Role Developer').waitFor();
      expect(await why.textContent()).toMatch(/readValue of secrets: yes.*allows/);
    });

    it('is asked for by a change request, which shows its values on request, and is approved and merged', async () => {
      await world().admin('POST', '/api/v1/secret-approvals', {
        ...{ workspaceId: project.id, environment: 'prod', name: 'Production', approvals: 1 },
        approvers: [{ type: 'user', name: project.email }],
      });
      await write('PATCH', 'DB_URL', { environment: 'prod', secretValue: 'zsecretz-after' });
      await goTo(page, `/projects/${project.id}/inbox`);
      await page.getByRole('link', { name: 'One change in prod /' }).click();
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      expect(await page.content()).not.toContain('zsecretz');
      await page.getByRole('button', { name: /^Reveal the values/ }).click();
      await page.getByText('zsecretz-after').waitFor();
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('button', { name: 'Merge' }).click();
      await page.getByText('The changes are made.').waitFor();
      const { body } = await world().admin(
        'GET',
        `/api/v4/secrets/DB_URL?projectId=${project.id}&environment=prod&secretPath=/`,
      );
      expect(body.secret.secretValue).toBe('zsecretz-after');
    });

    it('is asked for by what is saved where a policy covers it, in all of its places, and the request can be opened', async () => {
      await write('POST', 'BOTH', { environment: 'dev', secretValue: 'before' });
      await goTo(page, `/projects/${project.id}/secrets`);
      await edit(page, 'BOTH', 'after');
      await edit(page, 'DB_URL', 'zsecretz-later', 'prod');
      await page.getByRole('button', { name: 'Review and save' }).click();
      const dialog = page.getByRole('dialog', { name: 'Request approval of 2 changes' });
      await dialog.getByText('nothing changes before the request is approved').waitFor();
      await dialog.getByRole('button', { name: 'Request approval' }).click();
      await page.getByRole('link', { name: 'Open the request' }).click();
      await page.getByRole('heading', { name: 'Change request' }).waitFor();
      await page.getByRole('link', { name: 'All requests' }).click();
      await page.getByRole('link', { name: '2 changes in dev /, prod /' }).waitFor();
      const { body } = await world().admin('GET', `/api/v4/secrets/BOTH?projectId=${project.id}&environment=dev`);
      expect(body.secret.secretValue).toBe('before');
    });

    it('by a role is edited as text and as a form, which show the same, and faults are named at once', async () => {
      await goTo(page, `/projects/${project.id}/role`);
      await page.getByLabel('Name', { exact: true }).fill('Readers of dev');
      await page.getByRole('button', { name: 'Edit as text' }).click();
      const text = page.getByLabel('Rules as JSON');
      await text.fill('[{"subject": "secrets", "action": "readValues"}]');
      await page.getByText('Rule 1: secrets has no action readValues').waitFor();
      await text.fill('[{"subject": "secrets", "action": "readValue", "conditions": {"environment": "dev"}}]');
      await page.getByRole('button', { name: 'Edit as a form' }).click();
      await page.getByText('1. allows readValue of secrets where environment is dev').waitFor();
      await page.getByLabel('describeSecret').check();
      await page.getByRole('button', { name: 'Create the role' }).click();
      await page.getByRole('heading', { name: 'Role readers-of-dev' }).waitFor();
      const { body } = await world().admin('GET', `/api/v1/projects/${project.id}/roles/slug/readers-of-dev`);
      expect(body.role.permissions).toEqual([
        { subject: 'secrets', action: ['describeSecret', 'readValue'], conditions: { environment: 'dev' } },
      ]);
    });

    it('of a new machine begins with a client secret, which is shown once and logs in', async () => {
      await goTo(page, `/projects/${project.id}/access?tab=identities`);
      await page.getByRole('button', { name: 'Add a machine identity' }).click();
      await page.getByLabel('Name', { exact: true }).fill('deploy');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name: 'deploy', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Add a login method' }).click();
      await page.getByRole('button', { name: /^Universal Auth/ }).click();
      await page.getByRole('button', { name: 'Add Universal Auth' }).click();
      await page.getByRole('button', { name: 'Create a client secret' }).click();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Client secret' });
      const clientSecret = (await dialog.locator('code').textContent()) ?? '';
      await closeWithoutCopy(page);
      expect(await page.content()).not.toContain(clientSecret);
      const clientId = await page.locator('dt', { hasText: 'Client ID' }).locator('+ dd').textContent();
      const { status } = await world().as()('POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret });
      expect(status).toBe(200);
    });

    it('by a service token is shown once, works, and ends when that is revoked', async () => {
      await goTo(page, `/projects/${project.id}/service-tokens?new=choose`);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('reports');
      await dialog.getByLabel('Environment 1').selectOption('prod');
      await dialog.getByRole('button', { name: 'Create' }).click();
      const token = (await dialog.getByText(/^st\./).textContent()) ?? '';
      const read = async () =>
        (await world().as(token)('GET', `/api/v4/secrets/DB_URL?projectId=${project.id}&environment=prod`)).status;
      expect(await read()).toBe(200);
      await closeWithoutCopy(page);
      const row = page.getByRole('row', { name: /^reports/ });
      await row.getByText('read in prod /**').waitFor();
      expect(await page.content()).not.toContain(token);
      await row.getByRole('button', { name: 'Revoke' }).click();
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('There is no service token in this project.').waitFor();
      expect(await read()).toBe(401);
    });

    it('is not given by those who may not, and a refusal says what would be enough', async () => {
      const outsider = await member(world(), project.id, 'no-access');
      const other = await world().openAs(outsider, `/projects/${project.id}/access`);
      const alert = other.getByRole('alert');
      await alert.getByText('You may not read member').waitFor();
      expect(await alert.textContent()).toContain(
        'None of your rules allows it.Ask an administrator for a role or privilege that allows read of member',
      );
      expect(await other.getByRole('button', { name: 'Add people' }).count()).toBe(0);
      await world().leave(other);
    });
  });
};

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { projectOf } from '../people.ts';

export const apiReference = (world: () => ConsoleWorld): void => {
  describe('the API reference', () => {
    let page: Page;
    beforeAll(async () => {
      page = await world().open();
      await page.goto('/api/docs');
    });
    afterAll(() => world().leave(page));

    it('is read without signing in: secrets first, and each operation has an address', async () => {
      const operations = page.getByRole('navigation', { name: 'Operations' });
      await operations.waitFor();
      expect(await operations.getByRole('heading').first().textContent()).toBe('Secrets');
      await page.getByRole('searchbox', { name: 'Search operations' }).fill('create secret v4');
      await operations.getByRole('link', { name: 'Create a secret POST' }).click();
      await page.getByRole('heading', { name: 'Create a secret', level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/api/docs/secrets_create');
      await page.goto('/api/docs/secrets_create');
      await page.getByText('The slug of an environment').waitFor();
    });

    it('shows what is required, defaults, values, and what is nested once it is opened', async () => {
      const field = (name: string) => page.locator('dt', { has: page.getByText(name, { exact: true }) }).first();
      expect(await field('secretValue').textContent()).toContain('required');
      expect(await field('type').locator('+ dd').textContent()).toMatch(/One of sharedpersonal.*default shared/);
      const metadata = field('secretMetadata').locator('+ dd');
      expect(await metadata.getByText('isEncrypted').count()).toBe(0);
      await metadata.getByText('Fields of secretMetadata').click();
      await metadata.getByText('isEncrypted').waitFor();
    });

    it('has examples that follow what is entered', async () => {
      await page.getByLabel('secretName').fill('GREETING');
      await page.getByLabel('Body as JSON').fill('{"projectId": "p", "environment": "dev", "secretValue": "it\'s"}');
      expect(await page.getByLabel('curl', { exact: true }).textContent()).toContain(
        `curl -X POST '${world().url}/api/v4/secrets/GREETING'`,
      );
      expect(await page.getByLabel('TypeScript', { exact: true }).textContent()).toMatch(
        /coffer\.secrets\.create\.mutate\(\{\n {2}secretName: 'GREETING',\n {2}projectId: 'p',/,
      );
    });

    it('makes calls with a token that was pasted, which is in no storage and no attribute', async () => {
      await page.goto('/api/docs/projects_list');
      await page.getByRole('button', { name: 'Send' }).click();
      const answer = page.getByRole('status', { name: 'Answer' });
      await answer.getByText('401').first().waitFor();
      const { token } = world().adminIdentity;
      await page.getByLabel('Access token', { exact: true }).fill(token);
      await page.getByRole('button', { name: 'Use this token' }).click();
      await page.getByRole('button', { name: 'Send' }).click();
      await answer.getByText('200').first().waitFor();
      expect(await page.content()).not.toContain(token);
      expect(await page.evaluate(`JSON.stringify({ ...localStorage, ...sessionStorage })`)).not.toContain(token);
      await page.getByRole('button', { name: 'Forget it' }).click();
      await page.getByRole('button', { name: 'Send' }).click();
      await answer.getByText('401').first().waitFor();
    });

    it('forgets the token and what was answered when nobody has been there for a quarter of an hour', async () => {
      await page.getByLabel('Access token', { exact: true }).fill('a token');
      await page.getByRole('button', { name: 'Use this token' }).click();
      const token = page.getByText('Calls are made with the token');
      const answer = page.getByRole('status', { name: 'Answer' });
      for (const shown of [token, answer]) await shown.waitFor();
      await page.evaluate(
        `localStorage.setItem('coffer-active', '1'); document.dispatchEvent(new Event('visibilitychange'))`,
      );
      for (const shown of [token, answer]) await expect.poll(() => shown.count()).toBe(0);
    });

    it('makes calls as the user who is signed in, and removes the answer from the page', async () => {
      const project = await projectOf(world());
      const other = await world().openAs(project.email, '/');
      await other.getByRole('link', { name: 'API reference' }).click();
      await other
        .getByRole('searchbox', { name: 'Search operations' })
        .fill('/api/v1/projects/{projectId} projects.get.');
      await other.getByRole('navigation', { name: 'Operations' }).getByRole('link').first().click();
      await other.getByLabel('projectId').fill(project.id);
      await other.getByRole('button', { name: 'Send' }).click();
      const answer = other.getByRole('status', { name: 'Answer' });
      await answer.getByText(project.id).first().waitFor();
      await other.getByRole('button', { name: 'Remove from the page' }).click();
      await answer.waitFor({ state: 'detached' });
      expect(await other.getByText('"environments"').count()).toBe(0);
      await world().leave(other);
    });

    it('says so where there is no such operation', async () => {
      await page.goto('/api/docs/nothing_here');
      await page.getByText('There is no operation nothing_here').waitFor();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('API reference');
    });
  });
};

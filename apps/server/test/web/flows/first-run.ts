import { describe, expect, it } from 'vitest';
import { consoleWorld, PASSWORD } from '../harness.ts';

export const firstRun = (): void => {
  describe('the first run', () => {
    it('leads from an empty server to a secret that a machine reads', async () => {
      const world = await consoleWorld({ isNew: true });
      try {
        const page = await world.open();
        await page.goto('/');
        await page.getByLabel('Organization').fill('Acme');
        await page.getByLabel('E-mail').fill('me@example.com');
        await page.getByLabel('Password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Create' }).click();
        await page.getByRole('heading', { name: 'Read by a machine' }).waitFor();
        await page.getByRole('button', { name: 'Create' }).click();
        const settings = (await page.getByLabel('Its environment', { exact: true }).textContent()) ?? '';
        const [, clientId] = /CLIENT_ID=(\S+)/.exec(settings) ?? [];
        const [, clientSecret] = /CLIENT_SECRET=(\S+)/.exec(settings) ?? [];
        const { body: login } = await world.as()('POST', '/api/v1/auth/universal-auth/login', {
          clientId,
          clientSecret,
        });
        const curl = (await page.getByLabel('curl', { exact: true }).textContent()) ?? '';
        const [, url] = /'(http[^']*\/api\/v4\/secrets[^']*)'/.exec(curl) ?? [];
        const { body } = await world.as(login.accessToken)('GET', url!.replace(world.url, ''));
        expect(body.secrets).toEqual([
          expect.objectContaining({ secretKey: 'GREETING', secretValue: 'Hello from Coffer' }),
        ]);
      } finally {
        await world.close();
      }
    });
  });
};

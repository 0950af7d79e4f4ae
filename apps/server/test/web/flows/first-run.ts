import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { consoleWorld, PASSWORD, type ConsoleWorld } from '../harness.ts';

/** A shell in the folder of the checkout, as somebody who has run `npm start` there. */
const inShell = async (script: string): Promise<string> =>
  (await promisify(execFile)('bash', ['-c', script], { cwd: join(import.meta.dirname, '../../../../..') })).stdout;

export const firstRun = (shared: () => ConsoleWorld): void => {
  describe('the first run', () => {
    it('leads from an empty server to a secret that a machine reads', async () => {
      const world = await consoleWorld({ isNew: true, browser: shared().browser });
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

        const shown = async (label: string) => (await page.getByLabel(label, { exact: true }).textContent()) ?? '';
        expect(await inShell(`${settings}\n${await shown('Command line')}`)).toContain('GREETING=Hello from Coffer\n');
        expect(await inShell(`${settings}\n${curl}`)).toContain('"secretValue":"Hello from Coffer"');
        const program = await shown('TypeScript');
        expect(
          await inShell(
            `${settings}\nnode_modules/.bin/node --input-type=module-typescript - <<'END'\n${program}\nEND`,
          ),
        ).toBe('GREETING Hello from Coffer\n');

        // The secret is on this page only: leaving it asks until it is copied.
        const leave = () => page.getByRole('link', { name: 'Secrets', exact: true }).first().click();
        await leave();
        await page.getByText('Neither copied nor downloaded: Client secret.').waitFor();
        await page.getByRole('button', { name: 'Go back' }).click();
        expect(await shown('Its environment')).toBe(settings);
        await page.getByRole('button', { name: 'Copy: Its environment' }).click();
        await page.getByText('It is on the clipboard').waitFor();
        await leave();
        await page.getByRole('heading', { name: 'Secrets', level: 1 }).waitFor();
      } finally {
        await world.close();
      }
    });
  });
};

import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { consoleWorld, hasBrowser } from './harness.ts';
import { projectOf } from './people.ts';

const directory = join(import.meta.dirname, '../../../../docs/images');
/** Of one picture: they are in every clone. */
const MOST_BYTES = 100_000;
const KEYS = ['DATABASE_URL', 'JWT_SIGNING_KEY', 'REDIS_URL', 'SENTRY_DSN', 'SMTP_PASSWORD', 'STRIPE_KEY'];

// `pnpm pictures` makes those of the README.
it.skipIf(!process.env['COFFER_PICTURES'] || !hasBrowser)('the main screens have their pictures', async () => {
  const world = await consoleWorld();
  try {
    const project = await projectOf(world);
    for (const [environment, count] of Object.entries({ dev: 6, staging: 5, prod: 4 })) {
      const secrets = KEYS.slice(0, count).map((secretKey) => ({ secretKey, secretValue: `of ${secretKey}` }));
      const made = await world.admin('POST', '/api/v4/secrets/batch', { projectId: project.id, environment, secrets });
      expect(made.status).toBe(200);
    }
    const page = await world.open();
    await page.setViewportSize({ width: 1200, height: 500 });
    await page.goto(`/projects/${project.id}/secrets`);
    await world.signIn(page, project.email);
    await page.getByRole('gridcell', { name: 'SENTRY_DSN in staging: not set' }).waitFor({ state: 'detached' });
    await page.getByRole('gridcell', { name: 'REDIS_URL in staging: set' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Value of REDIS_URL in staging' }).fill('redis://cache:6379');
    await page.keyboard.press('Control+Enter');
    mkdirSync(directory, { recursive: true });
    const take = (name: string) => page.screenshot({ path: join(directory, `${name}.png`) });
    await take('secrets');
    await page.goto(`/projects/${project.id}/who?environment=prod&path=/&name=DATABASE_URL`);
    await page.getByRole('row').nth(1).getByRole('button').click();
    await page.getByRole('region', { name: 'readValue of secrets' }).waitFor();
    await take('who');
    await page.goto('/api/docs/secrets_create');
    await page.getByText('The slug of an environment').waitFor();
    await take('api-reference');
    for (const name of readdirSync(directory))
      expect([name, statSync(join(directory, name)).size < MOST_BYTES]).toEqual([name, true]);
  } finally {
    await world.close();
  }
});

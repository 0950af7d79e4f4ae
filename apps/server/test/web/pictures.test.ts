import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { consoleWorld, hasBrowser } from './harness.ts';
import { projectOf } from './people.ts';

const directory = join(import.meta.dirname, '../../../../docs/images');
const KEYS = ['DATABASE_URL', 'JWT_SIGNING_KEY', 'REDIS_URL', 'SENTRY_DSN', 'SMTP_PASSWORD', 'STRIPE_KEY'];

// `pnpm pictures` makes those of the README.
it.skipIf(!process.env['COFFER_PICTURES'] || !hasBrowser)('the table of secrets has its picture', async () => {
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
    await page.screenshot({ path: join(directory, 'secrets.png') });
  } finally {
    await world.close();
  }
});

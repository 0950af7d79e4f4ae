import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { Cut } from '../cut.ts';
import type { ConsoleWorld } from '../harness.ts';
import { person, projectOf } from '../people.ts';
import { edit, saveAll, signedIn } from '../secrets-page.ts';

/** The most bytes of a value. */
const MEGABYTE = 1_048_576;

/** Names and values that go wrong easily. */
const ODD: readonly (readonly [name: string, value: string])[] = [
  ['UNICODE', 'zoë 🔑 \u202Eright to left 中文 e\u0301'],
  // Space before and after is removed, except for one line break, as it is published.
  ['LINES', 'first\n\n\tindented  \nlast\n'],
  ['MARKUP', `<script>alert("1")</script>&amp;'\${x}`],
  ['a.b-c', 'of a name with a dot'],
  ['КЛЮЧ 🔑 e\u0301', 'of a name that is not ASCII'],
  ['two\nlines', 'of a name with a line break'],
  ['<b>&amp;(x)', 'of a name with markup'],
  ['LONG_'.padEnd(255, 'X'), 'of a name as long as it may be'],
  ['ONE_LONG_LINE', 'x'.repeat(MEGABYTE)],
];

export const faults = (world: () => ConsoleWorld): void => {
  describe('what goes wrong while somebody edits', () => {
    let project: { id: string; email: string };
    beforeAll(async () => {
      project = await projectOf(world());
      const secrets = ['DATABASE_URL', ...ODD.map(([name]) => name)].map((secretKey) => ({
        secretKey,
        secretValue: 'v',
      }));
      const made = await world().admin('POST', '/api/v4/secrets/batch', {
        ...{ projectId: project.id, environment: 'dev', secrets },
      });
      expect(made.status).toBe(200);
    });

    const stored = async (name: string) => {
      const { body } = await world().admin(
        'GET',
        `/api/v4/secrets/${encodeURIComponent(name)}?projectId=${project.id}&environment=dev`,
      );
      return body.secret?.secretValue as string | undefined;
    };

    it('is kept while the server is away, and saved once it is back', async () => {
      const cut = await Cut.before(world().url);
      const page: Page = await world().open();
      await page.goto(`${cut.url}/projects/${project.id}/secrets`);
      await world().signIn(page, project.email);
      await page.getByRole('button', { name: 'Import' }).waitFor();
      await edit(page, 'DATABASE_URL', 'typed before');
      await cut.away();
      await page.getByRole('button', { name: 'Review and save' }).click();
      await page.getByRole('button', { name: 'Save all' }).click();
      // The answer of this save: the banner may be there before.
      await page.getByRole('dialog').getByText('The server cannot be reached').waitFor();
      expect(await stored('DATABASE_URL')).toBe('v');
      await cut.back();
      await expect.poll(() => page.getByText('The server cannot be reached. Edits are kept').count()).toBe(0);
      await page.getByRole('button', { name: 'Save all' }).click();
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
      expect(await stored('DATABASE_URL')).toBe('typed before');
      await page.context().close();
      await cut.away();
    });

    it('is kept when the session ends, and saved after signing in again', async () => {
      const { email, token } = await person(world());
      await world().admin('POST', `/api/v1/projects/${project.id}/memberships`, {
        emails: [email],
        roleSlugs: ['member'],
      });
      const page = await signedIn(world(), { ...project, email });
      await edit(page, 'DATABASE_URL', 'typed in a session that ends');
      expect((await world().as(token)('DELETE', '/api/v2/users/me/sessions')).status).toBe(200);
      await page.getByRole('searchbox', { name: 'Search in this folder' }).fill('DATABASE');
      await page.getByText('Your session has ended. Unsaved edits are kept').waitFor();
      expect(await page.content()).not.toContain('typed in a session');
      await world().signIn(page, email);
      await page.getByText('1 change in 1 environment').waitFor();
      await saveAll(page);
      expect(await stored('DATABASE_URL')).toBe('typed in a session that ends');
      await world().leave(page);
    });

    it('is stored to the byte, whatever it is', async () => {
      const page = await signedIn(world(), project);
      for (const [name, value] of ODD) {
        await edit(page, name, value);
      }
      await saveAll(page);
      for (const [name, value] of ODD) {
        const found = await stored(name);
        expect([name, found === value]).toEqual([name, true]);
      }
      await world().leave(page);
    });
  });
};

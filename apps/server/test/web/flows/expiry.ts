import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../../harness/api-keys.ts';
import { Certificates, ok } from '../../harness/certificates.ts';
import { DynamicSecretAtWork } from '../../harness/dynamic-secret.ts';
import type { ConsoleWorld } from '../harness.ts';
import { field, goTo } from '../page.ts';
import { member, person, projectOf } from '../people.ts';

/** The board of what ends when. */
export const expiry = (world: () => ConsoleWorld): void => {
  describe('the board of what ends when', () => {
    let page: Page;
    let projectId: string;
    let lease: string;
    const board = () => page.getByRole('main');

    beforeAll(async () => {
      const project = await projectOf(world());
      projectId = project.id;
      const certificates = new Certificates(world(), projectId);
      const { id } = await certificates.authority();
      await certificates.issue(id, { commonName: 'ends.example.com', altNames: 'ends.example.com' });
      lease = await leased(world(), projectId);
      await privileged(world(), projectId);
      page = await world().openAs(project.email, `/projects/${projectId}/secrets`);
    });
    afterAll(() => world().leave(page));

    it('has certificates, leases and privileges, each of which leads to its thing', async () => {
      await page.getByRole('link', { name: 'What ends when' }).click();
      await board().getByRole('link', { name: 'ends.example.com' }).waitFor();
      await board().getByRole('link', { name: lease }).click();
      await page.getByRole('heading', { name: 'codes', level: 1 }).waitFor();
      await page.getByRole('table', { name: 'Leases' }).getByText(lease).waitFor();
      expect(new URL(page.url()).pathname).toMatch(/\/dynamic-secrets\/codes$/);
    });

    it('is narrowed to a kind and by name, by the server', async () => {
      await goTo(page, `/projects/${projectId}/expiry`);
      await board().getByRole('link', { name: 'ends.example.com' }).waitFor();
      await field(page, 'Kind').selectOption('Temporary privilege');
      await board().getByRole('link', { name: 'for-a-day' }).waitFor();
      await expect.poll(() => board().getByRole('link', { name: 'ends.example.com' }).count()).toBe(0);
      expect(new URL(page.url()).search).toBe('?kind=privilege');
      await board().getByRole('link', { name: 'for-a-day' }).click();
      await page.getByRole('dialog', { name: 'deployer' }).waitFor();
      await goTo(page, `/projects/${projectId}/expiry?search=ends.exam`);
      await board().getByRole('link', { name: 'ends.example.com' }).waitFor();
      expect(await board().getByRole('link', { name: lease }).count()).toBe(0);
    });

    it('has one’s own API keys, and nothing of a project for those who may read nothing there', async () => {
      const { email, token } = await person(world());
      await makeKey(world(), token);
      const own = await world().openAs(email, '/organization/expiry');
      await own.getByRole('main').getByText('API key of yours').last().waitFor();
      await world().leave(own);

      const other = await world().openAs(
        await member(world(), projectId, 'no-access'),
        `/projects/${projectId}/expiry`,
      );
      await other.getByText('Nothing that you may read ends.').waitFor();
      expect(await other.getByRole('main').getByRole('link').count()).toBe(0);
      await world().leave(other);
    });
  });
};

/** A lease of a dynamic secret; its external ID. */
async function leased(world: ConsoleWorld, projectId: string): Promise<string> {
  const { project } = ok(await world.admin('GET', `/api/v1/projects/${projectId}`));
  const here = { projectSlug: project.slug as string, environmentSlug: 'dev', path: '/' };
  const place = { projectId, here, query: new URLSearchParams(here).toString() };
  const codes = new DynamicSecretAtWork(world, place, 'codes');
  ok(await codes.create('totp', { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' }));
  return ok(await codes.lease()).lease.externalEntityId;
}

/** A machine identity of the project, with a privilege for a day. */
async function privileged(world: ConsoleWorld, projectId: string): Promise<void> {
  const given = { name: 'deployer', organizationId: world.organizationId, role: 'no-access' };
  const { identity } = ok(await world.admin('POST', '/api/v1/identities', given));
  const membership = `/api/v1/projects/${projectId}/memberships/identities/${identity.id}`;
  ok(await world.admin('POST', membership, { role: 'no-access' }));
  ok(
    await world.admin('POST', '/api/v2/identity-project-additional-privilege', {
      ...{ projectId, identityId: identity.id, slug: 'for-a-day' },
      permissions: [{ subject: 'secrets', action: ['describeSecret'] }],
      type: {
        ...{ isTemporary: true, temporaryMode: 'relative', temporaryRange: '1d' },
        temporaryAccessStartTime: world.coffer.now().toISOString(),
      },
    }),
  );
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRootKey } from '@coffer/domain';
import { freePorts, testDatabase } from '@coffer/domain/testing';
import { describe, expect, it } from 'vitest';
import { killProcess, startProcess } from '../../harness/server-process.ts';
import { OPERATOR, PASSWORD, type ConsoleWorld } from '../harness.ts';
import { edit } from '../secrets-page.ts';

const BANNER = 'The server cannot be reached. Edits are kept';

export const killed = (world: () => ConsoleWorld): void => {
  describe('a server that is killed', () => {
    it('comes back on the same data: edits are kept and saved, and the session goes on', async () => {
      const directory = await mkdtemp(join(tmpdir(), 'coffer-console-'));
      const database = await testDatabase();
      const environment = { DATABASE_URL: database.url, COFFER_ROOT_KEY: makeRootKey(), COFFER_DATA_DIR: directory };
      // It comes back there.
      const [port] = (await freePorts(1)) as [number];
      let server = await startProcess({ ...environment, PORT: String(port) });
      const { url } = server;
      let token = '';
      const ask = async (method: string, path: string, sent?: object) => {
        const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
        const answer = await fetch(`${url}${path}`, { method, headers, ...(sent && { body: JSON.stringify(sent) }) });
        expect([path, answer.status]).toEqual([path, 200]);
        // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
        return (await answer.json()) as any;
      };
      try {
        const operator = { email: OPERATOR, password: PASSWORD, organization: 'Acme' };
        token = (await ask('POST', '/api/v1/admin/bootstrap', operator)).identity.credentials.token;
        const { project } = await ask('POST', '/api/v1/projects', { projectName: 'Shop' });
        const at = { projectId: project.id, environment: 'dev' };
        await ask('POST', '/api/v4/secrets/BEFORE', { ...at, secretValue: 'v' });

        await ask('POST', `/api/v1/projects/${project.id}/memberships`, { emails: [OPERATOR], roleSlugs: ['admin'] });

        const page = await world().open();
        await page.goto(`${url}/projects/${project.id}/secrets`);
        await world().signIn(page, OPERATOR);
        await edit(page, 'BEFORE', 'typed before');
        await killProcess(server);
        const save = page.getByRole('button', { name: 'Save all' });
        await page.getByRole('button', { name: 'Review and save' }).click();
        await save.click();
        await page.getByText(BANNER).waitFor();
        expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(1);

        server = await startProcess({ ...environment, PORT: String(port) });
        expect(server.url).toBe(url);
        await page.getByText(BANNER).waitFor({ state: 'detached' });
        await save.click();
        await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
        const stored = await ask('GET', `/api/v4/secrets/BEFORE?projectId=${project.id}&environment=dev`);
        expect(stored.secret.secretValue).toBe('typed before');

        await page.reload();
        await page.getByRole('gridcell', { name: 'BEFORE in dev: set', exact: true }).waitFor();
        await page.context().close();
      } finally {
        await killProcess(server);
        await database.drop();
        await rm(directory, { recursive: true, force: true });
      }
    });
  });
};

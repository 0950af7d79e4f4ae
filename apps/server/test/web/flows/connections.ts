import { runSync } from '@coffer/domain';
import { credentialsAt, makeConnection, syncTargets } from '@coffer/domain/testing';
import { Client } from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SyncedProject } from '../../harness/integrations.ts';
import { logsIn } from '../../harness/rotated-postgres.ts';
import type { ConsoleWorld } from '../harness.ts';
import { closeWithoutCopy, goTo } from '../page.ts';
import { member, projectOf } from '../people.ts';

/** Connections, syncs, rotations and dynamic secrets, with a real PostgreSQL and a Vault that is stood in for. */
export const connections = (world: () => ConsoleWorld): void => {
  describe('app connections, rotations, dynamic secrets and syncs', () => {
    let page: Page;
    let projectId: string;
    let database: Database;
    const at = (path: string) => goTo(page, `/projects/${projectId}/${path}`);

    beforeAll(async () => {
      const project = await projectOf(world());
      projectId = project.id;
      database = await openDatabase(world());
      page = await world().openAs(project.email, '/');
    });
    afterAll(async () => {
      await world().leave(page);
      await database?.close();
    });

    it('connects to a database once the marked fields are right, with a password that stays masked', async () => {
      await at('app-connections');
      await page.getByRole('button', { name: 'New connection' }).click();
      await page.getByRole('button', { name: 'PostgreSQL' }).click();
      await field(page, 'Name').fill('Not a name');
      await enterDatabase(page, database);
      await page.getByRole('checkbox', { name: 'SSL enabled' }).uncheck();
      const password = field(page, 'Password');
      expect(await password.getAttribute('type')).toBe('password');
      expect(await page.content()).not.toContain(database.password);

      await page.getByRole('button', { name: 'Check and create' }).click();
      await page.locator('[aria-invalid="true"]').waitFor();
      expect(await field(page, 'Name').getAttribute('aria-invalid')).toBe('true');
      expect(await field(page, 'Host').getAttribute('aria-invalid')).toBeNull();
      await field(page, 'Name').fill('reporting');
      await page.getByRole('button', { name: 'Check and create' }).click();
      await page.getByRole('heading', { name: 'reporting' }).waitFor();
      await page.getByText('Works').waitFor();
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByText('reporting works').waitFor();

      await page.getByRole('button', { name: 'Update' }).click();
      await field(page, 'Description').fill('Of the data team');
      await page.getByRole('button', { name: 'Check and save' }).click();
      await page.getByText('Of the data team').waitFor();
    });

    it('connects to GitHub as a user who authorizes it there, with a code that stays in no address', async () => {
      const { github } = world();
      const authorized = page.context().waitForEvent('page');
      // GitHub leads back at once.
      await page.context().route('https://github.com/login/oauth/authorize?**', (route, request) => {
        const given = new URL(request.url()).searchParams;
        expect([given.get('client_id'), given.get('scope')]).toEqual([github.clients.oauth.clientId, 'repo admin:org']);
        const code = github.authorize({ login: 'octocat', administers: [1] });
        const answer = new URLSearchParams({ code, state: given.get('state') ?? '' });
        const location = `${given.get('redirect_uri') ?? ''}?${answer.toString()}`;
        return route.fulfill({ status: 302, headers: { location } });
      });
      await at('app-connections?new=github');
      await field(page, 'Name').fill('octocat');
      await field(page, 'Method').selectOption('oauth');
      await page.getByRole('button', { name: 'Authorize at GitHub' }).click();
      const other = await authorized;
      await other.getByText('It is authorized').waitFor();
      expect(new URL(other.url()).search).toBe('');
      await other.close();
      await page.getByText('Authorized', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Check and create' }).click();
      await page.getByRole('heading', { name: 'octocat' }).waitFor();

      // A sync offers what it reaches.
      await at('secret-syncs?new=github');
      await field(page, 'Connection').selectOption('octocat');
      await page.locator('option[value="web-1"]').waitFor({ state: 'attached' });
      const list = (await field(page, 'Repo').getAttribute('list')) ?? '';
      expect(await page.locator(`[id="${list}"] option`).count()).toBe(github.repositories.length);
    });

    it('rotates a login of it, and shows the credentials on request only', async () => {
      const [first, second] = [await database.login(), await database.login()];
      await at('secret-rotations?new=postgres-credentials');
      await field(page, 'Name').fill('reports');
      await field(page, 'Connection').selectOption('reporting');
      await field(page, 'Environment').selectOption('dev');
      await field(page, 'Username1').fill(first);
      await field(page, 'Username2').fill(second);
      await page.getByRole('button', { name: 'Create and rotate' }).click();
      await page.getByRole('heading', { name: 'reports' }).waitFor();
      await page.getByText('Rotated').waitFor();
      expect(await page.getByText(second).count()).toBe(1);

      await page.getByRole('button', { name: 'Rotate now' }).click();
      await page.getByText('reports has a new credential').waitFor();
      await page.getByRole('button', { name: 'Check the credential' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Check the credential' }).click();
      await page.getByText('The system accepts the active credential: nothing was changed').waitFor();
      await page.getByRole('button', { name: 'Show credentials' }).click();
      const username = await shownIn(page, 'Username (active)');
      expect(username).toBe(second);
      const password = await shownIn(page, 'Password (active)');
      expect(await logsIn(database, { username, password })).toBe(true);
      await page.getByRole('button', { name: 'Done' }).click();
      expect(await page.content()).not.toContain(password);
    });

    it('says why a connection that is used cannot be deleted', async () => {
      await at('app-connections');
      await page.getByRole('link', { name: 'reporting' }).click();
      await page.getByRole('button', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete the connection reporting?' });
      await dialog.getByRole('link', { name: 'Secret rotation (postgres-credentials)' }).waitFor();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      expect(await dialog.getByRole('alert').innerText()).toContain('used');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    });

    it('leases a login of a dynamic secret, shows it once, and revokes it', async () => {
      await at('dynamic-secrets');
      await page.getByRole('button', { name: 'New dynamic secret' }).click();
      await page.getByRole('button', { name: 'SQL database' }).click();
      await field(page, 'Name').fill('readers');
      await enterDatabase(page, database);
      await page.getByRole('button', { name: 'Check and create' }).click();
      await page.getByRole('heading', { name: 'readers' }).waitFor();

      await page.getByRole('button', { name: 'New lease' }).click();
      await field(page, 'TTL').fill('10m');
      await page.getByRole('button', { name: 'Create the lease' }).click();
      const [username, password] = [await shownIn(page, 'DB_USERNAME'), await shownIn(page, 'DB_PASSWORD')];
      expect(await logsIn(database, { username, password })).toBe(true);
      await closeWithoutCopy(page);
      expect(await page.content()).not.toContain(password);

      const lease = page.getByRole('row', { name: username });
      await lease.getByRole('button', { name: 'Renew' }).click();
      await page.getByText(`The lease of ${username} ends later`).waitFor();
      await lease.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Nobody has a lease now.').waitFor();
      expect(await logsIn(database, { username, password })).toBe(false);
    });

    it('shows what a sync would write, and writes it after that', async () => {
      const { target, connect, run } = await vault(world(), projectId);
      await connect('vault-of-the-team');
      await at('secret-syncs?new=hashicorp-vault');
      await field(page, 'Name').fill('to-vault');
      await field(page, 'Connection').selectOption('vault-of-the-team');
      await field(page, 'Environment').selectOption('prod');
      await field(page, 'Mount').fill(String(target.config['mount']));
      await field(page, 'Path').fill(String(target.config['path']));
      await page.getByRole('button', { name: 'Create and show the plan' }).click();
      await page.getByText('1: SYNCED_KEY').waitFor();
      expect(target.held()).toEqual({});

      await page.getByRole('button', { name: 'Start the first sync' }).click();
      await page.getByText('The sync to-vault is started').waitFor();
      await page.getByText('Waiting').waitFor();
      await run(page.url());
      await page.getByText('Succeeded').waitFor();
      await page.getByText('Both sides are the same').waitFor();
      expect(target.held()).toEqual({ SYNCED_KEY: 'its value' });
    });

    it('offers what the operator has to set up first, and says so', async () => {
      const said = 'The operator of this server has to set COFFER_GCP_SERVICE_ACCOUNT first';
      for (const [screen, name] of [
        ['app-connections', 'Google Cloud'],
        ['secret-syncs', 'GCP Secret Manager'],
        ['dynamic-secrets', 'GCP IAM'],
      ] as const) {
        await goTo(page, `/projects/${projectId}/${screen}?new=choose`);
        const type = page.getByRole('button', { name: `${name} ${said}` });
        await type.waitFor();
        expect(await type.isDisabled()).toBe(true);
      }
      await goTo(page, `/projects/${projectId}/dynamic-secrets?new=gcp-iam`);
      await page.getByRole('dialog').getByText('GCP IAM cannot be used yet').waitFor();
    });

    it('offers nothing to a viewer that they may not do', async () => {
      const viewer = await world().openAs(
        await member(world(), projectId, 'viewer'),
        `/projects/${projectId}/dynamic-secrets`,
      );
      for (const name of ['Dynamic secrets', 'Secret rotations', 'Secret syncs', 'App connections']) {
        await viewer.getByRole('region', { name: 'Project' }).getByRole('link', { name }).click();
        await viewer.getByRole('heading', { level: 1, name }).waitFor();
        expect(await viewer.getByRole('button', { name: /^New/ }).count()).toBe(0);
      }
      await world().leave(viewer);
    });
  });
};

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

/** A value in the dialog that shows it. */
const shownIn = (page: Page, name: string): Promise<string> =>
  page.getByRole('dialog').locator(`dt:text-is("${name}") + dd code`).innerText();

interface Database {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
  /** A new login. */
  login(): Promise<string>;
  close(): Promise<void>;
}

async function enterDatabase(page: Page, { host, port, database, username, password }: Database): Promise<void> {
  await field(page, 'Host').fill(host);
  await field(page, 'Database').fill(database);
  await field(page, 'Username').fill(username);
  await field(page, 'Password').fill(password);
  for (const summary of await page.getByText(/^More options/).all()) await summary.click();
  await field(page, 'Port').fill(String(port));
}

/** The database of the server itself is the one that it connects to. */
async function openDatabase({ databaseUrl }: ConsoleWorld): Promise<Database> {
  const url = new URL(databaseUrl);
  const database = url.pathname.slice(1);
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  const logins: string[] = [];
  return {
    ...{ host: url.hostname, port: Number(url.port), database },
    ...{ username: url.username, password: decodeURIComponent(url.password) },
    async login() {
      const name = `console_${database.slice(-8)}_${logins.length}`;
      await owner.query(`create role "${name}" login`);
      logins.push(name);
      return name;
    },
    async close() {
      for (const name of logins) await owner.query(`drop role if exists "${name}"`);
      await owner.end();
    },
  };
}

/** A Vault, with a secret to write there. */
async function vault(world: ConsoleWorld, projectId: string) {
  const { coffer, organizationId } = world;
  const target = syncTargets['hashicorp-vault']!();
  await target.serve(world.standIns);
  await new SyncedProject(world, projectId).write({ SYNCED_KEY: 'its value' }, 'prod');
  return {
    target,
    connect: (name: string) =>
      makeConnection(coffer, {
        ...{ organizationId, projectId, app: 'hashicorp-vault', name },
        credentials: credentialsAt(target, organizationId),
      }),
    /** Does what is due, as the worker does. */
    run: (address: string) =>
      runSync.run(
        coffer.contextFor({ type: 'platform', organizationId }),
        { organizationId, integrationId: new URL(address).pathname.split('/').at(-1)! },
        {} as never,
      ),
  };
}

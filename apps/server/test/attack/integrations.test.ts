import { StandIns } from '@coffer/domain/testing';
import type { Rule } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { IntegrationTargets } from '../harness/integration-targets.ts';
import { SyncedProject, synced } from '../harness/integrations.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

const standIns = new StandIns();
let test: TestServer;
let project: SyncedProject;
let targets: IntegrationTargets;
let integrationId: string;
let call: Caller;

const dev = () => ({ projectId: project.id, environment: 'dev' });
const folder = (path: string, name: string, by = test.admin) => by('POST', '/api/v2/folders', { ...dev(), path, name });
const folderId = async (name: string): Promise<string> =>
  (await ok(test.admin('GET', `/api/v2/folders?projectId=${project.id}&environment=dev`))).folders.find(
    (one: { name: string }) => one.name === name,
  ).id;
const rename = async (from: string, to: string) =>
  call('PATCH', `/api/v2/folders/${await folderId(from)}`, { ...dev(), path: '/', name: to });
const write = (key: string, secretPath: string, secretValue: string) =>
  call('POST', `/api/v4/secrets/${key}`, { ...dev(), secretPath, secretValue });
const remove = (key: string, secretPath: string) => call('DELETE', `/api/v4/secrets/${key}`, { ...dev(), secretPath });
const newName = (key: string, secretPath: string, newSecretName: string) =>
  call('PATCH', `/api/v4/secrets/${key}`, { ...dev(), secretPath, newSecretName });
const importInto = (path: string, source: string, by = call) =>
  by('POST', '/api/v2/secret-imports', { ...dev(), path, import: { environment: 'dev', path: source } });
const move = async (key: string, from: string, to: string) => {
  const { secret } = await ok(
    test.admin('GET', `/api/v4/secrets/${key}?projectId=${project.id}&environment=dev&secretPath=${from}`),
  );
  const places = {
    sourceEnvironment: 'dev',
    sourceSecretPath: from,
    destinationEnvironment: 'dev',
    destinationSecretPath: to,
  };
  return call('POST', '/api/v4/secrets/move', { projectId: project.id, ...places, secretIds: [secret.id] });
};

/** Rejected, and the next sync writes nothing hidden to the target. */
async function expectRefused(answer: Promise<Answer>) {
  const { status, body } = await answer;
  expect({ status, error: body.error ?? body.code, message: body.message }).toMatchObject({ status: 403 });
  await synced(project, integrationId);
  expect(JSON.stringify(targets.of['hashicorp-vault'].held())).not.toContain('HIDDEN');
}

beforeAll(async () => {
  test = await testServer({ fetch: (url, request) => standIns.fetch(url, request) });
});

/** Folders that the caller may not read, and that other integrations may publish already, to other readers. */
const HIDDEN = ['/hidden', '/refers', '/x'];

async function makeWorld(areOthers: boolean): Promise<void> {
  project = await SyncedProject.make(test);
  targets = new IntegrationTargets(test, standIns, project);
  await targets.serve();
  for (const name of ['mid', 'hidden', 'shared', 'free', 'refers', 'x']) await ok(folder('/', name));
  await project.write({ OK: 'fine', OTHER: '${dev.shared.DANGLING}' }, 'dev', '/mid');
  await project.write({ TOP: 'HIDDENVALUE', NEXT: 'HIDDENTOO' }, 'dev', '/hidden');
  await project.write({ PLAIN: 'plain' }, 'dev', '/free');
  await project.write({ REFERS: '<${dev.hidden.TOP}>' }, 'dev', '/refers');
  await project.write({ DANGLING: 'nothing', CLOSED: 'HIDDENCLOSED' }, 'dev', '/shared');
  await ok(importInto('/mid', '/later', test.admin));
  const vault = targets.of['hashicorp-vault'];
  integrationId = await project.integrate('hashicorp-vault', vault.auth(), { ...vault.target, secretPath: '/mid' });
  await synced(project, integrationId);
  if (areOthers) for (const secretPath of HIDDEN) await integrateElsewhere(secretPath);
  const secret = (...action: string[]): Rule => ({ subject: 'secrets', action });
  const rules: Rule[] = [
    secret('describeSecret', 'create', 'edit', 'delete', 'readValue'),
    {
      subject: 'secrets',
      action: 'readValue',
      inverted: true,
      conditions: { secretPath: { $in: ['/hidden', '/later', '/x'] } },
    },
    {
      subject: 'secrets',
      action: 'readValue',
      inverted: true,
      conditions: { secretName: { $in: ['CLOSED', 'DANGLING'] } },
    },
    { subject: 'secret-imports', action: ['read', 'create', 'edit', 'delete'] },
    { subject: 'secret-folders', action: ['read', 'create', 'edit', 'delete'] },
    { subject: 'environments', action: ['read', 'edit'] },
    { subject: 'commits', action: ['read', 'perform-rollback'] },
  ];
  ({ call } = await test.identity({ projectId: project.id, rules }));
}

/** An integration that writes a folder to a place of its own. */
async function integrateElsewhere(secretPath: string): Promise<void> {
  const vault = targets.of['hashicorp-vault'];
  const given = { ...vault.target, path: `elsewhere${secretPath}`, secretPath };
  await synced(project, await project.integrate('hashicorp-vault', vault.auth(), given));
}
afterAll(async () => {
  await test.close();
  await standIns.close();
});

describe.each([
  ['attack: publishing through an integration', false],
  ['attack: publishing through an integration what another one publishes elsewhere', true],
])('%s', (_, areOthers) => {
  beforeAll(() => makeWorld(areOthers));

  it('is not extended by an import, into its folder or into what that imports, or by another source of an import', async () => {
    await expectRefused(importInto('/mid', '/hidden'));
    await ok(importInto('/mid', '/free'));
    await expectRefused(importInto('/free', '/hidden'));
    await ok(importInto('/shared', '/hidden'));
    await expectRefused(newName('TOP', '/hidden', 'DANGLING'));
  });

  it('is not possible by moving or renaming a secret', async () => {
    await expectRefused(move('TOP', '/hidden', '/mid'));
    await expectRefused(move('TOP', '/hidden', '/free'));
    await remove('DANGLING', '/shared');
    await expectRefused(newName('CLOSED', '/shared', 'DANGLING'));
    await ok(write('DANGLING', '/shared', 'anew'));
  });

  it('is not extended by a reference to what refers further, written or moved there', async () => {
    await expectRefused(write('MINE', '/mid', '${dev.refers.REFERS}'));
    await expectRefused(move('REFERS', '/refers', '/mid'));
    await expectRefused(importInto('/mid', '/refers'));
  });

  it('is not extended by another name of a folder that an import leads to', async () => {
    await expectRefused(rename('hidden', 'later'));
  });

  it('is not possible by restoring a hidden secret', async () => {
    await project.write({ OLD: 'HIDDENOLD' }, 'dev', '/x');
    const { tree } = await ok(
      test.admin('GET', `/api/v1/projects/${project.id}/history/tree?environment=dev&secretPath=/x`),
    );
    await project.write({ OLD: null }, 'dev', '/x');
    await ok(importInto('/mid', '/x', test.admin));
    await expectRefused(
      call('POST', `/api/v1/projects/${project.id}/history/restore`, {
        environment: 'dev',
        secretPath: '/x',
        revision: tree.revision,
      }),
    );
  });

  it('is possible for readers, and with own values', async () => {
    await ok(write('OWN', '/mid', 'mine'));
    await ok(write('TOO', '/mid', '${dev.free.PLAIN}'));
    await ok(move('PLAIN', '/free', '/mid'));
    await ok(newName('OK', '/mid', 'FINE'));
    await synced(project, integrationId);
    expect(targets.of['hashicorp-vault'].held()).toMatchObject({
      OWN: 'mine',
      TOO: 'plain',
      PLAIN: 'plain',
      FINE: 'fine',
    });
  });
});

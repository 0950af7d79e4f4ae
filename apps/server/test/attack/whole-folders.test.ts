import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Approvals } from '../harness/approvals.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const FOLDERS = ['read', 'create', 'edit', 'delete'].map((action) => ({ subject: 'secret-folders', action }));
const secrets = (action: string, conditions?: object, inverted = false) => ({
  ...{ subject: 'secrets', action },
  ...(conditions && { conditions }),
  ...(inverted && { inverted }),
});

/** The folder /closed with the secret KEY in dev, /open in dev, and a caller with these rules besides those for folders. */
async function setUp(rules: object[]) {
  const of = await Approvals.in(test);
  const projectId = of.project.id;
  await of.folder('/', 'closed', 'dev');
  await of.folder('/', 'open', 'dev');
  await of.secret('KEY', 'zhiddenz', '/closed', 'dev');
  const { call } = await test.identity({ projectId, rules: [...FOLDERS, ...rules] as never });
  const transfer = (how: 'copy' | 'move', more: object = {}, by: Caller = call) =>
    by('POST', `/api/v2/folders/${how}`, {
      ...{ projectId, sourceEnvironment: 'dev', sourceSecretPath: '/', folderNames: ['closed'] },
      ...{ destinationEnvironment: 'dev', destinationSecretPath: '/open' },
      ...more,
    });
  return { of, projectId, call, transfer };
}

describe('attack: a whole folder', () => {
  it.each(['copy', 'move'] as const)('is not led by a %s to where its hidden secret could be read', async (how) => {
    const { of, transfer } = await setUp([
      ...['describeSecret', 'create', 'edit', 'delete'].map((action) => secrets(action)),
      secrets('readValue', { secretPath: { $glob: '/open/**' } }),
    ]);
    const { status, body } = await transfer(how);
    expect(status).toBe(403);
    expect(JSON.stringify(body)).not.toContain('zhiddenz');
    expect(await of.values('/closed', 'dev')).toEqual({ KEY: 'zhiddenz' });
    expect(
      (await test.admin('GET', `/api/v2/folders/${of.project.id}/dev/${encodeURIComponent('/open/closed')}`)).status,
    ).toBe(404);
  });

  it.each(['copy', 'move'] as const)('does not overwrite by a %s what a rule forbids to delete', async (how) => {
    const { of, transfer } = await setUp([
      ...['describeSecret', 'readValue', 'create', 'edit', 'delete'].map((action) => secrets(action)),
      secrets('delete', { environment: 'prod', secretName: 'KEY' }, true),
    ]);
    await of.folder('/', 'closed', 'prod');
    await of.secret('KEY', 'kept', '/closed', 'prod');
    const over = { destinationEnvironment: 'prod', destinationSecretPath: '/', shouldOverwrite: true };
    expect((await transfer(how, over)).status).toBe(403);
    expect(await of.values('/closed', 'prod')).toEqual({ KEY: 'kept' });
    expect(await of.values('/closed', 'dev')).toEqual({ KEY: 'zhiddenz' });
  });

  it('does not tell whether a folder exists that the caller does not see', async () => {
    const { transfer, projectId, call } = await setUp([
      {
        subject: 'secret-folders',
        action: 'read',
        conditions: { secretPath: { $in: ['/closed', '/none'] } },
        inverted: true,
      },
    ]);
    const answers = await Promise.all(['closed', 'none'].map((name) => transfer('copy', { folderNames: [name] })));
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    const uses = ['/closed', '/none'].map((path) =>
      call('GET', `/api/v2/folders/uses?projectId=${projectId}&environment=dev&path=${path}`),
    );
    expect((await Promise.all(uses)).map(({ status }) => status)).toEqual([403, 403]);
  });
});

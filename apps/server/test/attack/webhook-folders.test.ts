import { inTransaction, notifyOfFailedRotation } from '@coffer/domain';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import type { Receiver } from '../harness/receiver.ts';
import { fails, MINUTE, VALUE, webhooks } from '../harness/webhooks.ts';

const all = await webhooks();
const { paths, platform, test } = all;
afterAll(() => all.close());

let receiver: Receiver;
beforeEach(async () => {
  receiver = await all.renewed();
});

const ALL = ['read', 'create', 'edit', 'delete'];
const WEBHOOKS = { subject: 'webhooks', action: ALL };
const FOLDERS = { subject: 'secret-folders', action: ['read', 'create'] };
const NOT_HIDDEN = {
  subject: 'secret-folders',
  action: ['read'],
  conditions: { secretPath: { $glob: '/hidden/**' } },
  inverted: true,
};
const NOTHING = { lastStatus: 'failed', lastRunErrorMessage: expect.stringMatching(/may see no folder/) };

/** A project with `/shown` and `/hidden`, a webhook at all folders, and who made it. */
async function madeBy(...rules: object[]) {
  const world = await all.setUp({ environment: 'prod', webhookUrl: `${receiver.url}/of-the-administrator` });
  const { project, folder } = world;
  for (const name of ['shown', 'hidden']) await folder(name);
  const maker = await test.identity({ projectId: project.id, rules: rules as never });
  const made = { environment: 'dev', secretPath: '/**', webhookUrl: `${receiver.url}/hook` };
  const { webhook: answer } = await ok(maker.call('POST', '/api/v1/webhooks', { workspaceId: project.id, ...made }));
  const id = answer.id as string;
  const url = `/api/v1/webhooks/${id}`;
  const webhook = async () =>
    (await ok(test.admin('GET', `/api/v1/webhooks?workspaceId=${project.id}`))).webhooks.find(
      (one: { id: string }) => one.id === id,
    );
  return { ...world, tell: () => world.tell(id), maker, url, id, webhook };
}

describe('attack: a webhook of somebody who may not see all folders', () => {
  it('names only those that its maker sees, also where it would name what contains them all', async () => {
    const { tell, write, folder, project } = await madeBy(WEBHOOKS, FOLDERS, NOT_HIDDEN);
    await write('A', '/hidden');
    await write('A', '/shown');
    await tell();
    expect(paths()).toEqual(['/shown']);
    const names = Array.from({ length: 101 }, (_, n) => `f${n}`);
    for (const name of names) await folder(name, '/hidden');
    await folder('deep', '/shown');
    const at = [...names.map((name) => `/hidden/${name}`), '/shown/deep'];
    const secrets = at.map((secretPath) => ({ secretKey: 'K', secretValue: VALUE, secretPath }));
    const place = { projectId: project.id, environment: 'dev', secretPath: '/' };
    await ok(test.admin('PATCH', '/api/v4/secrets/batch', { ...place, mode: 'upsert', secrets }));
    await tell();
    expect(paths().slice(1)).toEqual(['/shown/deep']);
  });

  it('names what contains many folders that its maker sees, where they do not see that itself, while they see these', async () => {
    const conditions = { secretPath: { $glob: '/shown/*' } };
    const { tell, folder, project, maker } = await madeBy(WEBHOOKS, { ...FOLDERS, conditions });
    const names = Array.from({ length: 101 }, (_, n) => `f${n}`);
    for (const name of names) await folder(name, '/shown');
    const secrets = names.map((name) => ({ secretKey: 'K', secretValue: VALUE, secretPath: `/shown/${name}` }));
    const place = { projectId: project.id, environment: 'dev', secretPath: '/' };
    receiver.answer(fails);
    await ok(test.admin('PATCH', '/api/v4/secrets/batch', { ...place, mode: 'upsert', secrets }));
    await tell();
    expect(paths()).toEqual(['/shown']);
    const member = { identityId: maker.id, projectId: project.id };
    const forbidden = { ...FOLDERS, conditions, inverted: true };
    const privilege = { ...member, slug: 'not-shown', permissions: [forbidden], type: { isTemporary: false } };
    await ok(test.admin('POST', '/api/v2/identity-project-additional-privilege', privilege));
    receiver.answer();
    test.advance(MINUTE);
    await tell();
    expect(paths()).toEqual(['/shown']);
  });

  it('is not sent what waits after its maker has lost sight of a folder, nor anything after they have left', async () => {
    const { tell, write, maker, webhook, project } = await madeBy(WEBHOOKS, FOLDERS);
    receiver.answer(fails);
    await write('A', '/hidden');
    await write('A', '/shown');
    await tell();
    expect(paths()).toEqual(['/hidden']);
    const member = { identityId: maker.id, projectId: project.id };
    const privilege = { ...member, slug: 'not-hidden', permissions: [NOT_HIDDEN], type: { isTemporary: false } };
    await ok(test.admin('POST', '/api/v2/identity-project-additional-privilege', privilege));
    receiver.answer();
    test.advance(MINUTE);
    await tell();
    expect(paths().slice(1)).toEqual(['/shown']);
    await ok(test.admin('DELETE', `/api/v2/workspace/${project.id}/identity-memberships/${maker.id}`));
    await write('B', '/shown');
    await tell();
    expect(paths().slice(2)).toEqual([]);
    expect(await webhook()).toMatchObject(NOTHING);
  });

  it('runs as whoever changes its URL, its key or what it looks at, and not as who enables it', async () => {
    const { tell, write, maker, url, project, webhook } = await madeBy(WEBHOOKS, FOLDERS, NOT_HIDDEN);
    await ok(test.admin('PATCH', url, { isDisabled: true }));
    await ok(test.admin('PATCH', url, { isDisabled: false }));
    await write('A', '/hidden');
    await tell();
    expect(paths()).toEqual([]);
    await ok(test.admin('PATCH', url, { webhookUrl: `${receiver.url}/other` }));
    await write('B', '/hidden');
    await tell();
    expect(paths()).toEqual(['/hidden']);
    await ok(maker.call('PATCH', url, { webhookUrl: `${receiver.url}/mine` }));
    await write('C', '/hidden');
    await tell();
    expect(paths()).toEqual(['/hidden']);
    const blind = await test.identity({ projectId: project.id, rules: [WEBHOOKS] });
    await ok(blind.call('PATCH', url, { secretPath: '/*' }));
    await write('D', '/shown');
    await tell();
    expect(paths()).toEqual(['/hidden']);
    expect(await webhook()).toMatchObject(NOTHING);
  });

  it('goes on where an earlier release has made it, and without the token that has made it', async () => {
    const { tell, write, id, maker, webhook } = await madeBy(WEBHOOKS, FOLDERS, NOT_HIDDEN);
    await ok(test.as()('POST', '/api/v1/auth/token/revoke', { accessToken: maker.token }));
    await write('A', '/shown');
    await tell();
    expect(paths()).toEqual(['/shown']);
    await test.coffer.pool.query('update webhooks set run_as = null where id = $1', [id]);
    await write('A', '/hidden');
    await tell();
    expect(paths()).toEqual(['/shown', '/hidden']);
    expect(await webhook()).toMatchObject({ lastStatus: 'success', lastRunErrorMessage: null });
  });

  it('is notified of rotations that fail if its maker may read them', async () => {
    const rotations = { subject: 'secret-rotation', action: ['read'], conditions: { secretPath: '/shown' } };
    const { tell, scope } = await madeBy(WEBHOOKS, FOLDERS, rotations);
    const { rows } = await test.coffer.pool.query<{ id: string }>(
      `select id from environments where project_id = $1 and slug = 'dev'`,
      [scope.projectId],
    );
    const details = { rotationName: 'rotation', errorMessage: 'failed', triggeredManually: false };
    await inTransaction(platform(), async (tx) => {
      for (const secretPath of ['/hidden', '/shown'])
        await notifyOfFailedRotation(tx, { ...scope, environmentId: rows[0]!.id, secretPath, details });
    });
    await tell();
    expect(paths()).toEqual(['/shown']);
  });
});

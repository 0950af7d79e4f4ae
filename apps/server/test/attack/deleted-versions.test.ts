import type { Rule } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Approvals } from '../harness/approvals.ts';
import { ok } from '../harness/groups.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let world: Approvals;
let base: string;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

async function begin(): Promise<void> {
  world = await Approvals.in(test);
  base = `/api/v1/projects/${world.project.id}`;
}

const reading = ['describeSecret', 'readValue'];
const history: Rule[] = [
  { subject: 'commits', action: ['read', 'perform-rollback'] },
  { subject: 'secret-folders', action: ['read', 'create', 'edit', 'delete'] },
  { subject: 'environments', action: ['read', 'edit', 'delete'] },
  { subject: 'tags', action: ['read', 'edit', 'delete'] },
];
/** Everything except reading what the conditions match. */
const but = (conditions: Rule['conditions'], actions: readonly string[] = ['create', 'edit', 'delete']): Rule[] => [
  ...history,
  { subject: 'secrets', action: [...reading, ...actions] },
  { subject: 'secrets', action: reading, conditions, inverted: true },
];
const insider = async (rules: readonly Rule[]): Promise<Caller> => (await world.member(rules)).call;

const dev = (secretPath = '/') => world.place(secretPath, 'dev');
const tag = async (slug: string): Promise<string> =>
  (await ok(test.admin('POST', `${base}/tags`, { slug, color: '' }))).tag.id;
const slugOf = (call: Caller, id: string, slug: string) => call('PATCH', `${base}/tags/${id}`, { slug });
const change = (name: string, more: object, place: object = dev()) =>
  ok(test.admin('PATCH', `/api/v4/secrets/${name}`, { ...place, ...more }));
const remove = (call: Caller, name: string, place: object = dev()) => call('DELETE', `/api/v4/secrets/${name}`, place);
const environmentId = async (slug: string): Promise<string> => {
  const { project } = await ok(test.admin('GET', base));
  return project.environments.find((one: { slug: string }) => one.slug === slug).id;
};
const transfer = (call: Caller, how: string, id: string, from: string, to: string, [source, target] = ['dev', 'dev']) =>
  call('POST', `/api/v4/secrets/${how}`, {
    projectId: world.project.id,
    sourceEnvironment: source,
    sourceSecretPath: from,
    destinationEnvironment: target,
    destinationSecretPath: to,
    secretIds: [id],
    shouldOverwrite: true,
    ...(how === 'duplicate' && { attributesToCopy: {} }),
  });

async function versionOf(call: Caller, name: string, place: Record<string, string> = dev()): Promise<number> {
  const query = new URLSearchParams({ ...place, version: '1' }).toString();
  return (await call('GET', `/api/v4/secrets/${name}?${query}`)).status;
}

const revision = async (): Promise<number> => (await ok(test.admin('GET', `${base}/history/tree`))).tree.revision;
/** The values of former versions in `dev` that an actor sees. */
async function treeOf(call: Caller, at: number): Promise<unknown[]> {
  const { tree } = await ok(call('GET', `${base}/history/tree?revision=${at}&environment=dev&secretPath=/`));
  return tree.environments.flatMap((one: { secrets: { secretValue: string }[] }) =>
    one.secrets.map(({ secretValue }) => secretValue),
  );
}
const restore = (call: Caller, at: number) =>
  call('POST', `${base}/history/restore`, { revision: at, environment: 'dev', secretPath: '/' });

describe('attack: another slug of a tag', () => {
  it('does not give access to older versions with the tag, to the caller or to others', async () => {
    await begin();
    const id = await tag('plain');
    await ok(test.admin('POST', '/api/v4/secrets/A', { ...dev(), secretValue: 'OLD', tagIds: [id] }));
    const before = await revision();
    await change('A', { secretValue: 'new', tagIds: [] });
    await slugOf(test.admin, id, 'closed');
    const mallory = await insider(but({ secretTags: { $in: ['closed'] } }));
    const editor = await insider([{ subject: 'tags', action: ['read', 'edit', 'delete'] }]);
    expect(await versionOf(mallory, 'A')).toBe(403);
    for (const call of [mallory, editor]) {
      const { status, body } = await slugOf(call, id, 'other');
      expect([status, body.message]).toEqual([403, expect.stringContaining('secrets of this tag')]);
    }
    expect(await versionOf(mallory, 'A')).toBe(403);
    // Neither where the secret is deleted.
    await ok(remove(test.admin, 'A'));
    expect((await slugOf(editor, id, 'other')).status).toBe(403);
    expect([await treeOf(mallory, before), await treeOf(test.admin, before)]).toEqual([[], ['OLD']]);
    // Nobody gains anything: an administrator has all of them, and rules that do not distinguish the slugs none.
    expect((await slugOf(editor, await tag('free'), 'freed')).status).toBe(200);
    expect((await slugOf(test.admin, id, 'other')).status).toBe(200);
  });

  it('does not give access to former versions with the tag, to actors who may read only the current one', async () => {
    await begin();
    const [vip, plain] = [await tag('vip'), await tag('plain')];
    await ok(test.admin('POST', '/api/v4/secrets/A', { ...dev(), secretValue: 'OLD', tagIds: [vip] }));
    await change('A', { secretValue: 'new', tagIds: [plain] });
    const editor = await insider(but({ secretTags: { $in: ['vip'] } }));
    const other = await insider(but({ secretTags: { $in: ['plain'] } }));
    expect([await versionOf(editor, 'A'), await versionOf(other, 'A')]).toEqual([403, 403]);
    expect((await slugOf(editor, plain, 'open')).status).toBe(403);
    expect(await versionOf(other, 'A')).toBe(403);
  });
});

describe('attack: a deletion', () => {
  it.each(['name', 'tag'] as const)('of a secret does not open its past, which its last %s closes', async (how) => {
    await begin();
    await world.secret('A', 'SECRET', '/', 'dev');
    const before = await revision();
    await change('A', how === 'name' ? { newSecretName: 'CLOSED' } : { tagIds: [await tag('closed')] });
    const rules = but(how === 'name' ? { secretName: 'CLOSED' } : { secretTags: { $in: ['closed'] } });
    const mallory = await insider(rules);
    const reader = await insider([...rules, { subject: 'secrets', action: ['edit', 'delete'], inverted: true }]);
    expect([await treeOf(mallory, before), (await restore(mallory, before)).status]).toEqual([[], 403]);
    expect((await remove(mallory, how === 'name' ? 'CLOSED' : 'A')).status).toBe(200);
    expect([await treeOf(mallory, before), (await restore(mallory, before)).status]).toEqual([[], 403]);
    expect(await treeOf(reader, before)).toEqual([]);
    // A caller who may read it can restore it.
    expect(await treeOf(test.admin, before)).toEqual(['SECRET']);
    expect((await restore(test.admin, before)).status).toBe(200);
  });

  it.each([
    ['in its folder', 'folder'],
    ['in its environment', 'environment'],
    ['while another tag has the slug', 'slug'],
  ] as const)(
    'of a secret and of the tag that closes it opens nothing once the secret is restored: %s',
    async (_how, how) => {
      await begin();
      const closed = await tag('closed');
      await ok(test.admin('POST', '/api/v4/secrets/A', { ...dev(), secretValue: 'SECRET', tagIds: [closed] }));
      const before = await revision();
      const mallory = await insider(but({ secretTags: { $in: ['closed'] } }));
      const read = async () =>
        (await mallory('GET', `/api/v4/secrets/A?${new URLSearchParams(dev()).toString()}`)).status;
      expect(await read()).toBe(403);
      const id = await environmentId('dev');
      await ok(how === 'environment' ? mallory('DELETE', `${base}/environments/${id}`) : remove(mallory, 'A'));
      await ok(mallory('DELETE', `${base}/tags/${closed}`));
      if (how === 'slug') await tag('closed');
      await ok(
        how === 'environment'
          ? test.admin('POST', `${base}/environments/${id}/restore`, {})
          : restore(test.admin, before),
      );
      const { secret } = await ok(test.admin('GET', `/api/v4/secrets/A?${new URLSearchParams(dev()).toString()}`));
      expect(secret.tags.map(({ slug }: { slug: string }) => slug)).toEqual(['closed']);
      expect(await read()).toBe(403);
    },
  );

  it('of a tag takes the right to create it again from whoever restores a secret with it', async () => {
    await begin();
    const closed = await tag('closed');
    await ok(test.admin('POST', '/api/v4/secrets/A', { ...dev(), secretValue: 'SECRET', tagIds: [closed] }));
    const before = await revision();
    await ok(remove(test.admin, 'A'));
    await ok(test.admin('DELETE', `${base}/tags/${closed}`));
    const all: Rule[] = [...history, { subject: 'secrets', action: [...reading, 'create', 'edit', 'delete'] }];
    expect((await restore(await insider(all), before)).status).toBe(403);
    const maker = await insider([...all, { subject: 'tags', action: ['create'] }]);
    expect((await restore(maker, before)).status).toBe(200);
  });

  it.each(['move', 'duplicate'])('by a %s onto a secret does not open its past', async (how) => {
    await begin();
    await world.folder('/', 'mine', 'dev');
    await world.secret('A', 'SECRET', '/', 'dev');
    const before = await revision();
    await change('A', { tagIds: [await tag('closed')] });
    const { id } = await world.secret('A', 'own', '/mine', 'dev');
    const mallory = await insider([
      ...but({ secretTags: { $in: ['closed'] } }, ['create', 'edit']),
      { subject: 'secrets', action: ['delete'], conditions: { secretPath: '/mine' } },
    ]);
    expect((await transfer(mallory, how, id, '/mine', '/')).status).toBe(200);
    expect(await treeOf(mallory, before)).toEqual([]);
  });

  it('of an environment does not disclose former versions, elsewhere, of its former contents', async () => {
    await begin();
    const { id } = await world.secret('A', 'SECRET', '/', 'dev');
    const before = await revision();
    await ok(transfer(test.admin, 'move', id, '/', '/', ['dev', 'staging']));
    const mallory = await insider([
      ...history,
      { subject: 'secrets', action: reading, conditions: { environment: 'dev' } },
    ]);
    const staging = await environmentId('staging');
    expect((await mallory('DELETE', `${base}/environments/${staging}`)).status).toBe(200);
    expect(await treeOf(mallory, before)).toEqual([]);
  });

  it('of a folder does not disclose its contents under another name; nor can it be recreated under that', async () => {
    await begin();
    const folder = await world.folder('/', 'a', 'dev');
    await world.folder('/', 'pub', 'dev');
    const { id } = await world.secret('A', 'OLD', '/a', 'dev');
    const before = await revision();
    await ok(transfer(test.admin, 'move', id, '/a', '/pub'));
    await change('A', { secretValue: 'new' }, dev('/pub'));
    const at = { projectId: world.project.id, environment: 'dev', path: '/' };
    await ok(test.admin('PATCH', `/api/v2/folders/${folder.id}`, { ...at, name: 'closed' }));
    const mallory = await insider(but({ secretPath: { $glob: '/closed/**' } }));
    expect(await versionOf(mallory, 'A', dev('/pub'))).toBe(403);
    await ok(mallory('DELETE', `/api/v2/folders/${folder.id}`, at));
    expect(await versionOf(mallory, 'A', dev('/pub'))).toBe(403);
    expect((await restore(mallory, before)).status).toBe(403);
    expect(await versionOf(mallory, 'A', dev('/pub'))).toBe(403);
    expect(await versionOf(test.admin, 'A', dev('/pub'))).toBe(200);
  });

  it('of an environment does not disclose its contents under another slug', async () => {
    await begin();
    const { id } = await world.secret('A', 'OLD', '/', 'staging');
    await ok(transfer(test.admin, 'move', id, '/', '/', ['staging', 'dev']));
    await change('A', { secretValue: 'new' });
    const staging = await environmentId('staging');
    await ok(test.admin('PATCH', `${base}/environments/${staging}`, { slug: 'closed' }));
    const mallory = await insider(but({ environment: 'closed' }));
    expect(await versionOf(mallory, 'A')).toBe(403);
    await ok(mallory('DELETE', `${base}/environments/${staging}`));
    expect(await versionOf(mallory, 'A')).toBe(403);
    expect(await versionOf(test.admin, 'A')).toBe(200);
  });

  it('of a tag does not open older versions that have it under its last slug', async () => {
    await begin();
    const id = await tag('plain');
    await ok(test.admin('POST', '/api/v4/secrets/A', { ...dev(), secretValue: 'OLD', tagIds: [id] }));
    await change('A', { secretValue: 'new', tagIds: [] });
    await slugOf(test.admin, id, 'closed');
    const mallory = await insider(but({ secretTags: { $in: ['closed'] } }));
    expect((await mallory('DELETE', `${base}/tags/${id}`)).status).toBe(200);
    expect(await versionOf(mallory, 'A')).toBe(403);
    expect(await versionOf(test.admin, 'A')).toBe(200);
  });

  it('of a secret, or of its tag, does not disclose the values of a merged change request', async () => {
    await begin();
    const approver = await world.member();
    const closed = await tag('closed');
    await world.secret('A', 'FIRST');
    await world.policy([approver]);
    const mallory = await insider([
      { subject: 'secret-approval', action: ['read'] },
      ...but({ secretTags: { $in: ['closed'] } }),
    ]);
    const written = await mallory('PATCH', '/api/v4/secrets/A', { ...world.place(), secretValue: 'SECOND' });
    const url = `/api/v1/secret-approval-requests/${written.body.approval.id}`;
    await ok(approver.call('POST', `${url}/review`, { status: 'approved' }));
    await ok(approver.call('POST', `${url}/merge`, {}));
    const seen = async () => JSON.stringify((await ok(mallory('GET', url))).approval).match(/FIRST|SECOND/g);
    expect(await seen()).toEqual(['FIRST', 'SECOND']);
    await change('A', { tagIds: [closed] }, world.place());
    expect(await seen()).toBeNull();
    await ok(remove(test.admin, 'A', world.place()));
    expect(await seen()).toBeNull();
    await ok(test.admin('DELETE', `${base}/tags/${closed}`));
    expect(await seen()).toBeNull();
  });
});

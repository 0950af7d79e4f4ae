import type { Rule } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Approvals, type Member } from '../harness/approvals.ts';
import { ok } from '../harness/groups.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let of: Approvals;
let author: Member;
let approver: Member;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

async function begin(): Promise<void> {
  of = await Approvals.in(test);
  [author, approver] = [await of.member('admin'), await of.member('admin')];
  await of.policy([approver]);
}

const reading = ['describeSecret', 'readValue'];
const readingOf = (conditions: Rule['conditions']): Rule => ({ subject: 'secrets', action: reading, conditions });
/** An actor who reads all requests, and secrets by some rules. */
const reader = (...rules: Rule[]): Promise<Member> =>
  of.member([{ subject: 'secret-approval', action: ['read'] }, ...rules]);

const shown = async ({ call }: Member, id: string): Promise<unknown[]> => {
  const { approval } = await ok(of.get(call, id));
  return approval.commits.map((one: { after: { secretValue?: string } | null }) => one.after?.secretValue);
};

const ENDS = ['open', 'closed', 'merged'] as const;
async function end(how: (typeof ENDS)[number], id: string): Promise<void> {
  if (how === 'closed') await ok(of.status(author.call, id, 'close'));
  if (how !== 'merged') return;
  await ok(of.review(approver.call, id));
  await ok(of.merge(author.call, id));
}

const project = () => `/api/v1/projects/${of.project.id}`;
async function makeTag(slug: string): Promise<string> {
  return (await ok(test.admin('POST', `${project()}/tags`, { slug, color: '' }))).tag.id;
}
async function renameEnvironment(from: string, slug: string): Promise<void> {
  const { environments } = (await ok(test.admin('GET', project()))).project;
  const { id } = environments.find((one: { slug: string }) => one.slug === from);
  await ok(test.admin('PATCH', `${project()}/environments/${id}`, { slug }));
}
const renameFolder = (id: string, name: string) =>
  ok(test.admin('PATCH', `/api/v2/folders/${id}`, { projectId: of.project.id, environment: 'prod', name }));
async function move(name: string, from: string, to: string): Promise<void> {
  const query = new URLSearchParams(of.place(from)).toString();
  const { secret } = await ok(test.admin('GET', `/api/v4/secrets/${name}?${query}`));
  await ok(test.admin('POST', '/api/v4/secrets/move', moving(secret.id, from, to)));
}
const moving = (id: string, from: string, to: string) => ({
  projectId: of.project.id,
  sourceEnvironment: 'prod',
  sourceSecretPath: from,
  destinationEnvironment: 'prod',
  destinationSecretPath: to,
  secretIds: [id],
});

/** A copy of `/source` in `dev` to `/pub`. */
const copying = () => ({
  projectId: of.project.id,
  sourceEnvironment: 'dev',
  sourceSecretPath: '/',
  folderNames: ['source'],
  destinationEnvironment: 'prod',
  destinationSecretPath: '/pub',
});

describe('attack: a value in a change request', () => {
  const remove = () => ok(test.admin('DELETE', '/api/v4/secrets/KEY', of.place('/pub')));
  const CLOSING: Readonly<Record<string, () => Promise<unknown>>> = {
    tag: async () => of.change(test.admin, 'KEY', { tagIds: [await makeTag('closed')] }, '/pub'),
    move: () => move('KEY', '/pub', '/vault'),
    'new name': () => of.change(test.admin, 'KEY', { newSecretName: 'CLOSED' }, '/pub'),
    'tag, and its deletion': async () => {
      await ok(of.change(test.admin, 'KEY', { tagIds: [await makeTag('closed')] }, '/pub'));
      await remove();
    },
  };

  it.each(Object.keys(CLOSING))(
    'of a secret that it created is not shown after a %s that closes the secret',
    async (how) => {
      await begin();
      await of.folder('/', 'pub');
      await of.folder('/', 'vault');
      const limited = await reader(
        readingOf({ environment: 'prod' }),
        ...[{ secretPath: '/vault' }, { secretName: 'CLOSED' }, { secretTags: { $in: ['closed'] } }].map(
          (conditions): Rule => ({ ...readingOf(conditions), inverted: true }),
        ),
      );
      const id = await of.ask(author.call, 'KEY', 'SHUT', '/pub');
      expect(await shown(limited, id)).toEqual(['SHUT']);
      await end('merged', id);
      expect(await shown(limited, id)).toEqual(['SHUT']);
      await CLOSING[how]!();
      expect(JSON.stringify((await of.get(limited.call, id)).body)).not.toMatch(/SHUT|KEY/);
      expect(JSON.stringify(await of.requests(limited.call))).not.toContain('KEY');
      expect(await shown(author, id)).toEqual(['SHUT']);
    },
  );

  it('of a secret that it created is shown after the secret was deleted, as before', async () => {
    await begin();
    await of.folder('/', 'pub');
    const limited = await reader(readingOf({ environment: 'prod', secretPath: '/pub' }));
    const id = await of.ask(author.call, 'KEY', 'SEEN', '/pub');
    await end('merged', id);
    await remove();
    expect(await shown(limited, id)).toEqual(['SEEN']);
  });

  it.each(ENDS)('is not shown by the name of an environment that another one has now: %s', async (how) => {
    await begin();
    const id = await of.ask(author.call, 'KEY', 'SHUT');
    await end(how, id);
    await renameEnvironment('prod', 'production');
    await ok(test.admin('POST', `${project()}/environments`, { slug: 'prod', name: 'Other' }));
    const conditions = ['prod', 'production', { $in: ['prod', 'production'] }];
    const seen = await Promise.all(
      conditions.map(async (environment) => shown(await reader(readingOf({ environment })), id)),
    );
    expect(seen).toEqual([[undefined], [undefined], ['SHUT']]);
  });

  it.each(ENDS)('is not shown by the name of a folder that another one has now: %s', async (how) => {
    await begin();
    const { id: folderId } = await of.folder('/', 'pub');
    const id = await of.ask(author.call, 'KEY', 'SHUT', '/pub');
    await end(how, id);
    await renameFolder(folderId, 'vault');
    await of.folder('/', 'pub');
    const conditions = ['/pub', '/vault', { $in: ['/pub', '/vault'] }];
    const readers = await Promise.all(conditions.map((secretPath) => reader(readingOf({ secretPath }))));
    const seen = async () => Promise.all(readers.map((one) => shown(one, id)));
    expect(await seen()).toEqual([[undefined], [undefined], ['SHUT']]);
    // A deleted folder keeps its last name.
    await ok(test.admin('DELETE', `/api/v2/folders/${folderId}`, { projectId: of.project.id, environment: 'prod' }));
    expect(await seen()).toEqual([[undefined], [undefined], ['SHUT']]);
  });

  it('of a secret that has left its folder is not shown after the folder got a name that closes it', async () => {
    await begin();
    const { id: folderId } = await of.folder('/', 'pub');
    const secret = await of.secret('KEY', 'SHUT');
    const { body } = await author.call('POST', '/api/v4/secrets/move', moving(secret.id, '/', '/pub'));
    await end('merged', body.approval.id);
    await move('KEY', '/pub', '/');
    const limited = await reader(readingOf({ secretPath: { $in: ['/', '/pub'] } }));
    expect(await shown(limited, body.approval.id)).toEqual(['SHUT']);
    await renameFolder(folderId, 'vault');
    expect(await shown(limited, body.approval.id)).toEqual([undefined]);
  });

  it.each(ENDS)('for a folder that was new is not shown by a name of the one above it: %s', async (how) => {
    await begin();
    const { id: above } = await of.folder('/', 'pub');
    await of.folder('/', 'source', 'dev');
    await of.secret('KEY', 'SHUT', '/source', 'dev');
    const { id } = (await ok(author.call('POST', '/api/v2/folders/copy', copying()))).approval;
    await end(how, id);
    const readers = [
      await reader(readingOf({ secretPath: '/pub/source' })),
      await reader(readingOf({ secretPath: { $in: ['/pub/source', '/vault/source'] } })),
    ];
    expect(await Promise.all(readers.map((one) => shown(one, id)))).toEqual([['SHUT'], ['SHUT']]);
    await renameFolder(above, 'vault');
    expect(await Promise.all(readers.map((one) => shown(one, id)))).toEqual([[undefined], ['SHUT']]);
  });

  it('for a folder that was new is not merged into another one that has the name of the one above it', async () => {
    await begin();
    const { id: above } = await of.folder('/', 'pub');
    await of.folder('/', 'source', 'dev');
    await of.secret('KEY', 'SHUT', '/source', 'dev');
    const { body } = await author.call('POST', '/api/v2/folders/copy', copying());
    await ok(of.review(approver.call, body.approval.id));
    await renameFolder(above, 'vault');
    await of.folder('/', 'pub');
    const { status, body: refused } = await of.merge(author.call, body.approval.id);
    expect([status, refused.details.conflicts]).toMatchObject([400, [{ reason: 'renamed' }]]);
  });

  it.each([
    ['the environment', 'production'],
    ['the folder', 'vault'],
    ['the tag', 'open'],
  ])('is not taken to another name of %s by reopening: only its committer may', async (what, name) => {
    await begin();
    const { id: folderId } = await of.folder('/', 'pub');
    const tagId = await makeTag('closed');
    const write = { ...of.place('/pub'), secretValue: 'SHUT', tagIds: [tagId] };
    const { id } = (await ok(author.call('POST', '/api/v4/secrets/KEY', write))).approval;
    const other = await of.ask(author.call, 'OTHER', 'SHUT', '/pub');
    await end('closed', id);
    await end('closed', other);
    await ok(of.status(approver.call, other, 'open'));
    if (what === 'the tag') await ok(test.admin('PATCH', `${project()}/tags/${tagId}`, { slug: name }));
    else if (what === 'the folder') await renameFolder(folderId, name);
    else {
      await renameEnvironment('prod', name);
      await ok(test.admin('POST', `${project()}/environments`, { slug: 'prod', name: 'Other' }));
      await of.policy([approver]);
    }
    if (what !== 'the tag') await of.folder('/', 'pub');
    expect(await of.status(approver.call, id, 'open')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('is another one now') },
    });
    await ok(of.status(author.call, id, 'open'));
  });

  it.each(ENDS)('is not shown by another slug of its tag: %s', async (how) => {
    await begin();
    const tagId = await makeTag('closed');
    const write = { ...of.place(), secretValue: 'SHUT', tagIds: [tagId] };
    const { id } = (await ok(author.call('POST', '/api/v4/secrets/KEY', write))).approval;
    await end(how, id);
    await ok(test.admin('PATCH', `${project()}/tags/${tagId}`, { slug: 'open' }));
    const slugs = [['closed'], ['open'], ['closed', 'open']];
    const seen = await Promise.all(
      slugs.map(async ($in) => shown(await reader(readingOf({ secretTags: { $in } })), id)),
    );
    // Without another version the secret itself is readable by its present tag; its request is not.
    expect(seen).toEqual([[undefined], [undefined], ['SHUT']]);
  });

  it.each(ENDS)('of an import is not shown by the name of a folder that another one has now: %s', async (how) => {
    await begin();
    const { id: folderId } = await of.folder('/', 'pub');
    const from = { environment: 'dev', path: '/hidden-source' };
    const { body } = await author.call('POST', '/api/v2/secret-imports', {
      ...{ projectId: of.project.id, environment: 'prod', path: '/pub', import: from },
    });
    await end(how, body.approval.id);
    const limited = await reader({ subject: 'secret-imports', action: ['read'], conditions: { secretPath: '/pub' } });
    const seen = async () => JSON.stringify((await of.get(limited.call, body.approval.id)).body);
    expect(await seen()).toContain('hidden-source');
    await renameFolder(folderId, 'vault');
    await of.folder('/', 'pub');
    expect(await seen()).not.toContain('hidden-source');
  });

  it.each(ENDS)('of an earlier release is shown only to callers who may read everything: %s', async (how) => {
    await begin();
    const limited = await reader(readingOf({ environment: 'prod' }));
    const id = await of.ask(author.call, 'KEY', 'SHUT');
    await end(how, id);
    expect(await shown(limited, id)).toEqual(['SHUT']);
    await test.coffer.pool.query(
      `update secret_approval_changes set folder_id = null, folder_path = null, tag_slugs = null, created_id = null
       where request_id = $1`,
      [id],
    );
    expect(await shown(limited, id)).toEqual([undefined]);
    expect(await shown(await reader({ subject: 'secrets', action: reading }), id)).toEqual(['SHUT']);
    const but: Rule = { ...readingOf({ secretName: 'OTHER' }), inverted: true };
    expect(await shown(await reader({ subject: 'secrets', action: reading }, but), id)).toEqual([undefined]);
  });
});

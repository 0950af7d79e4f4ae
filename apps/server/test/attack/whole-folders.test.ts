import type { Rule } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Approvals } from '../harness/approvals.ts';
import { ok } from '../harness/groups.ts';
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

describe('attack: a refused operation on a whole folder or environment', () => {
  type Operation = readonly [method: 'POST' | 'PATCH' | 'DELETE', url: string, input: object];
  const HIDDEN = 'merger-with-acme';
  const ALL = ['read', 'create', 'edit', 'delete'];
  const OF_SECRETS = ['describeSecret', 'readValue', 'create', 'edit', 'delete'];
  const IN_FOLDERS: Rule[] = [
    { subject: 'secrets', action: OF_SECRETS },
    { subject: 'secret-folders', action: ALL },
    { subject: 'secret-imports', action: ALL },
  ];
  const RULES: Rule[] = [
    ...IN_FOLDERS,
    { subject: 'environments', action: ALL },
    { subject: 'secret-rollback', action: ['read', 'create'] },
    { subject: 'commits', action: ['read', 'perform-rollback'] },
    { subject: 'settings', action: ['read', 'edit'] },
    { subject: 'workspace', action: 'edit' },
    { subject: 'tags', action: ALL },
  ];
  const hiddenIn = (glob: string): Rule[] =>
    IN_FOLDERS.map((rule) => ({ ...rule, inverted: true, conditions: { secretPath: { $glob: glob } } }));

  /** The folders /a/merger-with-acme/below with a secret in dev, and what a caller asks for that it may not do. */
  async function world(rules: readonly Rule[]) {
    const { id: projectId, slug } = await test.project();
    const here = { projectId, environment: 'dev' };
    const folder = async (name: string, path = '/'): Promise<string> =>
      (await ok(test.admin('POST', '/api/v2/folders', { ...here, name, path }))).folder.id;
    const a = await folder('a');
    const before = (await ok(test.admin('GET', `/api/v1/projects/${projectId}/history/tree?environment=dev`))).tree
      .revision;
    await folder(HIDDEN, '/a');
    const below = await folder('below', `/a/${HIDDEN}`);
    const tag = (await ok(test.admin('POST', `/api/v1/workspace/${projectId}/tags`, { slug: 'closed', color: '' })))
      .workspaceTag;
    const secret = { secretPath: `/a/${HIDDEN}`, secretValue: 'v', tagIds: [tag.id] };
    await ok(test.admin('POST', '/api/v4/secrets/PRICE', { ...here, ...secret }));
    const within = (await ok(test.admin('GET', `/api/v1/projects/${projectId}/history/tree?environment=dev`))).tree
      .revision;
    await ok(test.admin('DELETE', `/api/v2/folders/${below}`, { ...here, path: `/a/${HIDDEN}` }));
    // Others have rights by names under which the folders are to be.
    for (const conditions of [{ environment: 'dev', secretPath: { $glob: '/z/**' } }, { environment: 'x' }])
      await test.identity({ projectId, rules: [{ subject: 'secrets', action: OF_SECRETS, conditions }] });
    const { environments } = (await ok(test.admin('GET', `/api/v1/workspace/${projectId}`))).workspace;
    const dev = environments.find((one: { slug: string }) => one.slug === 'dev').id;
    const at = `environment=dev&path=/&offset=0&limit=100`;
    const { secretSnapshots } = await ok(test.admin('GET', `/api/v1/workspace/${projectId}/secret-snapshots?${at}`));
    const snapshot = secretSnapshots.at(-1).id;
    const { call } = await test.identity({ projectId, rules: [...rules] });
    const inFolder: Operation[] = [
      ['DELETE', `/api/v2/folders/${a}`, { ...here, path: '/' }],
      ['DELETE', '/api/v1/folders/a', { workspaceId: projectId, environment: 'dev', path: '/' }],
      ['PATCH', `/api/v2/folders/${a}`, { ...here, name: 'z', path: '/' }],
      [
        'PATCH',
        '/api/v2/folders/batch',
        { projectSlug: slug, folders: [{ id: a, environment: 'dev', path: '/', name: 'z' }] },
      ],
      ['POST', `/api/v1/projects/${projectId}/history/restore`, { ...here, secretPath: '/', revision: before }],
      ['POST', `/api/v1/projects/${projectId}/history/restore`, { ...here, secretPath: '/', revision: within }],
      ['POST', `/api/v1/secret-snapshot/${snapshot}/rollback`, {}],
    ];
    const ofProject: Operation[] = [
      ['PATCH', `/api/v1/projects/${projectId}/environments/${dev}`, { slug: 'x' }],
      ['DELETE', `/api/v1/projects/${projectId}/environments/${dev}`, {}],
    ];
    const ofTag: Operation[] = [
      ['PATCH', `/api/v1/workspace/${projectId}/tags/${tag.id}`, { slug: 'open', color: '' }],
      ['DELETE', `/api/v1/workspace/${projectId}/tags/${tag.id}`, {}],
    ];
    const renamed: Operation = ['PATCH', `/api/v1/projects/${projectId}`, { slug: `${slug}-x` }];
    /** The status of each refusal, and whether it names the folder. */
    const refusals = async (operations: readonly Operation[]) => {
      const answers: [string, number, boolean][] = [];
      for (const [method, url, input] of operations) {
        const { status, body } = await call(method, url, input);
        answers.push([`${method} ${url}`, status, JSON.stringify(body).includes(HIDDEN)]);
      }
      return answers;
    };
    const cover = async () => {
      const boss = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'no-access' });
      const member = { usernames: [boss.email], roleSlugs: ['admin'] };
      await ok(test.admin('POST', `/api/v1/projects/${projectId}/memberships`, member));
      const approvers = [{ type: 'user', id: boss.id }];
      const policy = { ...here, workspaceId: projectId, secretPath: `/a/${HIDDEN}`, name: 'p', approvers };
      await ok(test.admin('POST', '/api/v1/secret-approvals', policy));
    };
    return { inFolder, ofProject, ofTag, renamed, refusals, cover };
  }

  const as = (operations: readonly Operation[], status: number, isNamed: boolean) =>
    operations.map(([method, url]) => [`${method} ${url}`, status, isNamed]);

  it('names no folder in it that a rule hides', async () => {
    const { inFolder, ofProject, refusals } = await world([...RULES, ...hiddenIn('/a/*{,/**}')]);
    const all = [...inFolder, ...ofProject];
    expect(await refusals(all)).toEqual(as(all, 403, false));
  });

  it('names the folder that it is refused for to a caller who sees it', async () => {
    const forbidden: Rule = {
      ...{ subject: 'secret-folders', action: 'delete', inverted: true },
      conditions: { secretPath: { $glob: '/a/*' } },
    };
    const { inFolder, ofProject, refusals } = await world([...RULES, forbidden]);
    const all = [inFolder[0]!, ofProject[1]!];
    expect(await refusals(all)).toEqual(as(all, 403, true));
  });

  /** What is hidden may still be changed, so that nothing else refuses an operation first. */
  const unread = hiddenIn('/a/*').map((rule) => ({
    ...rule,
    action: rule.subject === 'secrets' ? ['describeSecret', 'readValue'] : 'read',
  }));

  it('names no folder of a change policy that the caller may not read, or that a rule hides', async () => {
    const ofPolicies: Rule = { subject: 'secret-approval', action: 'read' };
    for (const [more, isNamed] of [
      [[], false],
      [[ofPolicies, ...unread], false],
      [[ofPolicies], true],
    ] as const) {
      const { ofProject, renamed, refusals, cover } = await world([...RULES, ...more]);
      await cover();
      const all = [renamed, ofProject.at(-1)!];
      expect(await refusals(all)).toEqual(as(all, 400, isNamed));
    }
  });

  it('names no folder that a policy covers and a rule hides, where no request can be made', async () => {
    for (const [more, isNamed] of [
      [unread, false],
      [[], true],
    ] as const) {
      const { ofTag, refusals, cover } = await world([...RULES, ...more]);
      await cover();
      expect(await refusals(ofTag)).toEqual(as(ofTag, 400, isNamed));
    }
  });
});

import type { Rule } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Approvals } from '../harness/approvals.ts';
import { ok } from '../harness/groups.ts';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const DETAILS = {
  secretComment: 'marked comment',
  secretMetadata: [
    { key: 'plain', value: 'marked metadata' },
    { key: 'sealed', value: 'marked sealed metadata', isEncrypted: true },
  ],
  metadata: { old: 'marked older metadata' },
  secretReminderNote: 'marked note',
  secretReminderRepeatDays: 7,
  secretReminderRecipients: ['marked@example.com'],
  skipMultilineEncoding: true,
};
/** In the published shape, with nothing in it. */
const HIDDEN = {
  secretComment: '',
  secretMetadata: [],
  secretReminderNote: null,
  secretReminderRepeatDays: null,
  skipMultilineEncoding: null,
  tags: [],
};

/** A project with A and B in dev, which have all details and the tag `marked-tag`, the folder /open, and a caller with some rules. */
async function setUp(rules: Rule[]) {
  const { id: projectId } = await test.project();
  const at = { projectId, environment: 'dev', secretPath: '/' };
  const { projectId: workspaceId, ...place } = at;
  const older = { workspaceId, ...place };
  const tag = await test.admin('POST', `/api/v1/workspace/${projectId}/tags`, { slug: 'marked-tag', color: '' });
  const open = await test.admin('POST', `/api/v1/workspace/${projectId}/tags`, { slug: 'open', color: '' });
  await test.admin('POST', '/api/v2/folders', { projectId, environment: 'dev', path: '/', name: 'open' });
  const details = { ...DETAILS, tagIds: [tag.body.workspaceTag.id] };
  const put = (name: string) =>
    test.admin('POST', `/api/v4/secrets/${name}`, { ...at, secretValue: 'marked value', ...details });
  const [made] = [await put('A'), await put('B')];
  const { call } = await test.identity({ projectId, rules });
  const read = (name: string, path = '/') =>
    call(
      'GET',
      `/api/v4/secrets/${name}?projectId=${projectId}&environment=dev&secretPath=${path}&viewSecretValue=false`,
    );
  const ids = { a: made.body.secret.id as string, open: open.body.workspaceTag.id as string };
  return { at, older, details, put, call, read, ids };
}

const WRITE = ['create', 'edit', 'delete'];
const write = (...more: string[]): Rule => ({ subject: 'secrets', action: [...WRITE, ...more] });

/** Every write with secrets in its response, with the same details in creations. */
async function allWrites({ at, older, details, put, call }: Awaited<ReturnType<typeof setUp>>): Promise<Answer[]> {
  const same = { skipMultilineEncoding: true };
  const made = { ...details, secretValue: 'marked value' };
  const [one, some] = ['/api/v3/secrets/raw', '/api/v3/secrets/batch/raw'];
  const answers: Answer[] = [
    await call('PATCH', '/api/v4/secrets/A', { ...at, ...same }),
    await call('PATCH', '/api/v4/secrets/batch', { ...at, secrets: [{ secretKey: 'A', ...same }] }),
    await call('PATCH', `${one}/A`, { ...older, ...same }),
    await call('PATCH', some, { ...older, secrets: [{ secretKey: 'A', ...same }] }),
    await call('POST', '/api/v3/secrets/tags/A', { ...older, tagSlugs: ['open'] }),
    await call('DELETE', '/api/v3/secrets/tags/A', { ...older, tagSlugs: ['open'] }),
    await call('POST', '/api/v4/secrets/C', { ...at, ...made }),
    await call('POST', `${one}/D`, { ...older, ...made }),
    await call('POST', '/api/v4/secrets/batch', { ...at, secrets: [{ secretKey: 'E', ...made }] }),
    await call('POST', some, { ...older, secrets: [{ secretKey: 'F', ...made }] }),
    await call('DELETE', '/api/v4/secrets/A', at),
    await call('DELETE', '/api/v4/secrets/batch', { ...at, secrets: [{ secretKey: 'B' }] }),
  ];
  await put('A');
  await put('B');
  answers.push(
    await call('DELETE', `${one}/A`, older),
    await call('DELETE', some, { ...older, secrets: [{ secretKey: 'B' }] }),
  );
  return answers;
}

const secretsOf = ({ body }: Answer): object[] => [body.secret ?? body.secrets].flat();

describe('attack: details of secrets that callers may write but not describe', () => {
  it('are in no response of a write', async () => {
    for (const answer of await allWrites(await setUp([write()]))) {
      expect(answer.status).toBe(200);
      for (const secret of secretsOf(answer)) expect(secret).toMatchObject({ ...HIDDEN, secretValueHidden: true });
      expect(JSON.stringify(answer.body)).not.toContain('marked');
    }
  });

  it('are not disclosed by the permission to read values, nor hide values', async () => {
    const one = await setUp([write('readValue')]);
    const { body } = await one.call('PATCH', '/api/v4/secrets/A', { ...one.at, skipMultilineEncoding: true });
    expect(body.secret).toMatchObject({ ...HIDDEN, secretValue: 'marked value', secretValueHidden: false });
  });

  it('are in all responses, without values, for callers who may describe', async () => {
    const { secretComment, secretReminderNote, secretReminderRepeatDays } = DETAILS;
    const secretMetadata = [
      { key: 'plain', value: 'marked metadata' },
      { key: 'sealed', value: '<hidden>', isEncrypted: true },
    ];
    for (const answer of await allWrites(await setUp([write('describeSecret')]))) {
      expect(answer.status).toBe(200);
      for (const secret of secretsOf(answer))
        expect(secret).toMatchObject({ secretComment, secretReminderNote, secretReminderRepeatDays, secretMetadata });
      expect(JSON.stringify(answer.body)).not.toContain('marked sealed metadata');
      expect(JSON.stringify(answer.body)).not.toContain('marked value');
    }
  });

  it.each([['describeSecret'], ['read']])(
    'is not shown by a new name, place or tag that opens it by %s',
    async (action) => {
      const sees = (conditions: Rule['conditions']): Rule => ({ subject: 'secrets', action: [action], conditions });
      const { at, call, read, ids, older } = await setUp([
        write(),
        sees({ secretName: { $glob: 'OPEN*' } }),
        sees({ secretPath: '/open' }),
        sees({ secretTags: { $in: ['open'] } }),
      ]);
      const move = { projectId: at.projectId, sourceEnvironment: 'dev', sourceSecretPath: '/' };
      const to = { destinationEnvironment: 'dev', destinationSecretPath: '/open', secretIds: [ids.a] };
      const rename = { secretKey: 'A', newSecretName: 'OPENA' };
      for (const answer of [
        await call('PATCH', '/api/v4/secrets/A', { ...at, newSecretName: 'OPENA' }),
        await call('PATCH', '/api/v3/secrets/raw/A', { ...older, newSecretName: 'OPENA' }),
        await call('PATCH', '/api/v4/secrets/batch', { ...at, secrets: [rename] }),
        await call('PATCH', '/api/v4/secrets/A', { ...at, tagIds: [ids.open] }),
        await call('POST', '/api/v3/secrets/tags/A', { ...older, tagSlugs: ['open'] }),
        await call('POST', '/api/v4/secrets/move', { ...move, ...to }),
      ])
        expect(answer).toMatchObject({ status: 403, body: { error: 'PermissionDenied' } });
      expect([(await read('A')).status, (await read('OPENA')).status, (await read('A', '/open')).status]).toEqual([
        403, 404, 404,
      ]);
      expect((await call('PATCH', '/api/v4/secrets/A', { ...at, newSecretName: 'OTHER' })).status).toBe(200);
    },
  );

  it('are not copied by a replication whose actor may only read values', async () => {
    const { at, call } = await setUp([
      { subject: 'secrets', action: ['describeSecret', 'readValue'] },
      {
        subject: 'secrets',
        action: ['describeSecret'],
        conditions: { secretName: 'A', secretPath: '/' },
        inverted: true,
      },
      { subject: 'secret-imports', action: ['create'] },
    ]);
    const replicate = () =>
      call('POST', '/api/v2/secret-imports', {
        ...{ projectId: at.projectId, environment: 'dev', path: '/open', isReplication: true },
        import: { environment: 'dev', path: '/' },
      });
    expect((await replicate()).status).toBe(403);
    await test.admin('DELETE', '/api/v4/secrets/A', at);
    expect((await replicate()).status).toBe(200);
  });
});

describe('attack: asking a personal value what became of the secret that it overrides', () => {
  const MINE = { secretValue: 'mine', type: 'personal' };
  const dev: Rule = { subject: 'secrets', action: ['describeSecret', 'create'], conditions: { environment: 'dev' } };

  /** An actor with rules for dev, and its personal value of KEY there, which the administrator may move. */
  async function personal(...more: Rule[]) {
    const world = await Approvals.in(test);
    const { call } = await world.member([dev, ...more]);
    const at = world.place('/', 'dev');
    const shared = await world.secret('KEY', 'shared', '/', 'dev');
    const { id } = (await ok(call('POST', '/api/v4/secrets/KEY', { ...at, ...MINE }))).secret;
    const rename = (from: string, newSecretName: string, path = '/', environment = 'dev') =>
      ok(test.admin('PATCH', `/api/v4/secrets/${from}`, { ...world.place(path, environment), newSecretName }));
    const move = (sourceEnvironment: string, destinationEnvironment: string) =>
      ok(
        test.admin('POST', '/api/v4/secrets/move', {
          ...{ projectId: at.projectId, sourceEnvironment, sourceSecretPath: '/' },
          ...{ destinationEnvironment, destinationSecretPath: '/', secretIds: [shared.id] },
        }),
      );
    const query = (environment: string) => `projectId=${at.projectId}&environment=${environment}&secretPath=/`;
    const older = (environment: string) => `workspaceId=${at.projectId}&environment=${environment}&secretPath=/`;
    /** Every response with a personal value, for a name in an environment; finally deletes it. */
    const answers = async (name: string, environment: string) => {
      const place = world.place('/', environment);
      const { projectId: workspaceId, ...rest } = place;
      const body = { ...place, ...MINE };
      return [
        await call('GET', `/api/v4/secrets/id/${id}`),
        await call('GET', `/api/v3/secrets/raw/id/${id}`),
        await call('GET', `/api/v1/secret/${id}/secret-versions`),
        await call('GET', `/api/v4/secrets/id/${id}/versions`),
        await call('GET', `/api/v4/secrets/${name}?${query(environment)}&type=personal`),
        await call('GET', `/api/v4/secrets/${name}?${query(environment)}&type=personal&version=1`),
        await call('GET', `/api/v3/secrets/raw/${name}?${older(environment)}&type=personal`),
        await call('PATCH', `/api/v4/secrets/${name}`, body),
        await call('PATCH', `/api/v3/secrets/raw/${name}`, { ...rest, ...MINE, workspaceId }),
        await call('DELETE', `/api/v4/secrets/batch`, { ...place, secrets: [{ secretKey: name, type: 'personal' }] }),
        await call('DELETE', `/api/v4/secrets/${name}`, body),
      ];
    };
    const listed = async (environment: string) => {
      const lists = [
        `/api/v4/secrets?${query(environment)}&includePersonalOverrides=true`,
        `/api/v4/secrets?${query(environment)}&includePersonalOverrides=true&recursive=true`,
        `/api/v3/secrets/raw?${older(environment)}`,
      ];
      const found = await Promise.all(lists.map((url) => ok(call('GET', url))));
      return found.map(({ secrets }) => secrets.map((one: { secretKey: string; type: string }) => one.type));
    };
    return { world, call, id, at, rename, move, answers, listed, query };
  }

  const PERSONAL = ['shared', 'personal'];
  const ABSENT = { status: 404, body: { error: 'NotFound' } };

  it('finds nothing after a move and rename to where the owner may not describe it, and everything again after the way back', async () => {
    const { id, at, call, rename, move, answers, listed, query } = await personal();
    await rename('KEY', 'HIDDEN_NAME');
    await move('dev', 'prod');
    const unknown = crypto.randomUUID();
    const none = await call('GET', `/api/v4/secrets/id/${unknown}`);
    for (const answer of await answers('HIDDEN_NAME', 'prod')) {
      expect(answer).toMatchObject(ABSENT);
      expect(JSON.stringify(answer.body)).not.toContain(at.projectId);
    }
    expect((await call('GET', `/api/v4/secrets/id/${id}`)).body.message).toBe(none.body.message);
    expect(await listed('prod')).toEqual([[], [], []]);
    // The same as for a missing folder.
    const nowhere = `/api/v4/secrets?${query('prod').replace('secretPath=/', 'secretPath=/none')}&includePersonalOverrides=true`;
    expect((await call('GET', nowhere)).body.secrets).toEqual([]);

    await move('prod', 'dev');
    expect(await listed('dev')).toEqual([PERSONAL, PERSONAL, PERSONAL]);
    expect((await call('GET', `/api/v4/secrets/id/${id}`)).body.secret).toMatchObject({
      ...{ secretKey: 'HIDDEN_NAME', environment: 'dev', secretValue: 'mine' },
    });
  });

  it('finds nothing after the secret gets a tag that hides it, whatever tags the value has itself', async () => {
    const { world, call, answers, listed, at, id } = await personal({
      ...{ subject: 'secrets', action: ['describeSecret'], inverted: true },
      conditions: { secretTags: { $in: ['hidden'] } },
    });
    const tags = `/api/v1/workspace/${at.projectId}/tags`;
    const tag = (await ok(test.admin('POST', tags, { slug: 'hidden', color: '' }))).workspaceTag;
    await ok(call('PATCH', '/api/v4/secrets/KEY', { ...at, ...MINE, tagIds: [tag.id] }));
    expect((await call('GET', `/api/v4/secrets/id/${id}`)).status).toBe(200);
    await ok(test.admin('PATCH', '/api/v4/secrets/KEY', { ...world.place('/', 'dev'), tagIds: [tag.id] }));
    expect(await listed('dev')).toEqual([[], [], []]);
    for (const answer of await answers('KEY', 'dev')) expect(answer).toMatchObject(ABSENT);
  });

  it('discloses no name that the secret had while it was hidden, in the versions of the value', async () => {
    const { id, call, rename, move, query } = await personal();
    await move('dev', 'prod');
    await rename('KEY', 'HIDDEN_NAME', '/', 'prod');
    await move('prod', 'dev');
    await rename('HIDDEN_NAME', 'KEY');
    const { secretVersions } = await ok(call('GET', `/api/v1/secret/${id}/secret-versions`));
    expect(secretVersions.map((one: { version: number }) => one.version)).toEqual([3, 1]);
    expect(JSON.stringify(secretVersions)).not.toContain('HIDDEN_NAME');
    expect(await call('GET', `/api/v4/secrets/KEY?${query('dev')}&type=personal&version=2`)).toMatchObject(ABSENT);
  });
});

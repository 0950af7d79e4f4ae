import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('tags', () => {
  it('are created, read, changed and deleted', async () => {
    const { id: projectId } = await test.project();
    const url = `/api/v1/workspace/${projectId}/tags`;
    const { status, body } = await test.admin('POST', url, { slug: ' Prod ', color: '' });
    const tag = {
      id: UUID,
      slug: 'prod',
      color: '',
      createdAt: TIME,
      updatedAt: TIME,
      createdBy: test.adminIdentity.id,
      projectId,
      createdByActorType: 'identity',
    };
    expect([status, body]).toEqual([200, { workspaceTag: tag }]);
    const { id } = body.workspaceTag;
    const newer = await test.admin('POST', `/api/v1/projects/${projectId}/tags`, { slug: 'dev', color: '#ff0000' });
    expect(newer.body).toEqual({
      workspaceTag: { ...tag, slug: 'dev', color: '#ff0000' },
      tag: { ...tag, slug: 'dev', color: '#ff0000' },
    });

    for (const base of [url, `/api/v1/projects/${projectId}/tags`]) {
      expect((await test.admin('GET', base)).body).toEqual({
        workspaceTags: [
          { ...tag, slug: 'dev', name: 'dev', color: '#ff0000' },
          { ...tag, name: 'prod' },
        ],
      });
      expect((await test.admin('GET', `${base}/${id}`)).body).toEqual({ workspaceTag: { ...tag, id, name: 'prod' } });
      expect((await test.admin('GET', `${base}/slug/prod`)).body).toEqual({
        workspaceTag: { ...tag, id, name: 'prod' },
      });
    }
    expect((await test.admin('PATCH', `${url}/${id}`, { slug: 'live', color: 'red' })).body).toEqual({
      workspaceTag: { ...tag, id, slug: 'live', color: 'red' },
    });
    expect((await test.admin('PATCH', `${url}/${id}`, { color: 'blue' })).body.workspaceTag).toMatchObject({
      slug: 'live',
      color: 'blue',
    });
    expect((await test.admin('DELETE', `${url}/${id}`)).body).toEqual({
      workspaceTag: { ...tag, id, slug: 'live', color: 'blue' },
    });
    expect((await test.admin('GET', `${url}/${id}`)).status).toBe(404);
    const events = await test.coffer.query(
      {
        name: 'test.tag_events',
        text: `select type, data from audit_events where project_id = $1 and type like 'tag.%' order by id`,
      },
      [projectId],
    );
    expect(events.map((event) => (event as { type: string }).type)).toEqual([
      'tag.created',
      'tag.created',
      'tag.updated',
      'tag.updated',
      'tag.deleted',
    ]);
    expect(events.at(-1)).toEqual({ type: 'tag.deleted', data: { tagId: id, slug: 'live' } });
  });

  it('have unique slugs in the project, also when created concurrently', async () => {
    const { id: projectId } = await test.project();
    const create = (project: string) =>
      test.admin('POST', `/api/v1/workspace/${project}/tags`, { slug: 'same', color: '' });
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(projectId)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)!.body).toMatchObject({
      error: 'BadRequest',
      message: 'A tag with this slug already exists in the project',
    });
    expect((await create((await test.project()).id)).status).toBe(200);
    const other = await test.admin('POST', `/api/v1/workspace/${projectId}/tags`, { slug: 'other', color: '' });
    expect(
      (await test.admin('PATCH', `/api/v1/workspace/${projectId}/tags/${other.body.workspaceTag.id}`, { slug: 'same' }))
        .status,
    ).toBe(400);
  });

  it('are removed from their secrets when they are deleted', async () => {
    const { id: projectId } = await test.project();
    const tag = async (slug: string) =>
      (await test.admin('POST', `/api/v1/workspace/${projectId}/tags`, { slug, color: '' })).body.workspaceTag
        .id as string;
    const [gone, kept] = [await tag('gone'), await tag('kept')];
    const place = { workspaceId: projectId, environment: 'dev', secretPath: '/' };
    const created = await test.admin('POST', '/api/v3/secrets/raw/KEY', {
      ...place,
      secretValue: 'v',
      tagIds: [gone, kept],
    });
    expect(created.status).toBe(200);
    await test.admin('DELETE', `/api/v1/workspace/${projectId}/tags/${gone}`);
    const { body } = await test.admin('GET', `/api/v3/secrets/raw?workspaceId=${projectId}&environment=dev`);
    expect(body.secrets[0].tags.map((one: { slug: string }) => one.slug)).toEqual(['kept']);
    const rows = await test.coffer.query(
      { name: 'test.tag_ids', text: 'select tag_ids from secrets where project_id = $1' },
      [projectId],
    );
    expect(rows).toEqual([{ tag_ids: [kept] }]);
  });

  it.each([
    {},
    { slug: 'x' },
    { slug: '', color: '' },
    { slug: 'a b', color: '' },
    { slug: 'a_b', color: '' },
    { slug: 'x'.repeat(65), color: '' },
    { slug: 'x', color: 7 },
    { slug: 'x', color: 'x'.repeat(65) },
  ])('refuse %j', async (body) => {
    const { id: projectId } = await test.project();
    expect((await test.admin('POST', `/api/v1/workspace/${projectId}/tags`, body)).status).toBe(422);
  });

  it('need the right for each operation', async () => {
    const { id: projectId } = await test.project();
    const url = `/api/v1/workspace/${projectId}/tags`;
    const { id } = (await test.admin('POST', url, { slug: 'tag', color: '' })).body.workspaceTag;
    const requests = {
      read: [
        ['GET', url],
        ['GET', `${url}/${id}`],
        ['GET', `${url}/slug/tag`],
      ],
      create: [
        ['POST', url, { slug: 'new', color: '' }],
        ['POST', `/api/v1/projects/${projectId}/tags`, { slug: 'new', color: '' }],
      ],
      edit: [['PATCH', `${url}/${id}`, { color: 'x' }]],
      delete: [['DELETE', `${url}/${id}`]],
    } as const;
    for (const allowed of Object.keys(requests)) {
      const { call } = await test.identity({ projectId, rules: [{ subject: 'tags', action: allowed }] });
      const others = Object.entries(requests).filter(([action]) => action !== allowed);
      for (const [method, path, body] of others.flatMap(([, calls]) => [...calls])) {
        expect((await call(method, path, body)).status).toBe(403);
      }
    }
    for (const [method, path, body] of Object.values(requests).flat())
      expect((await test.as()(method, path, body)).status).toBe(401);
    expect((await test.admin('GET', url)).body.workspaceTags).toMatchObject([{ slug: 'tag', color: '' }]);
  });

  it('of others are unknown', async () => {
    const { id: projectId } = await test.project();
    const own = await test.project();
    const { id } = (await test.admin('POST', `/api/v1/workspace/${projectId}/tags`, { slug: 'tag', color: '' })).body
      .workspaceTag;
    const facts = ({ status, body: { reqId: _, ...body } }: { status: number; body: Record<string, unknown> }) => ({
      status,
      body,
    });
    const outsider = await test.identity({ organizationRole: 'admin', projectId: own.id, projectRole: 'admin' });
    const requests = [
      ['GET', ''],
      ['POST', '', { slug: 'x', color: '' }],
      ['GET', `/${id}`],
      ['GET', '/slug/tag'],
      ['PATCH', `/${id}`, { color: 'x' }],
      ['DELETE', `/${id}`],
    ] as const;
    for (const call of [(await test.foreign()).call, outsider.call]) {
      for (const [method, path, body] of requests) {
        const there = facts(await call(method, `/api/v1/workspace/${projectId}/tags${path}`, body));
        expect(there.status).toBe(404);
        for (const unknown of [randomUUID(), 'no-uuid'])
          expect(facts(await call(method, `/api/v1/workspace/${unknown}/tags${path}`, body))).toEqual(there);
      }
    }
    const base = `/api/v1/workspace/${own.id}/tags`;
    const unknown = facts(await outsider.call('GET', `${base}/${randomUUID()}`));
    for (const foreign of [id, 'no-uuid', '%00', 'slug/tag', 'slug/%00'])
      expect(facts(await outsider.call('GET', `${base}/${foreign}`))).toEqual(unknown);
    expect((await outsider.call('DELETE', `${base}/${id}`)).status).toBe(404);
    expect((await outsider.call('PATCH', `${base}/${id}`, { color: 'x' })).status).toBe(404);
  });
});

describe('a tag that rules use', () => {
  const on = (conditions: object, inverted = false) => ({
    subject: 'secrets',
    action: ['describeSecret', 'readValue', 'edit'],
    conditions,
    inverted,
  });
  const tagged = (slug: string, inverted = false) => on({ secretTags: { $in: [slug] } }, inverted);
  const dev = on({ environment: 'dev' });
  const mayTag = { subject: 'tags', action: ['read', 'create', 'edit', 'delete'] };
  const mayCreate = { subject: 'secrets', action: ['create'] };

  /**
   * A project with a secret that has a tag, and an actor with these rules who may do everything with tags and create
   * secrets.
   */
  const world = async (...rules: object[]) => {
    const { id: projectId } = await test.project();
    const tags = `/api/v1/projects/${projectId}/tags`;
    const { id } = (await test.admin('POST', tags, { slug: 'locked', color: '' })).body.tag;
    const secret = { projectId, environment: 'dev', secretPath: '/' };
    await test.admin('POST', '/api/v4/secrets/KEY', { ...secret, secretValue: 'v', tagIds: [id] });
    const { call } = await test.identity({ projectId, rules: [...rules, mayTag, mayCreate] as never });
    const read = async () =>
      (await call('GET', `/api/v4/secrets/KEY?projectId=${projectId}&environment=dev&viewSecretValue=true`)).status;
    return { call, tag: `${tags}/${id}`, read };
  };

  it('cannot be renamed or deleted by callers whom it keeps from a secret', async () => {
    const { call, tag, read } = await world(dev, tagged('locked', true));
    expect(await read()).toBe(403);
    for (const answer of [await call('PATCH', tag, { slug: 'open' }), await call('DELETE', tag)])
      expect(answer).toMatchObject({ status: 403, body: { error: 'PermissionDenied' } });
    expect((await call('PATCH', tag, { slug: 'locked', color: 'red' })).status).toBe(200);
    expect(await read()).toBe(403);
    expect((await test.admin('PATCH', tag, { slug: 'open' })).status).toBe(200);
    expect(await read()).toBe(200);
  });

  it('cannot get a slug that gives them access to one', async () => {
    const { call, tag, read } = await world(tagged('free'));
    expect([await read(), (await call('PATCH', tag, { slug: 'free' })).status, await read()]).toEqual([403, 403, 403]);
    expect((await call('PATCH', tag, { slug: 'other' })).status).toBe(200);
    expect((await call('DELETE', tag)).status).toBe(200);
  });

  it('can be changed by callers who lose by it, or hold the same in both cases', async () => {
    for (const rules of [[dev], [tagged('locked')], [dev, tagged('elsewhere', true)]]) {
      const { call, tag } = await world(...rules);
      expect((await call('PATCH', tag, { slug: 'open' })).status).toBe(200);
      expect((await call('DELETE', tag)).status).toBe(200);
    }
  });
});

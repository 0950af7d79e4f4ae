import type { Rule } from '@coffer/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ref } from '../harness/groups.ts';
import { Holders } from '../harness/holders.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let project: Ref;
const holders = new Holders(() => test);
beforeAll(async () => {
  test = await testServer();
  project = await test.project();
  await holders.secret(project, 'prod', '/app', 'RED', ['red']);
  await holders.secret(project, 'prod', '/app', 'BLUE', ['blue']);
  await holders.secret(project, 'dev', '/', 'PLAIN');
});
afterAll(() => test.close());

const on = (...action: string[]): Rule => ({ subject: 'secrets', action });
const at = (rule: Rule, conditions: Record<string, unknown>): Rule => ({ ...rule, conditions });
const not = (rule: Rule): Rule => ({ ...rule, inverted: true });
const may = (...rules: Rule[]) => test.identity({ projectId: project.id, rules });
type Place = Parameters<typeof secretUrl>;
const secretUrl = (name: string, environment = 'prod', secretPath = '/app') =>
  `/api/v4/secrets/${name}?projectId=${project.id}&environment=${environment}&secretPath=${secretPath}`;

describe('a 403', () => {
  it('reports that no rule allows, and the smallest grant that would', async () => {
    const { call } = await may(at(on('describeSecret', 'readValue'), { environment: 'dev' }));
    const { status, body } = await call('GET', secretUrl('RED'));
    const smallestGrant = {
      subject: 'secrets',
      action: ['describeSecret', 'readValue'],
      conditions: { environment: 'prod', secretPath: '/app', secretName: 'RED' },
    };
    expect(status).toBe(403);
    expect(body).toEqual({
      reqId: expect.any(String),
      statusCode: 403,
      error: 'PermissionDenied',
      message: `You may not describeSecret secrets (environment prod, secretPath /app, secretName RED): no rule allows it. This would allow it: ${JSON.stringify(smallestGrant)}`,
      // The published list, without additions.
      details: [
        {
          action: ['describeSecret', 'readValue'],
          inverted: false,
          subject: 'secrets',
          conditions: { environment: 'dev' },
        },
      ],
      explanation: { reason: 'not_allowed', decidedBy: null, smallestGrant },
    });
  });

  it('reports the forbidding rule, and its role, privilege or group', async () => {
    const machine = await may(on('describeSecret', 'readValue'), not(at(on('readValue'), { environment: 'prod' })));
    const first = await machine.call('GET', secretUrl('RED'));
    expect(first.body.explanation).toMatchObject({
      reason: 'forbidden',
      decidedBy: { rule: 1, source: { kind: 'role', slug: expect.stringMatching(/^role-/), groupId: null } },
      smallestGrant: { action: ['readValue'] },
    });
    expect(first.body.details[1]).toMatchObject({ inverted: true, conditions: { environment: 'prod' } });
    const privilege = await holders.privilege(project, machine, [not(on('describeSecret'))]);
    const second = await machine.call('GET', secretUrl('RED'));
    expect(second.body.explanation.decidedBy).toEqual({
      rule: 1,
      source: { kind: 'privilege', id: privilege.id, slug: privilege.slug, groupId: null },
    });
    expect(second.body.message).toContain(`: a rule of the privilege ${privilege.slug} forbids it`);

    const group = await holders.make();
    const grouped = await test.identity({ projectId: project.id, rules: [on('describeSecret', 'readValue')] });
    await holders.putIn(group, grouped);
    const role = await holders.projectRole(project, not(on('readValue')));
    await holders.letInto(project, group, { role });
    const third = await grouped.call('GET', secretUrl('RED'));
    expect(third.body.explanation.decidedBy.source).toMatchObject({ kind: 'role', slug: role, groupId: group.id });
  });

  it('is the same over tRPC', async () => {
    const { call } = await may(on('describeSecret'));
    const input = { projectId: project.id, environment: 'prod', secretPath: '/app', secretName: 'RED' };
    const { body } = await call('GET', `/api/trpc/secrets.get?input=${encodeURIComponent(JSON.stringify(input))}`);
    const { explanation } = (await call('GET', secretUrl('RED'))).body;
    expect(body.error.data).toMatchObject({ code: 'FORBIDDEN', reason: 'permission.denied', explanation });
  });

  it('does not disclose tags to callers who may not describe the secret', async () => {
    const { call } = await may(
      on('describeSecret', 'readValue'),
      not(at(on('describeSecret'), { secretTags: { $in: ['red'] } })),
      not(at(on('describeSecret'), { secretTags: { $in: ['blue'] } })),
    );
    const [red, blue] = [await call('GET', secretUrl('RED')), await call('GET', secretUrl('BLUE'))];
    expect([red.status, blue.status]).toEqual([403, 403]);
    const comparable = (body: object, name: string) =>
      JSON.stringify({ ...body, reqId: '' }).replaceAll(name, '<name>');
    expect(comparable(red.body, 'RED')).toBe(comparable(blue.body, 'BLUE'));
    expect(red.body.explanation).toMatchObject({ reason: 'undisclosed', decidedBy: null });
  });

  it('returns them to callers with the permission', async () => {
    const { call } = await may(
      on('describeSecret', 'readValue'),
      not(at(on('readValue'), { secretTags: { $in: ['red'] } })),
    );
    expect((await call('GET', secretUrl('RED'))).body.explanation).toMatchObject({
      reason: 'forbidden',
      decidedBy: { rule: 1 },
    });
  });

  it('does not disclose the location of a resource that was named by its ID', async () => {
    const { rows } = await test.coffer.pool.query<{ id: string; key: string }>(
      'select id, key from secrets where project_id = $1',
      [project.id],
    );
    const { call } = await may(
      on('describeSecret'),
      not(at(on('describeSecret'), { environment: 'prod' })),
      not(at(on('describeSecret'), { environment: 'dev', secretPath: '/' })),
    );
    const bodies = new Set<string>();
    for (const { id } of rows) {
      const { status, body } = await call('GET', `/api/v4/secrets/id/${id}`);
      expect(status).toBe(403);
      bodies.add(JSON.stringify({ ...body, reqId: '' }));
    }
    expect([rows.length, bodies.size]).toEqual([3, 1]);
    const [body] = [...bodies].map((text) => JSON.parse(text));
    expect(body.explanation).toEqual({ reason: 'undisclosed', decidedBy: null, smallestGrant: null });
    const nothing = await may();
    const { explanation } = (await nothing.call('GET', `/api/v4/secrets/id/${rows[0]!.id}`)).body;
    expect(explanation).toEqual({ reason: 'not_allowed', decidedBy: null, smallestGrant: null });
  });

  it('does not disclose the owner of a membership that was named by its ID', async () => {
    const { id } = await test.identity({ projectId: project.id, projectRole: 'viewer' });
    const of = `/api/v1/projects/${project.id}/memberships/identities/${id}`;
    const membership = (await test.admin('GET', of)).body.identityMembership;
    const { call } = await may();
    const answer = await call('GET', `/api/v2/workspace/identity-memberships/${membership.id}`);
    expect([answer.status, JSON.stringify(answer.body).includes(id)]).toEqual([403, false]);
    expect(answer.body.explanation.smallestGrant).toBe(null);
  });

  it('contains no grant that roles and privileges cannot store', async () => {
    const { call } = await may();
    const name = '{{identity.id}}';
    const template = await call('GET', secretUrl(encodeURIComponent(name)));
    expect(template.body.explanation).toMatchObject({ reason: 'not_allowed', smallestGrant: null });
  });

  it('is lifted by exactly the grant that it names, whatever the rules are', async () => {
    const condition = (texts: readonly string[]) =>
      fc.oneof(
        fc.constantFrom(...texts),
        fc.constantFrom(...texts).map(($ne) => ({ $ne })),
        fc.constantFrom(...texts).map((text) => ({ $glob: `${text.slice(0, 2)}*` })),
      );
    const rule = fc.record({
      subject: fc.constant('secrets'),
      action: fc.subarray(['describeSecret', 'readValue'], { minLength: 1 }),
      conditions: fc.record(
        {
          environment: condition(['prod', 'dev']),
          secretPath: condition(['/app', '/']),
          secretName: condition(['RED', 'BLUE', 'PLAIN']),
        },
        { requiredKeys: [] },
      ),
      inverted: fc.boolean(),
    });
    const places: Place[] = [
      ['RED', 'prod', '/app'],
      ['BLUE', 'prod', '/app'],
      ['PLAIN', 'dev', '/'],
    ];
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(rule, { maxLength: 4 }), fc.constantFrom(...places), async (rules, place) => {
        const machine = await may(...rules);
        const { status, body } = await machine.call('GET', secretUrl(...place));
        if (status === 200) return;
        refused++;
        const before = await Promise.all(places.map((one) => machine.call('GET', secretUrl(...one))));
        await holders.privilege(project, machine, [body.explanation.smallestGrant]);
        const after = await Promise.all(places.map((one) => machine.call('GET', secretUrl(...one))));
        for (const [index, one] of places.entries())
          expect([one, after[index]!.status]).toEqual([one, one === place ? 200 : before[index]!.status]);
      }),
      { numRuns: 60 },
    );
    expect(refused).toBeGreaterThan(10);
  });

  it.each<[string, 'DELETE' | 'PATCH' | 'POST', string, (body: object) => object]>([
    ['another value', 'PATCH', 'edit', (body) => ({ ...body, secretValue: 'x' })],
    ['a deletion', 'DELETE', 'delete', (body) => body],
    ['a reference', 'POST', 'create', (body) => ({ ...body, secretValue: '${BLUE}' })],
  ])('of a change names a grant for no more than was named: %s', async (_, method, action, bodyOf) => {
    const { call } = await may();
    const there = { projectId: project.id, environment: 'prod', secretPath: '/app' };
    const answers = [
      await call(method, '/api/v4/secrets/RED', bodyOf(there)),
      await call(method, '/api/v4/secrets/batch', { ...there, secrets: [bodyOf({ secretKey: 'RED' })] }),
    ];
    const conditions = { environment: 'prod', secretPath: '/app', secretName: 'RED' };
    const smallestGrant = { subject: 'secrets', action: [action], conditions };
    for (const { status, body } of answers)
      expect([status, body.explanation]).toEqual([403, { reason: 'not_allowed', decidedBy: null, smallestGrant }]);
  });

  it('of a folder, or of secrets that are moved, names no grant for all of them', async () => {
    const { call } = await may();
    const { folders } = (await test.admin('GET', `/api/v2/folders?projectId=${project.id}&environment=prod`)).body;
    const there = { projectId: project.id, environment: 'prod', path: '/' };
    const from = { sourceEnvironment: 'prod', sourceSecretPath: '/app' };
    const to = { destinationEnvironment: 'dev', destinationSecretPath: '/' };
    const answers = [
      await call('DELETE', `/api/v2/folders/${folders[0].id}`, there),
      await call('PATCH', `/api/v2/folders/${folders[0].id}`, { ...there, name: 'other' }),
      await call('POST', '/api/v4/secrets/move', { projectId: project.id, ...from, ...to, secretIds: [folders[0].id] }),
    ];
    for (const { status, body } of answers)
      expect([status, body.explanation]).toEqual([
        403,
        { reason: 'not_allowed', decidedBy: null, smallestGrant: null },
      ]);
    const copied = { projectId: project.id, ...from, ...to, folderNames: ['none'] };
    expect((await call('POST', '/api/v2/folders/copy', copied)).body.explanation.smallestGrant).toEqual({
      ...{ subject: 'secret-folders', action: ['create'] },
      conditions: { environment: 'dev', secretPath: '/' },
    });
  });

  it('of a list names a grant for the list', async () => {
    const { call } = await may();
    const { status, body } = await call('GET', `/api/v1/projects/${project.id}/memberships/identities`);
    expect([status, body.explanation]).toEqual([
      403,
      { reason: 'not_allowed', decidedBy: null, smallestGrant: { subject: 'identity', action: ['read'] } },
    ]);
  });
});

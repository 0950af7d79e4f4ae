import type { Rule } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/certificates.ts';
import {
  fieldChanges,
  giveForAnHour,
  GUARDED,
  KINDS,
  rulesOf,
  type FieldChange,
  type Guarded,
} from '../harness/field-changes.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

// Each change that gives an actor new rights, made by one that does not hold them now: by its own machine or service
// token, or by itself while it is forbidden for an hour.

let test: TestServer;
let world: Awaited<ReturnType<typeof fieldChanges>>;
beforeAll(async () => {
  test = await testServer();
  world = await fieldChanges(test);
});
afterAll(() => test.close());

const members = () => `/api/v2/workspace/${world.projectId}/identity-memberships`;

/** Permissions to make changes, but none of the guarded ones. */
function editing(kind: Guarded, change: FieldChange): Rule[] {
  const { subject, guarded } = GUARDED[kind];
  return rulesOf(kind, [change]).filter((rule) => rule.subject !== subject || ![rule.action].flat().includes(guarded));
}

/** A service token that writes everywhere in dev, of a user with some rules, who leaves with `leave`. */
async function tokenOf(rules: readonly Rule[]): Promise<{ call: Caller; leave: () => Promise<unknown> }> {
  const { projectId } = world;
  const user = await makeUser(test.coffer, { organizationId: test.organizationId });
  const slug = `role-${crypto.randomUUID().slice(0, 8)}`;
  const permissions = [...rules, { subject: 'service-tokens', action: ['create'] }, ...ALL_OF_FOLDERS];
  ok(await test.admin('POST', `/api/v1/projects/${projectId}/roles`, { slug, name: slug, permissions }));
  const add = { usernames: [user.email], emails: [], roleSlugs: [slug] };
  const { memberships } = ok(await test.admin('POST', `/api/v1/projects/${projectId}/memberships`, add));
  const scopes = [{ environment: 'dev', secretPath: '/**' }];
  const body = { name: 'own', workspaceId: projectId, scopes, permissions: ['write'], expiresIn: 3600 };
  const { serviceToken } = ok(await test.as(user.token)('POST', '/api/v2/service-token', body));
  return {
    call: test.as(serviceToken),
    leave: async () => ok(await test.admin('DELETE', `/api/v1/projects/${projectId}/memberships/${memberships[0].id}`)),
  };
}
const ALL_OF_FOLDERS: Rule[] = ['secret-folders', 'secret-imports'].map((subject) => ({
  subject,
  action: ['read', 'create', 'edit', 'delete'],
}));
/** The rights of a service token with write access. */
const BY_TOKEN = ['another name of the folder above it', 'a move to another folder', 'another name', 'a tag put on'];

describe("attack: changing attributes that rules use, for another actor's gain", () => {
  it.each(KINDS)('%s: every change is refused, now and later', async (kind) => {
    const { subject, guarded } = GUARDED[kind];
    const changes = world.changes[kind].filter(({ isCreation }) => !isCreation);
    const found: unknown[] = [];
    for (const change of changes) {
      const { projectId } = world;
      const tried: Record<string, number> = {};
      const attempt = async (how: string, call: Caller) => {
        const { status } = await change.send(call);
        tried[how] = status;
        if (status !== 200) return;
        change.note?.();
        await change.undo();
      };
      const opening = rulesOf(kind, [change]);
      const machine = await test.identity({ projectId, rules: editing(kind, change) });

      const reader = await test.identity({ projectId, rules: opening });
      await attempt('by another machine', machine.call);
      await giveForAnHour(test, { identityId: reader.id, projectId }, [{ subject, action: [guarded], inverted: true }]);
      await attempt('by itself, while that is forbidden', reader.call);
      ok(await test.admin('DELETE', `${members()}/${reader.id}`));

      const later = await test.identity({ projectId, rules: editing(kind, change) });
      const inAMinute = new Date(test.coffer.now().getTime() + 60_000);
      await giveForAnHour(test, { identityId: later.id, projectId }, opening, inAMinute);
      await attempt('by itself, before that begins', later.call);
      ok(await test.admin('DELETE', `${members()}/${later.id}`));

      if (kind === 'secrets' && BY_TOKEN.includes(change.title)) {
        const { call, leave } = await tokenOf(opening);
        await attempt('by its service token', call);
        await leave();
      }
      await attempt('where nobody gains', machine.call);
      ok(await test.admin('DELETE', `${members()}/${machine.id}`));
      found.push([change.title, tried]);
    }
    const refused = (change: FieldChange) => ({
      'by another machine': 403,
      'by itself, while that is forbidden': 403,
      'by itself, before that begins': 403,
      ...(kind === 'secrets' && BY_TOKEN.includes(change.title) && { 'by its service token': 403 }),
      'where nobody gains': 200,
    });
    expect(found).toEqual(changes.map((change) => [change.title, refused(change)]));
  });

  it('gives no permission to delete: by no operation that changes a name or tags, and lifts no denial', async () => {
    const { projectId } = world;
    const at = { projectId, environment: 'dev', secretPath: '/' };
    const older = { workspaceId: projectId, environment: 'dev', secretPath: '/' };
    const put = async (name: string, tagIds: string[] = []) =>
      ok(await test.admin('POST', `/api/v4/secrets/${name}`, { ...at, secretValue: 'x', tagIds }));
    const tagOf = async (slug: string): Promise<string> =>
      ok(await test.admin('POST', `/api/v1/workspace/${projectId}/tags`, { slug, color: '' })).workspaceTag.id;
    const [trash, keep] = [await tagOf('trash'), await tagOf('keep')];
    await put('KEPT', [keep]);
    await put('OLD');
    const { commits } = ok(
      await test.admin('GET', `/api/v1/projects/${projectId}/commits?environment=dev&secretPath=/`),
    );
    const revision = Math.max(...commits.map((one: { revision: number }) => one.revision));
    ok(await test.admin('PATCH', '/api/v4/secrets/OLD', { ...at, newSecretName: 'A' }));
    const free: Rule[] = [
      { subject: 'secrets', action: ['describeSecret', 'readValue', 'create', 'edit'] },
      { subject: 'commits', action: ['read', 'perform-rollback'] },
    ];
    const remove = (conditions?: Rule['conditions'], inverted = false): Rule => ({
      ...{ subject: 'secrets', action: ['delete'], ...(conditions && { conditions }), ...(inverted && { inverted }) },
    });
    const editor = await test.identity({
      projectId,
      rules: [...free, remove({ secretName: 'OLD' }), remove({ secretTags: { $in: ['trash'] } })],
    });
    const limited = await test.identity({
      projectId,
      rules: [...free, remove(), remove({ secretName: 'A' }, true), remove({ secretTags: { $in: ['keep'] } }, true)],
    });
    const rename = { secretKey: 'A', newSecretName: 'OLD' };
    const refused = [
      await editor.call('PATCH', '/api/v4/secrets/A', { ...at, newSecretName: 'OLD' }),
      await editor.call('PATCH', '/api/v3/secrets/raw/A', { ...older, newSecretName: 'OLD' }),
      await editor.call('PATCH', '/api/v4/secrets/batch', { ...at, secrets: [rename] }),
      await editor.call('PATCH', '/api/v4/secrets/A', { ...at, tagIds: [trash] }),
      await editor.call('POST', '/api/v3/secrets/tags/A', { ...older, tagSlugs: ['trash'] }),
      await editor.call('POST', `/api/v1/projects/${projectId}/history/restore`, {
        ...{ environment: 'dev', secretPath: '/', revision },
      }),
      await limited.call('PATCH', '/api/v4/secrets/A', { ...at, newSecretName: 'ANY' }),
      await limited.call('PATCH', '/api/v4/secrets/KEPT', { ...at, tagIds: [] }),
      await limited.call('DELETE', '/api/v3/secrets/tags/KEPT', { ...older, tagSlugs: ['keep'] }),
    ];
    for (const { status, body } of refused)
      expect([status, body.message]).toEqual([403, expect.stringContaining('others could delete')]);
    // A change without gains is done.
    ok(await editor.call('PATCH', '/api/v4/secrets/A', { ...at, newSecretName: 'B', tagIds: [keep] }));
  });
});

import type { Rule } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../testing/certificates.ts';
import { fieldChanges, rulesOf, type FieldChange, type Guarded } from '../testing/field-changes.ts';
import { testServer, type Caller, type TestServer } from '../testing/test-server.ts';

// Each change under which somebody may do what it may not do now, made by one who has nothing of that at the moment: by its
// own machine or service token, or by itself while it is forbidden for an hour.

let test: TestServer;
let world: Awaited<ReturnType<typeof fieldChanges>>;
beforeAll(async () => {
  test = await testServer();
  world = await fieldChanges(test);
});
afterAll(() => test.close());

const GUARDED: Record<Guarded, string> = { secrets: 'readValue', 'dynamic-secrets': 'lease' };
const members = () => `/api/v2/workspace/${world.projectId}/identity-memberships`;

/** What changes things, and nothing of what is guarded. */
const editing = (subject: Guarded, change: FieldChange): Rule[] =>
  rulesOf(subject, [change]).filter(({ action }) => ![action].flat().includes(GUARDED[subject]));

async function privilege(identityId: string, permissions: readonly Rule[], starts: Date): Promise<void> {
  const type = { isTemporary: true, temporaryMode: 'relative', temporaryRange: '1h' };
  const body = {
    ...{ identityId, projectId: world.projectId, slug: `window-${crypto.randomUUID().slice(0, 8)}`, permissions },
    type: { ...type, temporaryAccessStartTime: starts.toISOString() },
  };
  ok(await test.admin('POST', '/api/v2/identity-project-additional-privilege', body));
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
/** What a service token that writes can do. */
const BY_TOKEN = ['another name of the folder above it', 'a move to another folder', 'another name', 'a tag put on'];

describe('attack: what rules look at is changed for somebody who gains by it', () => {
  it.each(['secrets', 'dynamic-secrets'] as const)('%s: every change is refused, now and later', async (subject) => {
    const changes = world.changes[subject].filter(({ isCreation }) => !isCreation);
    const found: unknown[] = [];
    for (const change of changes) {
      const { projectId } = world;
      const tried: Record<string, number> = {};
      const now = test.coffer.now();
      const attempt = async (how: string, call: Caller) => {
        const { status } = await change.send(call);
        tried[how] = status;
        if (status !== 200) return;
        change.note?.();
        await change.undo();
      };
      const opening = rulesOf(subject, [change]);
      const machine = await test.identity({ projectId, rules: editing(subject, change) });

      const reader = await test.identity({ projectId, rules: opening });
      await attempt('by another machine', machine.call);
      await privilege(reader.id, [{ subject, action: [GUARDED[subject]], inverted: true }], now);
      await attempt('by itself, while that is forbidden', reader.call);
      ok(await test.admin('DELETE', `${members()}/${reader.id}`));

      const later = await test.identity({ projectId, rules: editing(subject, change) });
      await privilege(later.id, opening, new Date(now.getTime() + 60_000));
      await attempt('by itself, before that begins', later.call);
      ok(await test.admin('DELETE', `${members()}/${later.id}`));

      if (subject === 'secrets' && BY_TOKEN.includes(change.title)) {
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
      ...(subject === 'secrets' && BY_TOKEN.includes(change.title) && { 'by its service token': 403 }),
      'where nobody gains': 200,
    });
    expect(found).toEqual(changes.map((change) => [change.title, refused(change)]));
  });
});

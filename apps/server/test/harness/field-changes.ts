import type { Rule } from '@coffer/domain';
import { ok } from './certificates.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';

/**
 * A secret and a dynamic secret in a folder of a project, and changes of fields that rules use. Each can be undone, so
 * that pairs of them can be tried many times.
 */

type Conditions = NonNullable<Rule['conditions']>;

/** The fields for rules after a change. */
interface Becomes {
  readonly environment?: string;
  /** The names of the folder and its parent. */
  readonly outer?: string;
  readonly inner?: string;
  readonly name?: string;
  readonly tag?: string;
  readonly team?: string;
  /** A tag that it does not have any more. */
  readonly without?: string;
}

export interface FieldChange {
  readonly title: string;
  readonly becomes: Becomes;
  /** It creates the resource. */
  readonly isCreation?: true;
  /** Titles of changes that disclose nothing together with this one, or undo it. */
  readonly apartFrom?: readonly string[];
  readonly send: (call: Caller) => Promise<Answer>;
  /** Called after the change was done. */
  readonly note?: () => void;
  readonly undo: () => Promise<unknown>;
}

/** For each kind of resource: the actions without conditions, and those that the rules of a pair guard. */
export const GUARDED = {
  secrets: {
    subject: 'secrets',
    free: ['describeSecret', 'edit', 'delete'],
    create: 'create',
    guarded: 'readValue',
    decoy: { secretName: { $glob: 'DECOY*' } },
  },
  'deletion of secrets': {
    subject: 'secrets',
    free: ['describeSecret', 'readValue', 'edit'],
    create: 'create',
    guarded: 'delete',
    decoy: { secretName: { $glob: 'DECOY*' } },
  },
  'dynamic-secrets': {
    subject: 'dynamic-secrets',
    free: ['read-root-credential', 'edit-root-credential', 'delete-root-credential'],
    create: 'create-root-credential',
    guarded: 'lease',
    decoy: { metadata: { $elemMatch: { key: 'team', value: 'decoy' } } },
  },
} as const;
export type Guarded = keyof typeof GUARDED;
export const KINDS = Object.keys(GUARDED) as Guarded[];

function conditionsOf(changes: readonly FieldChange[]): Conditions {
  const { environment, outer, inner, name, team } = Object.assign(
    {},
    ...changes.map(({ becomes }) => becomes),
  ) as Becomes;
  const tags = changes.flatMap(({ becomes }) => becomes.tag ?? []);
  return {
    ...(environment && { environment }),
    ...((outer || inner) && { secretPath: { $glob: `/${outer ?? '*'}/${inner ?? '*'}` } }),
    ...(name && { secretName: name }),
    // Callers cannot write `$all`.
    ...(tags.length > 0 && { secretTags: tags.length > 1 ? { $all: tags } : { $in: tags } }),
    ...(team && { metadata: { $elemMatch: { key: 'team', value: team } } }),
  };
}

/** Rules under which the guarded action is allowed once all of some changes are made, and all of them may be made alone. */
export function rulesOf(kind: Guarded, changes: readonly FieldChange[]): Rule[] {
  const { subject, free, create, guarded, decoy } = GUARDED[kind];
  const conditions = conditionsOf(changes);
  const without = changes.flatMap(({ becomes }) => becomes.without ?? []);
  const others = changes.filter(({ isCreation }) => !isCreation);
  return [
    { subject: 'secret-folders', action: ['create', 'edit'] },
    { subject: 'environments', action: ['edit'] },
    { subject: 'tags', action: ['edit', 'delete'] },
    // Other contents of the folder are renamed with it.
    ...Object.values(GUARDED).map((one) => ({ subject: one.subject, action: [one.create] })),
    { subject, action: [...free, create] },
    // If everything is denied under the old name, a rename is rejected for any contents.
    { subject, action: [guarded], conditions: decoy },
    { subject, action: [guarded], ...(Object.keys(conditions).length > 0 && { conditions }) },
    ...without.map((tag) => ({
      subject,
      action: [guarded],
      conditions: { secretTags: { $in: [tag] } },
      inverted: true,
    })),
    ...(others.length < changes.length ? [{ subject, action: [create], conditions, inverted: true }] : []),
  ];
}

/** Grants a machine identity a privilege in a project for an hour. */
export async function giveForAnHour(
  test: TestServer,
  of: { readonly identityId: string; readonly projectId: string },
  permissions: readonly Rule[],
  starts = test.coffer.now(),
): Promise<void> {
  const window = { temporaryMode: 'relative', temporaryRange: '1h', temporaryAccessStartTime: starts.toISOString() };
  const slug = `window-${crypto.randomUUID().slice(0, 8)}`;
  const body = { ...of, slug, permissions, type: { isTemporary: true, ...window } };
  ok(await test.admin('POST', '/api/v2/identity-project-additional-privilege', body));
}

const TAGS = ['closed', 'closed-too', 'plain', 'plain-too', 'opened'];
/** What the secret does not have. */
const OPENED = 'opened';

const MOVE = 'a move to another folder';
const OF_ONE_SECRET = [MOVE, 'another name', 'a tag put on', 'a tag taken off', 'its tag deleted'];

const DYNAMIC = '/api/v1/dynamic-secrets';
const provider = { type: 'totp', inputs: { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' } };
const metadata = (value: string) => [{ key: 'team', value }];

/** A project with the secret NAME and the dynamic secret `target` in /from/here of dev, and the changes of them. */
export async function fieldChanges(test: TestServer) {
  const { id: projectId, slug: projectSlug } = await test.project();
  const { admin } = test;
  const now = { environment: 'dev', outer: 'from', inner: 'here', name: 'NAME' };
  const place = () => ({ projectId, environment: now.environment, secretPath: `/${now.outer}/${now.inner}` });
  const dynamicPlace = () => ({ projectSlug, environmentSlug: now.environment, path: `/${now.outer}/${now.inner}` });
  const send = async (...request: Parameters<Caller>) => ok(await admin(...request));

  for (const name of ['here', 'there'])
    await send('POST', '/api/v2/folders', { projectId, environment: 'dev', path: '/from', name });
  const { folders } = await send('GET', `/api/v2/folders?projectId=${projectId}&environment=dev&path=/`);
  const outerId = folders[0].id;
  const { workspace } = await send('GET', `/api/v1/workspace/${projectId}`);
  const environmentId = workspace.environments.find((one: { slug: string }) => one.slug === 'dev').id;

  const ofTags = `/api/v1/workspace/${projectId}/tags`;
  const tagIds = new Map<string, string>();
  const makeTag = async (slug: string) =>
    tagIds.set(slug, (await send('POST', ofTags, { slug, color: '' })).workspaceTag.id);
  for (const slug of TAGS) await makeTag(slug);
  const ownTags = () => [...tagIds].flatMap(([slug, id]) => (slug === OPENED ? [] : id));

  const secretUrl = () => `/api/v4/secrets/${now.name}`;
  const { secret } = await send('POST', secretUrl(), { ...place(), secretValue: 'hidden', tagIds: ownTags() });
  await send('POST', DYNAMIC, {
    ...dynamicPlace(),
    name: 'target',
    provider,
    defaultTTL: '1h',
    metadata: metadata('a'),
  });

  const move = (call: Caller, [from, to]: readonly [string, string]) =>
    call('POST', '/api/v4/secrets/move', {
      ...{ projectId, secretIds: [secret.id] },
      ...{ sourceEnvironment: now.environment, sourceSecretPath: `/${now.outer}/${from}` },
      ...{ destinationEnvironment: now.environment, destinationSecretPath: `/${now.outer}/${to}` },
    });
  const retag = () => send('PATCH', secretUrl(), { ...place(), tagIds: ownTags() });
  const renameTag = (slug: string, to: string): FieldChange => ({
    title: `another slug of the tag ${slug}`,
    becomes: { tag: to },
    send: (call) => call('PATCH', `${ofTags}/${tagIds.get(slug)}`, { slug: to }),
    undo: () => send('PATCH', `${ofTags}/${tagIds.get(slug)}`, { slug }),
  });
  const environment: FieldChange = {
    title: 'another slug of its environment',
    becomes: { environment: 'open' },
    send: (call) => call('PATCH', `/api/v1/workspace/${projectId}/environments/${environmentId}`, { slug: 'open' }),
    note: () => (now.environment = 'open'),
    undo: async () => {
      await send('PATCH', `/api/v1/workspace/${projectId}/environments/${environmentId}`, { slug: 'dev' });
      now.environment = 'dev';
    },
  };
  const renameFolder = (call: Caller, name: string) =>
    call('PATCH', `/api/v2/folders/${outerId}`, { projectId, environment: now.environment, path: '/', name });
  const folder: FieldChange = {
    title: 'another name of the folder above it',
    becomes: { outer: 'open' },
    send: (call) => renameFolder(call, 'open'),
    note: () => (now.outer = 'open'),
    undo: async () => {
      ok(await renameFolder(admin, 'from'));
      now.outer = 'from';
    },
  };
  const created = (subject: 'secrets' | 'dynamic-secrets'): FieldChange =>
    subject === 'secrets'
      ? {
          title: 'a new one',
          becomes: { name: 'NEW' },
          isCreation: true,
          apartFrom: OF_ONE_SECRET,
          send: (call) => call('POST', '/api/v4/secrets/NEW', { ...place(), secretValue: 'x', tagIds: ownTags() }),
          undo: () => send('DELETE', '/api/v4/secrets/NEW', place()),
        }
      : {
          title: 'a new one',
          becomes: { team: 'b' },
          isCreation: true,
          apartFrom: ['other metadata'],
          send: (call) =>
            call('POST', DYNAMIC, {
              ...{ ...dynamicPlace(), name: 'new', provider, defaultTTL: '1h', metadata: metadata('b') },
            }),
          undo: () => send('DELETE', `${DYNAMIC}/new`, dynamicPlace()),
        };

  /** In the order in which they are undone. */
  const ofSecrets: readonly FieldChange[] = [
    environment,
    folder,
    {
      title: MOVE,
      becomes: { inner: 'there' },
      send: (call) => move(call, ['here', 'there']),
      note: () => (now.inner = 'there'),
      undo: async () => {
        ok(await move(admin, ['there', 'here']));
        now.inner = 'here';
      },
    },
    {
      title: 'another name',
      becomes: { name: 'OPEN' },
      send: (call) => call('PATCH', secretUrl(), { ...place(), newSecretName: 'OPEN' }),
      note: () => (now.name = 'OPEN'),
      undo: async () => {
        await send('PATCH', secretUrl(), { ...place(), newSecretName: 'NAME' });
        now.name = 'NAME';
      },
    },
    {
      title: 'a tag put on',
      becomes: { tag: OPENED },
      // It names all tags that the secret is to have.
      apartFrom: ['a tag taken off'],
      send: (call) => call('PATCH', secretUrl(), { ...place(), tagIds: [...ownTags(), tagIds.get(OPENED)] }),
      undo: retag,
    },
    {
      title: 'a tag taken off',
      becomes: { without: 'closed' },
      send: (call) =>
        call('DELETE', `/api/v3/secrets/tags/${now.name}`, {
          ...place(),
          workspaceId: projectId,
          tagSlugs: ['closed'],
        }),
      undo: retag,
    },
    {
      title: 'its tag deleted',
      becomes: { without: 'closed-too' },
      send: (call) => call('DELETE', `${ofTags}/${tagIds.get('closed-too')}`),
      note: () => tagIds.delete('closed-too'),
      undo: async () => {
        await makeTag('closed-too');
        await retag();
      },
    },
    renameTag('plain', 'now-open'),
    renameTag('plain-too', 'now-open-too'),
    created('secrets'),
  ];
  const changes: Record<Guarded, readonly FieldChange[]> = {
    secrets: ofSecrets,
    // A move itself checks the permission to delete.
    'deletion of secrets': ofSecrets.filter(({ title }) => title !== MOVE),
    'dynamic-secrets': [
      environment,
      folder,
      {
        title: 'other metadata',
        becomes: { team: 'b' },
        send: (call) => call('PATCH', `${DYNAMIC}/target`, { ...dynamicPlace(), data: { metadata: metadata('b') } }),
        undo: () => send('PATCH', `${DYNAMIC}/target`, { ...dynamicPlace(), data: { metadata: metadata('a') } }),
      },
      created('dynamic-secrets'),
    ],
  };
  return { projectId, changes };
}

import { generateKeyPairSync } from 'node:crypto';
import type { Rule } from '@coffer/domain';
import { makeUser, type StandIns } from '@coffer/domain/testing';
import { alertBody, ALERTS, COLLECTIONS, email, LEGACY_ALERTS } from './alerts.ts';
import { CA, createAuthority, nameOf, NEWER } from './certificates.ts';
import { ok } from './groups.ts';
import { PKI_SYNCS, PkiSyncWorld } from './pki-syncs.ts';
import type { RotatedPostgres } from './rotated-postgres.ts';
import { RotationAtWork, ROTATIONS } from './rotation.ts';
import { SyncWorld, SYNCS } from './secret-syncs.ts';
import { Subscribers, subscriberUrl, SUBSCRIBERS } from './subscribers.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';

/** A request that sets up what goes on by itself, or does not. */
export interface Case {
  readonly title: string;
  /** As in the OpenAPI document, with `{member}` for members of families. */
  readonly operation: string;
  /** The rights that have to last; without any, rights that end are enough. */
  readonly lasting: readonly Rule[];
  /** Prepares what the request is about, anew each time. */
  readonly prepare: () => Promise<Prepared>;
}

export interface Prepared {
  readonly projectId: string;
  readonly ask: (call: Caller) => Promise<Answer>;
}

const right = (subject: string, ...action: string[]): Rule => ({ subject, action });

/** What goes on by itself, and who is made a permanent holder of power, by area. */
export const AREAS = {
  'change and access policies': policies,
  'settings of projects': settings,
  imports,
  'secret syncs': secretSyncs,
  integrations,
  'secret rotations': rotations,
  webhooks,
  'keys of the KMS': keys,
  'SSH hosts': hosts,
  'PKI syncs': pkiSyncs,
  alerts,
  'certificate authorities': authorities,
  certificates,
} satisfies Record<string, (world: Shared) => Case[] | Promise<Case[]>>;

export type Area = keyof typeof AREAS;

/** All ways to set it up, by area. */
export async function casesOf(system: RotatedPostgres, standIns: StandIns): Promise<ReadonlyMap<Area, Case[]>> {
  const { test } = system;
  const { id: projectId, slug } = await test.project();
  const world = { test, system, standIns, projectId, slug };
  const cases = new Map<Area, Case[]>();
  for (const [area, make] of Object.entries(AREAS)) cases.set(area as Area, await make(world));
  return cases;
}

interface Shared {
  readonly test: TestServer;
  readonly system: RotatedPostgres;
  readonly standIns: StandIns;
  readonly projectId: string;
  readonly slug: string;
}

type Make<Thing> = () => Promise<Thing>;

/** A case about something that is made by an administrator. */
const about =
  (projectId: string) =>
  <Thing>(
    [title, operation]: readonly [title: string, operation: string],
    lasting: readonly Rule[],
    make: Make<Thing>,
    request: (call: Caller, thing: Thing) => Promise<Answer>,
  ): Case => ({
    title,
    operation,
    lasting,
    prepare: async () => {
      const thing = await make();
      return { projectId, ask: (call) => request(call, thing) };
    },
  });

const nothing = async () => undefined;

function policies({ test, projectId, slug }: Shared): Case[] {
  const it = about(projectId);
  const approver = async () => {
    const { id, email: username } = await makeUser(test.coffer, { organizationId: test.organizationId });
    const add = { usernames: [username], emails: [], roleSlugs: ['viewer'] };
    await ok(test.admin('POST', `/api/v1/projects/${projectId}/memberships`, add));
    return { type: 'user', id };
  };
  const kinds = [
    ['/api/v1/secret-approvals', '{sapId}', { workspaceId: projectId }],
    ['/api/v1/access-approvals/policies', '{policyId}', { projectSlug: slug }],
  ] as const;
  return kinds.flatMap(([url, id, place]) => {
    const body = async () => ({ ...place, environment: 'staging', approvers: [await approver()], approvals: 1 });
    const made = async () => (await ok(test.admin('POST', url, await body()))).approval.id as string;
    return [
      it(['an approver', `POST ${url}`], [right('secret-approval', 'create')], body, (call, one) =>
        call('POST', url, one),
      ),
      it(['another approver', `PATCH ${url}/${id}`], [right('secret-approval', 'edit')], made, async (call, one) =>
        call('PATCH', `${url}/${one}`, { approvers: [await approver()] }),
      ),
      it(['no policy any more', `DELETE ${url}/${id}`], [right('secret-approval', 'delete')], made, (call, one) =>
        call('DELETE', `${url}/${one}`),
      ),
    ];
  });
}

/** What removes events and versions again and again, or has values kept. */
function settings({ projectId, slug }: Shared): Case[] {
  const it = about(projectId);
  const editing = [right('workspace', 'edit')];
  let asked = 0;
  // Another value each time.
  const another = async () => 1 + (asked++ % 50);
  const patch = (title: string, lasting: Rule[], body: (value: number) => object) =>
    it([title, 'PATCH /api/v1/projects/{projectId}'], lasting, another, (call, value) =>
      call('PATCH', `/api/v1/projects/${projectId}`, body(value)),
    );
  const put = (title: string, setting: string, field: string) =>
    it([title, `PUT /api/v1/workspace/{workspaceSlug}/${setting}`], editing, another, (call, value) =>
      call('PUT', `/api/v1/workspace/${slug}/${setting}`, { [field]: value }),
    );
  return [
    put('a retention of events', 'audit-logs-retention', 'auditLogsRetentionDays'),
    put('a limit of versions', 'version-limit', 'pitVersionLimit'),
    patch('values that command lines keep', editing, (offlineCacheMaxAge) => ({ offlineCacheMaxAge })),
    patch('another name of a project', [], (value) => ({ name: `renamed ${value}` })),
  ];
}

function imports({ test, projectId }: Shared): Case[] {
  const it = about(projectId);
  const V2 = '/api/v2/secret-imports';
  const folder = async (environment: string) => {
    const name = nameOf('folder');
    await ok(test.admin('POST', '/api/v2/folders', { projectId, environment, path: '/', name }));
    return `/${name}`;
  };
  const both = async () => ({ to: await folder('prod'), from: await folder('dev') });
  type Both = Awaited<ReturnType<typeof both>>;
  const create = (call: Caller, { to, from }: Both, isReplication: boolean, url: string = V2) => {
    const place = { projectId, workspaceId: projectId, environment: 'prod', path: to };
    return call('POST', url, { ...place, import: { environment: 'dev', path: from }, isReplication });
  };
  const replication = async () => {
    const places = await both();
    const { secretImport } = await ok(create(test.admin, places, true));
    return { ...places, id: secretImport.id as string, other: await folder('dev') };
  };
  const change = (call: Caller, url: string, { to, other }: { to: string; other: string }) => {
    const place = { projectId, workspaceId: projectId, environment: 'prod', path: to };
    return call('PATCH', url, { ...place, import: { path: other } });
  };
  const copied = async () => {
    const { from } = await replication();
    return { to: from, from: await folder('staging') };
  };
  const intoCopied = (call: Caller, { to, from }: Both) =>
    call('POST', V2, { projectId, environment: 'dev', path: to, import: { environment: 'staging', path: from } });
  const importing = async (isReplication: boolean) => {
    const places = await both();
    await ok(create(test.admin, places, isReplication));
    return places.to;
  };
  const rename = (title: string, lasting: Rule[], make: Make<string>, environment = 'prod') =>
    it([title, `PATCH ${FOLDERS}/{folderId}`], lasting, make, (call, path) =>
      renameFolder(test.admin, call, { projectId, environment, path }),
    );
  const creating = [right('secret-imports', 'create')];
  const editing = [right('secret-imports', 'edit')];
  const reading = [right('secrets', 'readValue'), right('secrets', 'describeSecret')];
  const V1 = '/api/v1/secret-imports';
  return [
    it(['a replication', `POST ${V2}`], creating, both, (call, one) => create(call, one, true)),
    it(['a replication, older', `POST ${V1}`], creating, both, (call, one) => create(call, one, true, V1)),
    ...[V1, V2].map((url) =>
      it(['another source of a replication', `PATCH ${url}/{secretImportId}`], editing, replication, (call, one) =>
        change(call, `${url}/${one.id}`, one),
      ),
    ),
    it(['an import that is copied', `POST ${V2}`], reading, copied, intoCopied),
    rename('another name of the folder of a replication', creating, () => importing(true)),
    rename('another name of the source of a replication', [], async () => (await copied()).to, 'dev'),
    rename('another name of the folder of an import', [], () => importing(false)),
    it(['an import', `POST ${V2}`], [], both, (call, one) => create(call, one, false)),
    it(
      ['a replication once more', `POST ${V1}/{secretImportId}/replication-resync`],
      [],
      replication,
      (call, { id, to }) =>
        call('POST', `${V1}/${id}/replication-resync`, { workspaceId: projectId, environment: 'prod', path: to }),
    ),
  ];
}

const FOLDERS = '/api/v2/folders';

/** Gives a folder below the root another name. */
async function renameFolder(
  admin: Caller,
  call: Caller,
  { path, ...place }: { projectId: string; environment: string; path: string },
): Promise<Answer> {
  const query = new URLSearchParams({ ...place, path: '/' });
  const { folders } = await ok(admin('GET', `${FOLDERS}?${query.toString()}`));
  const { id } = folders.find((one: Answer['body']) => `/${one.name}` === path);
  return call('PATCH', `${FOLDERS}/${id}`, { ...place, path: '/', name: nameOf('renamed') });
}

async function secretSyncs({ test, standIns }: Shared): Promise<Case[]> {
  const world = await SyncWorld.make(test, standIns, 'hashicorp-vault');
  const it = about(world.project.id);
  const connectionId = await world.connect(await world.app());
  await ok(
    test.admin('POST', '/api/v2/folders', {
      projectId: world.project.id,
      environment: 'dev',
      path: '/',
      name: 'other',
    }),
  );
  const config = () => ({ ...world.target.config, path: nameOf('path') });
  const post = (call: Caller, isAutoSyncEnabled = true) =>
    world.post({ connectionId, destinationConfig: config(), isAutoSyncEnabled }, call);
  const sync = (isAutoSyncEnabled: boolean) => async () => (await ok(post(test.admin, isAutoSyncEnabled))).secretSync;
  const PATCH = `PATCH ${SYNCS}/{member}/{syncId}`;
  const place = { projectId: world.project.id, environment: 'dev' };
  const rename = (title: string, lasting: Rule[], isAutoSyncEnabled: boolean) =>
    it(
      [title, `PATCH ${FOLDERS}/{folderId}`],
      lasting,
      async () => {
        const name = nameOf('folder');
        await ok(test.admin('POST', FOLDERS, { ...place, path: '/', name }));
        const more = { connectionId, destinationConfig: config(), isAutoSyncEnabled, secretPath: `/${name}` };
        await ok(world.post(more));
        return `/${name}`;
      },
      (call, path) => renameFolder(test.admin, call, { ...place, path }),
    );
  const creating = [right('secret-syncs', 'create')];
  const editing = [right('secret-syncs', 'edit')];
  const patch = (title: string, lasting: Rule[], isFollowing: boolean, body: () => object) =>
    it([title, PATCH], lasting, sync(isFollowing), (call, one) => call('PATCH', world.pathOf(one), body()));
  return [
    it(['a secret sync', `POST ${SYNCS}/{member}`], creating, nothing, (call) => post(call)),
    patch('a secret sync that follows changes', editing, false, () => ({ isAutoSyncEnabled: true })),
    patch('another target of a secret sync', editing, true, () => ({ destinationConfig: config() })),
    patch('another source of a secret sync', editing, true, () => ({ secretPath: '/other' })),
    rename('another name of the folder of a secret sync', creating, true),
    rename('another name of the folder of a secret sync on request', [], false),
    it(['a secret sync on request', `POST ${SYNCS}/{member}`], [], nothing, (call) => post(call, false)),
    patch('another target of a secret sync on request', [], false, () => ({ destinationConfig: config() })),
    patch('a secret sync that follows no changes', [], true, () => ({ isAutoSyncEnabled: false, description: 'x' })),
  ];
}

function integrations({ test, projectId }: Shared): Case[] {
  const it = about(projectId);
  const [AUTH, URL] = ['/api/v1/integration-auth', '/api/v1/integration'];
  const integration = 'hashicorp-vault';
  const authorized = async () => {
    const body = { workspaceId: projectId, integration, accessToken: 'hvs.example', url: 'https://vault.example.com' };
    return (await ok(test.admin('POST', `${AUTH}/access-token`, body))).integrationAuth.id as string;
  };
  const create = (call: Caller, integrationAuthId: string, isActive: boolean) =>
    call('POST', URL, {
      ...{ integrationAuthId, sourceEnvironment: 'dev', secretPath: '/', isActive },
      ...{ app: 'secret', path: nameOf('path') },
    });
  const made = (isActive: boolean) => async () => {
    const auth = await authorized();
    return { auth, id: (await ok(create(test.admin, auth, isActive))).integration.id as string };
  };
  const creating = [right('integrations', 'create')];
  const editing = [right('integrations', 'edit')];
  const patch = (title: string, lasting: Rule[], isActive: boolean, body: object) =>
    it([title, `PATCH ${URL}/{integrationId}`], lasting, made(isActive), (call, { id }) =>
      call('PATCH', `${URL}/${id}`, body),
    );
  const credentials = (title: string, lasting: Rule[], isActive: boolean) =>
    it([title, `PATCH ${AUTH}/{integrationAuthId}`], lasting, made(isActive), (call, { auth }) =>
      call('PATCH', `${AUTH}/${auth}`, { accessToken: 'hvs.other' }),
    );
  return [
    it(['an integration', `POST ${URL}`], creating, authorized, (call, auth) => create(call, auth, true)),
    patch('an integration that is enabled', editing, false, { isActive: true }),
    patch('another source of an integration', editing, true, { environment: 'prod' }),
    credentials('other credentials of an integration', editing, true),
    it(
      ['copied credentials of an integration', `POST ${AUTH}/{integrationAuthId}/duplicate`],
      creating,
      authorized,
      (call, auth) => call('POST', `${AUTH}/${auth}/duplicate`, { projectId }),
    ),
    it(['a disabled integration', `POST ${URL}`], [], authorized, (call, auth) => create(call, auth, false)),
    patch('an integration that is disabled', [], true, { isActive: false }),
    credentials('other credentials of a disabled integration', [], false),
  ];
}

function rotations({ system }: Shared): Case[] {
  const unmade = () => RotationAtWork.unmade(system, 'postgres-credentials', ['username', 'password']);
  const made = async (isAutoRotationEnabled: boolean) => {
    const one = await unmade();
    await ok(one.create({ ...(await system.accounts()), isAutoRotationEnabled }));
    return one;
  };
  const it = (
    [title, operation]: readonly [string, string],
    lasting: readonly Rule[],
    make: Make<RotationAtWork>,
    ask: (one: RotationAtWork) => Promise<Answer>,
  ): Case => ({
    title,
    operation,
    lasting,
    prepare: async () => {
      const one = await make();
      return { projectId: one.projectId, ask: (call) => ask(one.as(call)) };
    },
  });
  const [POST, PATCH] = [`POST ${ROTATIONS}/{member}`, `PATCH ${ROTATIONS}/{member}/{rotationId}`];
  const create = async (one: RotationAtWork, isAutoRotationEnabled: boolean) =>
    one.create({ ...(await system.accounts()), isAutoRotationEnabled });
  const writing = right('secrets', 'create');
  const editing = [right('secret-rotation', 'edit'), writing];
  const renamed = { secretsMapping: { username: 'OTHER_NAME', password: 'OTHER_PASSWORD' } };
  const TAG = 'PATCH /api/v4/secrets/{secretName}';
  const tag = async ({ projectId, call, mapping }: RotationAtWork) => {
    const { tag: added } = await ok(
      system.test.admin('POST', `/api/v1/projects/${projectId}/tags`, { slug: 'tag', color: '' }),
    );
    const at = { projectId, environment: 'dev', secretPath: '/' };
    return call('PATCH', `/api/v4/secrets/${mapping['username']}`, { ...at, tagIds: [added.id] });
  };
  const tagged = async (isScheduled: boolean) => {
    const one = await made(isScheduled);
    await ok(tag(one.as(system.test.admin)));
    return one;
  };
  const SLUG = 'PATCH /api/v1/projects/{projectId}/tags/{tagId}';
  const NO_TAG = 'DELETE /api/v1/projects/{projectId}/tags/{tagId}';
  const onTag = async ({ projectId, call }: RotationAtWork, method: 'PATCH' | 'DELETE', body?: object) => {
    const url = `/api/v1/projects/${projectId}/tags`;
    const { workspaceTags } = await ok(system.test.admin('GET', url));
    return call(method, `${url}/${workspaceTags[0].id}`, body);
  };
  const otherSlug = (one: RotationAtWork) => onTag(one, 'PATCH', { slug: 'other' });
  const another = ({ projectId, call }: RotationAtWork) => renameDev(system.test.admin, call, projectId);
  const ENVIRONMENT = 'PATCH /api/v1/projects/{projectId}/environments/{id}';
  return [
    it(
      ['another slug of the environment of a rotation', ENVIRONMENT],
      [right('secret-rotation', 'create'), writing],
      () => made(true),
      another,
    ),
    it(['another slug of the environment of a rotation on request', ENVIRONMENT], [], () => made(false), another),
    it(['a rotation', POST], [right('secret-rotation', 'create'), writing], unmade, (one) => create(one, true)),
    it(
      ['a rotation that gets a schedule', PATCH],
      editing,
      () => made(false),
      (one) => one.update({ isAutoRotationEnabled: true }),
    ),
    it(
      ['other secrets of a rotation', PATCH],
      editing,
      () => made(true),
      (one) => one.update(renamed),
    ),
    it(['a tag of a secret that a rotation writes', TAG], [right('secrets', 'edit')], () => made(true), tag),
    it(['a tag of a secret that a rotation writes on request', TAG], [], () => made(false), tag),
    it(
      ['a rotation that gets a schedule, with a tag on one of its secrets', PATCH],
      [
        right('secret-rotation', 'edit'),
        { ...writing, conditions: { secretName: 'THE_PASSWORD' } },
        { ...writing, conditions: { secretTags: { $in: ['tag'] } } },
      ],
      () => tagged(false),
      (one) => one.update({ isAutoRotationEnabled: true }),
    ),
    it(
      ['another slug of a tag of a secret that a rotation writes', SLUG],
      [right('secrets', 'edit')],
      () => tagged(true),
      otherSlug,
    ),
    it(
      ['another slug of a tag of a secret that a rotation writes on request', SLUG],
      [],
      () => tagged(false),
      otherSlug,
    ),
    it(
      ['no tag any more of a secret that a rotation writes', NO_TAG],
      [right('secrets', 'edit')],
      () => tagged(true),
      (one) => onTag(one, 'DELETE'),
    ),
    it(['a rotation on request', POST], [], unmade, (one) => create(one, false)),
    it(
      ['other secrets of a rotation on request', PATCH],
      [],
      () => made(false),
      (one) => one.update(renamed),
    ),
    it(
      ['a rotation that loses its schedule', PATCH],
      [],
      () => made(true),
      (one) => one.update({ isAutoRotationEnabled: false }),
    ),
  ];
}

/** Gives an environment another slug. */
async function renameDev(admin: Caller, call: Caller, projectId: string): Promise<Answer> {
  const { environments } = (await ok(admin('GET', `/api/v1/projects/${projectId}`))).project;
  const { id } = environments.find((one: Answer['body']) => one.slug === 'dev');
  return call('PATCH', `/api/v1/projects/${projectId}/environments/${id}`, { slug: 'renamed' });
}

function webhooks({ test, projectId }: Shared): Case[] {
  const it = about(projectId);
  const URL = '/api/v1/webhooks';
  const create = (call: Caller) => {
    const place = { workspaceId: projectId, environment: 'dev', secretPath: '/' };
    return call('POST', URL, { ...place, type: 'general', webhookUrl: 'https://receiver.example.com/a' });
  };
  const made = (isDisabled: boolean) => async () => {
    const { webhook } = await ok(create(test.admin));
    if (isDisabled) await ok(test.admin('PATCH', `${URL}/${webhook.id}`, { isDisabled }));
    return webhook.id as string;
  };
  const editing = [right('webhooks', 'edit')];
  const patch = (title: string, lasting: Rule[], isDisabled: boolean, body: object) =>
    it([title, `PATCH ${URL}/{webhookId}`], lasting, made(isDisabled), (call, id) =>
      call('PATCH', `${URL}/${id}`, body),
    );
  return [
    it(['a webhook', `POST ${URL}`], [right('webhooks', 'create')], nothing, create),
    patch('a webhook that is enabled', editing, true, { isDisabled: false }),
    patch('another folder of a webhook', editing, false, { secretPath: '/**' }),
    patch('a webhook that is disabled', [], false, { isDisabled: true }),
  ];
}

function keys({ test, projectId }: Shared): Case[] {
  const it = about(projectId);
  const URL = '/api/v1/kms/keys';
  const schedule = { rotationPeriodDays: 30 };
  const create = (call: Caller, more: object) => call('POST', URL, { projectId, name: nameOf('key'), ...more });
  const made =
    (more: object, afterwards: (id: string) => Promise<unknown> = nothing) =>
    async () => {
      const { key } = await ok(create(test.admin, more));
      await afterwards(key.id);
      return key.id as string;
    };
  const patch = (title: string, lasting: Rule[], make: Make<string>, body: () => object) =>
    it([title, `PATCH ${URL}/{keyId}`], lasting, make, (call, id) => call('PATCH', `${URL}/${id}`, body()));
  const disabled = (id: string) => ok(test.admin('PATCH', `${URL}/${id}`, { isDisabled: true }));
  const deleted = (id: string) => ok(test.admin('DELETE', `${URL}/${id}`));
  const rotating = [right('cmek', 'rotate')];
  return [
    it(['a key with a schedule', `POST ${URL}`], rotating, nothing, (call) => create(call, schedule)),
    patch('a key that gets a schedule', rotating, made({}), () => schedule),
    patch('another name of a key with a schedule', rotating, made(schedule), () => ({ name: nameOf('key') })),
    patch('a key with a schedule that is enabled', rotating, made(schedule, disabled), () => ({ isDisabled: false })),
    it(
      ['a key with a schedule that comes back', `POST ${URL}/{keyId}/cancel-deletion`],
      rotating,
      made(schedule, deleted),
      (call, id) => call('POST', `${URL}/${id}/cancel-deletion`),
    ),
    it(['a key', `POST ${URL}`], [], nothing, (call) => create(call, {})),
    patch('another name of a key', [], made({}), () => ({ name: nameOf('key') })),
    patch('a key that is enabled', [], made({}, disabled), () => ({ isDisabled: false })),
    patch('a key that loses its schedule', [], made(schedule), () => ({ rotationPeriodDays: null })),
  ];
}

function hosts({ test, projectId }: Shared): Case[] {
  const it = about(projectId);
  const URL = '/api/v1/ssh/hosts';
  const host = async () => {
    const hostname = `${nameOf('host')}.example.com`;
    return (await ok(test.admin('POST', URL, { projectId, hostname }))).id as string;
  };
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const blob = Buffer.concat([Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0 ', 'latin1'), Buffer.from(x!, 'base64url')]);
  const publicKey = `ssh-ed25519 ${blob.toString('base64')}`;
  const issue = (title: string, lasting: Rule[], autoRenewal: boolean) =>
    it([title, `POST ${URL}/{sshHostId}/issue-host-cert`], lasting, host, (call, id) =>
      call('POST', `${URL}/${id}/issue-host-cert`, { publicKey, autoRenewal }),
    );
  const renewed = async (autoRenewal: boolean) => {
    const id = await host();
    await ok(test.admin('POST', `${URL}/${id}/issue-host-cert`, { publicKey, autoRenewal }));
    return id;
  };
  const longer = (title: string, lasting: Rule[], autoRenewal: boolean) =>
    it(
      [title, `PATCH ${URL}/{sshHostId}`],
      lasting,
      () => renewed(autoRenewal),
      (call, id) => call('PATCH', `${URL}/${id}`, { hostCertTtl: '10y' }),
    );
  return [
    longer('longer certificates of a host that are renewed', [right('ssh-hosts', 'edit')], true),
    longer('longer certificates of a host', [], false),
    issue('a host certificate that is renewed', [right('ssh-hosts', 'issue-host-cert')], true),
    issue('a host certificate', [], false),
  ];
}

async function pkiSyncs({ test, standIns }: Shared): Promise<Case[]> {
  const world = await PkiSyncWorld.make(test, standIns, 'aws-certificate-manager');
  const it = about(world.projectId);
  const connectionId = await world.connect(await world.app());
  const certificate = await world.issue();
  const post = (call: Caller, isAutoSyncEnabled: boolean) => world.post({ connectionId, isAutoSyncEnabled }, call);
  const made = (isAutoSyncEnabled: boolean) => async () => ({ id: (await ok(post(test.admin, isAutoSyncEnabled))).id });
  const creating = [right('pki-syncs', 'create')];
  const editing = [right('pki-syncs', 'edit')];
  const patch = (title: string, lasting: Rule[], isFollowing: boolean, body: () => object) =>
    it([title, `PATCH ${PKI_SYNCS}/{member}/{pkiSyncId}`], lasting, made(isFollowing), (call, one) =>
      world.patch(one, body(), call),
    );
  const add = (title: string, lasting: Rule[], isFollowing: boolean) =>
    it([title, `POST ${PKI_SYNCS}/{pkiSyncId}/certificates`], lasting, made(isFollowing), (call, { id }) =>
      call('POST', `${PKI_SYNCS}/${id}/certificates`, { certificateIds: [certificate.id] }),
    );
  return [
    it(['a PKI sync', `POST ${PKI_SYNCS}/{member}`], creating, nothing, (call) => post(call, true)),
    patch('a PKI sync that follows renewals', editing, false, () => ({ isAutoSyncEnabled: true })),
    patch('another name of a PKI sync', editing, true, () => ({ name: nameOf('sync') })),
    patch('other options of a PKI sync', editing, true, () => ({ syncOptions: { canRemoveCertificates: false } })),
    add('more certificates of a PKI sync', editing, true),
    it(['a PKI sync on request', `POST ${PKI_SYNCS}/{member}`], [], nothing, (call) => post(call, false)),
    patch('a PKI sync that follows no renewals', [], true, () => ({ isAutoSyncEnabled: false })),
    add('more certificates of a PKI sync on request', [], false),
  ];
}

async function alerts({ test, projectId }: Shared): Promise<Case[]> {
  const it = about(projectId);
  const create = (call: Caller, enabled: boolean) =>
    call('POST', ALERTS, alertBody(projectId, { name: nameOf('alert'), enabled }));
  const made = (enabled: boolean) => async () => (await ok(create(test.admin, enabled))).alert.id as string;
  const creating = [right('pki-alerts', 'create')];
  const editing = [right('pki-alerts', 'edit')];
  const patch = (title: string, lasting: Rule[], isEnabled: boolean, body: object) =>
    it([title, `PATCH ${ALERTS}/{alertId}`], lasting, made(isEnabled), (call, id) =>
      call('PATCH', `${ALERTS}/${id}`, body),
    );
  const collection = await ok(test.admin('POST', COLLECTIONS, { projectId, name: 'collection' }));
  const older = (call: Caller) =>
    call('POST', LEGACY_ALERTS, {
      ...{ projectId, name: nameOf('alert'), pkiCollectionId: collection.id },
      ...{ alertBeforeDays: 30, emails: ['ops@example.com'] },
    });
  return [
    it(['an alert', `POST ${ALERTS}`], creating, nothing, (call) => create(call, true)),
    patch('an alert that is enabled', editing, false, { enabled: true }),
    patch('other recipients of an alert', editing, true, { channels: [email('other@example.com')] }),
    it(['an alert, older', `POST ${LEGACY_ALERTS}`], creating, nothing, older),
    it(
      ['other recipients of an alert, older', `PATCH ${LEGACY_ALERTS}/{alertId}`],
      editing,
      () => ok(older(test.admin)),
      (call, { id }) => call('PATCH', `${LEGACY_ALERTS}/${id}`, { emails: ['other@example.com'] }),
    ),
    it(['a disabled alert', `POST ${ALERTS}`], [], nothing, (call) => create(call, false)),
    patch('an alert that is disabled', [], true, { enabled: false }),
  ];
}

async function authorities({ test, projectId }: Shared): Promise<Case[]> {
  const it = about(projectId);
  const auto = (id: string) => ok(test.admin('PATCH', `${CA}/${id}/auto-renewal`, { enableAutoRenewal: true }));
  const root = async () => (await createAuthority(test.admin, { projectId })).id as string;
  const below = async (parentCaId: string) =>
    (await createAuthority(test.admin, { projectId, configuration: { type: 'intermediate', parentCaId } }))
      .id as string;
  const parent = await root();
  const child = () => below(parent);
  const renewing = async () => {
    const id = await child();
    await auto(id);
    return id;
  };
  const disabled = async () => {
    const id = await renewing();
    await ok(test.admin('PATCH', `${CA}/${id}`, { status: 'disabled' }));
    return id;
  };
  const signing = async () => {
    const id = await root();
    await auto(await below(id));
    return id;
  };
  const OLDER = '/api/v1/pki/ca';
  const [renew, sign] = [
    right('certificate-authorities', 'renew'),
    right('certificate-authorities', 'sign-intermediate'),
  ];
  const patch = (title: string, lasting: Rule[], make: Make<string>, body: () => object, url = CA) =>
    it([title, `PATCH ${url}/{caId}`], lasting, make, (call, id) => call('PATCH', `${url}/${id}`, body()));
  const renewal = (title: string, lasting: Rule[], make: Make<string>, enableAutoRenewal: boolean) =>
    it([title, `PATCH ${CA}/{caId}/auto-renewal`], lasting, make, (call, id) =>
      call('PATCH', `${CA}/${id}/auto-renewal`, { enableAutoRenewal }),
    );
  const other = await root();
  return [
    renewal('an authority that is renewed', [renew, sign], child, true),
    ...(['POST', 'PATCH'] as const).map((method) =>
      it(['another parent of an authority', `${method} ${CA}/{caId}/signing-config`], [sign], renewing, (call, id) =>
        call(method, `${CA}/${id}/signing-config`, { parentCaId: other }),
      ),
    ),
    patch('another name of an authority that is renewed', [renew, sign], renewing, () => ({
      name: nameOf('authority'),
    })),
    patch('an authority that is renewed, and enabled', [renew, sign], disabled, () => ({ status: 'active' })),
    patch('the same, older', [renew, sign], disabled, () => ({ status: 'active' }), OLDER),
    patch('another name of one that signs renewals', [sign], signing, () => ({ name: nameOf('authority') })),
    renewal('an authority that is not renewed any more', [], renewing, false),
    patch('another name of an authority', [], child, () => ({ name: nameOf('authority') })),
  ];
}

async function certificates({ test }: Shared): Promise<Case[]> {
  const subscribers = await Subscribers.in(test);
  const { projectId, ca } = subscribers;
  const it = about(projectId);
  const issued = async () => {
    const name = `${nameOf('leaf')}.example.com`;
    const body = { commonName: name, altNames: name, ttl: '90d' };
    return (await ok(test.admin('POST', `/api/v1/pki/ca/${ca.id}/issue-certificate`, body))).certificateId as string;
  };
  const automatic = { enableAutoRenewal: true, autoRenewalPeriodInDays: 7 };
  const issuing = [right('pki-subscribers', 'issue-cert')];
  const made = (more: object) => async () => (await subscribers.create(more)).name as string;
  const patch = (title: string, lasting: Rule[], make: Make<string>, body: () => object) =>
    it([title, `PATCH ${SUBSCRIBERS}/{subscriberName}`], lasting, make, (call, name) =>
      call('PATCH', subscriberUrl(name), { projectId, ...body() }),
    );
  const config = (title: string, lasting: Rule[], body: object) =>
    it([title, `PATCH ${NEWER}/{id}/config`], lasting, issued, (call, id) =>
      call('PATCH', `${NEWER}/${id}/config`, body),
    );
  const renewed = async () => {
    const id = await issued();
    await ok(test.admin('PATCH', `${NEWER}/${id}/config`, { renewBeforeDays: 7 }));
    return id;
  };
  const named = (title: string, lasting: Rule[], make: Make<string>) =>
    it([title, `PATCH ${NEWER}/{id}`], lasting, make, (call, id) =>
      call('PATCH', `${NEWER}/${id}`, { friendlyName: nameOf('friendly') }),
    );
  const PROFILES = '/api/v1/cert-manager/certificate-profiles';
  const { certificatePolicy } = await ok(
    test.admin('POST', '/api/v1/cert-manager/certificate-policies', { projectId, name: 'policy' }),
  );
  const profile = (call: Caller, autoRenew: boolean) =>
    call('POST', PROFILES, {
      ...{ projectId, caId: ca.id, certificatePolicyId: certificatePolicy.id, slug: nameOf('profile') },
      ...{ enrollmentType: 'api', apiConfig: { autoRenew } },
    });
  const profiled = async () => (await ok(profile(test.admin, false))).certificateProfile.id as string;
  const deciding = (action: string) => [right('certificate-profiles', action)];
  return [
    it(['a profile with renewal', `POST ${PROFILES}`], deciding('create'), nothing, (call) => profile(call, true)),
    it(['a profile that gets renewal', `PATCH ${PROFILES}/{profileId}`], deciding('edit'), profiled, (call, id) =>
      call('PATCH', `${PROFILES}/${id}`, { apiConfig: { autoRenew: true } }),
    ),
    it(['a profile', `POST ${PROFILES}`], [], nothing, (call) => profile(call, false)),
    config('a certificate that is renewed', [right('certificates', 'create')], { renewBeforeDays: 7 }),
    named('another friendly name of a certificate that is renewed', [right('certificates', 'edit')], renewed),
    named('another friendly name of a certificate', [], issued),
    config('a certificate that is not renewed', [], { enableAutoRenewal: false }),
    it(['a subscriber', `POST ${SUBSCRIBERS}`], issuing, nothing, (call) =>
      call('POST', SUBSCRIBERS, subscribers.wanted(automatic)),
    ),
    patch('a subscriber that is renewed', issuing, made({}), () => automatic),
    patch('a subscriber that is enabled', issuing, made({ ...automatic, status: 'disabled' }), () => ({
      status: 'active',
    })),
    patch('another name of a subscriber', issuing, made(automatic), () => ({ name: nameOf('subscriber') })),
    it(['a subscriber without renewal', `POST ${SUBSCRIBERS}`], [], nothing, (call) =>
      call('POST', SUBSCRIBERS, subscribers.wanted()),
    ),
  ];
}

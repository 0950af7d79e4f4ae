import type { Dice } from './granting/dice.ts';
import {
  groupUrl,
  HOST_GROUPS,
  HOSTS,
  hostUrl,
  mapping,
  onHostGroups,
  onHosts,
  SshHosts,
  type Person,
} from './ssh-hosts.ts';
import { ok } from './certificates.ts';
import { SSH_CA, SSH_TEMPLATES, templateOf } from './ssh.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';

// Random changes of who may log in, by callers who may edit some hosts, and a naive reading of what they changed. A template lets
// everybody log in who may issue certificates by it.

const LOGIN_USERS = ['root', 'deploy'];
const MODES = ['login-user', 'host-bound', null];
/** Principals of templates. */
const ALLOWED = [[], ['deploy'], ['r*'], ['host:*'], ['*']];

interface Login {
  readonly hostname: string;
  /** Whether the mapping holds on the host itself. */
  readonly isByItself: boolean;
  /** By a template: then only who gives it is asked, since whoever may edit templates may narrow them. */
  readonly isByTemplate: boolean;
}
/** Who may log in, as which user, on which host, and by the mapping of which host or group. */
type Logins = ReadonlyMap<string, Login>;

export interface LoginWorld {
  readonly ssh: SshHosts;
  readonly people: readonly Person[];
  readonly team: { readonly id: string; readonly slug: string };
  readonly authorities: readonly string[];
  /** By the names of the hosts that they may edit. */
  readonly attackers: readonly { readonly call: Caller; readonly mayEdit: (hostname: string) => boolean }[];
}

export async function makeLoginWorld(test: TestServer, dice: Dice): Promise<LoginWorld> {
  const ssh = await SshHosts.in(test);
  const people = [await ssh.person(), await ssh.person()];
  const team = await ssh.group(people[0]!);
  const authorities: string[] = [];
  for (const friendlyName of ['one', 'two'])
    authorities.push(ok(await test.admin('POST', '/api/v1/ssh/ca', { projectId: ssh.projectId, friendlyName })).ca.id);
  const world = { ssh, people, team, authorities };
  for (const name of ['a.dev', 'b.dev', 'c.prod', 'd.prod'])
    await test.admin('POST', HOSTS, ssh.wanted({ hostname: `${name}.example.com`, ...someSettings(world, dice) }));
  for (const name of ['x', 'y'])
    await test.admin('POST', HOST_GROUPS, { projectId: ssh.projectId, name, ...someSettings(world, dice) });
  for (const sshCaId of authorities)
    await test.admin('POST', SSH_TEMPLATES, templateOf(sshCaId, { allowedUsers: dice.one(ALLOWED) }));
  const attackers = [await attacker(world, 'dev'), await attacker(world, 'prod'), await attacker(world)];
  return { ...world, attackers };
}

/** Somebody who may do everything but edit hosts with other names than these. */
async function attacker({ ssh }: Pick<LoginWorld, 'ssh'>, zone?: string) {
  const { id, call } = await ssh.who(
    onHosts(['read', 'create', 'delete', 'issue-host-cert']),
    ...(zone ? [onHosts('edit', `*.${zone}.example.com`)] : []),
    onHostGroups(['read', 'create', 'edit', 'delete']),
    { subject: 'settings', action: ['read', 'edit'] },
    { subject: 'ssh-certificate-authorities', action: ['read', 'create', 'edit', 'delete'] },
    { subject: 'ssh-certificate-templates', action: ['read', 'create', 'edit', 'delete'] },
  );
  const groups = { subject: 'groups', action: ['read', 'add-members', 'remove-members'] };
  const role = ok(
    await ssh.test.admin('POST', '/api/v1/organization/roles', { slug: `r${id}`, name: id, permissions: [groups] }),
  ).role;
  ok(await ssh.test.admin('PATCH', `/api/v1/identities/${id}`, { role: role.slug }));
  return { call, mayEdit: (hostname: string) => zone !== undefined && hostname.endsWith(`.${zone}.example.com`) };
}

const someSettings = ({ people, team, authorities }: Omit<LoginWorld, 'attackers'>, dice: Dice) => ({
  loginMappings: dice
    .some(LOGIN_USERS)
    .map((name) => mapping(name, { users: dice.some(people), groups: dice.some([team]) })),
  principalMode: dice.one(MODES),
  userSshCaId: dice.one([...authorities, null, null]),
});

/** A random change by this caller. */
export async function someChange(
  world: LoginWorld,
  call: Caller,
  dice: Dice,
): Promise<{ what: string; answer: Answer }> {
  const { ssh, people, team } = world;
  const { projectId, test } = ssh;
  const ofProject = `/api/v2/workspace/${projectId}`;
  const { hosts } = ok(await test.admin('GET', `${ofProject}/ssh-hosts`));
  const { groups } = ok(await test.admin('GET', `${ofProject}/ssh-host-groups`));
  const { cas } = ok(await test.admin('GET', `${ofProject}/ssh-cas`));
  const { certificateTemplates } = ok(await test.admin('GET', `${ofProject}/ssh-certificate-templates`));
  const ids = (all: { id: string }[]) => all.map(({ id }) => id);
  const [authority, template] = [dice.maybeOne(ids(cas)), dice.maybeOne(ids(certificateTemplates))];
  const [host, group, settings] = [
    dice.maybeOne<{ id: string }>(hosts),
    dice.maybeOne<{ id: string }>(groups),
    someSettings(world, dice),
  ];
  const part = Object.fromEntries(dice.few(Object.entries(settings), 40));
  const name = `${dice.one(['e', 'f', 'g'])}.${dice.one(['dev', 'prod'])}.example.com`;
  const member = `/api/v1/groups/${team.id}/users/${dice.one(people).email}`;
  const requests: Parameters<Caller>[] = [
    ['POST', HOSTS, { projectId, hostname: name, ...settings }],
    ['POST', HOST_GROUPS, { projectId, name: dice.one(['x', 'y', 'z']), ...settings }],
    ['PATCH', `/api/v1/workspace/${projectId}/ssh-config`, { defaultUserSshCaId: dice.one(ids(cas)) }],
    ['POST', SSH_CA, { projectId, friendlyName: 'made' }],
    [dice.one(['POST', 'DELETE'] as const), member],
  ];
  if (host) {
    for (const more of [part, part, part]) requests.push(['PATCH', hostUrl(host), more]);
    requests.push(['PATCH', hostUrl(host), { hostname: name }], ['DELETE', hostUrl(host)]);
  }
  const allowed = {
    allowedUsers: dice.one(ALLOWED),
    allowUserCertificates: dice.is(80),
    // Names of hosts are not looked at here.
    allowHostCertificates: false,
  };
  if (authority) {
    const one = `${SSH_CA}/${authority}`;
    requests.push(['POST', SSH_TEMPLATES, templateOf(authority, allowed)]);
    requests.push(dice.is(50) ? ['DELETE', one] : ['PATCH', one, { status: dice.one(['active', 'disabled']) }]);
  }
  if (template) {
    const one = `${SSH_TEMPLATES}/${template}`;
    const changes = dice.few(Object.entries({ ...allowed, status: dice.one(['active', 'disabled']) }), 40);
    requests.push(dice.is(20) ? ['DELETE', one] : ['PATCH', one, Object.fromEntries(changes)]);
  }
  if (group)
    requests.push(['PATCH', groupUrl(group), part], ['PATCH', groupUrl(group), part], ['DELETE', groupUrl(group)]);
  if (host && group)
    for (const method of ['POST', 'POST', 'DELETE'] as const)
      requests.push([method, groupUrl(group, `/hosts/${host.id}`)]);
  const [method, url, body] = dice.one(requests);
  return { what: `${method} ${url} ${JSON.stringify(body)}`, answer: await call(method, url, body) };
}

interface Row {
  readonly [column: string]: string | null;
}

interface IssuingTemplate {
  readonly id: string;
  readonly ca_id: string;
  readonly allowed_users: readonly string[];
}

/** Templates by which certificates of users are issued, as soon as their authority issues any. */
async function issuingTemplates({ ssh: { test, projectId } }: LoginWorld): Promise<IssuingTemplate[]> {
  const asked = `select id, ca_id, allowed_users from ssh_certificate_templates
    where project_id = $1 and status = 'active' and allow_user_certificates`;
  return (await test.coffer.pool.query<IssuingTemplate>(asked, [projectId])).rows;
}

/** The patterns of this search end with an asterisk, or have none. */
const allows = (pattern: string, principal: string): boolean =>
  pattern.endsWith('*') ? principal.startsWith(pattern.slice(0, -1)) : pattern === principal;

/** Who may log in where, read row by row. */
export async function loginsOf(world: LoginWorld): Promise<Logins> {
  const { test, projectId } = world.ssh;
  const rows = async (table: string, where = 'organization_id'): Promise<Row[]> =>
    (
      await test.coffer.pool.query(`select to_jsonb(t) as row from ${table} t where ${where} = $1`, [
        where === 'organization_id' ? test.organizationId : projectId,
      ])
    ).rows.map(({ row }) => row);
  const [config] = await rows('ssh_project_configs', 'project_id');
  const [joined, groups] = [await rows('ssh_host_group_memberships'), await rows('ssh_host_groups', 'project_id')];
  const hosts = (await rows('ssh_hosts', 'project_id')).map((host) => {
    const its = groups.filter(({ id }) =>
      joined.some((one) => one['ssh_host_id'] === host['id'] && one['ssh_host_group_id'] === id),
    );
    const setting = (column: string) => host[column] ?? its.map((one) => one[column]).find((value) => value !== null);
    const mode = setting('principal_mode') ?? 'login-user';
    const authority = setting('user_ssh_ca_id') ?? config?.['default_user_ca_id'];
    const [opens, prefix] = mode === 'host-bound' ? [host['id'], `host:${host['id']}:`] : [authority, ''];
    return {
      id: host['id']!,
      hostname: host['hostname']!,
      opens,
      authority,
      prefix,
      places: [host['id'], ...its.map(({ id }) => id)],
    };
  });
  const [loginUsers, mappings] = [
    await rows('ssh_login_users', 'project_id'),
    await rows('ssh_login_mappings', 'project_id'),
  ];
  const [memberships, members] = [await rows('memberships', 'project_id'), await rows('group_members')];
  const logins = new Map<string, Login>();
  for (const mapped of mappings) {
    const user = loginUsers.find(({ id }) => id === mapped['login_user_id'])!;
    const membership = memberships.find(({ id }) => id === mapped['membership_id'])!;
    const inGroup = members.filter((one) => one['group_id'] === membership['group_id']).map((one) => one['actor_id']);
    const actors = membership['user_id'] === null ? inGroup : [membership['user_id']];
    const place = user['ssh_host_id'] ?? user['ssh_host_group_id'];
    for (const by of hosts.filter(({ places }) => places.includes(place)))
      for (const { id, hostname, opens } of hosts)
        if (by.opens === opens)
          for (const actor of actors)
            logins.set(`${actor} ${user['login_user']} ${id} ${by.id} ${place}`, {
              hostname,
              isByItself: by.id === id,
              isByTemplate: false,
            });
  }
  for (const { id: templateId, ca_id: caId, allowed_users: patterns } of await issuingTemplates(world))
    for (const { id, hostname, authority, prefix } of hosts)
      for (const name of LOGIN_USERS)
        if (authority === caId && patterns.some((pattern) => allows(pattern, `${prefix}${name}`)))
          logins.set(`template ${name} ${id} ${templateId}`, { hostname, isByItself: false, isByTemplate: true });
  return logins;
}

/** Who may log in, as which user, on which host: without the reasons. */
export const withoutReasons = (logins: Logins): string[] =>
  [
    ...new Set(
      [...logins].flatMap(([key, { isByTemplate }]) => (isByTemplate ? [] : key.split(' ').slice(0, 3).join(' '))),
    ),
  ].toSorted();

/** The same by the access report. */
export async function reportedLogins({ ssh: { test, projectId } }: LoginWorld): Promise<string[]> {
  const { logins } = ok(await test.admin('GET', `/api/v1/projects/${projectId}/access/ssh-logins?limit=1000`));
  return logins
    .map(
      (one: {
        actor: { id: string };
        loginUser: string;
        host: { id: string };
        grants: unknown[];
        otherHosts: unknown[];
      }) =>
        [
          one.actor.id,
          one.loginUser,
          one.host.id,
          ...(one.grants.length + one.otherHosts.length === 0 ? ['?'] : []),
        ].join(' '),
    )
    .toSorted();
}

/** The logins of the one reading that the other one does not have; those by templates as far as they are new. */
export const changedLogins = (before: Logins, after: Logins): Login[] =>
  [before, after].flatMap((one, index) =>
    [...one].flatMap(([key, login]) =>
      [before, after][1 - index]!.has(key) || (login.isByTemplate && index === 0) ? [] : login,
    ),
  );

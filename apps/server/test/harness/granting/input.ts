import { inputFields } from '@coffer/api';
import type { Rule } from '@coffer/domain';
import type { Sample } from '../matrix-sample.ts';
import type { Dice } from './dice.ts';
import { KEY_NAMES, NAMES, randomRules } from './rules.ts';
import type { NamedThing } from './world.ts';

const HOUR = 3_600_000;
const NOWHERE = '00000000-0000-4000-8000-000000000000';

export interface Situation {
  readonly dice: Dice;
  readonly now: number;
  readonly organizationId: string;
  /** Further durations that something may be given for. */
  readonly ranges: readonly string[];
  readonly things: ReadonlyMap<string, readonly NamedThing[]>;
  /** The rules of the caller: what it may grant. */
  readonly own: (projectId: string | null) => readonly Rule[];
}

/** Changes and deletions use related resources. */
const TOGETHER: readonly (readonly [operations: RegExp, kind: string, ...fields: string[]])[] = [
  [/^DELETE .*\{machineIdentityId\}/, 'machine of group', 'id', 'machineIdentityId'],
  [/^DELETE .*\/groups\/\{id\}\/users\//, 'person of group', 'id', 'username'],
  [/^(PATCH|DELETE) .*\/memberships\/groups\//, 'group of project', 'projectId', 'groupId'],
  [/^(PATCH|DELETE) .*\/memberships\/identities\//, 'machine of project', 'projectId', 'identityId'],
  [
    /^(PATCH|DELETE) .*\/v1\/additional-privilege\/identity/,
    'privilege of machine',
    'privilegeSlug',
    'identityId',
    'projectSlug',
  ],
  [/^DELETE .*\/projects\/\{projectId\}\/memberships$/, 'person of project', 'projectId', 'usernames'],
  [
    /^(PATCH|DELETE) .*\/projects\/\{projectId\}\/memberships\/\{membershipId\}/,
    'membership of project',
    'projectId',
    'membershipId',
  ],
  [
    /^(PATCH|DELETE) .*\/workspace\/\{workspaceId\}\/memberships\/\{membershipId\}/,
    'membership of project',
    'workspaceId',
    'membershipId',
  ],
  [/^POST .*\/projects\/\{projectId\}\/memberships$/, 'person outside project', 'projectId', 'usernames'],
  [/^PATCH .*\/organizations\/.*\/memberships\//, 'membership of person', 'membershipId'],
  [/^POST .*\/identity-project-additional-privilege/, 'machine of project', 'projectId', 'identityId'],
  [/^POST .*\/v1\/additional-privilege\/identity/, 'machine of project slug', 'projectSlug', 'identityId'],
  [/^POST .*\/cancel-deletion$/, 'deleted key', 'keyId'],
  [/signup-resend/, 'invited', 'membershipId'],
];

let count = 0;

/** A plausible input for an operation: related resources, and rights that the caller may hold. */
export function inputFor(sample: Sample, situation: Situation): Record<string, unknown> {
  const { dice, things } = situation;
  const { url, procedure } = sample.operation;
  // The oldest project has all actors as members.
  const projects = things.get('project') ?? [];
  const projectId = dice.one(dice.is(50) ? projects.slice(0, 1) : projects).value;
  const [, method] = /\/auth\/([a-z-]+)\/identities\//.exec(url) ?? [];
  const needsMethod = method !== undefined && !(sample.operation.method === 'POST' && url.endsWith('{identityId}'));
  const input = sample.input((kind) => {
    const all = things.get(kind === 'identity' && needsMethod && dice.is(80) ? method : kind) ?? [];
    const here = all.filter((one) => one.projectId === projectId);
    return (dice.maybeOne(here.length > 0 && dice.is(95) ? here : all) ?? { value: NOWHERE }).value;
  });
  const makers = valuesFor(url, projectId, situation);
  for (const field of Object.keys(inputFields(procedure))) {
    const make = makers[field];
    const isNeeded = field in input && !sample.things.has(field);
    const value = make && (isNeeded || dice.is(field === 'privilegePermission' ? 95 : 60)) ? make() : undefined;
    if (value !== undefined) input[field] = value;
  }
  for (const [pattern, kind, ...fields] of TOGETHER) {
    if (!pattern.test(`${sample.operation.method} ${url}`) || dice.is(25)) continue;
    const values = dice.maybeOne(things.get(kind) ?? [])?.value.split(' ');
    for (const [index, value] of values?.entries() ?? []) {
      const field = fields[index]!;
      input[field] = Array.isArray(input[field]) ? [value] : value;
    }
  }
  // New names are unused; a change of a role need not name another role.
  if (sample.things.get('slug') === 'projectRoleSlug' && !url.includes('{slug}')) delete input['slug'];
  if (!url.includes('{membershipId}') && 'usernames' in input && dice.is(50)) input['emails'] = [];
  return input;
}

function valuesFor(
  url: string,
  projectId: string,
  { dice, now, organizationId, ranges, things, own }: Situation,
): Readonly<Record<string, () => unknown>> {
  const place = /\/organization\/(\{organizationId\}\/)?roles/.test(url) ? null : projectId;
  const machineIds = (things.get('identity') ?? []).map(({ value }) => value);
  /** Mostly what the caller holds itself, complete, in part or narrowed; otherwise anything. */
  const rules = (where: string | null): Rule[] => {
    if (dice.is(25)) return randomRules(dice, where === null ? 'organization' : 'project', machineIds);
    return dice.some(own(where), 60).map((rule) => {
      const actions = [rule.action].flat();
      const narrowed = where !== null && rule.subject === 'secrets' && dice.is(30);
      return {
        ...rule,
        action: dice.is(70) ? actions : dice.few(actions),
        ...(narrowed && { conditions: { ...rule.conditions, environment: dice.one(['dev', 'prod']) } }),
        ...(dice.is(10) && { inverted: !rule.inverted }),
      };
    });
  };
  const slugs = (kind: string) =>
    (things.get(kind) ?? []).filter((one) => one.projectId === null || one.projectId === projectId);
  const projectRole = () =>
    dice.is(50)
      ? dice.one(['no-access', 'no-access', 'viewer', 'member', 'admin'])
      : (dice.maybeOne(slugs('projectRoleSlug'))?.value ?? 'viewer');
  const organizationRole = () =>
    dice.is(50)
      ? dice.one(['no-access', 'no-access', 'member'])
      : (dice.maybeOne(slugs('organizationRoleSlug'))?.value ?? 'member');
  const isInProject = url.includes('{projectId}') || url.includes('{workspaceId}') || url.includes('{projectSlug}');
  const window = () =>
    dice.is(60)
      ? { isTemporary: false }
      : {
          isTemporary: true,
          temporaryMode: 'relative',
          temporaryRange: dice.one([...ranges, '1h', '3h', '1d']),
          temporaryAccessStartTime: new Date(now + dice.one([0, dice.whole(-2, 3) * HOUR + HOUR / 2])).toISOString(),
        };
  const name = () => `made ${++count}`;
  const keyName = () => dice.one([...KEY_NAMES, `made-${++count}`]);
  const metadata = () => [{ key: 'team', value: dice.one(NAMES) }];
  const people = () => dice.few(things.get('username') ?? [], 25).map(({ value }) => value);
  const legacyRules = () => ({
    subject: 'secrets',
    actions: dice.few(['read', 'create', 'edit', 'delete']),
    conditions: {
      environment: dice.one(['dev', 'prod']),
      ...(dice.is(50) && { secretPath: { $glob: dice.one(['/**', '/app']) } }),
    },
  });
  const isTemplate = url.includes('/project-templates');
  /** What can be requested: at one place, and without denials. */
  const wanted = (): Rule[] => {
    const environment = dice.one(['dev', 'prod']);
    const placed = rules(projectId).filter(
      ({ subject, inverted }) => /^secret(s|-folders)$/.test(subject) && !inverted,
    );
    const chosen = placed.length > 0 ? placed : [{ subject: 'secrets', action: ['describeSecret', 'readValue'] }];
    return chosen.map((rule) => ({ ...rule, conditions: { ...rule.conditions, environment } }));
  };
  return {
    permissions: () =>
      url.includes('/service-token')
        ? dice.few(['read', 'write', 'readValue'])
        : url.includes('/additional-privilege/')
          ? undefined
          : url.includes('/access-approvals/')
            ? wanted()
            : rules(place),
    privilegePermission: legacyRules,
    privilegeDetails: () => ({ privilegePermission: legacyRules(), ...(dice.is(40) && window()) }),
    roles: () =>
      isTemplate
        ? [{ name: name(), slug: `made-${++count}`, permissions: rules(projectId) }]
        : [{ role: projectRole(), isTemporary: false }, ...(dice.is(40) ? [{ role: projectRole(), ...window() }] : [])],
    role: isInProject ? projectRole : organizationRole,
    roleSlugs: () => [projectRole()],
    organizationRoleSlug: organizationRole,
    defaultMembershipRoleSlug: organizationRole,
    projects: () => [{ id: projectId, projectRoleSlug: [projectRole()] }],
    slug: () => `made-${++count}`,
    name: url.includes('/kms/') ? keyName : isTemplate ? () => `made-${++count}` : name,
    keys: () => [{ name: keyName(), keyMaterial: Buffer.alloc(32, 7).toString('base64') }],
    projectName: name,
    type: () => (url.includes('privilege') ? window() : undefined),
    template: () => (isTemplate ? undefined : 'default'),
    isActive: () => dice.is(50),
    metadata,
    hasDeleteProtection: () => false,
    accessTokenTTL: () => 60,
    accessTokenMaxTTL: () => dice.one([60, 3600, 2_592_000]),
    ttl: () => dice.one([0, 60, 7200]),
    inviteeEmails: () =>
      dice.is(50) ? [`new-${++count}-${organizationId}@example.com`] : [dice.one(things.get('username') ?? []).value],
    usernames: people,
    emails: () => [],
    members: () => [{ orgMembershipId: dice.one(things.get('membership of person') ?? []).value }],
    scopes: () => [{ environment: dice.one(['dev', 'prod']), secretPath: dice.one(['/', '/app', '/**']) }],
    expiresIn: () => dice.one([10, 3600, 7200, null, 0]),
    temporaryAccessStartTime: () => new Date(now).toISOString(),
    temporaryRange: () => '1h',
    jwksUrl: () => 'https://keys.example.com/jwks',
    boundAudiences: () => 'coffer',
    allowedPrincipalArns: () => 'arn:aws:iam::123456789012:role/x',
    allowedServicePrincipalIds: () => NOWHERE,
    allowedServiceAccounts: () => 'x@example.iam.gserviceaccount.com',
    comment: () => 'please',
    approvers: () => {
      const members = slugs('person in project').map(({ value }) => ({ type: 'user', id: value }));
      return members.length > 0 ? dice.few(members, 40) : undefined;
    },
    status: () => (url.includes('/access-approvals/') ? dice.one(['approved', 'approved', 'rejected']) : undefined),
  };
}

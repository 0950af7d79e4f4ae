import type { PermissionScope, Rule } from '../kernel/schema.ts';
import { organizationSubjects, projectSubjects, subjectsOf } from './catalogue.ts';

/** A role that every project or organization has. Its slug is what memberships hold. */
export interface BuiltInRole {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly rules: readonly Rule[];
}

const allow = (
  subject: keyof typeof projectSubjects | keyof typeof organizationSubjects,
  ...action: string[]
): Rule => ({ subject, action });

const everything = (scope: PermissionScope): Rule[] =>
  Object.entries(subjectsOf(scope)).map(([subject, { actions }]) => ({ subject, action: [...actions] }));

const CRUD = ['read', 'create', 'edit', 'delete'];
const all = (subject: keyof typeof projectSubjects): Rule => allow(subject, ...projectSubjects[subject].actions);

/** `read`-like actions of every subject, with the exceptions that the published viewer has. */
const viewer: Rule[] = [
  allow('secrets', 'describeSecret', 'readValue'),
  allow('dynamic-secrets', 'read-root-credential'),
  ...Object.entries(projectSubjects)
    .filter(([subject, { actions }]) => subject !== 'secrets' && (actions as readonly string[]).includes('read'))
    .map(([subject]): Rule => ({ subject, action: ['read'] })),
];

export const projectRoles: readonly BuiltInRole[] = [
  {
    slug: 'admin',
    name: 'Admin',
    description: 'Full administrative access over a project',
    rules: everything('project'),
  },
  {
    slug: 'member',
    name: 'Developer',
    description: 'Works with the secrets of a project',
    rules: [
      all('secrets'),
      all('secret-folders'),
      all('secret-imports'),
      all('dynamic-secrets'),
      all('secret-syncs'),
      ...(['integrations', 'webhooks', 'service-tokens', 'settings', 'environments', 'tags', 'identity'] as const).map(
        (subject) => allow(subject, ...CRUD),
      ),
      allow('member', 'read', 'create'),
      ...(
        [
          'groups',
          'role',
          'secret-approval',
          'secret-rotation',
          'audit-logs',
          'ip-allowlist',
          'certificate-authorities',
        ] as const
      ).map((subject) => allow(subject, 'read')),
      allow('secret-rollback', 'read', 'create'),
      allow('commits', 'read', 'perform-rollback'),
      allow('ssh-certificates', 'read', 'create'),
      allow('cmek', ...projectSubjects.cmek.actions.filter((action) => action !== 'export-private-key')),
    ],
  },
  { slug: 'viewer', name: 'Viewer', description: 'Reads a project', rules: viewer },
  { slug: 'no-access', name: 'No Access', description: 'No access to any of the project', rules: [] },
  {
    slug: 'ssh-host-bootstrapper',
    name: 'SSH Host Bootstrapper',
    description: 'Registers SSH hosts',
    rules: [allow('ssh-hosts', 'create', 'issue-host-cert')],
  },
  {
    slug: 'cryptographic-operator',
    name: 'Cryptographic Operator',
    description: 'Uses keys',
    rules: [allow('cmek', 'encrypt', 'decrypt', 'sign', 'verify', 'generate-mac', 'verify-mac')],
  },
];

export const organizationRoles: readonly BuiltInRole[] = [
  {
    slug: 'admin',
    name: 'Admin',
    description: 'Full administrative access over the organization',
    rules: everything('organization'),
  },
  {
    slug: 'member',
    name: 'Member',
    description: 'Creates projects and works in those it belongs to',
    rules: [
      allow('workspace', 'create'),
      allow('project', 'create'),
      ...(['member', 'groups', 'role', 'settings', 'billing', 'incident-contact', 'audit-logs'] as const).map(
        (subject) => allow(subject, 'read'),
      ),
      allow('identity', ...CRUD),
      allow('secret-scanning', ...CRUD),
      allow('app-connections', 'connect'),
      allow('gateway', 'list-gateways', 'create-gateways', 'attach-gateways'),
    ],
  },
  { slug: 'no-access', name: 'No Access', description: 'No access to the organization itself', rules: [] },
];

export const builtInRoles = (scope: PermissionScope): readonly BuiltInRole[] =>
  scope === 'project' ? projectRoles : organizationRoles;

export const builtInRole = (scope: PermissionScope, slug: string): BuiltInRole | undefined =>
  builtInRoles(scope).find((role) => role.slug === slug);

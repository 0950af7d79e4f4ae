import { definePermissions, type PermissionScope, type Rule } from '../kernel/schema.ts';

/**
 * Every published subject with its actions and the fields that conditions on it may name. Users keep these strings in
 * roles and privileges: entries are added, never renamed or removed, also for areas that have no operation yet.
 */
const CRUD = ['read', 'create', 'edit', 'delete'] as const;
const PLACE = ['environment', 'secretPath'] as const;

interface SubjectEntry {
  readonly actions: readonly string[];
  readonly conditions?: readonly string[];
}

export const projectSubjects = {
  secrets: {
    actions: ['read', 'describeSecret', 'readValue', 'create', 'edit', 'delete'],
    conditions: ['environment', 'secretPath', 'secretName', 'secretTags'],
  },
  'secret-folders': { actions: CRUD, conditions: PLACE },
  'secret-imports': { actions: CRUD, conditions: PLACE },
  'dynamic-secrets': {
    actions: [
      'read-root-credential',
      'create-root-credential',
      'edit-root-credential',
      'delete-root-credential',
      'lease',
    ],
    conditions: [...PLACE, 'metadata'],
  },
  'secret-rotation': { actions: [...CRUD, 'read-generated-credentials', 'rotate-secrets'], conditions: PLACE },
  'secret-syncs': { actions: [...CRUD, 'sync-secrets', 'import-secrets', 'remove-secrets'], conditions: PLACE },
  'secret-rollback': { actions: ['read', 'create'] },
  'secret-approval': { actions: CRUD },
  'secret-events': {
    actions: [
      'subscribe-to-created-events',
      'subscribe-to-updated-events',
      'subscribe-to-deleted-events',
      'subscribe-to-import-mutation-events',
    ],
    conditions: PLACE,
  },
  commits: { actions: ['read', 'perform-rollback'] },
  role: { actions: CRUD },
  member: {
    actions: [...CRUD, 'grant-privileges', 'assume-privileges', 'assign-role', 'assign-additional-privileges'],
  },
  groups: { actions: [...CRUD, 'grant-privileges', 'assign-role'] },
  identity: {
    actions: [
      ...CRUD,
      'grant-privileges',
      'assume-privileges',
      'revoke-auth',
      'create-token',
      'get-token',
      'delete-token',
      'assign-role',
      'assign-additional-privileges',
    ],
    conditions: ['identityId'],
  },
  integrations: { actions: CRUD },
  webhooks: { actions: CRUD },
  'service-tokens': { actions: [...CRUD, 'create-without-expiry'] },
  settings: { actions: CRUD },
  environments: { actions: CRUD },
  tags: { actions: CRUD },
  'ip-allowlist': { actions: CRUD },
  'audit-logs': { actions: ['read'] },
  workspace: { actions: ['edit', 'delete'] },
  kms: { actions: ['edit'] },
  cmek: {
    actions: [
      ...CRUD,
      'encrypt',
      'decrypt',
      'sign',
      'verify',
      'generate-mac',
      'verify-mac',
      'rotate',
      'import',
      'export-private-key',
    ],
    conditions: ['keyName'],
  },
  kmip: {
    actions: ['create-clients', 'update-clients', 'delete-clients', 'read-clients', 'generate-client-certificates'],
  },
  'pki-alerts': { actions: CRUD },
  'pki-collections': { actions: CRUD },
  'certificate-authorities': {
    actions: [...CRUD, 'renew', 'sign-intermediate', 'issue-ocsp-signing'],
    conditions: ['name'],
  },
  certificates: {
    actions: [...CRUD, 'read-private-key', 'import'],
    conditions: [
      ...['commonName', 'altNames', 'serialNumber', 'friendlyName', 'status'],
      ...['organization', 'organizationalUnit', 'country', 'state', 'locality'],
    ],
  },
  'certificate-templates': { actions: [...CRUD, 'issue-cert', 'list-certs'], conditions: ['name'] },
  'pki-subscribers': { actions: [...CRUD, 'issue-cert', 'list-certs'], conditions: ['name'] },
  'pki-syncs': {
    actions: [...CRUD, 'sync-certificates', 'import-certificates', 'remove-certificates'],
    conditions: ['name'],
  },
  'certificate-policies': { actions: CRUD, conditions: ['name'] },
  'certificate-profiles': { actions: [...CRUD, 'issue-cert'], conditions: ['slug'] },
  'ssh-certificate-authorities': { actions: CRUD },
  'ssh-certificates': { actions: CRUD },
  'ssh-certificate-templates': { actions: CRUD },
  'ssh-host-groups': { actions: CRUD },
  'ssh-hosts': { actions: [...CRUD, 'issue-host-cert'], conditions: ['hostname'] },
  'secret-scanning-data-sources': {
    actions: [
      'read-data-sources',
      'create-data-sources',
      'edit-data-sources',
      'delete-data-sources',
      'trigger-data-source-scans',
      'read-data-source-scans',
      'read-data-source-resources',
    ],
  },
  'secret-scanning-findings': { actions: ['read-findings', 'update-findings'] },
  'secret-scanning-configs': { actions: ['read-configs', 'update-configs'] },
  'app-connections': { actions: [...CRUD, 'connect'], conditions: ['connectionId'] },
  'approval-requests': { actions: ['read', 'create'] },
} as const satisfies Record<string, SubjectEntry>;

export const organizationSubjects = {
  workspace: { actions: ['create'] },
  project: { actions: ['create'] },
  role: { actions: CRUD },
  member: { actions: CRUD },
  settings: { actions: CRUD },
  'incident-contact': { actions: CRUD },
  sso: { actions: CRUD },
  scim: { actions: CRUD },
  ldap: { actions: CRUD },
  'github-org-sync': { actions: CRUD },
  'github-org-sync-manual': { actions: CRUD },
  'secret-scanning': { actions: CRUD },
  kms: { actions: CRUD },
  'project-templates': { actions: CRUD },
  groups: {
    actions: [...CRUD, 'grant-privileges', 'add-members', 'remove-members', 'add-identities', 'remove-identities'],
  },
  identity: { actions: [...CRUD, 'grant-privileges', 'revoke-auth', 'create-token', 'get-token', 'delete-token'] },
  billing: { actions: ['read', 'manage-billing'] },
  'audit-logs': { actions: ['read', 'read-all'] },
  'app-connections': { actions: [...CRUD, 'connect'], conditions: ['connectionId'] },
  gateway: { actions: ['create-gateways', 'list-gateways', 'edit-gateways', 'delete-gateways', 'attach-gateways'] },
  relay: { actions: ['create-relays', 'list-relays', 'edit-relays', 'delete-relays'] },
  kmip: { actions: ['proxy'] },
  'organization-admin-console': { actions: ['access-all-projects'] },
  'machine-identity-auth-template': {
    actions: [
      'list-templates',
      'create-templates',
      'edit-templates',
      'delete-templates',
      'attach-templates',
      'unlink-templates',
    ],
  },
  'secret-share': { actions: ['manage-settings'] },
  'sub-organization': { actions: ['create', 'direct-access'] },
} as const satisfies Record<string, SubjectEntry>;

/** Subjects of an organization that give the same right to create projects, by two published names: either name allows it. */
const CREATE_PROJECT: Readonly<Record<string, string>> = { project: 'workspace', workspace: 'project' };

/** The rule that forbids the same right by its other name, so that forbidding either name forbids the right. */
export function denialByOtherName(rule: Rule): Rule | undefined {
  const subject = CREATE_PROJECT[rule.subject];
  if (!subject || !rule.inverted || ![rule.action].flat().includes('create')) return undefined;
  return { ...rule, subject, action: ['create'] };
}

type Subjects<Scope extends PermissionScope> = Scope extends 'project'
  ? typeof projectSubjects
  : typeof organizationSubjects;

export const subjectsOf = (scope: PermissionScope): Readonly<Record<string, SubjectEntry>> =>
  scope === 'project' ? projectSubjects : organizationSubjects;

/** The permissions on one subject of a project: `projectPermissions('tags').create`. */
export const projectPermissions = <Subject extends keyof typeof projectSubjects>(subject: Subject) =>
  definePermissions<Subjects<'project'>[Subject]['actions'][number]>(
    'project',
    subject,
    projectSubjects[subject].actions,
  );

/** The permissions on one subject of an organization: `organizationPermissions('identity').read`. */
export const organizationPermissions = <Subject extends keyof typeof organizationSubjects>(subject: Subject) =>
  definePermissions<Subjects<'organization'>[Subject]['actions'][number]>(
    'organization',
    subject,
    organizationSubjects[subject].actions,
  );

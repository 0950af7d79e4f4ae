import { z } from 'zod';
import { organizationPermissions, projectPermissions } from '../../access/catalogue.ts';
import {
  defineEvent,
  defineUpdate,
  flag,
  Id,
  Instant,
  LeftElsewhere,
  LookedUp,
  page,
  slug,
  text,
  Uuid,
} from '../../kernel/schema.ts';

export const projectPermission = projectPermissions('workspace');
export const settingsPermissions = projectPermissions('settings');
/** Creating a project: the newer and the older name of the right; either will do. */
export const createProjectPermissions = [
  organizationPermissions('project').create,
  organizationPermissions('workspace').create,
] as const;

/** The main use of a project. It has no effect: every project can have every type of resource. */
export const ProjectType = z.enum(['secret-manager', 'cert-manager', 'kms', 'ssh', 'secret-scanning', 'pam']);

const name = text(64).trim().min(1);
const description = text(1024);
const versionLimit = z.int().min(1).max(100).describe('Number of versions of a secret that are kept');
const retentionDays = z.int().min(0).max(36_500).describe('Days');

export const Project = z.object({
  id: Uuid,
  _id: Uuid,
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  type: z.string(),
  orgId: Uuid,
  autoCapitalization: z.boolean(),
  pitVersionLimit: z.number().int(),
  offlineCacheMaxAge: z
    .number()
    .int()
    .describe(
      'Seconds for which command lines may use values that they have read while the server is unreachable; 0: not at all',
    ),
  hasDeleteProtection: z.boolean(),
  auditLogsRetentionDays: z.number().int().nullable(),
  kmsCertificateKeyId: z.string().nullable(),
  secretSharing: z.boolean(),
  showSnapshotsLegacy: z.boolean(),
  secretDetectionIgnoreValues: z.array(z.string()),
  version: z.number().int(),
  upgradeStatus: z.string().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  environments: z.array(z.object({ id: Uuid, name: z.string(), slug: z.string() })).describe('In order'),
});
export type Project = z.output<typeof Project>;

export const ListedProjectRole = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  projectId: Uuid,
});
export type ListedProjectRole = z.output<typeof ListedProjectRole>;

export const ListedProject = Project.extend({ roles: z.array(ListedProjectRole).optional() });
export type ListedProject = z.output<typeof ListedProject>;

export const CreateProject = z.object({
  projectName: name,
  projectDescription: description.optional(),
  slug: slug(5, 36).optional().describe('Unique in the organization. Default: derived from the name'),
  kmsKeyId: LookedUp.optional(),
  template: LookedUp.default('default').describe('The template that defines its first environments and roles'),
  type: ProjectType.default('secret-manager'),
  shouldCreateDefaultEnvs: z.boolean().default(true),
  hasDeleteProtection: z.boolean().default(false),
});
export type CreateProject = z.output<typeof CreateProject>;

export const ListProjects = z.object({
  type: ProjectType.or(z.literal('all')).optional(),
  includeRoles: flag().default(false),
});
export type ListProjects = z.output<typeof ListProjects>;

/** The slug of a project in a path; text that is none is the slug of nothing. */
export const ProjectSlug = z.string().trim().min(1);

export const ProjectChanges = z.object({
  name: name.optional(),
  description: description.nullish(),
  autoCapitalization: z.boolean().optional().describe('Secret names are in capital letters only'),
  hasDeleteProtection: z.boolean().optional(),
  slug: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .regex(/^[a-z0-9_-]+$/, 'Use lower-case letters, digits, - and _')
    .optional()
    .describe('Changing the slug needs `workspace: edit`, because machines name projects by slug'),
  secretSharing: z.boolean().optional(),
  showSnapshotsLegacy: z.boolean().optional(),
  secretDetectionIgnoreValues: z.array(text(1024)).max(1000).optional(),
  pitVersionLimit: versionLimit.optional(),
  offlineCacheMaxAge: z
    .int()
    .min(0)
    .max(2_592_000)
    .optional()
    .describe('Seconds, at most 30 days; 0 (the default): command lines keep no values'),
  auditLogsRetentionDays: retentionDays.optional(),
});
export type ProjectChanges = z.output<typeof ProjectChanges>;

/** The changes for holders of the right to edit the settings; the others need an administrator. */
export const SETTINGS = [
  'name',
  'description',
  'autoCapitalization',
  'hasDeleteProtection',
  'secretSharing',
  'showSnapshotsLegacy',
  'secretDetectionIgnoreValues',
] as const;

export const UpdateProject = ProjectChanges.omit({ auditLogsRetentionDays: true }).extend({ projectId: Id });
export type UpdateProject = z.output<typeof UpdateProject>;

export const ProjectById = z.object({ projectId: Id });

export const SearchProjects = z.object({
  ...page({ limit: 100, maxLimit: 100 }).shape,
  type: ProjectType.optional(),
  name: text(255).trim().optional().describe('A part of the name'),
  orderBy: z.literal('name').default('name'),
  orderDirection: z.enum(['asc', 'desc']).default('asc'),
});
export type SearchProjects = z.output<typeof SearchProjects>;

export const FoundProject = Project.omit({ _id: true, environments: true }).extend({ isMember: z.boolean() });
export const FoundProjects = z.object({ projects: z.array(FoundProject), totalCount: z.number().int() });
export type FoundProjects = z.output<typeof FoundProjects>;

const data = { projectId: z.string(), name: z.string(), slug: z.string() };
export const projectCreated = defineEvent(
  'project.created',
  'create-project',
  z.object({ ...data, type: z.string(), template: z.string().optional() }),
);
export const projectUpdated = defineUpdate('project.updated', 'update-project', z.object({ ...data }));
export const projectDeleted = defineEvent(
  'project.deleted',
  'delete-project',
  z.object({ ...data, left: LeftElsewhere.optional() }),
);

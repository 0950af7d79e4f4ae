import { z } from 'zod';
import { CreateProjectRole } from '../../access/role/role.ts';
import { PublishedRule } from '../../access/rule.ts';
import { defineEvent, defineUpdate, Id, slug, text, Timestamps, Uuid } from '../../kernel/schema.ts';
import { CreateEnvironment } from '../../secrets/environment/environment.ts';
import { ProjectType } from '../project/project.ts';

/** The name and ID of the built-in template, which is read-only. */
export const DEFAULT_TEMPLATE = 'default';

const MAX_ENVIRONMENTS = 100;
const MAX_ROLES = 100;

const TemplateEnvironment = z.object({
  name: z.string(),
  slug: z.string(),
  position: z.number().int().describe('Starts at 1'),
});
export type TemplateEnvironment = z.output<typeof TemplateEnvironment>;

/** The initial contents of projects: environments, and custom roles. */
export const ProjectTemplate = z.object({
  id: z.string().describe('UUID; for the built-in template its name'),
  name: z.string(),
  description: z.string().nullable(),
  type: z.string().describe('The intended project type; a project gets the type with which it is created'),
  roles: z.array(z.object({ name: z.string(), slug: z.string(), permissions: z.array(PublishedRule) })),
  environments: z.array(TemplateEnvironment).describe('In order'),
  orgId: Uuid,
  ...Timestamps.shape,
});
export type ProjectTemplate = z.output<typeof ProjectTemplate>;

const unlike =
  <Field extends string>(field: Field) =>
  (elements: readonly Readonly<Record<Field, unknown>>[]) =>
    new Set(elements.map((element) => element[field])).size === elements.length;

/** The rules of project roles, as roles of projects themselves are written. */
const Role = CreateProjectRole.pick({ name: true, slug: true, permissions: true });
const Environment = CreateEnvironment.pick({ name: true, slug: true }).extend({
  position: CreateEnvironment.shape.position.unwrap().describe('Starts at 1'),
});

/** Memberships are for the administrator of each project to give. */
const nobody = z
  .array(z.unknown())
  .max(
    0,
    'Memberships in templates are not supported: the creator of a project becomes its administrator and adds members',
  )
  .optional();

export const CreateProjectTemplate = z.object({
  name: slug(1, 64)
    .refine((given) => given !== DEFAULT_TEMPLATE, 'This name belongs to the built-in template')
    .describe('Unique in the organization'),
  description: text(1024).trim().nullish(),
  type: ProjectType.default('secret-manager'),
  roles: z.array(Role).max(MAX_ROLES, { abort: true }).refine(unlike('slug'), 'Role slugs must be unique').default([]),
  environments: z
    .array(Environment)
    .max(MAX_ENVIRONMENTS, { abort: true })
    .refine(unlike('slug'), 'Environment slugs must be unique')
    .refine(unlike('position'), 'Environment positions must be unique')
    .optional()
    .describe('Default: dev, staging and prod'),
  users: nobody,
  groups: nobody,
  identities: nobody,
});
export type CreateProjectTemplate = z.output<typeof CreateProjectTemplate>;

export const ProjectTemplateRef = z.object({ templateId: Id });
export type ProjectTemplateRef = z.output<typeof ProjectTemplateRef>;

export const UpdateProjectTemplate = CreateProjectTemplate.extend({
  type: CreateProjectTemplate.shape.type.unwrap(),
  roles: CreateProjectTemplate.shape.roles.unwrap(),
})
  .partial()
  .extend(ProjectTemplateRef.shape);
export type UpdateProjectTemplate = z.output<typeof UpdateProjectTemplate>;

export const ListProjectTemplates = z.object({ type: ProjectType.optional() });
export type ListProjectTemplates = z.output<typeof ListProjectTemplates>;

const data = z.object({ templateId: z.string(), name: z.string() });
export const templateCreated = defineEvent('project_template.created', 'create-project-template', data);
export const templateUpdated = defineUpdate('project_template.updated', 'update-project-template', data);
export const templateDeleted = defineEvent('project_template.deleted', 'delete-project-template', data);

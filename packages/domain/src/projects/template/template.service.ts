import { LockMode } from '@mikro-orm/core';
import {
  authorize,
  builtInRoles,
  organizationOf,
  organizationPermissions,
  publishingCost,
  publishRules,
} from '../../access/index.ts';
import {
  findInPortions,
  givenFields,
  badRequest,
  explainConstraint,
  fewIn,
  inTransaction,
  isId,
  mapInTurns,
  newId,
  notFound,
  readInRoom,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { OrganizationEntity } from '../../organizations/organization/index.ts';
import { DEFAULT_ENVIRONMENTS, type ProjectContents } from '../project/index.ts';
import { ProjectTemplateEntity } from './template.entity.ts';
import {
  DEFAULT_TEMPLATE,
  templateCreated,
  templateDeleted,
  templateUpdated,
  type CreateProjectTemplate,
  type ListProjectTemplates,
  type ProjectTemplate,
  type ProjectTemplateRef,
  type TemplateEnvironment,
  type UpdateProjectTemplate,
} from './template.ts';

export const templatePermissions = organizationPermissions('project-templates');

explainConstraint(
  'project_templates_name_unique',
  'A project template with this name already exists in the organization',
);

/*
 * Who may write templates cannot get into anybody's projects by them. A role in a template is given to nobody: the
 * project gets it as a role, and its administrator, who may do everything there, assigns it or does not. It cannot
 * take the place of a built-in one, whose slugs are refused. What was made from a template is a copy, which no later
 * change of the template reaches. And templates give no memberships.
 */

const requireFewTemplates = fewIn('organization', {
  table: 'project_templates',
  most: 500,
  code: 'project_template.too_many',
  of: 'project templates',
});

const BYTES = statement(
  'project_templates.bytes',
  `select coalesce(sum(octet_length(roles::text)), 0)::float8 as bytes from project_templates where organization_id = $1`,
);
const costOf = ({ roles }: ProjectTemplateEntity): number =>
  roles.reduce((sum, { permissions }) => sum + publishingCost(permissions), 1);

/**
 * All templates of the organization by name, the built-in one first.
 *
 * @throws DomainError 400 `answer.too_large`
 */
export async function listProjectTemplates(ctx: Context, { type }: ListProjectTemplates): Promise<ProjectTemplate[]> {
  await authorize(ctx, templatePermissions.read);
  const organizationId = organizationOf(ctx);
  const own = await readInRoom(ctx, async (room) => {
    const [size] = await ctx.sql<{ bytes: number }>(BYTES, [organizationId]);
    room.take(size!.bytes);
    return findInPortions(ctx, ProjectTemplateEntity, { organizationId }, { name: 'asc' }, 2);
  });
  const all = [await builtIn(ctx, organizationId), ...(await mapInTurns(own, costOf, toTemplate))];
  return type === undefined ? all : all.filter((template) => template.type === type);
}

export async function getProjectTemplate(ctx: Context, { templateId }: ProjectTemplateRef): Promise<ProjectTemplate> {
  await authorize(ctx, templatePermissions.read);
  if (templateId === DEFAULT_TEMPLATE) return builtIn(ctx, organizationOf(ctx));
  return toTemplate(await load(ctx, templateId));
}

/**
 * The contents of a template of the organization. Creating a project from a template discloses its contents, so it
 * needs the permission to read templates.
 *
 * @throws DomainError 403 without that permission, whether or not the template exists; 404 if it does not.
 */
export async function templateContents(ctx: Context, name: string): Promise<ProjectContents> {
  await authorize(ctx, templatePermissions.read);
  const row = /^[a-z0-9-]{1,64}$/.test(name)
    ? await ctx.em.findOne(ProjectTemplateEntity, { organizationId: organizationOf(ctx), name })
    : null;
  if (!row) throw notFound('project template', { template: name });
  return { environments: row.environments, roles: row.roles };
}

/** @throws DomainError 400 `project_templates_name_unique` where the name is taken. */
export async function createProjectTemplate(ctx: Context, input: CreateProjectTemplate): Promise<ProjectTemplate> {
  await authorize(ctx, templatePermissions.create);
  const organizationId = organizationOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const { name, description = null, type, roles, environments = defaultEnvironments() } = input;
    const row = tx.em.create(ProjectTemplateEntity, {
      id: newId(),
      organizationId,
      name,
      description,
      type,
      roles,
      environments: inOrder(environments),
    });
    await tx.em.persist(row).flush();
    await requireFewTemplates(tx, row.organizationId);
    record(tx, templateCreated, { templateId: row.id, name });
    return toTemplate(row);
  });
}

/**
 * Updates the given fields of a template; projects that were created from it are unchanged.
 *
 * @throws DomainError 400 for the built-in template and for an existing name.
 */
export async function updateProjectTemplate(
  ctx: Context,
  { templateId, name, description, type, roles, environments }: UpdateProjectTemplate,
): Promise<ProjectTemplate> {
  await authorize(ctx, templatePermissions.edit);
  return inTransaction(ctx, async (tx) => {
    const row = await loadOwn(tx, templateId);
    const changes = { name, description, type, roles, environments: environments && inOrder(environments) };
    tx.em.assign(row, { ...changes, updatedAt: tx.now() }, { ignoreUndefined: true });
    await tx.em.flush();
    const changed = givenFields(changes);
    record(tx, templateUpdated, { templateId: row.id, name: row.name, changed });
    return toTemplate(row);
  });
}

/** Deletes a template; projects that were made from it stay. @throws DomainError 400 for the built-in template. */
export async function deleteProjectTemplate(
  ctx: Context,
  { templateId }: ProjectTemplateRef,
): Promise<ProjectTemplate> {
  await authorize(ctx, templatePermissions.delete);
  return inTransaction(ctx, async (tx) => {
    const row = await loadOwn(tx, templateId);
    const last = toTemplate(row);
    await tx.em.remove(row).flush();
    record(tx, templateDeleted, { templateId: last.id, name: last.name });
    return last;
  });
}

async function load(ctx: Context, templateId: string, lock = {}): Promise<ProjectTemplateEntity> {
  const row = isId(templateId)
    ? await ctx.em.findOne(ProjectTemplateEntity, { id: templateId, organizationId: organizationOf(ctx) }, lock)
    : null;
  if (!row) throw notFound('project template');
  return row;
}

/** A template that can be changed, locked until the transaction ends. */
function loadOwn(tx: Transaction, templateId: string): Promise<ProjectTemplateEntity> {
  if (templateId === DEFAULT_TEMPLATE)
    throw badRequest('project_template.built_in', 'The built-in template cannot be changed');
  return load(tx, templateId, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

const inOrder = (environments: readonly TemplateEnvironment[]): TemplateEnvironment[] =>
  environments.toSorted((a, b) => a.position - b.position);

const defaultEnvironments = (): TemplateEnvironment[] =>
  DEFAULT_ENVIRONMENTS.map((environment, index) => ({ ...environment, position: index + 1 }));

/** What projects start with where no template is named; as old as the organization. */
async function builtIn(ctx: Context, organizationId: string): Promise<ProjectTemplate> {
  const { createdAt } = await ctx.em.findOneOrFail(OrganizationEntity, { id: organizationId });
  return {
    id: DEFAULT_TEMPLATE,
    name: DEFAULT_TEMPLATE,
    description: 'The environments and roles that every project has where no other template is named',
    type: 'secret-manager',
    roles: builtInRoles('project').map(({ name, slug, rules }) => ({ name, slug, permissions: publishRules(rules) })),
    environments: defaultEnvironments(),
    orgId: organizationId,
    createdAt,
    updatedAt: createdAt,
  };
}

const toTemplate = (row: ProjectTemplateEntity): ProjectTemplate => ({
  id: row.id,
  name: row.name,
  description: row.description ?? null,
  type: row.type,
  roles: row.roles.map(({ name, slug, permissions }) => ({ name, slug, permissions: publishRules(permissions) })),
  environments: row.environments.map(({ name, slug, position }) => ({ name, slug, position })),
  orgId: row.organizationId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

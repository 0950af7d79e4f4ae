import { authorize, organizationOf, readable, requireLasting } from '../../access/index.ts';
import { lockOwnMembership, removeEverybody } from '../../access/membership/index.ts';
import {
  badRequest,
  invalidate,
  inLastTransaction,
  inTransaction,
  notFound,
  record,
  slugFrom,
  statement,
  type Context,
  type LeftElsewhere,
  type Transaction,
} from '../../kernel/index.ts';
import { requireNoPolicyInProject } from '../../secrets/coverage/index.ts';
import { requireMayEndSourcesIn } from '../../secrets/publication/index.ts';
import { DEFAULT_TEMPLATE, templateContents } from '../template/index.ts';
import { createProjectRow } from './create.ts';
import { findProject } from './find.ts';
import { requireUnreservedSlug, reserveSlug } from './former-slugs.ts';
import { ProjectEntity } from './project.entity.ts';
import {
  createProjectPermissions,
  projectCreated,
  projectDeleted,
  projectPermission,
  projectUpdated,
  SETTINGS,
  settingsPermissions,
  type CreateProject,
  type Project,
  type ProjectChanges,
} from './project.ts';

/**
 * Creates a project; its creator is its administrator. The environments and roles of a given template are copied;
 * `shouldCreateDefaultEnvs` applies to the default ones only.
 *
 * @throws DomainError 400 `projects_slug_unique` for an existing slug, `project.slug_reserved` for a reserved one, 404 for
 * an unknown template or KMS key, 403 for a template without the right to read templates.
 */
export async function createProject(ctx: Context, input: CreateProject): Promise<Project> {
  const [newer, older] = createProjectPermissions;
  const mayCreate = await readable(ctx, newer);
  if (!mayCreate({})) await authorize(ctx, older);
  const template = input.template.toLowerCase();
  const contents = template && template !== DEFAULT_TEMPLATE ? await templateContents(ctx, template) : undefined;
  if (input.kmsKeyId) throw notFound('kms key', { kmsKeyId: input.kmsKeyId });
  return inTransaction(ctx, async (tx) => {
    await lockOwnMembership(tx);
    const { id, name, slug, type } = await createProjectRow(tx, {
      organizationId: organizationOf(ctx),
      name: input.projectName,
      slug: input.slug ?? slugFrom(input.projectName, 36),
      type: input.type,
      description: input.projectDescription ?? null,
      hasDeleteProtection: input.hasDeleteProtection,
      withEnvironments: input.shouldCreateDefaultEnvs,
      contents,
    });
    await tx.em.flush();
    const from = contents && { template };
    record(tx, projectCreated, { projectId: id, name, slug, type, ...from }, { projectId: id });
    return findProject(tx, id);
  });
}

/**
 * Updates the given fields of a project. Some settings, and the slug by which machines name projects, are only for
 * administrators.
 *
 * @throws DomainError 400 `projects_slug_unique` if the slug exists, `project.slug_reserved` if another project had it
 * within 30 days, `secret_approval.needed` for a new slug if a change policy of the project applies to the caller; 403
 * `PermissionBoundaryError` for the others by a right that ends.
 */
export async function updateProject(
  ctx: Context,
  { projectId, ...given }: ProjectChanges & { projectId: string },
): Promise<Project> {
  const changes = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as ProjectChanges;
  const changed = Object.keys(changes);
  const isSetting = (field: string) => field === 'slug' || (SETTINGS as readonly string[]).includes(field);
  await authorize(ctx, settingsPermissions.edit, { projectId });
  const goesOn = !changed.every(isSetting);
  if (goesOn) await authorize(ctx, projectPermission.edit, { projectId });
  return inTransaction(ctx, async (tx) => {
    // Events and versions are removed by them again and again, and values kept.
    if (goesOn) await requireLasting(tx, projectId, { permission: projectPermission.edit, fields: { projectId } });
    if (changes.slug !== undefined) await tx.sql(LOCK, [organizationOf(ctx), projectId]);
    const project = await tx.em.findOne(ProjectEntity, { id: projectId, organizationId: organizationOf(ctx) });
    if (!project) throw notFound('project');
    const { organizationId, slug: formerSlug } = project;
    const { slug = formerSlug } = changes;
    if (slug !== formerSlug) {
      await authorize(tx, projectPermission.edit, { projectId });
      await requireNoPolicyInProject(tx, { organizationId, projectId });
    }
    tx.em.assign(project, changes);
    await tx.em.flush();
    if (slug !== formerSlug) {
      await requireUnreservedSlug(tx, { organizationId, projectId, slug });
      await reserveSlug(tx, { organizationId, projectId, slug: formerSlug });
    }
    record(tx, projectUpdated, { projectId, name: project.name, slug: project.slug, changed }, { projectId });
    return findProject(tx, projectId);
  });
}

// A project can be large, and is deleted by one statement.
const TAKE_TIME = statement('project.take_time', "set local statement_timeout = '10min'");
const LOCK = statement('project.lock', 'select id from projects where organization_id = $1 and id = $2 for update');
const IDENTITIES = statement(
  'project.identities',
  'select id from identities where organization_id = $1 and project_id = $2',
);
const DELETE = statement('project.delete', 'delete from projects where organization_id = $1 and id = $2');

/** What later areas do before a project is deleted. */
export interface ProjectEnd {
  /** Before the transaction, and again in it; see `requireMayFreeTargets`. */
  readonly requireMayEnd: (ctx: Context, project: { projectId: string }) => Promise<(tx: Transaction) => Promise<void>>;
  /** Before the transaction: what takes long. Returns what is done in it. */
  readonly prepare: (ctx: Context, project: ProjectOf) => Promise<EndOfContents>;
  /**
   * Finishes what is under way elsewhere, where the end of the contents has refused for that. Returns whether the deletion is worth
   * another try: after that, or where what was prepared is no longer enough.
   */
  readonly finish: (ctx: Context, project: ProjectOf, refusal: unknown) => Promise<boolean>;
}

/** While the project still exists; see `deleteAuthoritiesOf`. Returns what stays at other systems, for the event. */
type EndOfContents = (tx: Transaction) => Promise<LeftElsewhere>;

interface ProjectOf {
  readonly organizationId: string;
  readonly projectId: string;
}

/**
 * Deletes a project with all its contents, the identities that belong to it and their tokens, and its data keys:
 * everything sealed for it is unreadable, also in backups without the keys. The audit log keeps its events.
 *
 * @throws DomainError 400 `project.delete_protected` while it is protected, and while something stands elsewhere that only what is
 * stored here can end (see `DeletionBlocker`); 403, and 400 `secret_approval.needed`, if the
 * caller may not delete its integrations.
 */
export async function deleteProject(
  ctx: Context,
  { projectId }: { projectId: string },
  ends: ProjectEnd,
): Promise<Project> {
  await authorize(ctx, projectPermission.delete, { projectId });
  try {
    return await endProject(ctx, projectId, ends);
  } catch (error) {
    if (!(await ends.finish(ctx, { organizationId: organizationOf(ctx), projectId }, error))) throw error;
    return endProject(ctx, projectId, ends);
  }
}

async function endProject(ctx: Context, projectId: string, { requireMayEnd, prepare }: ProjectEnd): Promise<Project> {
  const requireMayStillEnd = await requireMayEnd(ctx, { projectId });
  const organizationId = organizationOf(ctx);
  const end = await prepare(ctx, { organizationId, projectId });
  return inLastTransaction(ctx, projectId, async (tx) => {
    await tx.sql(LOCK, [organizationId, projectId]);
    const project = await findProject(tx, projectId);
    if (project.hasDeleteProtection)
      throw badRequest(
        'project.delete_protected',
        'The project is protected against deletion: disable hasDeleteProtection first',
      );
    await requireMayEndSourcesIn(tx, { projectId });
    await requireMayStillEnd(tx);
    const identities = await tx.sql<{ id: string }>(IDENTITIES, [organizationId, projectId]);
    await tx.sql(TAKE_TIME, []);
    const left = await end(tx);
    await removeEverybody(tx, { organizationId, projectId });
    await tx.sql(DELETE, [organizationId, projectId]);
    await reserveSlug(tx, { organizationId, projectId, slug: project.slug });
    const ended = identities.flatMap(({ id }) => [`identity:${id}`, `actor:${id}`]);
    invalidate(tx, `access:${projectId}`, `keys:${organizationId}`, ...ended);
    const { name, slug } = project;
    record(tx, projectDeleted, { projectId, name, slug, ...(left.length > 0 && { left }) }, { projectId });
    return project;
  });
}

import { createRoleRow, type CreateRole } from '../../access/index.ts';
import { addMember } from '../../access/membership/index.ts';
import { createDataKey } from '../../crypto/index.ts';
import { fewIn, newId, type Transaction } from '../../kernel/index.ts';
import { createEnvironmentRow } from '../../secrets/environment/index.ts';
import { requireUnreservedSlug } from './former-slugs.ts';
import { ProjectEntity } from './project.entity.ts';

/** The default environments of a new project, in order. */
export const DEFAULT_ENVIRONMENTS = [
  { name: 'Development', slug: 'dev' },
  { name: 'Staging', slug: 'staging' },
  { name: 'Production', slug: 'prod' },
];

export interface NewProject {
  readonly organizationId: string;
  readonly name: string;
  readonly slug: string;
  readonly type: string;
  readonly description: string | null;
  readonly hasDeleteProtection: boolean;
  /** The default ones, unless `contents` has others. */
  readonly withEnvironments: boolean;
  /** The contents instead of the defaults. */
  readonly contents?: ProjectContents | undefined;
}

/** The contents of a new project: ordered environments, and custom roles. */
export interface ProjectContents {
  readonly environments: readonly { readonly name: string; readonly slug: string }[];
  readonly roles: readonly CreateRole[];
}

/** The list of the projects of a member has no pages. */
const requireFewProjects = fewIn('organization', {
  table: 'projects',
  most: 5_000,
  code: 'project.too_many',
  of: 'projects',
});

/**
 * Creates a project with its data key, environments and roles; its creator is its administrator.
 *
 * @throws DomainError 400 `projects_slug_unique` for an existing slug, `project.slug_reserved` for a reserved one, `project.too_many` beyond
 * the maximum of an organization.
 */
export async function createProjectRow(tx: Transaction, project: NewProject): Promise<ProjectEntity> {
  const { withEnvironments, contents, ...columns } = project;
  const row = tx.em.create(ProjectEntity, { id: newId(), ...columns });
  await tx.em.persist(row).flush();
  await requireFewProjects(tx, project.organizationId);
  await requireUnreservedSlug(tx, { organizationId: project.organizationId, projectId: row.id, slug: project.slug });
  await createDataKey(tx, project.organizationId, row.id);
  const environments = contents?.environments ?? (withEnvironments ? DEFAULT_ENVIRONMENTS : []);
  const of = { organizationId: project.organizationId, projectId: row.id };
  for (const [index, { name, slug }] of environments.entries())
    await createEnvironmentRow(tx, { name, slug, position: index + 1, ...of });
  for (const role of contents?.roles ?? []) createRoleRow(tx, of, role);
  const { actor } = tx;
  if (actor.type === 'user' || actor.type === 'identity') {
    await addMember(tx, {
      organizationId: project.organizationId,
      projectId: row.id,
      ...(actor.type === 'user' ? { userId: actor.id } : { identityId: actor.id }),
      roles: [{ role: 'admin', isTemporary: false }],
    });
  }
  return row;
}

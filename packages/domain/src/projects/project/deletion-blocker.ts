import { conflict, statement, type Context, type Statement, type Transaction } from '../../kernel/index.ts';

/** Something outside of Coffer that only what is stored here can end: it refuses the deletion of its project and organization. */
export interface DeletionBlocker {
  /** Of the refusal. */
  readonly code: string;
  readonly inProject: { readonly find: Statement; readonly message: string };
  /** The message is followed by the names of the projects. */
  readonly inOrganization: { readonly find: Statement; readonly message: string };
}

interface DeletionBlockerOf {
  /** Of the statements. */
  readonly name: string;
  readonly code: string;
  /** A table `t` with its organization and project, and what is joined to it. */
  readonly from: string;
  /** `$2` is the present time. */
  readonly where: string;
  /** What it is, and what to do first; for people. */
  readonly inProject: string;
  readonly inOrganization: string;
}

/** Declares what stands outside of Coffer. */
export const defineDeletionBlocker = ({ name, code, from, where, ...says }: DeletionBlockerOf): DeletionBlocker => ({
  code,
  inProject: {
    find: statement(
      `${name}_in_project`,
      `select count(*)::integer as count from ${from}
       where t.organization_id = $1 and $2::timestamptz is not null and t.project_id = $3 and ${where} having count(*) > 0`,
    ),
    message: says.inProject,
  },
  inOrganization: {
    find: statement(
      `${name}_in_organization`,
      `select distinct p.name from ${from} join projects p on p.id = t.project_id
       where t.organization_id = $1 and $2::timestamptz is not null and ${where} order by p.name`,
    ),
    message: says.inOrganization,
  },
});

/**
 * Checks a project, or all of an organization, before it is deleted.
 *
 * @throws DomainError 400 for the first that stands.
 */
export async function requireNoDeletionBlockers(
  tx: Transaction,
  place: { readonly organizationId: string; readonly projectId?: string },
  blockers: readonly DeletionBlocker[],
): Promise<void> {
  for (const blocker of blockers) {
    const refusal = await blocksIn(tx, place, blocker);
    if (refusal) throw conflict(blocker.code, ...refusal);
  }
}

async function blocksIn(
  ctx: Context,
  { organizationId, projectId }: { readonly organizationId: string; readonly projectId?: string },
  { inProject, inOrganization }: DeletionBlocker,
): Promise<[message: string, details?: object] | undefined> {
  if (projectId !== undefined) {
    const [row] = await ctx.sql<{ count: number }>(inProject.find, [organizationId, ctx.now(), projectId]);
    return row && [inProject.message, { count: row.count }];
  }
  const projects = await ctx.sql<{ name: string }>(inOrganization.find, [organizationId, ctx.now()]);
  if (projects.length === 0) return undefined;
  return [`${inOrganization.message}: ${projects.map(({ name }) => name).join(', ')}`];
}

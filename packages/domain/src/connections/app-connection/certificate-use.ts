import { projectPermissions, readableAcross } from '../../access/index.ts';
import { statement, type Context } from '../../kernel/index.ts';

/** An external certificate authority that uses a connection. */
export interface AuthorityUse {
  readonly id: string;
  readonly authority: string;
  readonly authorityType: string;
  readonly projectId: string;
  readonly name: string;
  readonly slug: string;
  readonly type: string;
}

const AUTHORITIES = statement(
  'app_connection.authorities',
  `select a.id, a.name as authority, a.type as "authorityType", p.id as "projectId", p.name, p.slug, p.type
   from external_authorities a join projects p on p.id = a.project_id
   where a.organization_id = $1 and a.connection_id = $2 order by p.name, a.id`,
);

/** The external authorities that use a connection. */
export const authoritiesBy = (
  ctx: Context,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
): Promise<AuthorityUse[]> => ctx.sql<AuthorityUse>(AUTHORITIES, [organizationId, id]);

/** Those that the caller may read. */
export async function readableAuthorities(ctx: Context, uses: readonly AuthorityUse[]): Promise<AuthorityUse[]> {
  const { read } = projectPermissions('certificate-authorities');
  const isVisible = await readableAcross(
    ctx,
    read,
    uses.map(({ projectId }) => projectId),
  );
  return uses.filter(({ projectId, authority: name }) => isVisible({ projectId, name }));
}

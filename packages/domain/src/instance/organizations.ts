import { z } from 'zod';
import { at, Instant, page, statement, Uuid, type Context } from '../kernel/index.ts';
import { requireSuperAdmin } from '../users/user/index.ts';

/** An organization as the administrators of the instance see it. */
export const InstanceOrganization = z.object({
  id: Uuid,
  name: z.string(),
  slug: z.string(),
  createdAt: Instant,
  members: z.int().describe('Users, invited ones included'),
  identities: z.int(),
  projects: z.int(),
});
export type InstanceOrganization = z.output<typeof InstanceOrganization>;

export const ListInstanceOrganizations = z.object({
  searchTerm: z.string().max(255).default('').describe('A part of the name or the slug'),
  ...page({ limit: 20, maxLimit: 100 }).shape,
});
export type ListInstanceOrganizations = z.output<typeof ListInstanceOrganizations>;

const LIST = statement(
  'organizations.search',
  `select o.id, o.name, o.slug, o.created_at as "createdAt",
     (select count(*)::int from memberships m where m.organization_id = o.id and m.project_id is null and m.user_id is not null) as members,
     (select count(*)::int from identities i where i.organization_id = o.id) as identities,
     (select count(*)::int from projects p where p.organization_id = o.id) as projects
   from (select id, name, slug, created_at from organizations
     where $1 = '' or strpos(lower(name), $1) > 0 or strpos(slug, $1) > 0 order by name, id limit $2 offset $3) o
   order by o.name, o.id`,
);

type Row = Omit<InstanceOrganization, 'createdAt'> & { readonly createdAt: string };

/** Lists organizations by name. @throws DomainError 403 unless the caller administers the instance. */
export async function listInstanceOrganizations(
  ctx: Context,
  { searchTerm, limit, offset }: ListInstanceOrganizations,
): Promise<InstanceOrganization[]> {
  requireSuperAdmin(ctx);
  const rows = await ctx.sql<Row>(LIST, [searchTerm.trim().toLowerCase().replaceAll('\0', ''), limit, offset]);
  return rows.map((row) => ({ ...row, createdAt: at(row.createdAt) }));
}

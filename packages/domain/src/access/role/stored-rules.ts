import { portionsOf, statement, type Context, type Rule } from '../../kernel/index.ts';

/** The rules of custom roles, by their IDs. */
export type RulesOfRoles = ReadonlyMap<string, Rule[]>;

/** So many rules are read in one turn of the event loop; as many has a role of which the size is not stored. */
const AT_ONCE = 2_000;
const LARGE = 1_000;

const SIZES = statement(
  'access.sizes_of_roles',
  `select id, coalesce(rules_size, ${LARGE}) as size from roles where organization_id = $1 and id = any($2::uuid[])`,
);
const RULES = statement(
  'access.rules_of_roles',
  'select id, permissions from roles where organization_id = $1 and id = any($2::uuid[])',
);

interface Sized {
  readonly id: string;
  /** In rules; see `sizeOf`. */
  readonly size: number;
}

/**
 * The rules of some custom roles, each read once however often its ID is given. Their JSON is parsed in several turns of the event
 * loop.
 */
export async function rulesOfRoles(
  ctx: Context,
  organizationId: string,
  roleIds: readonly string[],
): Promise<RulesOfRoles> {
  const ids = [...new Set(roleIds)];
  const sized =
    ids.length > 1 ? await ctx.sql<Sized>(SIZES, [organizationId, ids]) : ids.map((id): Sized => ({ id, size: 0 }));
  const rules = new Map<string, Rule[]>();
  for (const portion of portionsOf(sized, ({ size }) => size, { rows: Infinity, bytes: AT_ONCE })) {
    const values = [organizationId, portion.map(({ id }) => id)];
    for (const { id, permissions } of await ctx.sql<{ id: string; permissions: Rule[] }>(RULES, values))
      rules.set(id, permissions);
  }
  return rules;
}

interface WithRole {
  readonly roleId: string | null;
}

/** The rules of the custom role of each row of a list, and how large they are in an answer. A role is read once for all of its rows. */
export async function roleRulesOfRows(ctx: Context, organizationId: string, rows: readonly WithRole[]) {
  const rulesOf = await rulesOfRoles(
    ctx,
    organizationId,
    rows.flatMap(({ roleId }) => roleId ?? []),
  );
  const sizes = new Map(Array.from(rulesOf, ([id, rules]) => [id, JSON.stringify(rules).length]));
  return ({ roleId }: WithRole) => ({ rules: rulesOf.get(roleId ?? '') ?? [], size: sizes.get(roleId ?? '') ?? 0 });
}

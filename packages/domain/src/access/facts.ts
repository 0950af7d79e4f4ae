import { statement, type Actor, type Context, type Metadata, type UserActor } from '../kernel/index.ts';
import type { FactName, Facts } from './template.ts';

interface FactsRow {
  id: string;
  name: string | null;
  username: string;
  email: string | null;
  metadata: Metadata | null;
}

const FACTS = statement(
  'access.facts',
  `select i.id, i.name, i.name as username, null as email, i.metadata
   from identities i where i.organization_id = $1 and i.id = any($2::uuid[])
   union all
   select u.id, null, u.username, u.email, m.metadata
   from users u join memberships m on m.actor_id = u.id and m.organization_id = $1 and m.project_id is null
   where u.id = any($2::uuid[])`,
);
const CLAIMS = statement(
  'access.claims',
  'select claims from identity_access_tokens where id = $1 and identity_id = $2',
);

/** The facts about actors that rules of an organization can use (see `template.ts`), except those of logins. */
export async function factsOf(
  ctx: Context,
  organizationId: string,
  actorIds: readonly string[],
): Promise<Map<string, Facts>> {
  const rows = await ctx.sql<FactsRow>(FACTS, [organizationId, actorIds]);
  return new Map(
    rows.map(({ id, name, username, email, metadata }) => [
      id,
      {
        id,
        ...(name !== null && { name }),
        username,
        ...(email !== null && { email }),
        metadata: byKey(metadata ?? []),
      },
    ]),
  );
}

/** Keys with two values are omitted, because they are ambiguous. */
function byKey(metadata: Metadata): Record<string, string> {
  const values = Map.groupBy(metadata, ({ key }) => key);
  return Object.fromEntries(
    Array.from(values, ([key, entries]) => [key, [...new Set(entries.map(({ value }) => value))]] as const).flatMap(
      ([key, [value, ...more]]) => (more.length === 0 ? [[key, value!]] : []),
    ),
  );
}

/** The same of a caller; with what the login of its token proved, where rules ask for that. */
export async function ownFacts(
  ctx: Context,
  organizationId: string,
  asked: ReadonlySet<FactName>,
  actor: Actor | Pick<UserActor, 'type' | 'id'> = ctx.actor,
): Promise<Facts> {
  if (actor.type !== 'user' && actor.type !== 'identity') return {};
  const facts = (await factsOf(ctx, organizationId, [actor.id])).get(actor.id) ?? {};
  if (actor.type === 'user' || !asked.has('auth')) return facts;
  const [token] = await ctx.sql<{ claims: Record<string, unknown> | null }>(CLAIMS, [actor.tokenId, actor.id]);
  return token?.claims ? { ...facts, auth: token.claims } : facts;
}

import { statement, WorkBudget, type Context } from '../../kernel/index.ts';
import type { DynamicSecretRow } from './find.ts';
import type { LoginAtApp } from './provider.ts';
import { providers } from './registry.ts';
import { openInputs } from './stored.ts';

const OF_TYPES = statement(
  'dynamic_secret.logins',
  `select id, organization_id as "organizationId", project_id as "projectId", type, inputs from dynamic_secrets
   where organization_id = $1 and type = any($2)`,
);
type Row = Pick<DynamicSecretRow, 'id' | 'organizationId' | 'projectId' | 'type' | 'inputs'>;

/** The cost of opening one, in evaluations of rules. */
const COST = 10;

/** The existing logins that the dynamic secrets of an organization use at systems of some apps, in all of its projects. */
export async function loginsOfDynamicSecrets(
  ctx: Context,
  organizationId: string,
  apps: readonly string[],
): Promise<LoginAtApp[]> {
  const concerned = providers.members.filter(({ logins }) => logins?.apps.some((app) => apps.includes(app)));
  if (concerned.length === 0) return [];
  const types = concerned.map(({ type }) => type);
  const rows = await ctx.sql<Row>(OF_TYPES, [organizationId, types]);
  const found: LoginAtApp[] = [];
  const pace = new WorkBudget();
  for (const row of rows) {
    const provider = providers.require(row.type);
    found.push(...provider.logins!.of((await openInputs(ctx, provider, row)) as never));
    await pace.spendAndRest(COST);
  }
  return found.filter(({ app }) => apps.includes(app));
}

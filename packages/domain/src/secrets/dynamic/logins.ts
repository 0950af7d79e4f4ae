import { abilityWithinReach, organizationOf } from '../../access/index.ts';
import { orUnknown, statement, WorkBudget, type Context } from '../../kernel/index.ts';
import { dynamicSecretPermissions } from './dynamic-secret.ts';
import { dynamicSecretOf, fieldsOf, type DynamicSecretRow } from './find.ts';
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

/** A login of a dynamic secret. */
type LoginOfDynamicSecret = LoginAtApp & Pick<Row, 'id' | 'projectId'>;

/** The existing logins that the dynamic secrets of an organization use at systems of some apps, in all of its projects. */
export async function loginsOfDynamicSecrets(
  ctx: Context,
  organizationId: string,
  apps: readonly string[],
): Promise<LoginOfDynamicSecret[]> {
  const concerned = providers.members.filter(({ logins }) => logins?.apps.some((app) => apps.includes(app)));
  if (concerned.length === 0) return [];
  const types = concerned.map(({ type }) => type);
  const rows = await ctx.sql<Row>(OF_TYPES, [organizationId, types]);
  const found: LoginOfDynamicSecret[] = [];
  const pace = new WorkBudget();
  for (const row of rows) {
    const provider = providers.require(row.type);
    const logins = provider.logins!.of((await openInputs(ctx, provider, row)) as never);
    const { id, projectId } = row;
    found.push(...logins.map((login) => ({ ...login, id, projectId })));
    await pace.spendAndRest(COST);
  }
  return found.filter(({ app }) => apps.includes(app));
}

/** A dynamic secret by its name and place; `undefined` where the caller may not read it. */
export async function readableDynamicSecret(ctx: Context, id: string): Promise<string | undefined> {
  const row = await orUnknown(dynamicSecretOf(ctx, organizationOf(ctx), id));
  if (!row) return undefined;
  const ability = await abilityWithinReach(ctx, row.projectId);
  return ability?.can(dynamicSecretPermissions['read-root-credential'], fieldsOf(row))
    ? `${row.name} (${row.environment}, ${row.path})`
    : undefined;
}

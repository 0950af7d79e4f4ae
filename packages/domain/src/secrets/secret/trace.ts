import { abilityIn, denied, organizationOf } from '../../access/index.ts';
import { eventOf, notFound, statement, type Context } from '../../kernel/index.ts';
import { Resolver, type Hop } from './reference/resolve.ts';
import { fieldsOf, SECRET_COLUMNS, SECRET_TABLES, type SecretRow } from './row.ts';
import { secretPermissions, secretRead, type SecretPlace } from './secret.ts';

const AT = statement(
  'secret.at',
  `select ${SECRET_COLUMNS} from ${SECRET_TABLES}
   where e.organization_id = $1 and e.project_id = $2 and e.slug = $3 and f.path = $4 and s.key = $5 and s.user_id is null`,
);

const REFERRERS = statement(
  'secret.referrers',
  `select ${SECRET_COLUMNS} from secret_references r join secrets s on s.id = r.secret_id and s.user_id is null
   join folders f on f.id = s.folder_id join environments e on e.id = f.environment_id
   where r.organization_id = $1 and r.project_id = $2 and r.environment = $3 and r.path = $4 and r.key = $5
   order by e.slug, f.path, s.key`,
);

type At = SecretPlace & { secretName: string };

async function secretAt(ctx: Context, { projectId, environment, secretPath, secretName }: At): Promise<SecretRow> {
  const ability = await abilityIn(ctx, projectId);
  const [row] = await ctx.sql<SecretRow>(AT, [organizationOf(ctx), projectId, environment, secretPath, secretName]);
  const fields = row ? fieldsOf(row) : { environment, secretPath, secretName, secretTags: [] };
  for (const permission of [secretPermissions.describeSecret, secretPermissions.readValue]) {
    ctx.granted.add(permission.key);
    if (!ability.can(permission, fields)) throw denied(ability, permission, fields);
  }
  if (!row) throw notFound('secret');
  return row;
}

/** What a value is made of, hop by hop, and the value itself. */
export async function traceSecret(ctx: Context, at: At): Promise<{ tree: Hop; value: string }> {
  const row = await secretAt(ctx, at);
  const keys = await ctx.keys.project(row.organization_id, row.project_id);
  const resolver = new Resolver(ctx, row.project_id, keys);
  const tree = await resolver.trace(row);
  const [value] = await resolver.resolve([row], (_row, resolved) => resolved);
  const { environment, path: secretPath, id: secretId, key: secretKey, version: secretVersion } = row;
  await ctx.commitRead(
    eventOf(secretRead, { environment, secretPath, secretId, secretKey, secretVersion }, { projectId: row.project_id }),
    ctx,
  );
  return { tree, value: value! };
}

export interface Dependent {
  key: string;
  environment: string;
  secretPath: string;
  children: Dependent[];
}

const MAX_DEPTH = 10;

/** Which secrets refer to this one, and which to those, as far as the caller may know of them. */
export async function traceDependents(ctx: Context, at: At): Promise<Dependent> {
  const row = await secretAt(ctx, at);
  const ability = await abilityIn(ctx, row.project_id);
  const follow = async (of: SecretRow, trail: readonly string[]): Promise<Dependent> => {
    const known =
      trail.length >= MAX_DEPTH
        ? []
        : await ctx.sql<SecretRow>(REFERRERS, [of.organization_id, of.project_id, of.environment, of.path, of.key]);
    const visible = known.filter(
      (one) => !trail.includes(one.id) && ability.can(secretPermissions.describeSecret, fieldsOf(one)),
    );
    const children: Dependent[] = [];
    for (const one of visible) children.push(await follow(one, [...trail, one.id]));
    return { key: of.key, environment: of.environment, secretPath: of.path, children };
  };
  return follow(row, [row.id]);
}

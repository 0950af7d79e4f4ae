import { abilityIn, denied, organizationOf, filterInTurns } from '../../access/index.ts';
import { badRequest, eventOf, notFound, statement, type Ability, type Context } from '../../kernel/index.ts';
import { rangeBelow } from '../folder/index.ts';
import { refusalFor } from './reference/failure.ts';
import { targetKey, type Target } from './reference/reference.ts';
import { Resolver } from './reference/resolve.ts';
import { targetOf } from './reference/find.ts';
import type { Hop } from './reference/tree.ts';
import {
  FIELD_COLUMNS,
  fieldsOf,
  SECRET_COLUMNS,
  SECRET_TABLES,
  type FieldRow,
  type SecretFields,
  type SecretRow,
} from './row.ts';
import { readingPermissions, secretPermissions, secretRead, type SecretPlace } from './secret.ts';

const AT = statement(
  'secret.at',
  `select ${SECRET_COLUMNS} from ${SECRET_TABLES}
   where e.organization_id = $1 and e.project_id = $2 and e.slug = $3 and f.path = $4 and not f.is_reserved and s.key = $5
     and s.user_id is null`,
);

const REFERRERS = statement(
  'secret.referrers',
  `select r.environment as "ofEnvironment", r.path as "ofPath", r.key as "ofKey", ${SECRET_COLUMNS}
   from unnest($3::text[], $4::text[], $5::text[]) as w (environment, path, key)
   join secret_references r on r.organization_id = $1 and r.project_id = $2
     and r.environment = w.environment and r.path = w.path and r.key = w.key
   join secrets s on s.id = r.secret_id and s.user_id is null
   join folders f on f.id = s.folder_id and not f.is_reserved join environments e on e.id = f.environment_id
   order by e.slug, f.path, s.key`,
);

interface ReferrerRow extends SecretRow {
  ofEnvironment: string;
  ofPath: string;
  ofKey: string;
}

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

/** The hops of a value, and the value itself. */
export async function traceSecret(ctx: Context, at: At): Promise<{ tree: Hop; value: string }> {
  const row = await secretAt(ctx, at);
  const keys = await ctx.keys.project(row.organizationId, row.projectId);
  const resolver = new Resolver(ctx, row.projectId, keys);
  const [resolved] = await resolver.resolve([row], (_row, value, errors) => ({ value, errors }));
  const { value, errors } = resolved!;
  const refusal = refusalFor(await abilityIn(ctx, row.projectId), errors);
  if (refusal) throw refusal;
  const tree = await resolver.trace(row);
  const { environment, path: secretPath, id: secretId, key: secretKey, version: secretVersion } = row;
  const data = { environment, secretPath, secretId, secretKey, secretVersion, ...resolver.read };
  await ctx.commitRead(eventOf(secretRead, data, { projectId: row.projectId }), ctx);
  return { tree, value };
}

export interface Dependent {
  key: string;
  environment: string;
  secretPath: string;
  children: Dependent[];
}

const isReadable = (ability: Ability, fields: SecretFields): boolean =>
  readingPermissions.every((one) => ability.can(one, fields));

const MAX_DEPTH = 10;
/** Maximum number of secrets in one response: mutual references could fill the memory. */
const MAX_DEPENDENTS = 10_000;

/** The secrets that refer to this one, directly and indirectly, as far as the caller may read their values: there the references are. */
export async function traceDependents(ctx: Context, at: At): Promise<Dependent> {
  const row = await secretAt(ctx, at);
  const referrersOf = await loadReferrers(ctx, row);
  let count = 0;
  const follow = (target: Target, trail: readonly string[]): Dependent => {
    if (++count > MAX_DEPENDENTS)
      throw badRequest('secret.too_many_dependents', `More than ${MAX_DEPENDENTS} reference paths lead to this secret`);
    const here = [...trail, targetKey(target)];
    const referrers = trail.length < MAX_DEPTH ? (referrersOf.get(targetKey(target)) ?? []) : [];
    const children = referrers.filter((one) => !here.includes(targetKey(one))).map((one) => follow(one, here));
    return { key: target.key, environment: target.environment, secretPath: target.path, children };
  };
  return follow(targetOf(row), []);
}

/** The references to a secret, and to their holders, level by level; by target. */
async function loadReferrers(ctx: Context, row: SecretRow): Promise<Map<string, Target[]>> {
  const ability = await abilityIn(ctx, row.projectId);
  const referrersOf = new Map<string, Target[]>();
  let level: Target[] = [targetOf(row)];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    for (const target of level) referrersOf.set(targetKey(target), []);
    const found = await ctx.sql<ReferrerRow>(REFERRERS, [
      row.organizationId,
      row.projectId,
      level.map(({ environment }) => environment),
      level.map(({ path }) => path),
      level.map(({ key }) => key),
    ]);
    const visible = await filterInTurns(found, (one) => isReadable(ability, fieldsOf(one)));
    for (const one of visible) {
      const name = targetKey({ environment: one.ofEnvironment, path: one.ofPath, key: one.ofKey });
      referrersOf.get(name)?.push(targetOf(one));
    }
    level = [...new Map(visible.map((one) => [targetKey(targetOf(one)), targetOf(one)]))]
      .filter(([name]) => !referrersOf.has(name))
      .map(([, target]) => target);
  }
  return referrersOf;
}

const REFERRERS_BELOW = statement(
  'secret.referrers_below',
  `select ${FIELD_COLUMNS} from ${SECRET_TABLES}
   where s.organization_id = $1 and s.project_id = $2 and s.user_id is null and not f.is_reserved
     and not (e.slug = $3 and (f.path = $4 or (f.path >= $5 and f.path < $6)))
     and s.id in (select r.secret_id from secret_references r
       where r.project_id = $2 and r.environment = $3 and (r.path = $4 or starts_with(r.path, $4 || '/')))
   order by e.slug, f.path, s.key limit $7`,
);

/**
 * The shared secrets outside of a folder that refer to anything in or below it, as far as the caller may read their values:
 * there the references are.
 */
export async function referrersBelow(
  ctx: Context,
  { projectId, environment, path }: { projectId: string; environment: string; path: string },
  most: number,
): Promise<SecretFields[]> {
  const ability = await abilityIn(ctx, projectId);
  const place = [organizationOf(ctx), projectId, environment, path, ...rangeBelow(path), most];
  const found = (await ctx.sql<FieldRow>(REFERRERS_BELOW, place)).map(fieldsOf);
  return filterInTurns(found, (fields) => isReadable(ability, fields));
}

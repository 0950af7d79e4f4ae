import { abilityIn, denied, organizationOf, unlessHidden } from '../../access/index.ts';
import {
  eventOf,
  isId,
  notFound,
  perKey,
  statement,
  type Ability,
  type Context,
  type Permission,
} from '../../kernel/index.ts';
import { findImported } from './imported.ts';
import { refusalFor } from './reference/failure.ts';
import { Resolver } from './reference/resolve.ts';
import {
  CONTENT_COLUMNS,
  fieldsOf,
  JOIN_SECRETS_AT,
  mayDescribe,
  personalOwner,
  SECRET_COLUMNS,
  SECRET_TABLES,
  SHARED_COLUMNS,
  toSecret,
  type SecretRow,
} from './row.ts';
import { secretPermissions, secretRead, type ReadSecret, type Secret } from './secret.ts';
import { StoredVersions } from './stored-versions.ts';

/** One lookup for each key, independent of the planner's estimates. */
const readStatement = (name: string, columns: string) =>
  perKey(
    name,
    { organization_id: 'uuid', project_id: 'uuid', environment: 'text', path: 'text', key: 'text', user_id: 'uuid' },
    `select ${columns} from environments e
     ${JOIN_SECRETS_AT} w.user_id
     where e.organization_id = w.organization_id and e.project_id = w.project_id and e.slug = w.environment limit 1`,
  );
const READ = readStatement('secret.read', SHARED_COLUMNS);
const READ_PERSONAL = readStatement('secret.read_personal', SECRET_COLUMNS);

const READ_BY_ID = statement(
  'secret.read_by_id',
  `select ${SECRET_COLUMNS} from ${SECRET_TABLES}
   where s.organization_id = $1 and s.id = $2 and (s.user_id is null or s.user_id = $3) and not f.is_reserved`,
);

const READ_VERSION = statement(
  'secret.read_version',
  `select ${CONTENT_COLUMNS}, s.created_at as "updatedAt" from secret_versions s
   where s.organization_id = $1 and s.secret_id = $2 and s.version = $3`,
);

/**
 * Reads one secret by name, or one of its older versions; with `includeImports` also from the folder's imports.
 *
 * @throws DomainError 403 without `describeSecret` (and `readValue`, unless the value is hidden), for an older version
 * also with its former fields; 404 if there is no such secret, and for a personal one whose shared secret the caller
 * may not describe.
 */
export async function readSecret(ctx: Context, input: ReadSecret): Promise<Secret> {
  const { projectId, environment, secretPath, secretName } = input;
  const organizationId = organizationOf(ctx);
  const ability = await abilityIn(ctx, projectId);
  const owner = input.type === 'personal' ? (personalOwner(ctx) ?? NOBODY) : null;
  const key = [organizationId, projectId, environment, secretPath, secretName, owner];
  let row = await ctx.one<SecretRow>(owner === null ? READ : READ_PERSONAL, key);
  const wanted = input.viewSecretValue
    ? [secretPermissions.describeSecret, secretPermissions.readValue]
    : [secretPermissions.describeSecret];
  if (!row && input.includeImports && owner === null) {
    row = await findImported(ctx, { projectId, environment, secretPath }, secretName, wanted);
  }
  const fields = row ? fieldsOf(row) : { environment, secretPath, secretName, secretTags: [] };
  if (owner === null) {
    for (const permission of wanted) {
      ctx.granted.add(permission.key);
      if (ability.can(permission, fields)) continue;
      // A caller that may describe it knows its tags.
      const known = permission === secretPermissions.describeSecret ? undefined : { known: Object.keys(fields) };
      throw denied(ability, permission, fields, { wanted, ...known });
    }
  } else {
    ctx.granted.add(secretPermissions.describeSecret.key);
    if (row && !mayDescribe(ability, row)) throw notFound('secret');
  }
  if (!row) throw notFound('secret');
  if (input.version !== undefined && input.version !== row.version) {
    const [older] = await ctx.sql<SecretRow>(READ_VERSION, [organizationId, row.id, input.version]);
    if (!older) throw notFound('secret version');
    await requireVersion(ctx, ability, row, input.version, wanted);
    row = { ...row, ...older };
  }
  return show(ctx, row, input);
}

/** The error discloses neither the location and tags of the version nor the existence of a personal value. */
async function requireVersion(
  ctx: Context,
  ability: Ability,
  { projectId, id, userId }: SecretRow,
  version: number,
  wanted: readonly Permission[],
): Promise<void> {
  const ref = { id, version };
  const stored = await StoredVersions.of(ctx, { projectId }, ability, [ref]);
  for (const permission of wanted)
    if (!stored.may(permission, ref)) throw userId === null ? denied(ability, permission) : notFound('secret version');
}

/** An id that no user has: an identity has no personal secrets. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Reads one secret by its ID, anywhere in the caller's organization. */
export async function readSecretById(
  ctx: Context,
  { secretId, ...how }: { secretId: string; viewSecretValue: boolean; expandSecretReferences: boolean },
): Promise<Secret> {
  return show(
    ctx,
    await requireSecret(
      ctx,
      secretId,
      how.viewSecretValue
        ? [secretPermissions.describeSecret, secretPermissions.readValue]
        : [secretPermissions.describeSecret],
    ),
    how,
  );
}

/**
 * The row of a secret on which the caller has all of these permissions; otherwise 404, or 403 in a project of the
 * caller.
 */
export async function requireSecret(ctx: Context, secretId: string, wanted: readonly Permission[]): Promise<SecretRow> {
  const [row] = isId(secretId)
    ? await ctx.sql<SecretRow>(READ_BY_ID, [organizationOf(ctx), secretId, personalOwner(ctx)])
    : [];
  if (!row) throw notFound('secret');
  const ability = await unlessHidden('secret', abilityIn(ctx, row.projectId));
  if (row.userId !== null && !mayDescribe(ability, row)) throw notFound('secret');
  const fields = fieldsOf(row);
  for (const permission of wanted) {
    ctx.granted.add(permission.key);
    if (row.userId === null && !ability.can(permission, fields)) throw denied(ability, permission);
  }
  return row;
}

/** Refuses (403) values that cannot be had without what the caller may not read. */
export async function requireResolved(ctx: Context, projectId: string, secrets: readonly Secret[]): Promise<void> {
  const errors = secrets.flatMap((secret) => secret.secretReferenceErrors ?? []);
  if (errors.length === 0) return;
  const refusal = refusalFor(await abilityIn(ctx, projectId), errors);
  if (refusal) throw refusal;
}

/**
 * For a secret that the caller may describe. A single read is rejected, as published, if the caller may not read a
 * referenced secret.
 */
async function show(
  ctx: Context,
  row: SecretRow,
  how: { viewSecretValue: boolean; expandSecretReferences: boolean },
): Promise<Secret> {
  const keys = await ctx.keys.project(row.organizationId, row.projectId);
  const shown = { withValue: how.viewSecretValue, withDetails: true };
  const resolver =
    how.expandSecretReferences && how.viewSecretValue ? new Resolver(ctx, row.projectId, keys) : undefined;
  const secret = resolver
    ? (
        await resolver.resolve([row], (one, value, errors) =>
          toSecret(keys, one, { withValue: true, withDetails: true, value, errors }),
        )
      )[0]!
    : toSecret(keys, row, shown);
  await requireResolved(ctx, row.projectId, [secret]);
  const { id: secretId, key: secretKey, version: secretVersion } = row;
  const { environment, secretPath } = fieldsOf(row);
  const data = { environment, secretPath, secretId, secretKey, secretVersion, ...resolver?.read };
  await ctx.commitRead(eventOf(secretRead, data, { projectId: row.projectId }), ctx);
  return secret;
}

import { abilityIn, organizationOf, passByRows } from '../../access/index.ts';
import {
  answerTooLarge,
  at,
  eventOf,
  MAX_ANSWER,
  SMALL_ANSWER,
  statement,
  WorkBudget,
  type Context,
} from '../../kernel/index.ts';
import { requireSecret } from './read.ts';
import { CONTENT_COLUMNS, toSecret, type SecretRow } from './row.ts';
import { secretPermissions, secretVersionsRead, type Secret } from './secret.ts';
import { StoredVersions } from './stored-versions.ts';

/** A version in a list: a secret with the version's own ID, and the secret's. */
export type SecretVersion = Secret & { secretId: string };

const VERSIONS = statement(
  'secret_versions.list',
  `select * from (
     select s.version_id as "versionId", ${CONTENT_COLUMNS}, s.updated_at as "createdAt"
     from secrets s where s.id = $2 and s.organization_id = $1
     union all
     select s.id, ${CONTENT_COLUMNS}, s.created_at
     from secret_versions s where s.secret_id = $2 and s.organization_id = $1
   ) v order by version desc limit $3 offset $4`,
);

/** The size of their values. */
const VERSION_BYTES = statement(
  'secret_versions.bytes',
  `select coalesce(sum(bytes), 0)::float8 as bytes from (
     select s.version, octet_length(s.value) as bytes from secrets s where s.id = $2 and s.organization_id = $1
     union all
     select s.version, octet_length(s.value) from secret_versions s where s.secret_id = $2 and s.organization_id = $1
     order by version desc limit $3 offset $4
   ) v`,
);

/** The cost of opening a value, and so many bytes of it as one unit. */
const [OPENING_COST, BYTES_PER_COST] = [20, 1_000];

interface ListVersions {
  readonly secretId: string;
  readonly offset: number;
  readonly limit: number;
  /** Default `true`. */
  readonly viewSecretValue?: boolean;
}

/**
 * The versions of a secret, newest first: those that the caller may see, with readable values, by the current secret
 * and the fields of each version.
 */
export async function listSecretVersions(
  ctx: Context,
  { secretId, offset, limit, viewSecretValue = true }: ListVersions,
): Promise<SecretVersion[]> {
  const find = (by: Context) => requireSecret(by, secretId, [secretPermissions.describeSecret]);
  let row = await find(ctx);
  // It may wait for the versions, and have another place then.
  passByRows(ctx, find);
  const asked = [organizationOf(ctx), row.id, limit, offset];
  const [{ bytes } = { bytes: 0 }] = await ctx.sql<{ bytes: number }>(VERSION_BYTES, asked);
  if (bytes > MAX_ANSWER) throw answerTooLarge();
  if (bytes > SMALL_ANSWER) {
    await ctx.announceAnswer(bytes);
    row = await find(ctx);
  }
  const ability = await abilityIn(ctx, row.projectId);
  const keys = await ctx.keys.project(row.organizationId, row.projectId);
  const versions = await ctx.sql<SecretRow & { versionId: string }>(VERSIONS, asked);
  const refOf = ({ version }: SecretRow) => ({ id: row.id, version });
  const stored = await StoredVersions.of(ctx, { projectId: row.projectId }, ability, versions.map(refOf));
  const work = new WorkBudget();
  const shown: SecretVersion[] = [];
  for (const version of versions) {
    if (!stored.may(secretPermissions.describeSecret, refOf(version))) continue;
    const secret = toSecret(
      keys,
      { ...row, ...version, id: row.id, updatedAt: version.createdAt },
      { withValue: viewSecretValue && stored.may(secretPermissions.readValue, refOf(version)), withDetails: true },
    );
    shown.push({ ...secret, createdAt: at(version.createdAt), id: version.versionId, secretId: row.id });
    await work.spendAndRest(OPENING_COST + version.value.length / BYTES_PER_COST);
  }
  const { environment, path: secretPath, key: secretKey } = row;
  await ctx.commitRead(
    eventOf(secretVersionsRead, { environment, secretPath, secretId, secretKey }, { projectId: row.projectId }),
    ctx,
  );
  return shown;
}

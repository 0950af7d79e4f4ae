import { authorizeById, organizationOf, readableAtAll, requireLasting, unlessHidden } from '../../access/index.ts';
import { at, atOrNull, isId, notFound, statement, type Context, type Statement } from '../../kernel/index.ts';
import {
  rotationPermissions,
  type RotationAction,
  type SecretRotation,
  type SecretRotationName,
  type SecretRotationRef,
} from './secret-rotation.ts';
import type { Credential } from './rotation.ts';
import type { Schedule } from './schedule.ts';

/** A stored rotation with the present names of its place. */
export interface RotationRow extends Schedule {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly folderId: string;
  readonly connectionId: string;
  readonly type: string;
  readonly name: string;
  readonly description: string | null;
  readonly parameters: object;
  readonly secretsMapping: Credential;
  /** The system that the connection reached when it was chosen. */
  readonly target: string;
  readonly accounts: readonly string[];
  readonly activeIndex: number | null;
  readonly status: string | null;
  readonly lastMessage: string | null;
  readonly lastAttemptedAt: string | null;
  readonly lastRotatedAt: string | null;
  readonly lastJobId: string | null;
  readonly isLastManual: boolean;
  readonly dueAt: string | null;
  readonly failures: number;
  readonly claimedUntil: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly environmentId: string;
  readonly environment: string;
  readonly environmentName: string;
  readonly secretPath: string;
  readonly app: string;
  readonly connectionName: string;
}

const COLUMNS = `r.id, r.organization_id as "organizationId", r.project_id as "projectId", r.folder_id as "folderId",
  r.connection_id as "connectionId", r.type, r.name, r.description, r.parameters, r.secrets_mapping as "secretsMapping",
  r.target, r.accounts, r.active_index as "activeIndex", r.status, r.last_message as "lastMessage",
  r.last_attempted_at as "lastAttemptedAt", r.last_rotated_at as "lastRotatedAt", r.last_job_id as "lastJobId",
  r.is_last_manual as "isLastManual", r.is_auto_rotation_enabled as "isAutoRotationEnabled",
  r.rotation_interval as "rotationInterval", r.rotate_at as "rotateAt", r.due_at as "dueAt", r.failures, r.claimed_until as "claimedUntil",
  r.created_at as "createdAt", r.updated_at as "updatedAt", e.id as "environmentId", e.slug as environment,
  e.name as "environmentName", f.path as "secretPath", c.app, c.name as "connectionName"`;
const TABLES = `secret_rotations r join folders f on f.id = r.folder_id join environments e on e.id = f.environment_id
  join app_connections c on c.id = r.connection_id`;

const BY_ID = statement(
  'secret_rotation.by_id',
  `select ${COLUMNS} from ${TABLES} where r.organization_id = $1 and r.id = $2`,
);
const LOCK = statement('secret_rotation.lock', `${BY_ID.text} for no key update of r`);
const AT = statement(
  'secret_rotation.at',
  `select ${COLUMNS} from ${TABLES}
   where e.organization_id = $1 and e.project_id = $2 and e.slug = $3 and f.path = $4 and r.name = $5 and r.type = $6`,
);
const OF_PROJECT = statement(
  'secret_rotation.of_project',
  `select ${COLUMNS} from ${TABLES} where r.organization_id = $1 and r.project_id = $2
     and ($3::text is null or r.type = $3) order by e.slug, f.path, r.name`,
);

const THING = 'secret rotation';

/** Where its secrets are; the fields that rules use. */
export const fieldsOf = ({
  projectId,
  environment,
  secretPath,
}: Pick<RotationRow, 'projectId' | 'environment' | 'secretPath'>) => ({
  projectId,
  environment,
  secretPath,
});

export async function rotationById(
  ctx: Context,
  organizationId: string,
  id: string,
  by: Statement = BY_ID,
): Promise<RotationRow | undefined> {
  return (await ctx.sql<RotationRow>(by, [organizationId, id]))[0];
}

/**
 * The rotation with that ID, if the caller may do this with it.
 *
 * @throws DomainError 404 if there is none, or none that the caller may see; 403.
 */
export async function requireRotation(
  ctx: Context,
  { rotationType, rotationId }: SecretRotationRef,
  action: RotationAction,
): Promise<RotationRow> {
  const row = isId(rotationId) ? await rotationById(ctx, organizationOf(ctx), rotationId) : undefined;
  if (row?.type !== rotationType) throw notFound(THING);
  await requireMay(ctx, row, action);
  return row;
}

/** @throws DomainError 404 if the caller may not see its project; 403 */
export const requireMay = (ctx: Context, row: RotationRow, action: RotationAction): Promise<void> =>
  unlessHidden(THING, authorizeById(ctx, rotationPermissions[action], fieldsOf(row)));

/**
 * A rotation that goes on by itself takes a right that does not end.
 *
 * @throws DomainError 403 `PermissionBoundaryError`
 */
export const requireMayAutomate = (ctx: Context, place: Parameters<typeof fieldsOf>[0], action: RotationAction) =>
  requireLasting(ctx, place.projectId, { permission: rotationPermissions[action], fields: fieldsOf(place) });

/** The same row, locked. @throws DomainError 404 if it was deleted meanwhile */
export async function lockRotation(ctx: Context, { organizationId, id }: RotationRow): Promise<RotationRow> {
  const row = await rotationById(ctx, organizationId, id, LOCK);
  if (!row) throw notFound(THING);
  return row;
}

/**
 * The rotation with that name in a folder, if the caller may read it.
 *
 * @throws DomainError 404 if there is none, or none that the caller may read; 403 if no rule allows to read any.
 */
export async function requireRotationNamed(
  ctx: Context,
  { rotationType, rotationName, projectId, environment, secretPath }: SecretRotationName,
): Promise<RotationRow> {
  const isReadable = await unlessHidden(THING, readableAtAll(ctx, rotationPermissions.read, { projectId }));
  const place = [organizationOf(ctx), projectId, environment, secretPath];
  const [row] = isId(projectId) ? await ctx.sql<RotationRow>(AT, [...place, rotationName, rotationType]) : [];
  if (!row || !isReadable(fieldsOf(row))) throw notFound(THING);
  return row;
}

export const rotationsOf = (ctx: Context, projectId: string, type: string | undefined): Promise<RotationRow[]> =>
  ctx.sql<RotationRow>(OF_PROJECT, [organizationOf(ctx), projectId, type ?? null]);

/** The published form. */
export const toRotation = (row: RotationRow): SecretRotation => ({
  id: row.id,
  name: row.name,
  description: row.description,
  type: row.type,
  isAutoRotationEnabled: row.isAutoRotationEnabled,
  activeIndex: row.activeIndex ?? 0,
  folderId: row.folderId,
  connectionId: row.connectionId,
  rotationInterval: row.rotationInterval,
  rotateAtUtc: { hours: Math.floor(row.rotateAt / 60), minutes: row.rotateAt % 60 },
  rotationStatus: row.status ?? 'failed',
  lastRotationAttemptedAt: at(row.lastAttemptedAt ?? row.createdAt),
  lastRotatedAt: atOrNull(row.lastRotatedAt),
  lastRotationJobId: row.lastJobId,
  lastRotationMessage: row.lastMessage,
  nextRotationAt: atOrNull(row.dueAt),
  isLastRotationManual: row.isLastManual,
  connection: { id: row.connectionId, name: row.connectionName, app: row.app },
  environment: { id: row.environmentId, name: row.environmentName, slug: row.environment },
  projectId: row.projectId,
  folder: { id: row.folderId, path: row.secretPath },
  parameters: row.parameters,
  secretsMapping: row.secretsMapping,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});

/** Of the events about it. */
export const eventData = ({ id, name, type, environment, secretPath }: RotationRow) => ({
  rotationId: id,
  name,
  type,
  environment,
  secretPath,
});

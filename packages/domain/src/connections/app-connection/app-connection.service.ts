import { isDeepStrictEqual } from 'node:util';
import { authorize, organizationOf } from '../../access/index.ts';
import { isRemote, mergeConfiguration, sealedFieldsOf } from '../../family/index.ts';
import {
  badRequest,
  conflict,
  DomainError,
  explainConstraint,
  inTransaction,
  newId,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import {
  addConnection,
  AppConnectionEntity,
  isSameSystem,
  sealCredentials,
  sealedAt,
  type Connector,
  type Credentials,
} from '../connection/index.ts';
import { readFields } from '../fields.ts';
import { requireUnrotated } from '../managed-logins.ts';
import { PARAMETERS_IN_USE } from '../parameters-in-use.ts';
import { pkiSyncsBy, requestPkiSyncsBy } from '../pki-sync/index.ts';
import { connectors, rotations } from '../registry.ts';
import { requestAllBy } from '../sync/index.ts';
import {
  appConnectionCreated,
  appConnectionDeleted,
  appConnectionUpdated,
  connectionPermission,
  type AppConnection,
  type AppConnectionRef,
  type CreateAppConnection,
  type UpdateAppConnection,
} from './app-connection.ts';
import { authoritiesBy } from './certificate-use.ts';
import { requireAccepted } from './check.ts';
import {
  credentialsOf,
  notFoundMeanwhile,
  requireConnection,
  requireMay,
  toConnection,
  type ConnectionRow,
} from './find.ts';
import { usesOf } from './read.ts';
import { isPending, sealNextPassword } from './managed-password.ts';
import { acceptedAt, claimCheck, enqueueCheck, pendingAt, takeOver } from './scheduled-check.ts';

explainConstraint('app_connections_name_unique', 'A connection with this name already exists there');

/**
 * Stores credentials of an app that it accepts, for a project or the organization.
 *
 * @throws DomainError 404 for an unknown project; 403; 400 `app_connection.credentials` with each missing or invalid field,
 * `app_connections_name_unique`, `app_connection.too_many`, `app_connection.password_pending`, `app_connection.not_configured`, and if the app cannot be reached or does not accept them.
 */
export async function createAppConnection(
  ctx: Context,
  app: string,
  {
    name,
    description = null,
    projectId,
    method,
    credentials: given,
    isPlatformManagedCredentials = false,
  }: CreateAppConnection,
): Promise<AppConnection> {
  const organizationId = organizationOf(ctx);
  const place = { id: newId(), organizationId, projectId };
  await requireMayCreate(ctx, place);
  const connector = connectors.require(app);
  const credentials = readCredentials(connector, method, given);
  const accepted = await requireAccepted(ctx, connector, credentials, place);
  const { row, claim } = await inTransaction(ctx, async (tx) => {
    await requireMayCreate(tx, place);
    if (isPlatformManagedCredentials) await requireUnrotated(tx, organizationId, connector, accepted);
    const sealed = await sealCredentials(tx, place, accepted);
    const nextCredentials = isPlatformManagedCredentials ? await sealNextPassword(tx, place, accepted) : null;
    const created = (await addConnection(tx, {
      ...place,
      projectId: projectId ?? null,
      app,
      name,
      description,
      credentials: sealed,
      originProjectIds: [],
      ...{ isPlatformManaged: isPlatformManagedCredentials, nextCredentials },
      ...(nextCredentials ? pendingAt : acceptedAt)(tx.now()),
    })) as ConnectionRow;
    enqueueCheck(tx, created);
    record(tx, appConnectionCreated, eventData(created, accepted), { projectId });
    return { row: created, claim: nextCredentials ? await claimCheck(tx, created) : undefined };
  });
  const failure = claim && (await takeOver(ctx, claim));
  if (failure) throw await takeBack(ctx, row, accepted, failure);
  return claim ? present(ctx, row) : toConnection(row, accepted);
}

/** Removes a connection whose password the app did not let Coffer change. Returns the error. */
async function takeBack(
  ctx: Context,
  row: ConnectionRow,
  credentials: Credentials,
  failure: DomainError,
): Promise<DomainError> {
  if (!isRemote(failure, 'rejected', 'throttled')) return notTakenOver(failure);
  await inTransaction(ctx, async (tx) => {
    const found = await lock(tx, row, DELETE_LOCK);
    await tx.em.remove(found).flush();
    record(tx, appConnectionDeleted, eventData(row, credentials), { projectId: row.projectId ?? undefined });
  });
  return new DomainError('bad_request', failure.code, `Coffer could not change the password: ${failure.message}`);
}

/** It is not known whether the app has the next password. */
const notTakenOver = ({ code, message }: DomainError) =>
  new DomainError(
    'bad_request',
    code,
    `The connection is saved. Coffer could not change the password yet, and tries again: ${message}`,
  );

/** As it is stored now. */
async function present(ctx: Context, { organizationId, id }: ConnectionRow): Promise<AppConnection> {
  const row = await ctx.em.findOne(AppConnectionEntity, { organizationId, id }, { refresh: true });
  if (!row) throw notFoundMeanwhile();
  return toConnection(row as ConnectionRow, await credentialsOf(ctx, row as ConnectionRow));
}

const requireMayCreate = (ctx: Context, { id, projectId }: { id: string; projectId: string | undefined }) =>
  authorize(ctx, connectionPermission('create', projectId), { projectId, connectionId: id });

/** The credentials of a method, without fields that it does not have. @throws DomainError 400 */
function readCredentials({ title, methods }: Connector, method: string, given: unknown): Credentials {
  const { credentials: Schema } = methods[method]!;
  return { ...readFields(Schema, given, { title, code: 'app_connection.credentials' }), method };
}

/**
 * Updates the given fields. Other credentials have to be accepted by the app; where they reach another system or act as
 * somebody else, what is secret in them has to be given again.
 *
 * @throws DomainError 404, 403; 400 as for creation, `app_connection.credential_needed`, `app_connection.changed`.
 */
export async function updateAppConnection(
  ctx: Context,
  app: string,
  { connectionId, name, description, credentials: given, isPlatformManagedCredentials: managed }: UpdateAppConnection,
): Promise<AppConnection> {
  const found = await requireConnection(ctx, { app, connectionId }, 'edit');
  const { updatedAt, projectId } = found;
  if (isPending(found) && (given ?? managed) !== undefined)
    throw badRequest(
      'app_connection.password_pending',
      'Coffer is changing the password of this connection: ask again later',
    );
  const connector = connectors.require(app);
  const before = await credentialsOf(ctx, found);
  const merged = given && changedBy(connector, before, given);
  // A code works once, and its tokens are refreshed since.
  const isChanged = merged !== undefined && !isSameGrant(connector, before, merged);
  const after = isChanged ? await requireAccepted(ctx, connector, merged, found) : before;
  const isManaged = managed ?? found.isPlatformManaged;
  const takesOver = isManaged && (isChanged || !found.isPlatformManaged);
  const claim = await inTransaction(ctx, async (tx) => {
    const row = await lock(tx, found, UPDATE_LOCK);
    await requireMay(tx, row, 'edit');
    if (row.updatedAt.getTime() !== updatedAt.getTime())
      throw badRequest('app_connection.changed', 'The connection was changed meanwhile: ask again');
    if (isChanged && !isSameSystem(connector.systemOf(before), connector.systemOf(after))) await requireUnused(tx, row);
    if (isChanged) await requireFitting(tx, row, after);
    if (takesOver) await requireUnrotated(tx, row.organizationId, connector, after);
    tx.em.assign(row, {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(isChanged && {
        credentials: await sealCredentials(tx, sealedAt(row), after),
        credentialsVersion: row.credentialsVersion + 1,
        // What another process gets for the former ones is not stored.
        tokenClaimId: null,
        tokenClaimedUntil: null,
        ...acceptedAt(tx.now()),
      }),
      isPlatformManaged: isManaged,
      ...(takesOver && { nextCredentials: await sealNextPassword(tx, row, after), ...pendingAt(tx.now()) }),
    });
    await tx.em.flush();
    if (isChanged) {
      await requestAllBy(tx, row);
      await requestPkiSyncsBy(tx, row);
    }
    if (isChanged || takesOver) enqueueCheck(tx, row);
    const fields = { name, description, credentials: given, isPlatformManagedCredentials: managed };
    const changed = Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [field]));
    record(tx, appConnectionUpdated, { ...eventData(row, after), changed }, { projectId: projectId ?? undefined });
    return takesOver ? claimCheck(tx, row) : undefined;
  });
  const failure = claim && (await takeOver(ctx, claim));
  if (failure) throw notTakenOver(failure);
  return present(ctx, found);
}

/** Credentials after a change of some fields; null removes one. @throws DomainError 400 */
function changedBy(connector: Connector, before: Credentials, given: Readonly<Record<string, unknown>>): Credentials {
  const { method } = before;
  const { shape } = connector.methods[method]!.credentials;
  const changes: Record<string, unknown> = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      name in shape && value !== undefined ? [[name, value ?? undefined]] : [],
    ),
  );
  for (const [name, determining] of Object.entries(connector.methods[method]!.learned ?? {}))
    if (!(name in changes) && determining.some((field) => field in changes && changes[field] !== before[field]))
      changes[name] = undefined;
  const code = 'app_connection.credential_needed';
  const after = mergeConfiguration<Record<string, unknown>>(sealedFieldsOf(shape), before, changes, code);
  return readCredentials(connector, method, after);
}

const countUses = async (tx: Transaction, row: ConnectionRow): Promise<number> =>
  (await usesOf(tx, row)).length + (await authoritiesBy(tx, row)).length + (await pkiSyncsBy(tx, row)).length;

/** What uses it sends secrets there, of which the caller may know nothing. */
async function requireUnused(tx: Transaction, row: ConnectionRow): Promise<void> {
  const resources = await countUses(tx, row);
  if (resources > 0)
    throw conflict(
      'app_connection.in_use',
      'The connection is used, so it cannot lead to another system or account: create another one, and have what uses this one updated',
      { resources },
    );
}

const ROTATIONS = statement(
  'app_connection.rotations',
  `select r.type, in_use.parameters from ${PARAMETERS_IN_USE} where r.organization_id = $1 and r.connection_id = $2`,
);

/** The login of a connection is none of those whose passwords it changes. */
async function requireFitting(tx: Transaction, row: ConnectionRow, credentials: Credentials): Promise<void> {
  const by = await tx.sql<{ type: string; parameters: object }>(ROTATIONS, [row.organizationId, row.id]);
  for (const { type, parameters } of by)
    try {
      rotations.require(type).validate?.(parameters, credentials);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // Callers may know nothing of the rotation.
      throw conflict(
        'app_connection.does_not_fit',
        'These credentials do not fit to a secret rotation that uses the connection: give it others than those that are rotated',
      );
    }
}

/** Whether credentials are those of an authorization that was exchanged for tokens before. */
const isSameGrant = ({ methods }: Connector, { tokens: _, ...before }: Credentials, after: Credentials): boolean =>
  methods[before.method]!.oauth !== undefined && isDeepStrictEqual(before, after);

/** @throws DomainError 404, 403; 400 `app_connection.in_use` */
export async function deleteAppConnection(ctx: Context, ref: AppConnectionRef): Promise<AppConnection> {
  const found = await requireConnection(ctx, ref, 'delete');
  const last = await credentialsOf(ctx, found);
  return inTransaction(ctx, async (tx) => {
    // What begins to use it meanwhile waits for this lock by its foreign key.
    const row = await lock(tx, found, DELETE_LOCK);
    await requireMay(tx, row, 'delete');
    const resources = await countUses(tx, row);
    if (resources > 0)
      throw conflict('app_connection.in_use', 'The connection is used: delete what uses it first', { resources });
    const answer = toConnection(row, last);
    await tx.em.remove(row).flush();
    record(tx, appConnectionDeleted, eventData(row, last), { projectId: row.projectId ?? undefined });
    return answer;
  });
}

const UPDATE_LOCK = statement(
  'app_connection.lock_update',
  'select id from app_connections where organization_id = $1 and id = $2 for no key update',
);
const DELETE_LOCK = statement(
  'app_connection.lock_delete',
  'select id from app_connections where organization_id = $1 and id = $2 for update',
);

/** @throws DomainError 404 if it was deleted meanwhile */
async function lock(
  tx: Transaction,
  { organizationId, id }: ConnectionRow,
  by: typeof UPDATE_LOCK,
): Promise<ConnectionRow> {
  await tx.sql(by, [organizationId, id]);
  const row = await tx.em.findOne(AppConnectionEntity, { organizationId, id }, { refresh: true });
  if (!row) throw notFoundMeanwhile();
  return row as ConnectionRow;
}

const eventData = ({ id, name, app }: ConnectionRow, { method }: Credentials) => ({
  connectionId: id,
  name,
  app,
  method,
});

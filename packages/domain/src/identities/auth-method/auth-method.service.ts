import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { isSamePassword, requireTriesLeft } from '../../access/index.ts';
import { redacted, whatIsSet, mergeConfiguration, type Configuration } from '../../family/index.ts';
import {
  badRequest,
  defineLookup,
  DomainError,
  eventOf,
  explainConstraint,
  givenFields,
  invalidate,
  inTransaction,
  newId,
  record,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import type { TokenSettings } from '../access-token/index.ts';
import {
  authorizeIdentity,
  identityFor,
  mayConfigure,
  noteIssuer,
  requireAuthorityOver,
  requireMayConfigure,
  requireMayEndLogins,
  type IdentityEntity,
} from '../identity/index.ts';
import { AuthMethodEntity } from './auth-method.entity.ts';
import type { AnyAuthMethod } from './auth-method.ts';
import { readTrustedIps, requireTtlWithinCap, settingNames, type TrustedIps } from './settings.ts';
import { addAuthMethod, openConfiguration, readOwnFields, sealConfiguration, storedPasswordOf } from './stored.ts';
import { warningsOf } from './trust-root.ts';

const ATTACHED_ALREADY = 'The identity has this login method already';
explainConstraint('identity_auth_methods_kind_unique', ATTACHED_ALREADY);
explainConstraint('identity_auth_methods_ttl', 'accessTokenTTL may not be more than accessTokenMaxTTL');

/** With the reasons why the method accepts no login, derived from the complete configuration, for any reader. */
type Answered<Method extends AnyAuthMethod> = z.output<Method['Answer']> & { readonly warnings: readonly string[] };
/** The fields that a member's own schema accepted. */
export type AuthMethodInput = { readonly identityId: string } & Readonly<Record<string, unknown>>;

/**
 * Attaches a login method to an identity. The order of the checks is the published one.
 *
 * @throws DomainError 404 unknown identity; 400 if it is attached already, or for a TTL beyond the maximum; 403; 400
 * for an invalid trusted address, or inconsistent fields.
 */
export async function attachAuthMethod<Method extends AnyAuthMethod>(
  ctx: Context,
  method: Method,
  input: AuthMethodInput,
): Promise<Answered<Method>> {
  const identity = await identityFor(ctx, 'create', input.identityId);
  const attached = await ctx.em.count(AuthMethodEntity, { identityId: identity.id, kind: method.kind });
  if (attached > 0) throw badRequest('auth_method.attached_already', ATTACHED_ALREADY);
  const { accessTokenTrustedIps, ...settings } = pickSettings(input) as Required<NamedSettings>;
  requireTtlWithinCap(settings);
  await requireMayConfigure(ctx, 'create', identity);
  const trusted = readTrustedIps(accessTokenTrustedIps);
  const configuration = { ...readOwnFields(method, input), ...makeFields(method) };
  method.check?.(configuration as never);
  const row = { id: newId(), organizationId: identity.organizationId, identityId: identity.id, kind: method.kind };
  await requireMayStore(ctx, method, row, { after: configuration });
  return inTransaction(ctx, async (tx) => {
    const stored = await addAuthMethod(tx, {
      ...row,
      ...settings,
      accessTokenTrustedIps: trusted,
      ...(await sealConfiguration(tx, method, row, configuration)),
    });
    await noteIssuer(tx, identity);
    const data = { ...eventData(stored), settings: settingsIn(method, stored, configuration) };
    record(tx, method.events.attached, data, { projectId: identity.projectId });
    return toAnswer(method, stored, configuration);
  });
}

/** Of another password than before, which no login has shown yet to be right. @throws DomainError 429 after many refused ones. */
async function requireMayStore(
  ctx: Context,
  method: AnyAuthMethod,
  row: { readonly id: string; readonly organizationId: string },
  { before, after }: { readonly before?: Configuration; readonly after: Configuration },
): Promise<void> {
  const stored = storedPasswordOf(method, row, after);
  if (!stored) return;
  const former = before && storedPasswordOf(method, row, before);
  if (!former || !isSamePassword(ctx, former, stored)) await requireTriesLeft(ctx, stored);
}

/**
 * A stored login method. Sealed fields are returned to callers who may update the method; others see whether they are
 * set.
 *
 * @throws DomainError 404 unknown identity; 400 or 404, as the method declares, if it is not attached; 403.
 */
export async function readAuthMethod<Method extends AnyAuthMethod>(
  ctx: Context,
  method: Method,
  input: AuthMethodInput,
): Promise<Answered<Method>> {
  const identity = await identityFor(ctx, 'read', input.identityId);
  const row = await findAttached(ctx, method, identity, 'read');
  await authorizeIdentity(ctx, 'read', identity);
  const whole = toAnswer(method, row, await openConfiguration(ctx, method, row));
  const answer = (await mayConfigure(ctx, identity)) ? whole : redacted(method, whole);
  await ctx.commitRead(eventOf(method.events.read, eventData(row), { projectId: identity.projectId }), ctx);
  return answer;
}

/**
 * Updates the given fields, for logins from then on and, for trusted addresses, for every use of a token. Issued tokens
 * keep their TTLs and use limits.
 *
 * @throws DomainError as attaching does; 400 or 404, as the method declares, if it is not attached.
 */
export async function updateAuthMethod<Method extends AnyAuthMethod>(
  ctx: Context,
  method: Method,
  input: AuthMethodInput,
): Promise<Answered<Method>> {
  const identity = await identityFor(ctx, 'edit', input.identityId);
  const { accessTokenTrustedIps, ...settings } = pickSettings(input);
  requireTtlWithinCap({ ...(await findAttached(ctx, method, identity, 'update')), ...settings });
  await requireMayConfigure(ctx, 'edit', identity);
  const trusted = accessTokenTrustedIps && { accessTokenTrustedIps: readTrustedIps(accessTokenTrustedIps) };
  const changes = readOwnFields(method, input);
  return inTransaction(ctx, async (tx) => {
    const row = await findAttached(tx, method, identity, 'update');
    requireTtlWithinCap({ ...row, ...settings });
    const before = await openConfiguration(tx, method, row);
    const configuration = mergeConfiguration(method.sealedFields, before, changes, 'auth_method.credential_needed');
    method.check?.(configuration as never);
    await requireMayStore(tx, method, row, { before, after: configuration });
    tx.em.assign(row, { ...settings, ...trusted, ...(await sealConfiguration(tx, method, row, configuration)) });
    await tx.em.flush();
    await noteIssuer(tx, identity);
    const changed = givenFields({ ...settings, accessTokenTrustedIps, ...changes });
    const data = { ...eventData(row), changed, settings: settingsIn(method, row, configuration) };
    record(tx, method.events.updated, data, { projectId: identity.projectId });
    invalidate(tx, `auth-method:${row.id}`);
    return toAnswer(method, row, configuration);
  });
}

/**
 * Detaches a login method from an identity and revokes all tokens that it issued.
 *
 * @throws DomainError 404 unknown identity; 400 or 404, as the method declares, if it is not attached; 403 also if a rule forbids
 * the caller to revoke its client secrets or tokens.
 */
export async function detachAuthMethod<Method extends AnyAuthMethod>(
  ctx: Context,
  method: Method,
  input: AuthMethodInput,
): Promise<Answered<Method>> {
  const identity = await identityFor(ctx, 'edit', input.identityId);
  await findAttached(ctx, method, identity, 'detach');
  await authorizeIdentity(ctx, 'detach', identity);
  await requireAuthorityOver(ctx, identity, 'now');
  return inTransaction(ctx, async (tx) => {
    const row = await findAttached(tx, method, identity, 'detach');
    await requireMayEndLogins(tx, identity, row.id);
    const last = toAnswer(method, row, await openConfiguration(tx, method, row));
    await tx.em.remove(row).flush();
    record(tx, method.events.detached, eventData(row), { projectId: identity.projectId });
    invalidate(tx, `auth-method:${row.id}`);
    return last;
  });
}

const lookUp = defineLookup(AuthMethodEntity, ['identityId', 'kind']);

/**
 * The method of this identity; locked inside a transaction.
 *
 * @throws DomainError 400, or 404 if the method declares so for this operation.
 */
export async function findAttached(
  ctx: Context | Transaction,
  method: AnyAuthMethod,
  identity: IdentityEntity,
  operation?: 'read' | 'update' | 'detach',
): Promise<AuthMethodEntity> {
  const row = await lookUp(ctx, [identity.id, method.kind], { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (row) return row;
  const kind = (operation && method.notAttached?.[operation]) ?? 'bad_request';
  throw new DomainError(kind, 'auth_method.not_attached', `This identity has no ${method.title}`);
}

type NamedSettings = Partial<TokenSettings & { accessTokenTrustedIps: TrustedIps }>;

const pickSettings = (input: AuthMethodInput): NamedSettings =>
  Object.fromEntries(settingNames.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])));

const makeFields = (method: AnyAuthMethod): Configuration =>
  Object.fromEntries(Object.entries(method.made ?? {}).map(([name, make]) => [name, make()]));

const eventData = (row: AuthMethodEntity) => ({ identityId: row.identityId, authMethodId: row.id });

/** Whom the method admits, and what its tokens are, for its events: without its sealed fields. */
const settingsIn = (method: AnyAuthMethod, row: AuthMethodEntity, configuration: Configuration) =>
  Object.fromEntries(
    Object.entries({ ...pickSettings(row as never), ...configuration }).filter(
      ([name]) => !method.sealedFields.has(name),
    ),
  );

function toAnswer<Method extends AnyAuthMethod>(
  method: Method,
  row: AuthMethodEntity,
  configuration: Configuration,
): Answered<Method> {
  const answer = {
    id: row.id,
    identityId: row.identityId,
    accessTokenTTL: row.accessTokenTTL,
    accessTokenMaxTTL: row.accessTokenMaxTTL,
    accessTokenNumUsesLimit: row.accessTokenNumUsesLimit,
    accessTokenPeriod: row.accessTokenPeriod,
    accessTokenTrustedIps: row.accessTokenTrustedIps,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    ...configuration,
    ...whatIsSet(method, configuration),
  } as z.output<Method['Answer']>;
  return { ...answer, warnings: warningsOf(method, configuration) };
}

import { z } from 'zod';
import type { Configuration } from '../../../family/index.ts';
import {
  at,
  badRequest,
  conflict,
  DomainError,
  explainConstraint,
  inTransaction,
  newId,
  parseDuration,
  record,
  requireStillPermitted,
  statement,
  type Context,
  type Transaction,
} from '../../../kernel/index.ts';
import { callProvider, isCertain, isUntouched } from '../call.ts';
import { dynamicSecretPermissions } from '../dynamic-secret.ts';
import { authorizeOn, dynamicSecretOf, findDynamicSecret, toDynamicSecret, type DynamicSecretRow } from '../find.ts';
import type { AnyProvider } from '../provider.ts';
import { providers } from '../registry.ts';
import { openInputs } from '../stored.ts';
import { makeUsername } from '../username.ts';
import { calledFor, discardLease, retryLater, revokeThere, SETTLING, type Ending } from './end.ts';
import { leaseCreated, leaseRequested, type CreateLease, type IssuedLease } from './lease.ts';
import { LEASE_COLUMNS, leaseData, leaseOf, toLease, type FoundLease, type LeaseRow } from './row.ts';
import { CLAIM_MS, claimOf, leases } from './work.ts';

explainConstraint('dynamic_secret_leases_pkey', 'A lease with this ID already exists');

/** Checks the limit of leases. Locks the dynamic secret and its leases until the transaction ends. */
const TAKE = statement(
  'lease.take',
  `update dynamic_secrets set leases = leases + 1 where id = $1 and status is null and leases < $2 returning version, leases`,
);
const INSERT = statement(
  'lease.insert',
  `insert into dynamic_secret_leases as t (id, organization_id, project_id, dynamic_secret_id, external_entity_id, config,
     expire_at, phase, due_at, claim_id, held_until, created_at, updated_at, created_by_type, created_by_id)
   values ($1, $2, $3, $4, $5, $6::jsonb, $7, 'issuing', $8, $9, $10, $11, $11, $12, $13) returning ${LEASE_COLUMNS}`,
);
const CONFIRM = statement(
  'lease.confirm',
  `update dynamic_secret_leases t set phase = 'standing' where t.id = $1 and t.phase = 'issuing' returning ${LEASE_COLUMNS}`,
);

const { lease: mayLease } = dynamicSecretPermissions;

/** Only for a dynamic secret of this provider, if given. */
export interface LeaseOptions {
  readonly type?: string;
}

/**
 * Creates a login in the remote for the caller. The lease is stored before the remote is called, with a time of
 * revocation unless it is confirmed; so every possible login is known.
 *
 * @throws DomainError 404, 403, 401, also if the right or the token ends during the call of the remote; 422 an invalid config; 400 a TTL
 * beyond the maxTTL, too many leases, or the error of the remote.
 */
export async function createLease(ctx: Context, input: CreateLease, { type }: LeaseOptions = {}): Promise<IssuedLease> {
  const { dynamicSecretName: name, ...place } = input;
  const row = await findDynamicSecret(ctx, { ...place, name }, mayLease);
  if (type !== undefined && row.type !== type)
    throw badRequest('lease.provider', `The provider of ${row.name} is ${row.type}, not ${type}`);
  const provider = providers.require(row.type);
  const { found, inputs } = await intend(ctx, provider, row, input);
  const learned = new Set<string>();
  try {
    const called = { ...calledFor(found.of, provider, inputs), learned };
    const issued = await callProvider(ctx, called, (given, io) => provider.issue(given, leaseOf(found.lease), io));
    const data = provider.data.parse(issued);
    await requireStillMayLease(ctx, found.of);
    return { lease: toLease(await confirm(ctx, found)), dynamicSecret: toDynamicSecret(found.of), data };
  } catch (error) {
    // An unconfirmed lease has no owner.
    await takeBack(ctx, found, error, learned);
    throw error;
  }
}

/** Stores the planned lease. */
async function intend(
  ctx: Context,
  provider: AnyProvider,
  asked: DynamicSecretRow,
  input: CreateLease,
): Promise<{ found: FoundLease; inputs: Configuration }> {
  const config = readConfig(provider, input.config);
  return inTransaction(ctx, async (tx) => {
    const { of, taken } = await takeRoom(tx, asked);
    const now = tx.now();
    const expireAt = new Date(now.getTime() + ttlOf(of, input.ttl));
    const inputs = await openInputs(tx, provider, of);
    if (taken > (provider.maxLeases?.(inputs as never) ?? Infinity))
      throw badRequest(
        'lease.limit',
        'The dynamic secret already has a lease and allows one at a time: revoke it first',
      );
    const id = input.leaseId ?? newId();
    const rules = provider.username?.(inputs as never);
    const facts = { identityName: 'name' in tx.actor ? tx.actor.name : '', now };
    const username = rules ? makeUsername(of.usernameTemplate, rules, facts) : id;
    const entityId = provider.prepare(inputs as never, { leaseId: id, username, now, expireAt, config });
    const dueAt = new Date(now.getTime() + SETTLING);
    const [lease] = await tx.sql<LeaseRow>(INSERT, [
      id,
      of.organizationId,
      of.projectId,
      of.id,
      entityId,
      JSON.stringify(config),
      expireAt,
      dueAt,
      newId(),
      new Date(now.getTime() + CLAIM_MS),
      now,
      ...('id' in tx.actor ? [tx.actor.type, tx.actor.id] : [null, null]),
    ]);
    const found = { lease: lease!, of };
    leases.enqueue(tx, { id, organizationId: of.organizationId, dueAt });
    record(tx, leaseRequested, { ...leaseData(found), expireAt: expireAt.toISOString() }, { projectId: of.projectId });
    return { found, inputs };
  });
}

function readConfig(provider: AnyProvider, given: Record<string, unknown> = {}): Record<string, unknown> {
  const { success, data, error } = (provider.leaseConfig ?? z.object({})).safeParse(given);
  if (success) return data;
  const issues = error.issues.map(({ path, code, message }) => ({ path: ['config', ...path], code, message }));
  throw new DomainError('invalid', 'input.invalid', `config: ${issues.map(({ message }) => message).join('; ')}`, {
    details: issues,
  });
}

/** @throws DomainError 400 if the dynamic secret is being deleted, or has the maximum number of leases. */
async function takeRoom(tx: Transaction, asked: DynamicSecretRow): Promise<{ of: DynamicSecretRow; taken: number }> {
  const { maxLeases } = tx.settings;
  const [taken] = await tx.sql<{ version: number; leases: number }>(TAKE, [asked.id, maxLeases]);
  const of = taken?.version === asked.version ? asked : await dynamicSecretOf(tx, asked.organizationId, asked.id);
  if (taken) return { of, taken: taken.leases };
  if (of.status !== null) throw conflict('dynamic_secret.deleting', 'The dynamic secret is being deleted');
  throw badRequest('lease.limit', `The dynamic secret has ${maxLeases} leases, which is the maximum: revoke some`);
}

/** Milliseconds. */
function ttlOf(of: DynamicSecretRow, asked = of.defaultTtl): number {
  const ms = parseDuration(asked)!;
  if (of.maxTtl !== null && ms > parseDuration(of.maxTtl)!)
    throw badRequest('lease.ttl', `ttl is ${asked}; the maximum for this dynamic secret is ${of.maxTtl}`);
  return ms;
}

/** Checks the right again after the call of the remote. @throws DomainError 401, 403, 404. */
async function requireStillMayLease(ctx: Context, { organizationId, id }: DynamicSecretRow): Promise<void> {
  await requireStillPermitted(ctx);
  await authorizeOn(ctx, mayLease, await dynamicSecretOf(ctx, organizationId, id));
}

function confirm(ctx: Context, found: FoundLease): Promise<LeaseRow> {
  const { lease, of } = found;
  return inTransaction(ctx, async (tx) => {
    const isHeld = await leases.settle(tx, claimOf(lease), { failures: 0, dueAt: at(lease.expireAt) });
    const [row] = isHeld ? await tx.sql<LeaseRow>(CONFIRM, [lease.id]) : [];
    if (!row) throw badRequest('lease.revoked', 'The lease was revoked while it was created');
    const expireAt = at(row.expireAt).toISOString();
    record(tx, leaseCreated, { ...leaseData(found), expireAt }, { projectId: of.projectId });
    return row;
  });
}

/** Revokes what may exist of a lease whose creation failed. If that fails, its job retries. */
async function takeBack(ctx: Context, found: FoundLease, failure: unknown, learned: Set<string>): Promise<void> {
  const isNothing = isUntouched(failure);
  const ending: Ending = isNothing ? {} : await revokeThere(ctx, found, { learned });
  const isGone = ending.error === undefined && (isNothing || isCertain(failure));
  try {
    // The login may still appear after this attempt: then it is revoked once more.
    if (isGone) await discardLease(ctx, found, failure);
    else await retryLater(ctx, found, ending);
  } catch (error) {
    ctx.log.error({ err: error, leaseId: found.lease.id }, 'A lease that failed waits for its job');
  }
}

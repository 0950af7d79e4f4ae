import { isDeepStrictEqual } from 'node:util';
import { isRemote, type RemoteSession } from '../../family/index.ts';
import type { Claim } from '../../jobs/index.ts';
import { badRequest, inTransaction, record, statement, type Context } from '../../kernel/index.ts';
import { makePassword, type PasswordRequirements } from '../../secrets/dynamic/index.ts';
import { writeRotated } from '../../secrets/secret/index.ts';
import { rotations } from '../registry.ts';
import { activate, ClaimLost, credentialsOf, discard, intend, store, type StoredCredential } from './credentials.ts';
import { endCredential } from './end-credential.ts';
import { eventData, lockRotation, type RotationRow } from './find.ts';
import type { Credential, Rotation, RotationTarget } from './rotation.ts';
import { nextRotation } from './schedule.ts';
import { secretsReconciled, secretsRotated } from './secret-rotation.ts';
import { hideSecrets, openTarget } from './target.ts';
import { rotationWork } from './work.ts';

export interface HowRotated {
  /** Whether somebody asked for it. */
  readonly isManual: boolean;
  /** Whether the active credential was changed by others, and is not to be relied upon. */
  readonly isReconciling?: boolean;
  /** For the first credential: what the creation of the rotation was given once. */
  readonly temporary?: Readonly<Record<string, unknown>> | undefined;
}

/** A rotation that this process has claimed, at its system. */
interface Work extends HowRotated {
  readonly claim: Claim;
  readonly row: RotationRow;
  readonly rotation: Rotation;
  readonly target: RotationTarget<unknown>;
  readonly session: RemoteSession;
}

/**
 * Rotates a claimed rotation, or continues where that was interrupted. Each step is committed before the next one: however
 * it ends, the active credential works, and whatever the other system may have is stored.
 *
 * @throws DomainError 400 with the message of the other system; ClaimLost
 */
export async function rotate(
  ctx: Context,
  claim: Claim,
  row: RotationRow,
  session: RemoteSession,
  how: HowRotated,
): Promise<void> {
  const rotation = rotations.require(row.type);
  const stored = await credentialsOf(ctx, row);
  hideSecrets(session, rotation, stored);
  const target = await openTarget(ctx, row, rotation, { session, stored });
  const work: Work = { ...how, claim, row, rotation, target, session };
  const pending = await plannedCredential(ctx, work, stored);
  const credential = await appliedCredential(ctx, work, { stored, pending });
  await publish(ctx, work, pending, credential);
}

const inState = (stored: readonly StoredCredential[], state: StoredCredential['state']) =>
  stored.find((one) => one.state === state);

/** The pending credential, which is committed. One that was planned with other parameters is ended first. */
async function plannedCredential(
  ctx: Context,
  work: Work,
  stored: readonly StoredCredential[],
): Promise<StoredCredential> {
  const { claim, row, rotation, target, session } = work;
  const { parameters } = row;
  const pending = inState(stored, 'pending');
  if (pending && isDeepStrictEqual(pending.parameters, parameters)) return pending;
  if (pending) {
    await endCredential(rotation, target, pending);
    await discard(ctx, claim, pending);
  }
  const slot = rotation.slots === 1 ? 0 : 1 - (inState(stored, 'active')?.slot ?? 1);
  const plan = await rotation.generate(parameters, {
    slot,
    client: target.client,
    requireUnused: target.requireUnused,
    now: target.now,
    password: (requirements) => session.hide(passwordFor(requirements)),
  });
  const temporary = work.temporary ?? pending?.temporary;
  const isReconciling = work.isReconciling ?? pending?.isReconciling;
  return intend(ctx, row, claim, {
    ...{ slot, parameters, plan },
    ...(temporary && { temporary }),
    ...(isReconciling && { isReconciling }),
  });
}

/** Tries until a password has no reference in it; where the requirements leave little else, `valuesOf` refuses it. */
const TRIES = 100;

function passwordFor(requirements: PasswordRequirements | null | undefined): string {
  let password = makePassword(requirements);
  for (let tries = 1; isReference(password) && tries < TRIES; tries++) password = makePassword(requirements);
  return password;
}

const isReference = (value: string): boolean => value.includes('${');

/** The pending credential as the other system has it, and accepts it. */
async function appliedCredential(
  ctx: Context,
  { claim, row, rotation, target, ...work }: Work,
  { stored, pending }: { stored: readonly StoredCredential[]; pending: StoredCredential },
): Promise<Credential> {
  const { parameters, plan, temporary } = pending;
  let { credential } = pending.isApplied ? pending : {};
  if (!credential) {
    const former = stored.find(({ slot, state }) => slot === pending.slot && state !== 'pending');
    const replaced = former?.credential;
    const current = inState(stored, 'active')?.credential;
    const isReconciling = work.isReconciling ?? pending.isReconciling ?? false;
    credential = await rotation.apply(target, {
      ...{ parameters, plan, current, replaced, replacedPlan: former?.plan },
      ...{ temporary, isReconciling },
    });
    await store(ctx, row, claim, { ...pending, credential, isApplied: true });
  }
  try {
    await rotation.verify(target, credential, { parameters, isNew: true });
  } catch (error) {
    // It is applied once more by the next attempt, and there until then.
    if (isRemote(error, 'rejected'))
      await store(ctx, row, claim, { ...pending, credential: undefined, isApplied: false, isMade: true });
    throw error;
  }
  return credential;
}

const NOTE = statement(
  'secret_rotation.note_success',
  `update secret_rotations set status = 'success', last_message = null, last_rotated_at = $2, is_last_manual = $3,
     active_index = $4 where id = $1`,
);

/** Switches the slots, and writes the secrets: in one transaction, if the claim is still held. */
async function publish(
  ctx: Context,
  { claim, row, isManual, ...work }: Work,
  pending: StoredCredential,
  credential: Credential,
): Promise<void> {
  const { organizationId, projectId } = row;
  const scope = { organizationId, projectId };
  // Reserving uses of a key takes another connection.
  await ctx.keys.sealing(organizationId, projectId);
  await inTransaction(ctx, async (tx) => {
    await rotationWork.lock(tx, claim);
    // Its place, mapping and schedule may have changed.
    const present = await lockRotation(tx, row);
    const now = tx.now();
    const next = { failures: 0, dueAt: nextRotation(now, present) };
    if (!(await rotationWork.settle(tx, claim, next))) throw new ClaimLost('The claim on a rotation was lost');
    await activate(tx, row.id, pending);
    const { folderId, secretPath, environment } = present;
    const folder = { id: folderId, path: secretPath, environmentSlug: environment };
    const secrets = await writeRotated(tx, scope, { rotationId: row.id, folder }, valuesOf(present, credential));
    await tx.sql(NOTE, [row.id, now, isManual, pending.slot]);
    record(tx, secretsRotated, { ...eventData(present), isManual, secrets }, { projectId });
    if (work.isReconciling ?? pending.isReconciling)
      record(tx, secretsReconciled, { ...eventData(present), isRepaired: true }, { projectId });
  });
}

/** What the secrets are to be, by their names. Nobody can have a value sent to readers by a reference in it. */
function valuesOf({ secretsMapping }: RotationRow, credential: Credential): Map<string, string> {
  const values = new Map(Object.entries(secretsMapping).map(([field, name]) => [name, credential[field] ?? '']));
  if ([...values.values()].some(isReference))
    throw badRequest(
      'secret_rotation.reference',
      'A value of the credential would be read as a reference: it contains ${',
    );
  return values;
}

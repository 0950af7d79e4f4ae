import { authorize, organizationOf, tryCredentials } from '../../access/index.ts';
import { isRemote } from '../../family/index.ts';
import type { Claimed } from '../../jobs/index.ts';
import {
  DomainError,
  explainConstraint,
  fewIn,
  inTransaction,
  newId,
  record,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { requireMayKeepRotating, requireMayRotateInto } from '../../secrets/secret/index.ts';
import { rotations } from '../registry.ts';
import { requireOwnAccounts } from './accounts.ts';
import { configure, type Configured } from './configure.ts';
import { eventData, requireMayAutomate, rotationById, toRotation, type RotationRow } from './find.ts';
import { perform, type Failure } from './perform.ts';
import { removeRotation, revokeAll } from './revoke.ts';
import { scheduleAt } from './scheduled.ts';
import {
  rotationCreated,
  rotationPermissions,
  type CreateSecretRotation,
  type SecretRotation,
} from './secret-rotation.ts';
import { SecretRotationEntity } from './secret-rotation.entity.ts';
import { CLAIM_MS, claimNow, rotationWork } from './work.ts';

explainConstraint('secret_rotations_name_unique', 'A rotation with this name already exists in the folder');
explainConstraint('secret_rotations_stand', 'The folder contains secret rotations. Delete them first');
explainConstraint('secret_rotations_connection', 'The connection is used: delete what uses it first');

const requireFew = fewIn('project', {
  table: 'secret_rotations',
  most: 1_000,
  code: 'secret_rotation.too_many',
  of: 'rotations',
});

/**
 * Creates a rotation, and its first credential. The rotation is stored before the other system is called; where that refuses,
 * everything is taken back. What a lost process leaves is continued.
 *
 * @throws DomainError 404 for an unknown project, folder or connection; 403 without the right to use the connection, or to
 * create the secrets, or by a right that ends to let it go on by itself; 400 for parameters that do not fit, names that are
 * taken, accounts of other rotations, where the other system refuses, and where a change policy covers the folder; 429 after many refusals of given passwords.
 */
export async function createSecretRotation(
  ctx: Context,
  type: string,
  input: CreateSecretRotation,
): Promise<SecretRotation> {
  const { projectId, environment, secretPath, temporaryParameters: temporary } = input;
  await authorize(ctx, rotationPermissions.create, { projectId, environment, secretPath });
  const configured = await configure(ctx, rotations.require(type), { ...input, temporaryParameters: temporary ?? {} });
  const make = async () => {
    const { row, claimed } = await inTransaction(ctx, (tx) => store(tx, type, input, configured));
    const failure = await perform(ctx, claimed.claim, { isManual: true, temporary });
    if (failure) throw await takeBack(ctx, row, failure);
    return toRotation((await rotationById(ctx, row.organizationId, row.id)) ?? row);
  };
  if (!temporary) return make();
  const { target } = configured;
  return tryCredentials(ctx, { organizationId: organizationOf(ctx), projectId, what: type, target }, make);
}

async function store(
  tx: Transaction,
  type: string,
  { projectId, environment, secretPath, ...given }: CreateSecretRotation,
  configured: Configured,
): Promise<{ row: RotationRow; claimed: Claimed<object> }> {
  const id = newId();
  const organizationId = organizationOf(tx);
  const place = { projectId, environment, secretPath };
  await authorize(tx, rotationPermissions.create, place);
  if (given.isAutoRotationEnabled) await requireMayAutomate(tx, place, 'create');
  await requireOwnAccounts(tx, { organizationId, rotationId: id, type, ...configured });
  const names = Object.values(given.secretsMapping);
  const folder = await requireMayRotateInto(tx, place, names);
  if (given.isAutoRotationEnabled) await requireMayKeepRotating(tx, place, names);
  const { name, description = null, connectionId, secretsMapping, isAutoRotationEnabled, rotationInterval } = given;
  const rotation = tx.em.create(SecretRotationEntity, {
    ...{ id, organizationId, projectId, folderId: folder.id, connectionId, type, name, description },
    ...configured,
    ...{ secretsMapping, isAutoRotationEnabled, rotationInterval, rotateAt: minutesOf(given.rotateAtUtc) },
  });
  await tx.em.persist(rotation).flush();
  await requireFew(tx, projectId);
  const due = { id, organizationId };
  // Its job continues what is interrupted.
  await scheduleAt(tx, due, new Date(tx.now().getTime() + CLAIM_MS));
  const claimed = await claimNow(tx, due);
  const row = await rotationById(tx, organizationId, id);
  record(tx, rotationCreated, eventData(row!), { projectId });
  return { row: row!, claimed: claimed! };
}

export const minutesOf = ({ hours, minutes }: CreateSecretRotation['rotateAtUtc']): number => hours * 60 + minutes;

/** Removes a rotation whose first credential could not be made, once nothing of that can be left. Returns the error. */
async function takeBack(ctx: Context, row: RotationRow, { error, isTouched }: Failure): Promise<DomainError> {
  const claimed = await claimNow(ctx, row);
  if (!claimed) return error;
  // An error of what comes after `apply` says nothing of what that has made, which is stored.
  const isNothing = !isTouched || isRemote(error, 'rejected', 'throttled');
  const failure = await revokeAll(ctx, claimed.claim, row, { isNothing });
  if (failure) {
    await rotationWork.release(ctx, claimed.claim);
    const why = `${error.message}. The rotation is kept and tried again, since what it did cannot be taken back: ${failure.message}`;
    return new DomainError('bad_request', error.code, why);
  }
  await inTransaction(ctx, (tx) => removeRotation(tx, row, { deleteSecrets: false, revokeGeneratedCredentials: true }));
  return error;
}

import { columnSeal } from '../../crypto/index.ts';
import type { Claim } from '../../jobs/index.ts';
import { newId, statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { Credential, Planned } from './rotation.ts';

/** What is sealed: a credential with everything that it takes to apply and to revoke it. */
export interface Sealed extends Planned<object, unknown, Credential> {
  /** What the creation of the rotation was given once; only of its first credential. */
  readonly temporary?: Readonly<Record<string, unknown>> | undefined;
  /** Whether it replaces a credential that no longer works; also when it is tried again. */
  readonly isReconciling?: boolean | undefined;
  /** Whether the other system has made it once, and then did not accept it: something is there until it is ended. */
  readonly isMade?: boolean | undefined;
}

type State = 'pending' | 'active' | 'inactive';

export interface StoredCredential extends Sealed {
  readonly id: string;
  readonly slot: number;
  readonly state: State;
  /** Whether the other system is known to have it. */
  readonly isApplied: boolean;
}

interface Row {
  readonly id: string;
  readonly slot: number;
  readonly state: State;
  readonly sealed: Buffer;
  readonly appliedAt: string | null;
}

/** The rotation whose credentials they are. */
interface OfRotation {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
}

const column = columnSeal('secret_rotation_credentials.sealed');
const sealedAt = ({ organizationId, projectId }: OfRotation, id: string) => ({ id, organizationId, projectId });

const ALL = statement(
  'secret_rotation.credentials',
  `select id, slot, state, sealed, applied_at as "appliedAt" from secret_rotation_credentials
   where organization_id = $1 and rotation_id = $2 order by slot, state`,
);

/** The credentials of a rotation: active, inactive and pending, at most one of each. */
export async function credentialsOf(ctx: Context, rotation: OfRotation): Promise<StoredCredential[]> {
  const rows = await ctx.sql<Row>(ALL, [rotation.organizationId, rotation.id]);
  return Promise.all(
    rows.map(async ({ id, slot, state, sealed, appliedAt }) => ({
      id,
      slot,
      state,
      isApplied: appliedAt !== null,
      ...(await column.openJson<Sealed>(ctx, sealedAt(rotation, id), sealed)),
    })),
  );
}

/** The claim is held. */
const HELD = 'exists (select from secret_rotations r where r.id = $1 and r.claim_id = $2)';
const INTEND = statement(
  'secret_rotation.intend',
  `insert into secret_rotation_credentials (id, organization_id, project_id, rotation_id, slot, state, sealed, parameters, created_at)
   select $3::uuid, $4::uuid, $5::uuid, $1::uuid, $6, 'pending', $7, $8, $9 where ${HELD} returning id`,
);
const STORE = statement(
  'secret_rotation.store',
  `update secret_rotation_credentials set sealed = $4, applied_at = $5
   where id = $3 and state = 'pending' and ${HELD} returning id`,
);
/** A rotation without an active credential has no index of one. */
const DISCARD = statement(
  'secret_rotation.discard',
  `with gone as (delete from secret_rotation_credentials where id = $3 and ${HELD} returning id, state),
   noted as (update secret_rotations set active_index = null
     where id = $1 and exists (select from gone where state = 'active'))
   select id from gone`,
);
const REVOKING = statement(
  'secret_rotation.begin_revoking',
  `update secret_rotations set status = 'failed', last_message = $3 where id = $1 and claim_id = $2 returning id`,
);

/** Another worker has the rotation, or it was deleted: this one does nothing more. */
export class ClaimLost extends Error {}

function requireHeld(rows: readonly unknown[]): void {
  if (rows.length === 0) throw new ClaimLost('The claim on a rotation was lost');
}

/** Commits a planned credential, before the other system hears of it. @throws ClaimLost */
export async function intend(
  ctx: Context,
  rotation: OfRotation,
  { id: rotationId, claimId }: Claim,
  { slot, ...content }: Sealed & { readonly slot: number },
): Promise<StoredCredential> {
  const id = newId();
  const { organizationId, projectId } = rotation;
  const sealed = await column.sealJson(ctx, sealedAt(rotation, id), content);
  const values = [rotationId, claimId, id, organizationId, projectId, slot, sealed, content.parameters, ctx.now()];
  requireHeld(await ctx.sql(INTEND, values));
  return { id, slot, state: 'pending', isApplied: false, ...content };
}

/** Commits what is known of a pending credential: that the other system has it, or that this is doubtful. @throws ClaimLost */
export async function store(
  ctx: Context,
  rotation: OfRotation,
  { id: rotationId, claimId }: Claim,
  pending: StoredCredential,
): Promise<void> {
  const { id, isApplied, slot: _, state: _state, ...content } = pending;
  const sealed = await column.sealJson(ctx, sealedAt(rotation, id), content);
  requireHeld(await ctx.sql(STORE, [rotationId, claimId, id, sealed, isApplied ? ctx.now() : null]));
}

/** Removes a credential of which nothing is left at the other system. @throws ClaimLost */
export async function discard(ctx: Context, { id, claimId }: Claim, ended: StoredCredential): Promise<void> {
  requireHeld(await ctx.sql(DISCARD, [id, claimId, ended.id]));
}

/** Commits that the credentials are about to end, and with which message they are then. @throws ClaimLost */
export async function noteRevoking(ctx: Context, { id, claimId }: Claim, message: string): Promise<void> {
  requireHeld(await ctx.sql(REVOKING, [id, claimId, message]));
}

const REPLACE = statement(
  'secret_rotation.replace_credential',
  `delete from secret_rotation_credentials where rotation_id = $1 and slot = $2 and state <> 'pending'`,
);
const RETIRE = statement(
  'secret_rotation.retire_credential',
  `update secret_rotation_credentials set state = 'inactive' where rotation_id = $1 and state = 'active'`,
);
const ACTIVATE = statement(
  'secret_rotation.activate_credential',
  `update secret_rotation_credentials set state = 'active' where id = $1`,
);

/** Switches the slots: the pending credential is the active one, and that is the previous one. The claim is held. */
export async function activate(tx: Transaction, rotationId: string, { id, slot }: StoredCredential): Promise<void> {
  await tx.sql(REPLACE, [rotationId, slot]);
  await tx.sql(RETIRE, [rotationId]);
  await tx.sql(ACTIVATE, [id]);
}

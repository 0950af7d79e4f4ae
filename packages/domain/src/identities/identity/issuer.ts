import { statement, type Transaction } from '../../kernel/index.ts';
import type { IdentityEntity } from './identity.entity.ts';

const NOTE = statement(
  'identity_credential_issuers.note',
  `insert into identity_credential_issuers (organization_id, identity_id, issuer_id, created_at) values ($1, $2, $3, $4)
   on conflict do nothing`,
);

/**
 * Notes that the caller, or the user who becomes one by this call, gives an identity a way to log in: it may act as that identity from then on. So it may not approve
 * what the identity asks for, where self-approval is not allowed.
 */
export async function noteIssuer(
  tx: Transaction,
  { id, organizationId }: Pick<IdentityEntity, 'id' | 'organizationId'>,
  issuerId: string | undefined = callerOf(tx),
): Promise<void> {
  if (issuerId !== undefined && issuerId !== id) await tx.sql(NOTE, [organizationId, id, issuerId, tx.now()]);
}

const callerOf = ({ actor }: Transaction): string | undefined =>
  actor.type === 'user' || actor.type === 'identity' ? actor.id : undefined;

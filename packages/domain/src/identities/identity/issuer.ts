import { statement, type Transaction } from '../../kernel/index.ts';
import type { IdentityEntity } from './identity.entity.ts';

const NOTE = statement(
  'identity_credential_issuers.note',
  `insert into identity_credential_issuers (organization_id, identity_id, issuer_id, created_at) values ($1, $2, $3, $4)
   on conflict do nothing`,
);

/**
 * Records that the caller, or the user that it creates, gives an identity a way to log in, and so can act as that
 * identity. It therefore cannot approve requests of the identity unless self-approval is allowed.
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

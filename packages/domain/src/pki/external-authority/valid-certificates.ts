import { conflict, statement, type Context } from '../../kernel/index.ts';
import { defineDeletionBlocker } from '../../projects/project/index.ts';

const CODE = 'external_authority.certificates';
const VALID = "c.status = 'active' and c.not_after > $2";

/** Valid certificates of external authorities: nobody can revoke them without the authority and its account. */
export const validCertificates = defineDeletionBlocker({
  name: 'external_authorities.valid_certificates',
  code: CODE,
  from: 'external_authorities t join certificates c on c.external_ca_id = t.id',
  where: VALID,
  inProject:
    'Certificates of external authorities of the project are valid, and nobody could revoke them any more: revoke them first, or delete the authorities with isForced',
  inOrganization:
    'Certificates of external authorities of these projects are valid, and nobody could revoke them any more: revoke them first, or delete the authorities with isForced',
});

const OF_AUTHORITY = statement(
  'external_authorities.valid_serial_numbers',
  `select c.serial_number as "serialNumber" from certificates c where c.external_ca_id = $1 and ${VALID} order by 1`,
);

/** The serial numbers of the valid certificates of an authority. */
export async function validCertificatesOf(ctx: Context, authorityId: string): Promise<string[]> {
  const rows = await ctx.sql<{ serialNumber: string }>(OF_AUTHORITY, [authorityId, ctx.now()]);
  return rows.map(({ serialNumber }) => serialNumber);
}

/**
 * Checks that nobody has to revoke certificates of an authority.
 *
 * @param otherwise What else the caller can do.
 * @throws DomainError 400 `external_authority.certificates`
 */
export async function requireNoValidCertificates(ctx: Context, authorityId: string, otherwise: string): Promise<void> {
  const { length: certificates } = await validCertificatesOf(ctx, authorityId);
  if (certificates > 0)
    throw conflict(
      CODE,
      `Certificates of the authority are valid, and nobody could revoke them any more: revoke them first${otherwise}`,
      { certificates },
    );
}

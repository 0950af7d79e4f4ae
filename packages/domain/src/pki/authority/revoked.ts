import { hash } from 'node:crypto';
import { abilityIn, denied } from '../../access/index.ts';
import { badRequest, invalidate, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { AuthorityEntity } from './authority.entity.ts';
import { authorityPermissions, authorityUpdated } from './authority.ts';
import { readCertificate, readChain } from '../x509.ts';
import { tagOf } from './signer.ts';

/** The authorities that work in the project of a certificate of an authority. */
const WORKING = statement(
  'certificate_authorities.beside_revoked',
  `select a.id, a.name, a.project_id as "projectId", c.body, c.chain, r.body as revoked
   from certificates r join certificate_authorities a on a.project_id = r.project_id and a.status = 'active'
     join ca_certificates c on c.id = a.active_certificate_id
   where r.id = $1 and r.is_ca`,
);
const DISABLE = statement(
  'certificate_authorities.disable_revoked',
  `update certificate_authorities set status = 'disabled', updated_at = $2 where id = any ($1) and status = 'active'
   returning id as "caId", name, project_id as "projectId"`,
);

interface Working extends NamedAuthority {
  readonly id: string;
  readonly body: Buffer;
  readonly chain: string;
  readonly revoked: Buffer;
}

/**
 * Disables the authorities of the same project that use a revoked certificate, and those below them. They would
 * otherwise renew themselves, one of them with the revoked key.
 *
 * @param isOfProject The project is deleted with all its authorities: nothing else is checked.
 * @throws DomainError 403 if the caller may not edit one of them.
 */
export async function disableRevoked(tx: Transaction, certificateId: string, isOfProject = false): Promise<void> {
  const working = await tx.sql<Working>(WORKING, [certificateId]);
  const isAt = (revoked: Buffer) => (der: Buffer) => der.equals(revoked);
  const below = working.filter(({ body, chain, revoked }) => wholeOf(body, chain).some(isAt(revoked)));
  if (below.length === 0) return;
  if (!isOfProject) await requireMayDisable(tx, below);
  const ids = below.map(({ id }) => id);
  const rows = await tx.sql<{ caId: string; name: string; projectId: string }>(DISABLE, [ids, tx.now()]);
  for (const { caId, name, projectId } of rows) {
    invalidate(tx, tagOf(caId));
    record(tx, authorityUpdated, { caId, name, changed: ['status'] }, { projectId });
  }
}

interface NamedAuthority {
  readonly name: string;
  readonly projectId: string;
}

/** To have authorities issue no more is to edit them, by whatever way. @throws DomainError 403 */
async function requireMayDisable(tx: Transaction, authorities: readonly NamedAuthority[]): Promise<void> {
  const { edit } = authorityPermissions;
  for (const { projectId, name } of authorities) {
    const ability = await abilityIn(tx, projectId);
    const message =
      'This disables certificate authorities that use the certificate: the right to edit each of them is required';
    if (!ability.can(edit, { name })) throw denied(ability, edit, undefined, { message, projectId });
  }
}

/** Also by what stays when the row of a certificate, or its authority, is deleted. */
const IS_REVOKED = statement(
  'certificates.is_revoked',
  `select true as "isRevoked" where exists (
     select from certificates
     where organization_id = $1 and project_id = $2 and fingerprint_sha256 = any ($3) and status = 'revoked'
   ) or exists (
     select from certificate_authorities a
     cross join lateral (select k.id from ca_keys k where k.ca_id = a.id offset 0) k
     cross join lateral (
       select from revocation_entries e where e.ca_key_id = k.id and e.serial_number = any ($4) offset 0
     ) e where a.organization_id = $1 and a.project_id = $2
   ) or exists (
     select from retired_ca_keys k cross join lateral (
       select from retired_certificates c where c.ca_key_id = k.id and c.serial_number = any ($4) offset 0
     ) c where k.organization_id = $1 and k.project_id = $2
   )`,
);

/** DER of a certificate, and of its chain. */
export const wholeOf = (body: Buffer, chain: string): Buffer[] => [
  body,
  ...(chain ? readChain(chain).map(({ der }) => der) : []),
];

type Place = Pick<AuthorityEntity, 'organizationId' | 'projectId'>;

/** Whether one of these certificates (DER) is known as revoked in the project. */
export async function isAnyRevoked(
  ctx: Context,
  { organizationId, projectId }: Place,
  whole: readonly Uint8Array[],
): Promise<boolean> {
  const revoked = await ctx.sql(IS_REVOKED, [
    organizationId,
    projectId,
    whole.map((der) => hash('sha256', der, 'buffer')),
    whole.map((der) => readCertificate(der).serialNumber),
  ]);
  return revoked.length > 0;
}

/** @throws DomainError 400 `certificate_authority.revoked` if one of these (DER) is revoked in the project. */
export async function requireNotRevoked(tx: Transaction, place: Place, whole: readonly Uint8Array[]): Promise<void> {
  if (await isAnyRevoked(tx, place, whole))
    throw badRequest(
      'certificate_authority.revoked',
      'The certificate or one above it was revoked: the authority needs a certificate for a new key',
    );
}

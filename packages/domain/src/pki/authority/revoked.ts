import { hash } from 'node:crypto';
import { abilityIn, denied } from '../../access/index.ts';
import { badRequest, invalidate, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { AuthorityEntity } from './authority.entity.ts';
import { authorityPermissions, authorityUpdated } from './authority.ts';
import { readCertificate, readStoredChain, spkiOf, type PublicKey } from '../x509.ts';
import { compromisedIn, keepCompromised, spkiHashOf, type CompromiseEvidence } from './compromised.ts';
import { tagOf } from './signer.ts';

/** The authorities that work in the project of a certificate of an authority. */
const WORKING = statement(
  'certificate_authorities.beside_revoked',
  `select a.id, a.name, a.project_id as "projectId", c.body, c.chain, r.body as revoked
   from certificates r join certificate_authorities a on a.project_id = r.project_id and a.status = 'active'
     join ca_certificates c on c.id = a.active_certificate_id
   where r.id = $1 and r.is_ca`,
);
/** The same in a project where some authority has a key, or is known to be below it. */
const WORKING_BESIDE_KEY = statement(
  'certificate_authorities.beside_key',
  `select a.id, a.name, a.project_id as "projectId", c.body, c.chain
   from certificate_authorities a join ca_certificates c on c.id = a.active_certificate_id
   where a.organization_id = $1 and a.project_id = $2 and a.status = 'active' and ($4::boolean or exists (
     select from certificate_authorities o join ca_keys k on k.ca_id = o.id
     where o.organization_id = $1 and o.project_id = $2 and k.public_key = $3))`,
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
}

/**
 * Disables the authorities of the same project that use a revoked certificate, and those below them. They would
 * otherwise renew themselves, one of them with the revoked key. `lockPaths` was called.
 *
 * @param isOfProject The project is deleted with all its authorities: nothing else is checked.
 * @throws DomainError 403 if the caller may not edit one of them.
 */
export async function disableRevoked(tx: Transaction, certificateId: string, isOfProject = false): Promise<void> {
  const working = await tx.sql<Working & { readonly revoked: Buffer }>(WORKING, [certificateId]);
  const isAt = (revoked: Buffer) => (der: Buffer) => der.equals(revoked);
  const below = working.filter(({ body, chain, revoked }) => wholeOf(body, chain).some(isAt(revoked)));
  if (!isOfProject) await requireMayDisable(tx, below);
  await disable(tx, below);
}

/** A key that became known as compromised. */
interface Compromised {
  readonly key: PublicKey;
  readonly evidence: CompromiseEvidence;
  /** Whether it is that of an authority, of whichever system. */
  readonly isOfAuthority: boolean;
}

/**
 * From now on a key is certified no more, and the authorities of the project that sign with it, and those below them, are
 * disabled: the certificate that was revoked for it may be an earlier one of several for the same key. `lockPaths` was called.
 *
 * @throws DomainError 403 if the caller may not edit one of these.
 */
export async function endCompromised(
  tx: Transaction,
  place: Place,
  { key, evidence, isOfAuthority }: Compromised,
): Promise<void> {
  await keepCompromised(tx, place, key, evidence);
  const spki = spkiOf(key);
  const beside = [place.organizationId, place.projectId, spki, isOfAuthority];
  const working = await tx.sql<Working>(WORKING_BESIDE_KEY, beside);
  // Certificates contain the key as it is encoded there.
  const below = working.filter(({ body, chain }) => wholeOf(body, chain).some((der) => der.includes(spki)));
  await requireMayDisable(tx, below);
  await disable(tx, below);
}

async function disable(tx: Transaction, below: readonly Working[]): Promise<void> {
  if (below.length === 0) return;
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
  // Clients of ACME have proved that they hold the key.
  if (tx.actor.type === 'platform') return;
  const { edit } = authorityPermissions;
  for (const { projectId, name } of authorities) {
    const ability = await abilityIn(tx, projectId);
    const message =
      'This disables certificate authorities that use the certificate: the right to edit each of them is required';
    if (!ability.can(edit, { name })) throw denied(ability, edit, undefined, { message, projectId });
  }
}

/** Also by what stays when the row of a certificate, or its authority, is deleted; and by the keys. */
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
   ) or exists (${compromisedIn('$1', '$2', '= any ($5)')})`,
);

/** DER of a certificate, and of its chain. */
export const wholeOf = (body: Buffer, chain: string): Buffer[] => [
  body,
  ...(chain ? readStoredChain(chain).map(({ der }) => der) : []),
];

type Place = Pick<AuthorityEntity, 'organizationId' | 'projectId'>;

/** Whether one of these certificates (DER) is known as revoked in the project, or its key as compromised. */
export async function isAnyRevoked(
  ctx: Context,
  { organizationId, projectId }: Place,
  whole: readonly Uint8Array[],
): Promise<boolean> {
  const read = whole.map((der) => readCertificate(der));
  const revoked = await ctx.sql(IS_REVOKED, [
    organizationId,
    projectId,
    whole.map((der) => hash('sha256', der, 'buffer')),
    read.map(({ serialNumber }) => serialNumber),
    read.map(({ publicKey }) => spkiHashOf(publicKey)),
  ]);
  return revoked.length > 0;
}

/**
 * The same before an authority gets them or is enabled, after `lockPaths`.
 *
 * @throws DomainError 400 `certificate_authority.revoked`
 */
export async function requireNotRevoked(tx: Transaction, place: Place, whole: readonly Uint8Array[]): Promise<void> {
  if (await isAnyRevoked(tx, place, whole))
    throw badRequest(
      'certificate_authority.revoked',
      'The certificate or one above it was revoked, or has a compromised key: the authority needs a certificate for a new key',
    );
}

import { hash } from 'node:crypto';
import { abilityIn, denied } from '../../access/index.ts';
import {
  badRequest,
  invalidate,
  NIL_ID,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import type { AuthorityEntity } from './authority.entity.ts';
import { authorityPermissions, authorityUpdated } from './authority.ts';
import { derOfChain, readCertificate, spkiOf, type PublicKey } from '../x509.ts';
import { compromisedIn, keepCompromised, spkiHashOf, type CompromiseEvidence } from './compromised.ts';
import { tagOf } from './signer.ts';

/** Certificates of authorities among these. */
const OF_AUTHORITIES = statement(
  'certificates.bodies_of_authorities',
  `select organization_id as "organizationId", project_id as "projectId", body from certificates where id = any ($1) and is_ca`,
);
/** Whether some authority of a project has a key. */
const HAS_KEY = statement(
  'certificate_authorities.has_key',
  `select from certificate_authorities o join ca_keys k on k.ca_id = o.id
   where o.organization_id = $1 and o.project_id = $2 and k.public_key = $3 limit 1`,
);
/** Chains that are read at once: each may have hundreds of kilobytes. */
const PORTION = 20;
/** The authorities that work in a project, in portions. */
const WORKING = statement(
  'certificate_authorities.working',
  `select a.id, a.name, a.project_id as "projectId", c.body, c.chain
   from certificate_authorities a join ca_certificates c on c.id = a.active_certificate_id
   where a.organization_id = $1 and a.project_id = $2 and a.status = 'active' and a.id > $3
   order by a.id limit ${PORTION}`,
);
const DISABLE = statement(
  'certificate_authorities.disable_revoked',
  `update certificate_authorities set status = 'disabled', updated_at = $2 where id = any ($1) and status = 'active'
   returning id as "caId", name, project_id as "projectId"`,
);

interface Working extends Named {
  readonly body: Buffer;
  readonly chain: string;
}

/** The authorities that work in a project and have a certificate (DER) in their path of which this is so. */
async function workingBelow(
  tx: Transaction,
  { organizationId, projectId }: Place,
  isMeant: (der: Buffer) => boolean,
): Promise<Named[]> {
  const below: Named[] = [];
  for (let after = NIL_ID; ;) {
    const portion = await tx.sql<Working>(WORKING, [organizationId, projectId, after]);
    for (const { id, name, body, chain } of portion)
      if (wholeOf(body, chain).some(isMeant)) below.push({ id, name, projectId });
    if (portion.length < PORTION) return below;
    after = portion.at(-1)!.id;
  }
}

/**
 * Disables the authorities of the same project that use one of these certificates, which are revoked, and those below them. They
 * would otherwise renew themselves, one of them with the revoked key. `lockPaths` was called.
 *
 * @param certificateIds Of one project.
 * @param isOfProject The project is deleted with all its authorities: nothing else is checked.
 * @throws DomainError 403 if the caller may not edit one of them.
 */
export async function disableRevoked(
  tx: Transaction,
  certificateIds: readonly string[],
  isOfProject = false,
): Promise<void> {
  const revoked = await tx.sql<Place & { readonly body: Buffer }>(OF_AUTHORITIES, [certificateIds]);
  const [first] = revoked;
  if (!first) return;
  const bodies = new Set(revoked.map(({ body }) => body.toString('latin1')));
  const below = await workingBelow(tx, first, (der) => bodies.has(der.toString('latin1')));
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
  const { organizationId, projectId } = place;
  if (!isOfAuthority && (await tx.sql(HAS_KEY, [organizationId, projectId, spki])).length === 0) return;
  // Certificates contain the key as it is encoded there.
  const below = await workingBelow(tx, { organizationId, projectId }, (der) => der.includes(spki));
  await requireMayDisable(tx, below);
  await disable(tx, below);
}

async function disable(tx: Transaction, below: readonly Named[]): Promise<void> {
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

interface Named extends NamedAuthority {
  readonly id: string;
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
export const wholeOf = (body: Buffer, chain: string): Buffer[] => [body, ...derOfChain(chain)];

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

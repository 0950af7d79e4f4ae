import { requestPkiSyncsOf } from '../../connections/pki-sync/index.ts';
import { columnSeal, generateInTurn } from '../../crypto/index.ts';
import {
  at,
  conflict,
  DomainError,
  invalidate,
  isId,
  portionsOfRows,
  record,
  statement,
  type Context,
  type Outside,
  type Transaction,
} from '../../kernel/index.ts';
import { z } from 'zod';
import { defineJob } from '../../jobs/index.ts';
import {
  authorityDeleted,
  disableRevoked,
  keysOf,
  lockAuthority,
  lockPaths,
  openKeyAt,
  sealKey,
  signerOfKey,
  tagOf,
  toAuthority,
  type Authority,
  type AuthorityEntity,
  type Signer,
} from '../authority/index.ts';
import { crlEntry, generateKey, REVOCATION_REASONS, type KeyAlgorithm, type KeyPair, wholeSeconds } from '../x509.ts';
import { publishLast } from './list.ts';
import { certifyResponder, responderAlgorithm, type Responder } from './responder.ts';

/** The minimum time in milliseconds for which a last list is kept. */
const SHORTEST = 7 * 24 * 60 * 60 * 1000;
const PIECE = 5_000;
const REASON = 'CESSATION_OF_OPERATION';

const responderKeys = columnSeal('retired_ca_keys.responder_key');

/** Locks out issuing, renewing and revoking with the key. */
const ACTIVE = statement(
  'certificates.active_of_key',
  `select id, serial_number as "serialNumber", not_after as "notAfter", is_ca as "isCa" from certificates
   where ca_key_id = $1 and ca_id = $2 and status = 'active' and not_after > $3 order by id for update`,
);
const REVOKE = statement(
  'certificates.retire',
  `update certificates set status = 'revoked', revoked_at = $2, revocation_reason = $3, updated_at = $2
   where id = any ($1)`,
);
const ENTER = statement(
  'revocation_entries.retire',
  `insert into revocation_entries
     (ca_key_id, serial_number, organization_id, project_id, not_after, revoked_at, reason, entry)
   select $1, one.serial_number, $2, $3, one.not_after, $4, $5, one.entry
   from unnest($6::text[], $7::timestamptz[], $8::bytea[]) as one (serial_number, not_after, entry)
   on conflict do nothing`,
);
const LAST = statement(
  'revocation_entries.last',
  'select max(not_after) as "notAfter" from revocation_entries where ca_key_id = $1',
);
const KEEP = statement(
  'retired_ca_keys.keep',
  `insert into retired_ca_keys (id, organization_id, project_id, ca_id, issuer_name, public_key, number, body,
     fingerprint_sha256, this_update, next_update, responder_algorithm, responder_key, responder_certificate, created_at)
   select k.id, k.organization_id, k.project_id, k.ca_id, $2, k.public_key, l.number, l.body, l.fingerprint_sha256,
     l.this_update, l.next_update, $3, $4, $5, $6
   from ca_keys k join revocation_lists l on l.ca_key_id = k.id where k.id = $1`,
);
const KEEP_CERTIFICATES = statement(
  'retired_certificates.keep',
  `insert into retired_certificates (ca_key_id, serial_number, revoked_at, reason)
   select ca_key_id, serial_number, revoked_at, reason from revocation_entries where ca_key_id = $1`,
);

interface ActiveRow {
  id: string;
  serialNumber: string;
  notAfter: string;
  isCa: boolean;
}

const HAS_RSA = statement(
  'certificate_authorities.any_rsa',
  `select from certificate_authorities
   where organization_id = $1 and project_id = $2 and ($3::uuid is null or id = $3) and key_algorithm like 'RSA%' limit 1`,
);

/** How authorities are retired. */
export interface Retiring {
  /** The key of a last responder. */
  readonly keyOf: (algorithm: KeyAlgorithm) => Promise<KeyPair>;
  /** The project is deleted with all its authorities: nothing else is checked. */
  readonly isOfProject: boolean;
}

/**
 * Prepares the deletion of an authority, or of all of a project. An RSA key, which waits for its turn, is made before the transaction:
 * one for all last responders.
 */
export async function prepareRetiring(
  ctx: Outside<Context>,
  { organizationId, projectId, id }: { organizationId: string; projectId: string; id?: string },
): Promise<Retiring> {
  const found = await ctx.sql(HAS_RSA, [organizationId, projectId, id ?? null]);
  const rsa = found.length > 0 ? await generateInTurn(ctx, RSA, () => generateKey(RSA)) : undefined;
  return {
    isOfProject: id === undefined,
    async keyOf(algorithm) {
      if (algorithm !== RSA) return generateKey(algorithm);
      if (rsa) return rsa;
      throw conflict(UNPREPARED, 'The project got an authority in the meantime; try again');
    },
  };
}

const RSA = 'RSA_2048';
const UNPREPARED = 'certificate_authority.changed';

/** Whether a project got its first authority with an RSA key after `prepareRetiring`: prepared again, its deletion succeeds. */
export const isUnprepared = (error: unknown): boolean => error instanceof DomainError && error.code === UNPREPARED;

/**
 * Retires the keys of an authority, whose row is locked, before they are deleted: all valid certificates are revoked,
 * and each key leaves a last revocation list and a last OCSP responder until its last certificate has expired.
 *
 * @returns The number of revoked certificates.
 */
async function retireKeys(tx: Transaction, row: AuthorityEntity, retiring: Retiring): Promise<number> {
  let revoked = 0;
  for (const { id, isCertified } of await keysOf(tx, row)) {
    const signer = isCertified ? await signerOfKey(tx, id) : undefined;
    if (signer && signer.issuer.notAfter > tx.now()) revoked += await retireKey(tx, signer, retiring);
  }
  return revoked;
}

async function retireKey(tx: Transaction, signer: Signer, { keyOf, isOfProject }: Retiring): Promise<number> {
  const { caId, caKeyId, organizationId, issuer } = signer;
  const active = await tx.sql<ActiveRow>(ACTIVE, [caKeyId, caId, tx.now()]);
  for (const portion of portionsOfRows(active, PIECE)) await revokeAll(tx, signer, portion);
  const ids = active.map(({ id }) => id);
  const authorities = active.flatMap(({ id, isCa }) => (isCa ? [id] : []));
  if (authorities.length > 0) await disableRevoked(tx, authorities, isOfProject);
  const [last] = await tx.sql<{ notAfter: string | null }>(LAST, [caKeyId]);
  const end = Math.max(last?.notAfter ? at(last.notAfter).getTime() : 0, tx.now().getTime() + SHORTEST);
  const nextUpdate = new Date(Math.ceil(end / 1000) * 1000);
  await publishLast(tx, signer, nextUpdate);
  const pair = await keyOf(responderAlgorithm(signer));
  const responder = await certifyResponder(tx, signer, pair, nextUpdate);
  const sealed = await sealKey(tx, responderKeys, { id: caKeyId, organizationId }, responder.pair);
  const { algorithm, certificate } = responder;
  await tx.sql(KEEP, [caKeyId, issuer.name, algorithm, sealed, certificate, tx.now()]);
  await tx.sql(KEEP_CERTIFICATES, [caKeyId]);
  await requestPkiSyncsOf(tx, organizationId, ids);
  return active.length;
}

async function revokeAll(tx: Transaction, signer: Signer, rows: readonly ActiveRow[]): Promise<void> {
  const { caKeyId, organizationId, projectId } = signer;
  const revokedAt = wholeSeconds(tx.now());
  const reason = REVOCATION_REASONS[REASON];
  await tx.sql(REVOKE, [rows.map(({ id }) => id), revokedAt, reason]);
  await tx.sql(ENTER, [
    ...[caKeyId, organizationId, projectId, revokedAt, reason],
    rows.map(({ serialNumber }) => serialNumber),
    rows.map(({ notAfter }) => notAfter),
    rows.map(({ serialNumber }) => crlEntry(serialNumber, revokedAt, REASON)),
  ]);
}

const COUNT = statement('certificates.count_of', 'select count(*)::int as count from certificates where ca_id = $1');

/**
 * Deletes an authority, whose row is locked after `lockPaths`, with its keys, issued certificates, templates and profiles. Valid
 * certificates are revoked first, authorities of the project that use one of them are disabled, and a last revocation list and OCSP
 * responses stay available at the addresses in the certificates. The right to delete it is not checked.
 *
 * @throws DomainError 403 if the caller may not edit an authority that is disabled.
 */
export async function retireAuthority(tx: Transaction, row: AuthorityEntity, retiring: Retiring): Promise<Authority> {
  const last = toAuthority(row);
  const [issued] = await tx.sql<{ count: number }>(COUNT, [row.id]);
  const revoked = await retireKeys(tx, row, retiring);
  await tx.em.remove(row).flush();
  invalidate(tx, tagOf(last.id));
  const data = { caId: last.id, name: last.name, certificates: issued?.count ?? 0, revoked };
  record(tx, authorityDeleted, data, { projectId: last.projectId });
  return last;
}

const OF_PROJECT = statement(
  'certificate_authorities.to_delete',
  'select id from certificate_authorities where organization_id = $1 and project_id = $2 order by id',
);

/** The same for all authorities of a project that is being deleted. */
export async function deleteAuthoritiesOf(
  tx: Transaction,
  { organizationId, projectId }: { organizationId: string; projectId: string },
  retiring: Retiring,
): Promise<void> {
  await lockPaths(tx, projectId);
  for (const { id } of await tx.sql<{ id: string }>(OF_PROJECT, [organizationId, projectId]))
    await retireAuthority(tx, await lockAuthority(tx, id), retiring);
}

export interface RetiredKey {
  readonly issuerName: Buffer;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly responder: Responder;
}

interface RetiredRow {
  organizationId: string;
  issuerName: Buffer;
  publicKey: Buffer;
  nextUpdate: string;
  algorithm: KeyAlgorithm;
  sealed: Buffer;
  certificate: Buffer;
}
const FIND = statement(
  'retired_ca_keys.find',
  `select organization_id as "organizationId", issuer_name as "issuerName", public_key as "publicKey",
     next_update as "nextUpdate", responder_algorithm as algorithm, responder_key as sealed,
     responder_certificate as certificate
   from retired_ca_keys where id = $1 and next_update > $2`,
);

/** The OCSP responder of a deleted authority's key. */
export async function retiredKey(ctx: Context, caKeyId: string): Promise<RetiredKey | undefined> {
  const [row] = isId(caKeyId) ? await ctx.sql<RetiredRow>(FIND, [caKeyId, ctx.now()]) : [];
  if (!row) return undefined;
  const place = { id: caKeyId.toLowerCase(), organizationId: row.organizationId };
  const privateKey = await openKeyAt(ctx, responderKeys, place, row.sealed);
  return {
    issuerName: row.issuerName,
    publicKey: row.publicKey,
    responder: {
      key: { privateKey, algorithm: row.algorithm },
      certificate: row.certificate,
      notAfter: at(row.nextUpdate),
    },
  };
}

/** So many at once: each has responses for any number of certificates. */
const REAPED_AT_ONCE = 10;
const REAP = statement(
  'retired_ca_keys.reap',
  `delete from retired_ca_keys where id = any(array(
     select id from retired_ca_keys where next_update <= $1 limit ${REAPED_AT_ONCE} for update skip locked)) returning 1`,
);

/** Once a day: deletes it after all certificates have expired. */
export const reapRetiredKeys = defineJob({
  name: 'revocation.reap_retired',
  payload: z.object({}),
  schedule: '23 3 * * *',
  run: async (ctx) => {
    while ((await ctx.sql(REAP, [ctx.now()])).length === REAPED_AT_ONCE);
  },
});

import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  at,
  inTransaction,
  isId,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { signerOfKey, type Signer } from '../authority/index.ts';
import { signCrl, tbsCrlOf } from '../x509.ts';
import { crlPem } from './form.ts';
import { revocationListIssued } from './revocation.ts';

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
/** Validity of a list in milliseconds. A new one is issued each day, so outages may take most of a week. */
const VALIDITY = 7 * DAY;
export const RENEWAL = DAY;

interface StateRow {
  number: string;
  thisUpdate: string;
  nextUpdate: string;
}
/** Serializes lists of one key; entries and certificates may be added concurrently. */
const LOCK_KEY = statement('revocation_lists.lock_key', 'select id from ca_keys where id = $1 for no key update');
const STATE = statement(
  'revocation_lists.state',
  `select number::text as number, this_update as "thisUpdate", next_update as "nextUpdate"
   from revocation_lists where ca_key_id = $1`,
);
const HAS_NEW = statement(
  'revocation_entries.has_new',
  'select exists (select 1 from revocation_entries where ca_key_id = $1 and not is_listed) as "hasNew"',
);
/** Entries per piece, and bytes of a list per piece: larger pieces would block the event loop. */
const PIECE = 5_000;
const PIECE_OCTETS = 256 * 1024;

/**
 * One statement, and so one snapshot: expired entries are in this list for the last time, which is after their expiry
 * (RFC 5280, section 3.3).
 */
const COLLECT = statement(
  'revocation_entries.collect',
  `with ended as (
     delete from revocation_entries where ca_key_id = $1 and not_after < $2
   ), listed as (
     update revocation_entries set is_listed = true where ca_key_id = $1 and not is_listed and not_after >= $2
   )
   select string_agg(entry, ''::bytea) as entries, count(*)::integer as count
   from (select entry, row_number() over () / ${PIECE} as piece from revocation_entries where ca_key_id = $1) e
   group by piece`,
);
const PUBLISH = statement(
  'revocation_lists.publish',
  `insert into revocation_lists
     (ca_key_id, organization_id, project_id, number, body, fingerprint_sha256, this_update, next_update)
   values ($1, $2, $3, $4::bigint, $5, $6, $7, $8)
   on conflict (ca_key_id) do update set number = excluded.number, body = excluded.body,
     fingerprint_sha256 = excluded.fingerprint_sha256, this_update = excluded.this_update,
     next_update = excluded.next_update`,
);

/**
 * Renews the list of a key if needed: there is none, something was revoked since, or it is a day old. Also for disabled
 * authorities; not for keys with an expired certificate or none.
 */
export async function rebuild(ctx: Context, caKeyId: string): Promise<void> {
  const signer = await signerOfKey(ctx, caKeyId);
  if (!signer || signer.issuer.notAfter <= ctx.now()) return;
  await inTransaction(ctx, async (tx) => {
    const [there] = await tx.sql(LOCK_KEY, [caKeyId]);
    if (!there) return;
    const [state] = await tx.sql<StateRow>(STATE, [caKeyId]);
    if (state && !(await isStale(tx, caKeyId, state))) return;
    await publish(tx, signer, BigInt(state?.number ?? 0) + 1n);
  });
}

async function isStale(tx: Transaction, caKeyId: string, { thisUpdate }: StateRow): Promise<boolean> {
  if (at(thisUpdate).getTime() + RENEWAL <= tx.now().getTime()) return true;
  const [row] = await tx.sql<{ hasNew: boolean }>(HAS_NEW, [caKeyId]);
  return row!.hasNew;
}

/** Makes the last list of a key that is about to be deleted: it is good until this. */
export async function publishLast(tx: Transaction, signer: Signer, nextUpdate: Date): Promise<void> {
  await tx.sql(LOCK_KEY, [signer.caKeyId]);
  const [state] = await tx.sql<StateRow>(STATE, [signer.caKeyId]);
  await publish(tx, signer, BigInt(state?.number ?? 0) + 1n, nextUpdate);
}

async function publish(tx: Transaction, signer: Signer, number: bigint, until?: Date): Promise<void> {
  const { caKeyId, caId, organizationId, projectId, issuer } = signer;
  // Lists have whole seconds.
  const thisUpdate = new Date(Math.floor(tx.now().getTime() / SECOND) * SECOND);
  const nextUpdate = until ?? new Date(thisUpdate.getTime() + VALIDITY);
  const pieces = await tx.sql<{ entries: Buffer; count: number }>(COLLECT, [caKeyId, thisUpdate]);
  const entries = Buffer.concat(pieces.map((piece) => piece.entries));
  // For a long list each step takes a while, so yield between them.
  await setImmediate();
  const { name: issuerName, keyId, algorithm } = issuer;
  const tbs = tbsCrlOf({ issuerName, keyId, number, thisUpdate, nextUpdate, entries, algorithm });
  await setImmediate();
  const body = await signCrl(tbs, issuer);
  await setImmediate();
  const fingerprint = hash('sha256', body, 'buffer');
  await setImmediate();
  const place = [caKeyId, organizationId, projectId];
  await tx.sql(PUBLISH, [...place, number.toString(), body, fingerprint, thisUpdate, nextUpdate]);
  const count = pieces.reduce((sum, piece) => sum + piece.count, 0);
  const data = { caId, caKeyId, number: number.toString(), entries: count };
  record(tx, revocationListIssued, data, { organizationId, projectId });
}

/** A published list. */
export interface RevocationList {
  /** `ca_keys.id`. */
  readonly id: string;
  readonly number: bigint;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  /** Of the DER, in base64url. */
  readonly fingerprint: string;
}

interface HeadRow extends StateRow {
  fingerprint: Buffer;
}
/** Lists of existing keys, and the last ones of keys that were deleted with their authorities. */
const PUBLISHED = `(select ca_key_id, number, this_update, next_update, fingerprint_sha256, body from revocation_lists
   union all select id, number, this_update, next_update, fingerprint_sha256, body from retired_ca_keys) as published`;
const HEAD = statement(
  'revocation_lists.head',
  `select number::text as number, this_update as "thisUpdate", next_update as "nextUpdate",
     fingerprint_sha256 as fingerprint
   from ${PUBLISHED} where ca_key_id = $1`,
);
const WHOLE = statement(
  'revocation_lists.whole',
  `select number::text as number, this_update as "thisUpdate", next_update as "nextUpdate",
     fingerprint_sha256 as fingerprint, substring(body from piece.at for ${PIECE_OCTETS}) as piece
   from ${PUBLISHED}, generate_series(1, length(body), ${PIECE_OCTETS}) as piece (at)
   where ca_key_id = $1 order by piece.at`,
);

const headOf = async (ctx: Context, id: string): Promise<HeadRow | undefined> =>
  (await ctx.sql<HeadRow>(HEAD, [id]))[0];

/**
 * The newest list of a key. If there is none yet, or it has expired, it is created without waiting for the schedule.
 *
 * @throws DomainError 404 for an unknown key, and for one without a certificate.
 */
export async function getRevocationList(ctx: Context, crlId: string): Promise<RevocationList> {
  let head = isId(crlId) ? await headOf(ctx, crlId) : undefined;
  if (isId(crlId) && (!head || at(head.nextUpdate) <= ctx.now())) {
    await rebuild(ctx, crlId);
    head = await headOf(ctx, crlId);
  }
  if (!head) throw notFound('revocation list');
  return listOf(crlId, head);
}

const listOf = (id: string, { number, thisUpdate, nextUpdate, fingerprint }: HeadRow): RevocationList => ({
  id,
  number: BigInt(number),
  thisUpdate: at(thisUpdate),
  nextUpdate: at(nextUpdate),
  fingerprint: fingerprint.toString('base64url'),
});

/** The same with the list itself. */
export async function getWholeRevocationList(
  ctx: Context,
  crlId: string,
  form: 'pem' | 'der',
): Promise<RevocationList & { readonly body: Buffer }> {
  const { id } = await getRevocationList(ctx, crlId);
  const rows = await ctx.sql<HeadRow & { piece: Buffer }>(WHOLE, [id]);
  const [row] = rows;
  if (!row) throw notFound('revocation list');
  const body = Buffer.concat(rows.map(({ piece }) => piece));
  return { ...listOf(id, row), body: form === 'pem' ? await crlPem(body) : body };
}

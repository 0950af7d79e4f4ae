import { at, atOrNull, statement, type Context } from '../../kernel/index.ts';
import type { AcmeAccount } from './message.ts';
import { noSuch, problem } from './problem.ts';
import type { AcmeProfile } from './profile.ts';

/** Seconds after which clients ask again (RFC 9773, section 4.3). */
export const ASK_AGAIN = 21_600;

interface Row {
  id: string;
  notBefore: string;
  notAfter: string;
  revokedAt: string | null;
  accountId: string | null;
  identifiers: string[] | null;
  isReplaced: boolean;
}

const FIND = statement(
  'acme.certificate_by_ari',
  `select c.id, c.not_before as "notBefore", c.not_after as "notAfter", c.revoked_at as "revokedAt",
     o.account_id as "accountId", o.identifiers,
     exists (select 1 from certificates r where r.renewed_from_id = c.id) as "isReplaced"
   from ca_keys k join certificates c on c.ca_key_id = k.id and c.serial_number = any($4::text[])
     left join acme_orders o on o.certificate_id = c.id
   where k.organization_id = $1 and k.key_id = $3 and c.profile_id = $2`,
);

const BASE64URL = /^[\w-]{1,100}$/;

/** An identifier of RFC 9773, section 4.1: the issuer's key and the serial number, in base64url. */
async function byCertId(ctx: Context, profile: AcmeProfile, certId: string): Promise<Row | undefined> {
  const [keyId = '', serial = '', ...more] = certId.split('.');
  if (more.length > 0 || !BASE64URL.test(keyId) || !BASE64URL.test(serial))
    throw problem(
      'malformed',
      'The certificate identifier must be the key identifier of the issuer, a dot and the serial number',
    );
  const [key, number] = [Buffer.from(keyId, 'base64url'), Buffer.from(serial, 'base64url').toString('hex')];
  const digits = number.replace(/^(?:00)+/, '');
  const [row] = await ctx.sql<Row>(FIND, [
    profile.organizationId,
    profile.id,
    key,
    [...new Set([number, digits, digits.padStart(40, '0')])],
  ]);
  return row;
}

/**
 * The suggested renewal window of a certificate (RFC 9773, section 4.2): the last third of its validity, or immediately
 * if it is revoked. Public.
 *
 * @throws AcmeProblem 404
 */
export async function renewalInfo(ctx: Context, profile: AcmeProfile, certId: string) {
  const row = await byCertId(ctx, profile, certId);
  if (!row) throw noSuch('certificate');
  const [from, to] = [at(row.notBefore).getTime(), at(row.notAfter).getTime()];
  const revokedAt = atOrNull(row.revokedAt)?.getTime();
  const [start, end] =
    revokedAt === undefined ? [from + ((to - from) * 2) / 3, from + ((to - from) * 5) / 6] : [from, revokedAt];
  return {
    suggestedWindow: {
      start: new Date(Math.floor(start)).toISOString(),
      end: new Date(Math.max(Math.floor(end), Math.floor(start) + 1_000)).toISOString(),
    },
  };
}

/** RFC 9773, section 7.4. */
export const alreadyReplaced = () =>
  problem('alreadyReplaced', 'The certificate is already replaced, or another order replaces it');

/**
 * The certificate that an order is to replace: of the same account, with a name in common, and not replaced already.
 *
 * @returns its id
 * @throws AcmeProblem
 */
export async function replacedCertificate(
  ctx: Context,
  input: { profile: AcmeProfile; account: AcmeAccount; identifiers: readonly string[]; certId: string },
): Promise<string> {
  const row = await byCertId(ctx, input.profile, input.certId);
  if (row?.accountId !== input.account.id) throw problem('malformed', 'The account has no such certificate to replace');
  if (!row.identifiers?.some((name) => input.identifiers.includes(name)))
    throw problem('malformed', 'The certificate to replace and the order have no name in common');
  if (row.isReplaced) throw alreadyReplaced();
  return row.id;
}

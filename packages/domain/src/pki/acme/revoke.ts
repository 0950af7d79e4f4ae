import { createHash, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { DomainError, inTransaction, statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { CompromiseEvidence } from '../authority/index.ts';
import { lockPathsEndedBy, revokeKnown } from '../certificate/index.ts';
import { isWildcard, REVOCATION_REASONS, sameKey, type AltName, type RevocationReason } from '../x509.ts';
import { parsed } from './account.ts';
import { inAccountTransaction, inProfileTransaction } from './hold.ts';
import { nameOf } from './identifier.ts';
import type { AccountMessage, AcmeAccount, KeyMessage } from './message.ts';
import { noSuch, problem } from './problem.ts';
import type { AcmeProfile } from './profile.ts';

const Revoke = z.object({
  certificate: z
    .string()
    .max(65_536)
    .regex(/^[\w-]+$/),
  reason: z.number().optional(),
});

/** The reasons that subscribers may give; the others are for the authority. */
const REASONS: readonly RevocationReason[] = [
  'UNSPECIFIED',
  'KEY_COMPROMISE',
  'AFFILIATION_CHANGED',
  'SUPERSEDED',
  'CESSATION_OF_OPERATION',
  'PRIVILEGE_WITHDRAWN',
];

const FIND = statement(
  'acme.certificate_to_revoke',
  `select c.id, c.names, o.account_id as "accountId"
   from certificates c left join acme_orders o on o.certificate_id = c.id
   where c.organization_id = $1 and c.project_id = $2 and c.profile_id = $3 and c.fingerprint_sha256 = $4`,
);
const PROVED = statement(
  'acme_authorizations.proved',
  `select a.identifier, a.is_wildcard as "isWildcard" from acme_authorizations a
   where a.account_id = $1 and a.status = 'valid' and a.expires_at > $2 and a.identifier = any($3::text[])
     and exists (select 1 from acme_challenges c where c.authorization_id = a.id and c.status = 'valid')`,
);

/**
 * Revokes a certificate of the profile (RFC 8555, section 7.6) for the account that ordered it, for an account that has
 * validated all its names, or for the holder of its key. Validations that were skipped do not count. The key itself
 * proves a key compromise; the account that ordered it may also claim one, and then the key can still be certified.
 *
 * @throws AcmeProblem
 */
export async function revokeByMessage(
  ctx: Context,
  profile: AcmeProfile,
  message: AccountMessage | KeyMessage,
): Promise<void> {
  const { certificate, reason: code = 0 } = parsed(Revoke, message.payload);
  const reason = REASONS.find((name) => REVOCATION_REASONS[name] === code);
  if (!reason)
    throw problem('badRevocationReason', `Supported reasons: ${REASONS.map((r) => REVOCATION_REASONS[r]).join(', ')}`);
  const der = Buffer.from(certificate, 'base64url');
  const asked = { profile, message, der };
  await requireMayRevoke(ctx, asked);
  try {
    await inTransaction(ctx, async (joined) => {
      await lockPathsEndedBy(joined, { projectId: profile.projectId, isCa: false }, reason);
      await inMessageTransaction(joined, asked, async (tx) => {
        const { id, evidence } = await requireMayRevoke(tx, asked);
        await revokeKnown(tx, id, reason, evidence);
      });
    });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'certificate.revoked') throw error;
    throw problem('alreadyRevoked', 'The certificate is already revoked');
  }
}

interface Asked {
  readonly profile: AcmeProfile;
  readonly message: AccountMessage | KeyMessage;
  /** Of the certificate. */
  readonly der: Buffer;
}

const inMessageTransaction = (
  ctx: Context,
  { profile, message }: Asked,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> =>
  'key' in message
    ? inProfileTransaction(ctx, profile, work)
    : inAccountTransaction(ctx, profile, message.account, work);

/** The certificate, and by what the message may have it revoked. @throws AcmeProblem 404, `unauthorized` */
async function requireMayRevoke(
  ctx: Context,
  { profile, message, der }: Asked,
): Promise<{ id: string; evidence: CompromiseEvidence | 'none' }> {
  const fingerprint = createHash('sha256').update(der).digest();
  const [row] = await ctx.sql<Found>(FIND, [profile.organizationId, profile.projectId, profile.id, fingerprint]);
  if (!row) throw noSuch('certificate');
  const evidence = await evidenceOf(ctx, message, der, row);
  if (evidence) return { id: row.id, evidence };
  throw problem(
    'unauthorized',
    'The request is signed neither by an account that may revoke the certificate nor by the key of the certificate',
    { refusal: { accountId: 'key' in message ? undefined : message.account.id } },
  );
}

interface Found {
  readonly id: string;
  readonly names: AltName[];
  readonly accountId: string | null;
}

/** The right to revoke the certificate that a message proves; `undefined` if none. */
async function evidenceOf(
  ctx: Context,
  message: AccountMessage | KeyMessage,
  der: Buffer,
  { names, accountId }: Found,
): Promise<CompromiseEvidence | 'none' | undefined> {
  if ('key' in message) return hasKey(der, message) ? 'proof' : undefined;
  if (accountId === message.account.id) return 'claim';
  return (await hasProved(ctx, message.account, names)) ? 'none' : undefined;
}

const hasKey = (der: Buffer, { key: { key } }: KeyMessage): boolean => sameKey(new X509Certificate(der).publicKey, key);

async function hasProved(ctx: Context, account: AcmeAccount, names: readonly AltName[]): Promise<boolean> {
  const wanted = names.map(({ value }) => value);
  const proved = await ctx.sql<{ identifier: string; isWildcard: boolean }>(PROVED, [
    account.id,
    ctx.now(),
    wanted.map(nameOf),
  ]);
  const has = (name: string) =>
    proved.some((one) => one.identifier === nameOf(name) && one.isWildcard === isWildcard(name));
  return wanted.length > 0 && names.every(({ type, value }) => type === 'dns' && has(value));
}

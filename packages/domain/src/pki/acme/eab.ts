import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { authorizeById, organizationOf, unlessHidden } from '../../access/index.ts';
import { columnSeal } from '../../crypto/index.ts';
import {
  Id,
  inTransaction,
  isId,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { requireMayLetEnroll } from '../certificate/index.ts';
import { byProfile, certificateProfilePermissions, lockPermittedProfile } from '../profile/index.ts';
import { acmeEabSecretRevealed } from './acme.ts';
import { readJwk, readMessage, sameText, verifyMac, type PublicJwk } from './jws.ts';
import { problem, type ProblemType } from './problem.ts';
import { findAcmeProfile, type AcmeProfile } from './profile.ts';

/** RFC 8555, section 7.3.4: what clients bind their accounts with. */
export const AcmeEabSecret = z.object({
  eabKid: z.string().describe('The key ID for clients: the ID of the profile'),
  eabSecret: z.string().describe('The HMAC key, in base64url'),
});
export type AcmeEabSecret = z.output<typeof AcmeEabSecret>;

export const RevealAcmeEabSecret = z.object({ profileId: Id.describe('ID of the certificate profile') });
type RevealAcmeEabSecret = z.output<typeof RevealAcmeEabSecret>;

const FIND = statement('acme_external_keys.find', 'select secret from acme_external_keys where profile_id = $1');
const INSERT = statement(
  'acme_external_keys.insert',
  `insert into acme_external_keys (profile_id, organization_id, project_id, secret, created_at)
   values ($1, $2, $3, $4, $5)
   on conflict (profile_id) do nothing`,
);

const secrets = columnSeal('acme_external_keys.secret');

async function secretOf(ctx: Context, profile: AcmeProfile): Promise<string | undefined> {
  const [row] = await ctx.sql<{ secret: Uint8Array }>(FIND, [profile.id]);
  return row && secrets.open(ctx, profile, row.secret);
}

/** 255 random bits in base64url, of which the first is a letter: command lines of clients take what begins with a dash for an option. */
export function newMacKey(): string {
  const key = randomBytes(32);
  key[0]! &= 0x7f;
  return key.toString('base64url');
}

/** The external key of a profile; created on first use. */
async function obtainSecret(tx: Transaction, profile: AcmeProfile): Promise<string> {
  const known = await secretOf(tx, profile);
  if (known !== undefined) return known;
  const { id, organizationId, projectId } = profile;
  const sealed = await secrets.seal(tx, profile, newMacKey());
  await tx.sql(INSERT, [id, organizationId, projectId, sealed, tx.now()]);
  // Another call may have created it meanwhile.
  return (await secretOf(tx, profile))!;
}

/**
 * Returns the external key for binding accounts to a profile, and records the event.
 *
 * @throws DomainError 404, 403 also for callers who may not issue by the profile.
 */
export async function revealAcmeEabSecret(ctx: Context, { profileId }: RevealAcmeEabSecret): Promise<AcmeEabSecret> {
  const profile = isId(profileId) ? await findAcmeProfile(ctx, profileId) : undefined;
  if (profile?.organizationId !== organizationOf(ctx)) throw notFound('certificate profile');
  const { id, projectId } = profile;
  const { edit } = certificateProfilePermissions;
  await unlessHidden('certificate profile', authorizeById(ctx, edit, { projectId, slug: profile.slug }));
  await requireMayLetEnroll(ctx, projectId, byProfile(profile));
  return inTransaction(ctx, async (tx) => {
    const { slug, enrollmentType } = await lockPermittedProfile(tx, id, edit);
    // A key that is made after the end of ACME would outlast it.
    if (enrollmentType !== 'acme') throw notFound('certificate profile');
    await requireMayLetEnroll(tx, projectId, byProfile({ slug }));
    const eabSecret = await obtainSecret(tx, profile);
    record(tx, acmeEabSecretRevealed, { certificateProfileId: id, slug }, { projectId });
    return { eabKid: id, eabSecret };
  });
}

/**
 * Checks what binds a new account to the profile: made with the profile's external key, for this key and this URL.
 *
 * @throws AcmeProblem `externalAccountRequired`, `malformed`, `unauthorized`
 */
export async function checkExternalBinding(
  ctx: Context,
  profile: AcmeProfile,
  given: unknown,
  { url, key }: { url: string; key: PublicJwk },
): Promise<void> {
  if (given === undefined)
    throw refused('externalAccountRequired', 'Accounts need external account binding (EAB) for this profile');
  const message = readMessage(given);
  if (message.header.url !== url || message.header.nonce !== undefined || message.header.jwk)
    throw refused('malformed', 'The external account binding must have the same URL, a kid and no nonce', 'form');
  const secret = await secretOf(ctx, profile);
  const isKnown = secret !== undefined && sameText(message.header.kid ?? '', profile.id);
  if (!isKnown || !(await verifyMac(message, Buffer.from(secret, 'base64url'))))
    throw refused('unauthorized', 'The external account binding is not signed by the external key of this profile');
  const bound = await readJwk(payloadJwk(message.jws.payload));
  if (bound.thumbprint !== key.thumbprint)
    throw refused('malformed', 'The external account binding is for a key other than the account key', 'another-key');
}

const refused = (type: ProblemType, detail: string, reason?: string) =>
  problem(type, detail, { refusal: { isBinding: true, ...(reason !== undefined && { reason }) } });

function payloadJwk(payload: string): Record<string, unknown> {
  try {
    const jwk: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (typeof jwk === 'object' && jwk !== null) return jwk as Record<string, unknown>;
  } catch {
    // Thrown below.
  }
  throw problem('malformed', 'The external account binding contains no key');
}

import { hash } from 'node:crypto';
import { badRequest, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { spkiOf, type PublicKey, type RevocationReason } from '../x509/index.ts';

/** The reasons that say that somebody else has the key. */
export const COMPROMISING: ReadonlySet<RevocationReason> = new Set([
  'KEY_COMPROMISE',
  'CA_COMPROMISE',
  'A_A_COMPROMISE',
]);

/** What a key is known by: the hash of its SubjectPublicKeyInfo. */
export const spkiHashOf = (key: PublicKey): Buffer => hash('sha256', spkiOf(key), 'buffer');

const KEEP = statement(
  'compromised_keys.keep',
  `insert into compromised_keys (organization_id, spki_hash, created_at) values ($1, $2, $3) on conflict do nothing`,
);

/** From now on the key is certified no more in the organization, by whatever authority and for whomever. */
export const keepCompromised = async (tx: Transaction, organizationId: string, key: PublicKey): Promise<void> =>
  void (await tx.sql(KEEP, [organizationId, spkiHashOf(key), tx.now()]));

/** The SQL condition that a key is not known as compromised in an organization, both given as parameters. */
export const notCompromised = (organizationId: string, spkiHash: string): string =>
  `not exists (select from compromised_keys where organization_id = ${organizationId} and spki_hash = ${spkiHash})`;

const FIND = statement('compromised_keys.find', `select 1 where not (${notCompromised('$1', '$2')})`);

/** @throws DomainError 400 `certificate.key_compromised` */
export async function requireNotCompromised(ctx: Context, organizationId: string, key: PublicKey): Promise<void> {
  const known = await ctx.sql(FIND, [organizationId, spkiHashOf(key)]);
  if (known.length > 0) throw compromised();
}

const RULE = 'certificate.key_compromised';
function compromised() {
  const message = 'A certificate for this key was revoked as compromised: make another key';
  return badRequest(RULE, `${message} (${RULE})`, { findings: [{ rule: RULE, severity: 'error', message }] });
}

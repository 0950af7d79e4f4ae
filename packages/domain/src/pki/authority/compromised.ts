import { hash } from 'node:crypto';
import { badRequest, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { spkiOf, type PublicKey, type RevocationReason } from '../x509.ts';

/** The reasons that mean a compromised key. */
export const COMPROMISING: ReadonlySet<RevocationReason> = new Set([
  'KEY_COMPROMISE',
  'CA_COMPROMISE',
  'A_A_COMPROMISE',
]);

/** The identifier of a key: the hash of its SubjectPublicKeyInfo. */
export const spkiHashOf = (key: PublicKey): Buffer => hash('sha256', spkiOf(key), 'buffer');

/** Where something is. */
interface Place {
  readonly organizationId: string;
  readonly projectId: string;
}

/**
 * The evidence that a key is compromised. Anybody with a CSR can have its key certified and claim that, so a claim
 * counts in the project of the certificate; a signature of the key counts in the organization.
 */
export type CompromiseEvidence = 'claim' | 'proof';

const KEEP = statement(
  'compromised_keys.keep',
  `insert into compromised_keys (organization_id, spki_hash, project_id, created_at) values ($1, $2, $3, $4)
   on conflict do nothing`,
);

/** From now on the key is certified no more there, by whatever authority and for whomever. */
export async function keepCompromised(
  tx: Transaction,
  { organizationId, projectId }: Place,
  key: PublicKey,
  evidence: CompromiseEvidence,
): Promise<void> {
  await tx.sql(KEEP, [organizationId, spkiHashOf(key), evidence === 'proof' ? null : projectId, tx.now()]);
}

/** The SQL condition that a key is not known as compromised in a project, each of these given as a parameter. */
export const notCompromised = (organizationId: string, projectId: string, spkiHash: string): string =>
  `not exists (${compromisedIn(organizationId, projectId, `= ${spkiHash}`)})`;

/** SQL: what is known as compromised in a project of the keys with these hashes, for example `= $3`. */
export const compromisedIn = (organizationId: string, projectId: string, hashes: string): string =>
  `select from compromised_keys where organization_id = ${organizationId} and spki_hash ${hashes}
     and (project_id is null or project_id = ${projectId})`;

const FIND = statement('compromised_keys.find', `select 1 where not (${notCompromised('$1', '$2', '$3')})`);

/** @throws DomainError 400 `certificate.key_compromised` */
export async function requireNotCompromised(
  ctx: Context,
  { organizationId, projectId }: Place,
  key: PublicKey,
): Promise<void> {
  const known = await ctx.sql(FIND, [organizationId, projectId, spkiHashOf(key)]);
  if (known.length > 0) throw compromised();
}

const RULE = 'certificate.key_compromised';
function compromised() {
  const message = 'A certificate for this key was revoked as compromised: generate another key';
  return badRequest(RULE, `${message} (${RULE})`, { findings: [{ rule: RULE, severity: 'error', message }] });
}

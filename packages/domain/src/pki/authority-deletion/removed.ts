import { abilityIn, findInTurns, forbidsAny, irremovable, requireMayRemove } from '../../access/index.ts';
import { statement, type Ability, type Transaction } from '../../kernel/index.ts';
import { allowsCertificate, certificatePermissions, isForbidden, type CertificateFacts } from '../certificate/index.ts';
import { certificateProfilePermissions } from '../profile/index.ts';
import { certificateTemplatePermissions } from '../template/index.ts';

interface Deleted {
  readonly id: string;
  readonly projectId: string;
}

type Check = (tx: Transaction, ability: Ability, authority: Deleted) => Promise<void>;

// Locked in the order in which they are deleted, so that what the rules compare stays until then.
const CERTIFICATES = statement(
  'certificates.facts_of_authority',
  `select common_name as "commonName", subject, names, friendly_name as "friendlyName", status, serial_number as "serialNumber"
   from certificates where ca_id = $1 order by id for update`,
);
const TEMPLATES = statement(
  'certificate_templates.names_of_authority',
  'select name from certificate_templates where ca_id = $1 order by id for update',
);
const PROFILES = statement(
  'certificate_profiles.slugs_of_authority',
  'select slug from certificate_profiles where ca_id = $1 or external_ca_id = $1 order by id for update',
);

/** What belongs to authorities, by the subject of its permissions. */
const CHECKS = {
  certificates: async (tx, ability, { id, projectId }) => {
    const { delete: remove } = certificatePermissions;
    if (!forbidsAny(ability, remove)) return;
    const all = await tx.sql<CertificateFacts>(CERTIFICATES, [id]);
    const isKept = (facts: CertificateFacts) =>
      isForbidden(ability, remove, facts) && !allowsCertificate(ability, remove, facts);
    if (await findInTurns(all, isKept)) throw irremovable(ability, remove, projectId);
  },
  'certificate-templates': async (tx, ability, { id, projectId }) =>
    requireMayRemove(ability, certificateTemplatePermissions.delete, projectId, await tx.sql(TEMPLATES, [id])),
  'certificate-profiles': async (tx, ability, { id, projectId }) =>
    requireMayRemove(ability, certificateProfilePermissions.delete, projectId, await tx.sql(PROFILES, [id])),
} satisfies Record<string, Check>;

/**
 * Checks that no rule forbids the caller to delete what is deleted with an authority, whose row is locked. The right to delete the
 * authority is enough otherwise.
 *
 * @throws DomainError 403
 */
export async function requireMayRemoveAll(
  tx: Transaction,
  authority: Deleted,
  belonging: readonly (keyof typeof CHECKS)[],
): Promise<void> {
  const ability = await abilityIn(tx, authority.projectId);
  for (const subject of belonging) await CHECKS[subject](tx, ability, authority);
}

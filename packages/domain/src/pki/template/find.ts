import { abilityIn, organizationOf, unlessHidden } from '../../access/index.ts';
import { at, isId, notFound, statement, type Context } from '../../kernel/index.ts';
import type { AuthorityTemplate, CertificateTemplate } from './template.ts';

export const TEMPLATE = 'certificate template';

export interface TemplateRow {
  id: string;
  ca_id: string;
  project_id: string;
  name: string;
  common_name: string;
  subject_alternative_name: string;
  pki_collection_id: string | null;
  ttl: string;
  key_usages: CertificateTemplate['keyUsages'];
  extended_key_usages: CertificateTemplate['extendedKeyUsages'];
  ca_name: string;
  created_at: string;
  updated_at: string;
}

const SELECT = `select t.id, t.ca_id, t.project_id, t.name, t.common_name, t.subject_alternative_name,
  t.pki_collection_id, t.ttl, t.key_usages, t.extended_key_usages, a.name as ca_name, t.created_at, t.updated_at
  from certificate_templates t join certificate_authorities a on a.id = t.ca_id`;
const BY_ID = statement('certificate_templates.by_id', `${SELECT} where t.organization_id = $1 and t.id = $2`);
export const OF_PROJECT = statement(
  'certificate_templates.of_project',
  `${SELECT} where t.organization_id = $1 and t.project_id = $2 order by t.name`,
);
export const OF_AUTHORITY = statement(
  'certificate_templates.of_authority',
  `${SELECT} where t.organization_id = $1 and t.ca_id = $2 order by t.name`,
);

/**
 * The template with this ID in a project of the caller. No further rights are checked.
 *
 * @throws DomainError 404 `certificate_template.not_found`.
 */
export async function findCertificateTemplate(ctx: Context, id: string): Promise<CertificateTemplate> {
  const template = await certificateTemplateById(ctx, id);
  await unlessHidden(TEMPLATE, abilityIn(ctx, template.projectId));
  return template;
}

/**
 * The same without checking the caller's rights.
 *
 * @throws DomainError 404
 */
export async function certificateTemplateById(ctx: Context, id: string): Promise<CertificateTemplate> {
  const [row] = isId(id) ? await ctx.sql<TemplateRow>(BY_ID, [organizationOf(ctx), id]) : [];
  if (!row) throw notFound(TEMPLATE);
  return toTemplate(row);
}

export const toTemplate = (row: TemplateRow): CertificateTemplate => ({
  id: row.id,
  caId: row.ca_id,
  name: row.name,
  commonName: row.common_name,
  subjectAlternativeName: row.subject_alternative_name,
  pkiCollectionId: row.pki_collection_id,
  ttl: row.ttl,
  keyUsages: row.key_usages,
  extendedKeyUsages: row.extended_key_usages,
  projectId: row.project_id,
  caName: row.ca_name,
});

export function toAuthorityTemplate(row: TemplateRow): AuthorityTemplate {
  const { projectId: _, caName: __, ...template } = toTemplate(row);
  return { ...template, createdAt: at(row.created_at), updatedAt: at(row.updated_at) };
}

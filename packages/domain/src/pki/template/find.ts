import { abilityIn, organizationOf, unlessHidden } from '../../access/index.ts';
import { at, isId, notFound, statement, type Context } from '../../kernel/index.ts';
import type { AuthorityTemplate, CertificateTemplate } from './template.ts';

export const TEMPLATE = 'certificate template';

/** A template in the state in which it was read. */
export interface FoundTemplate extends CertificateTemplate {
  readonly updatedAt: string;
}

export interface TemplateRow {
  id: string;
  caId: string;
  projectId: string;
  name: string;
  commonName: string;
  subjectAlternativeName: string;
  pkiCollectionId: string | null;
  ttl: string;
  keyUsages: CertificateTemplate['keyUsages'];
  extendedKeyUsages: CertificateTemplate['extendedKeyUsages'];
  caName: string;
  createdAt: string;
  updatedAt: string;
}

const SELECT = `select t.id, t.ca_id as "caId", t.project_id as "projectId", t.name, t.common_name as "commonName",
  t.subject_alternative_name as "subjectAlternativeName",
  t.pki_collection_id as "pkiCollectionId", t.ttl, t.key_usages as "keyUsages",
  t.extended_key_usages as "extendedKeyUsages", a.name as "caName", t.created_at as "createdAt", t.updated_at as "updatedAt"
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
export async function findCertificateTemplate(ctx: Context, id: string): Promise<FoundTemplate> {
  const template = await certificateTemplateById(ctx, id);
  await unlessHidden(TEMPLATE, abilityIn(ctx, template.projectId));
  return template;
}

/**
 * The same without checking the caller's rights.
 *
 * @throws DomainError 404
 */
export async function certificateTemplateById(ctx: Context, id: string): Promise<FoundTemplate> {
  const [row] = isId(id) ? await ctx.sql<TemplateRow>(BY_ID, [organizationOf(ctx), id]) : [];
  if (!row) throw notFound(TEMPLATE);
  return toTemplate(row);
}

export const toTemplate = (row: TemplateRow): FoundTemplate => ({
  id: row.id,
  caId: row.caId,
  name: row.name,
  commonName: row.commonName,
  subjectAlternativeName: row.subjectAlternativeName,
  pkiCollectionId: row.pkiCollectionId,
  ttl: row.ttl,
  keyUsages: row.keyUsages,
  extendedKeyUsages: row.extendedKeyUsages,
  projectId: row.projectId,
  caName: row.caName,
  updatedAt: row.updatedAt,
});

export function toAuthorityTemplate(row: TemplateRow): AuthorityTemplate {
  const { projectId: _, caName: __, ...template } = toTemplate(row);
  return { ...template, createdAt: at(row.createdAt), updatedAt: at(row.updatedAt) };
}

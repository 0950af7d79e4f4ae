import { LockMode } from '@mikro-orm/core';
import {
  abilityIn,
  authorize,
  authorizeById,
  permittedNow,
  authorizeChange,
  organizationOf,
  readable,
  unlessHidden,
  filterInTurns,
} from '../../access/index.ts';
import {
  badRequest,
  explainConstraint,
  fewIn,
  inTransaction,
  newId,
  notFound,
  record,
  type Context,
  type Permission,
  type Transaction,
} from '../../kernel/index.ts';
import { authorityPermissions, projectOfAuthority, requireAuthority } from '../authority/index.ts';
import { collectionPermissions, requireCollectionIn } from '../collection/index.ts';
import { expression } from '../constraint/index.ts';
import {
  findCertificateTemplate,
  OF_AUTHORITY,
  OF_PROJECT,
  TEMPLATE,
  toAuthorityTemplate,
  toTemplate,
  type TemplateRow,
} from './find.ts';
import { CertificateTemplateEntity } from './template.entity.ts';
import {
  certificateTemplateCreated,
  certificateTemplateDeleted,
  certificateTemplatePermissions,
  certificateTemplateUpdated,
  type AuthorityTemplate,
  type CertificateTemplate,
  type CreateCertificateTemplate,
  type ListCertificateTemplates,
  type CertificateTemplateRef,
  type UpdateCertificateTemplate,
} from './template.ts';

explainConstraint(
  'certificate_templates_name_unique',
  'A certificate template with this name already exists in the project',
);

const requireFew = fewIn('project', {
  table: 'certificate_templates',
  most: 1_000,
  code: 'certificate_template.too_many',
  of: 'certificate templates',
});

const AUTHORITY = 'certificate authority';

/** The project of an authority, where the caller is a member of it. */
async function projectOf(ctx: Context, caId: string): Promise<string> {
  const projectId = await projectOfAuthority(ctx, caId);
  if (projectId === undefined) throw notFound(AUTHORITY);
  await unlessHidden(AUTHORITY, abilityIn(ctx, projectId));
  return projectId;
}

/**
 * What is issued by a template is added to its collection: that takes the right to do so.
 *
 * @throws DomainError 400 `pattern.invalid`, 404 for a collection that the project does not have, 403.
 */
async function requireUsable(
  ctx: Context,
  projectId: string,
  input: Partial<Pick<CreateCertificateTemplate, 'commonName' | 'subjectAlternativeName' | 'pkiCollectionId'>>,
): Promise<void> {
  for (const pattern of [input.commonName, input.subjectAlternativeName])
    if (pattern !== undefined) expression(pattern);
  const { pkiCollectionId } = input;
  if (!pkiCollectionId) return;
  await authorize(ctx, collectionPermissions.create, { projectId });
  await requireCollectionIn(ctx, { organizationId: organizationOf(ctx), projectId }, pkiCollectionId);
}

/**
 * Makes a template of an authority.
 *
 * @throws DomainError 404 for an unknown authority or collection, 403; 400 `certificate_templates_name_unique`,
 * `certificate_template.too_many`, `pattern.invalid`.
 */
export async function createCertificateTemplate(
  ctx: Context,
  input: CreateCertificateTemplate,
): Promise<CertificateTemplate> {
  const projectId = await projectOf(ctx, input.caId);
  await unlessHidden(AUTHORITY, authorize(ctx, certificateTemplatePermissions.create, { projectId, name: input.name }));
  await requireAuthority(ctx, input.caId, authorityPermissions.read);
  await requireUsable(ctx, projectId, input);
  return inTransaction(ctx, async (tx) => {
    const { pkiCollectionId = null, ...fields } = input;
    const id = newId();
    const now = tx.now();
    const of = { id, organizationId: organizationOf(tx), projectId, createdAt: now, updatedAt: now };
    await tx.em.persist(tx.em.create(CertificateTemplateEntity, { ...of, ...fields, pkiCollectionId })).flush();
    await requireFew(tx, projectId);
    record(
      tx,
      certificateTemplateCreated,
      { certificateTemplateId: id, name: input.name, caId: input.caId },
      { projectId },
    );
    return findCertificateTemplate(tx, id);
  });
}

/** @throws DomainError 404, 403. */
export async function getCertificateTemplate(
  ctx: Context,
  { certificateTemplateId }: CertificateTemplateRef,
): Promise<CertificateTemplate> {
  const template = await findCertificateTemplate(ctx, certificateTemplateId);
  const { projectId, name } = template;
  await authorizeById(ctx, certificateTemplatePermissions.read, { projectId, name });
  return template;
}

/** The templates of a project that the caller may read, by name, and their total number. */
export async function listCertificateTemplates(
  ctx: Context,
  { projectId, offset, limit }: ListCertificateTemplates,
): Promise<{ certificateTemplates: CertificateTemplate[]; totalCount: number }> {
  const isReadable = await readable(ctx, certificateTemplatePermissions.read, { projectId });
  const rows = await ctx.sql<TemplateRow>(OF_PROJECT, [organizationOf(ctx), projectId]);
  const found = await filterInTurns(rows, ({ name }) => isReadable({ name }));
  return { certificateTemplates: found.slice(offset, offset + limit).map(toTemplate), totalCount: found.length };
}

/** All of them. */
export const listAllCertificateTemplates = async (ctx: Context, projectId: string): Promise<CertificateTemplate[]> =>
  (await listCertificateTemplates(ctx, { projectId, offset: 0, limit: Number.MAX_SAFE_INTEGER })).certificateTemplates;

/** The templates of an authority that the caller may read, by name. */
export async function listTemplatesOfAuthority(ctx: Context, { caId }: { caId: string }): Promise<AuthorityTemplate[]> {
  const projectId = await projectOf(ctx, caId);
  const isReadable = await readable(ctx, certificateTemplatePermissions.read, { projectId });
  const rows = await ctx.sql<TemplateRow>(OF_AUTHORITY, [organizationOf(ctx), caId]);
  return (await filterInTurns(rows, ({ name }) => isReadable({ name }))).map(toAuthorityTemplate);
}

/**
 * Updates the given fields of a template; issued certificates are unchanged.
 *
 * @throws DomainError 404, 403 (also for the new name); 400 as `createCertificateTemplate`, and
 * `certificate_template.other_project` for an authority of another project.
 */
export async function updateCertificateTemplate(
  ctx: Context,
  input: UpdateCertificateTemplate,
): Promise<CertificateTemplate> {
  const { certificateTemplateId, ...changes } = input;
  const { projectId, name } = await findCertificateTemplate(ctx, certificateTemplateId);
  const { edit } = certificateTemplatePermissions;
  await authorizeById(ctx, edit, { projectId, name });
  if (changes.caId !== undefined && (await projectOf(ctx, changes.caId)) !== projectId)
    throw badRequest('certificate_template.other_project', 'The authority belongs to another project');
  return inTransaction(ctx, async (tx) => {
    const row = await lock(tx, certificateTemplateId);
    if (changes.caId !== undefined && changes.caId !== row.caId)
      await requireAuthority(tx, changes.caId, authorityPermissions.read);
    const isSame = changes.pkiCollectionId === row.pkiCollectionId;
    await requireUsable(tx, projectId, { ...changes, ...(isSame && { pkiCollectionId: undefined }) });
    const [before, after] = [{ name: row.name }, { name: changes.name ?? row.name }];
    await authorizeChange(tx, certificateTemplatePermissions, { projectId, before, after });
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    tx.em.assign(row, { ...given, updatedAt: tx.now() });
    await tx.em.flush();
    record(tx, certificateTemplateUpdated, { ...eventData(row), changed: Object.keys(given) }, { projectId });
    return findCertificateTemplate(tx, row.id);
  });
}

/** Deletes a template; what was issued by it stays valid. @throws DomainError 404, 403. */
export async function deleteCertificateTemplate(
  ctx: Context,
  { certificateTemplateId }: CertificateTemplateRef,
): Promise<CertificateTemplate> {
  const template = await findCertificateTemplate(ctx, certificateTemplateId);
  const { projectId, name } = template;
  await authorizeById(ctx, certificateTemplatePermissions.delete, { projectId, name });
  return inTransaction(ctx, async (tx) => {
    const row = await lockPermittedTemplate(tx, certificateTemplateId, certificateTemplatePermissions.delete);
    await tx.em.remove(row).flush();
    record(tx, certificateTemplateDeleted, eventData(row), { projectId });
    return template;
  });
}

const eventData = ({ id, name, caId }: CertificateTemplateEntity) => ({ certificateTemplateId: id, name, caId });

async function lock(tx: Transaction, id: string): Promise<CertificateTemplateEntity> {
  const row = await tx.em.findOne(CertificateTemplateEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!row) throw notFound(TEMPLATE);
  return row;
}

/** The same for a caller with this permission on its present name. @throws DomainError 404, 403 */
export const lockPermittedTemplate = (
  tx: Transaction,
  id: string,
  permission: Permission,
): Promise<CertificateTemplateEntity> => permittedNow(tx, permission, lock(tx, id), ({ name }) => ({ name }));

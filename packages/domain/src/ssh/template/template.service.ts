import { organizationOf, readable } from '../../access/index.ts';
import {
  badRequest,
  explainConstraint,
  fewIn,
  inTransaction,
  invalidate,
  isId,
  newId,
  parseDuration,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { requireSshAuthority, sshTagOf } from '../authority/index.ts';
import { requireMayNameHosts, requireMayOpenHosts } from '../login/index.ts';
import { MAX_OPTIONS, requireOptionName, requireOptions } from '../constraint/index.ts';
import {
  findSshTemplate,
  OF_AUTHORITY,
  OF_PROJECT,
  requireSshTemplate,
  toSshTemplate,
  type SshTemplateRow,
} from './find.ts';
import {
  sshTemplateCreated,
  sshTemplateDeleted,
  sshTemplatePermissions,
  sshTemplateUpdated,
  type CreateSshTemplate,
  type SshTemplate,
  type SshTemplateRef,
  type UpdateSshTemplate,
} from './template.ts';

explainConstraint(
  'ssh_certificate_templates_name_unique',
  'A template with this name already exists in the SSH certificate authority',
);

const requireFewTemplates = fewIn('project', {
  table: 'ssh_certificate_templates',
  most: 1_000,
  code: 'ssh_certificate_template.too_many',
  of: 'SSH certificate templates',
});

type Content = Omit<CreateSshTemplate, 'sshCaId'>;

/** @throws DomainError 400 `ssh_certificate_template.ttl`, `ssh_certificate.option` */
function requireUsable(content: Content): void {
  const { ttl, maxTTL } = content;
  if (parseDuration(ttl)! > parseDuration(maxTTL)!)
    throw badRequest('ssh_certificate_template.ttl', `ttl is ${ttl}, which is more than maxTTL, ${maxTTL}`);
  requireOptions({ criticalOptions: content.defaultCriticalOptions, extensions: content.defaultExtensions });
  for (const name of content.allowedCriticalOptions) requireOptionName('criticalOptions', name);
  for (const name of content.allowedExtensions) requireOptionName('extensions', name);
}

const sizeOf = (content: Content): number => JSON.stringify(valuesOf(content)).length;

/** Lists have all templates of a project. @throws DomainError 400 `ssh_certificate_template.too_large` */
function requireSmall(content: Content): void {
  const size = sizeOf(content);
  if (size > MAX_OPTIONS)
    throw badRequest(
      'ssh_certificate_template.too_large',
      `The names and options of the template have ${size} characters; the maximum is ${MAX_OPTIONS}`,
    );
}

/**
 * A template for users gives logins on the hosts that trust its authority; one for hosts gives the names of the hosts that clients
 * recognize by it.
 *
 * @throws DomainError 403
 */
async function requireMayIssue(
  tx: Transaction,
  template: Pick<SshTemplate, 'projectId' | 'sshCaId' | 'status' | 'allowUserCertificates' | 'allowHostCertificates'>,
): Promise<void> {
  const { projectId, sshCaId, status, allowUserCertificates, allowHostCertificates } = template;
  if (status !== 'active') return;
  if (allowUserCertificates) await requireMayOpenHosts(tx, { projectId, sshCaId });
  if (allowHostCertificates) await requireMayNameHosts(tx, { projectId, sshCaId });
}

const valuesOf = (content: Content) => [
  content.name,
  content.ttl,
  content.maxTTL,
  content.allowedUsers,
  content.allowedHosts,
  content.allowUserCertificates,
  content.allowHostCertificates,
  content.allowCustomKeyIds,
  content.allowedCriticalOptions,
  JSON.stringify(content.defaultCriticalOptions),
  content.allowedExtensions,
  JSON.stringify(content.defaultExtensions),
];

const ADD = statement(
  'ssh_certificate_templates.add',
  `insert into ssh_certificate_templates (id, organization_id, project_id, ca_id, created_at, updated_at, name, ttl,
     max_ttl, allowed_users, allowed_hosts, allow_user_certificates, allow_host_certificates, allow_custom_key_ids,
     allowed_critical_options, default_critical_options, allowed_extensions, default_extensions)
   values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
);

/**
 * Creates a template of an authority.
 *
 * @throws DomainError 404 for an unknown authority; 403, also if hosts trust the authority that the caller may not edit; 400 `ssh_certificate_templates_name_unique`,
 * `ssh_certificate_template.ttl`, `.too_many`, `.too_large`, `ssh_certificate.option`.
 */
export async function createSshTemplate(
  ctx: Context,
  { sshCaId, ...content }: CreateSshTemplate,
): Promise<SshTemplate> {
  const { id: caId, projectId } = await requireSshAuthority(ctx, sshCaId, sshTemplatePermissions.create);
  requireUsable(content);
  requireSmall(content);
  return inTransaction(ctx, async (tx) => {
    await requireMayIssue(tx, { ...content, projectId, sshCaId: caId, status: 'active' });
    const id = newId();
    await tx.sql(ADD, [id, organizationOf(tx), projectId, caId, tx.now(), ...valuesOf(content)]);
    await requireFewTemplates(tx, projectId);
    record(tx, sshTemplateCreated, { certificateTemplateId: id, name: content.name, sshCaId: caId }, { projectId });
    return findSshTemplate(tx, id);
  });
}

/** @throws DomainError 404, 403 */
export const getSshTemplate = (ctx: Context, { certificateTemplateId }: SshTemplateRef): Promise<SshTemplate> =>
  requireSshTemplate(ctx, certificateTemplateId, sshTemplatePermissions.read);

/** The templates of a project, if the caller may read them. */
export async function listSshTemplates(ctx: Context, { projectId }: { projectId: string }): Promise<SshTemplate[]> {
  const mayRead = await readable(ctx, sshTemplatePermissions.read, { projectId });
  if (!mayRead({}) || !isId(projectId)) return [];
  return (await ctx.sql<SshTemplateRow>(OF_PROJECT, [organizationOf(ctx), projectId])).map(toSshTemplate);
}

/** The templates of an authority. @throws DomainError 404, 403 */
export async function listTemplatesOfSshAuthority(
  ctx: Context,
  { sshCaId }: { sshCaId: string },
): Promise<SshTemplate[]> {
  const { id } = await requireSshAuthority(ctx, sshCaId, sshTemplatePermissions.read);
  return (await ctx.sql<SshTemplateRow>(OF_AUTHORITY, [organizationOf(ctx), id])).map(toSshTemplate);
}

const UPDATE = statement(
  'ssh_certificate_templates.update',
  `update ssh_certificate_templates set updated_at = $2, status = $3, name = $4, ttl = $5, max_ttl = $6,
     allowed_users = $7, allowed_hosts = $8, allow_user_certificates = $9, allow_host_certificates = $10,
     allow_custom_key_ids = $11, allowed_critical_options = $12, default_critical_options = $13,
     allowed_extensions = $14, default_extensions = $15 where id = $1`,
);

/** Updates the given fields of a template; issued certificates are unchanged. @throws as `createSshTemplate`. */
export async function updateSshTemplate(ctx: Context, input: UpdateSshTemplate): Promise<SshTemplate> {
  const { certificateTemplateId, ...given } = input;
  const { id, projectId } = await requireSshTemplate(ctx, certificateTemplateId, sshTemplatePermissions.edit);
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return inTransaction(ctx, async (tx) => {
    const before = await findSshTemplate(tx, id, true);
    const next: SshTemplate = { ...before, ...changes };
    requireUsable(next);
    // One of an earlier release can be disabled, or made smaller.
    if (sizeOf(next) > sizeOf(before)) requireSmall(next);
    await requireMayIssue(tx, next);
    invalidate(tx, sshTagOf(next.sshCaId));
    await tx.sql(UPDATE, [id, tx.now(), next.status, ...valuesOf(next)]);
    const { name, sshCaId, status } = next;
    const data = { certificateTemplateId: id, name, sshCaId, status, changed: Object.keys(changes) };
    record(tx, sshTemplateUpdated, data, { projectId });
    return findSshTemplate(tx, id);
  });
}

const DELETE = statement('ssh_certificate_templates.delete', 'delete from ssh_certificate_templates where id = $1');

/** Deletes a template; what was issued by it stays valid. @throws DomainError 404, 403 */
export async function deleteSshTemplate(ctx: Context, { certificateTemplateId }: SshTemplateRef): Promise<SshTemplate> {
  const { id, projectId } = await requireSshTemplate(ctx, certificateTemplateId, sshTemplatePermissions.delete);
  return inTransaction(ctx, async (tx) => {
    const template = await findSshTemplate(tx, id, true);
    invalidate(tx, sshTagOf(template.sshCaId));
    await tx.sql(DELETE, [id]);
    const { name, sshCaId } = template;
    record(tx, sshTemplateDeleted, { certificateTemplateId: id, name, sshCaId }, { projectId });
    return template;
  });
}

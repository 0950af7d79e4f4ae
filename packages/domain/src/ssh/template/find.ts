import { authorizeById, organizationOf, unlessHidden } from '../../access/index.ts';
import {
  at,
  isId,
  loadSigner,
  notFound,
  placeTags,
  statement,
  type Context,
  type Permission,
} from '../../kernel/index.ts';
import { sshTagOf } from '../authority/index.ts';
import type { SshTemplate } from './template.ts';

const SSH_TEMPLATE = 'ssh certificate template';

export interface SshTemplateRow extends Omit<SshTemplate, 'createdAt' | 'updatedAt'> {
  readonly createdAt: string;
  readonly updatedAt: string;
}

const SELECT = `select id, ca_id as "sshCaId", project_id as "projectId", status, name, ttl, max_ttl as "maxTTL",
  allowed_users as "allowedUsers", allowed_hosts as "allowedHosts",
  allow_user_certificates as "allowUserCertificates", allow_host_certificates as "allowHostCertificates",
  allow_custom_key_ids as "allowCustomKeyIds", allowed_critical_options as "allowedCriticalOptions",
  default_critical_options as "defaultCriticalOptions", allowed_extensions as "allowedExtensions",
  default_extensions as "defaultExtensions", created_at as "createdAt", updated_at as "updatedAt"
  from ssh_certificate_templates`;
const BY_ID = statement('ssh_certificate_templates.by_id', `${SELECT} where organization_id = $1 and id = $2`);
const LOCKED = statement(
  'ssh_certificate_templates.locked',
  `${SELECT} where organization_id = $1 and id = $2 for update`,
);
export const OF_PROJECT = statement(
  'ssh_certificate_templates.of_project',
  `${SELECT} where organization_id = $1 and project_id = $2 order by name, id`,
);
export const OF_AUTHORITY = statement(
  'ssh_certificate_templates.of_authority',
  `${SELECT} where organization_id = $1 and ca_id = $2 order by name, id`,
);

export const toSshTemplate = (row: SshTemplateRow): SshTemplate => ({
  ...row,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});

/** The template with this ID. The rights of the caller are not checked. @throws DomainError 404 */
export async function findSshTemplate(ctx: Context, id: string, isLocked = false): Promise<SshTemplate> {
  const asked = isLocked ? LOCKED : BY_ID;
  const [row] = isId(id) ? await ctx.sql<SshTemplateRow>(asked, [organizationOf(ctx), id]) : [];
  if (!row) throw notFound(SSH_TEMPLATE);
  return toSshTemplate(row);
}

/**
 * The same from the cache, which is at most a second old: a certificate is only stored if its template is still the same
 * (`issueSshCertificate`).
 */
export async function cachedSshTemplate(ctx: Context, id: string): Promise<SshTemplate> {
  const organizationId = organizationOf(ctx);
  const template = await loadSigner(ctx, `ssh-template:${organizationId}:${id}`, async () => {
    const value = await findSshTemplate(ctx, id);
    return { value, tags: [sshTagOf(value.sshCaId), ...placeTags({ ...value, organizationId })] };
  });
  return template!;
}

/**
 * The template with this ID, if the caller has the permission in its project.
 *
 * @param find `cachedSshTemplate` for issuing.
 * @throws DomainError 404 if there is none, or none that the caller may see; 403.
 */
export async function requireSshTemplate(
  ctx: Context,
  id: string,
  permission: Permission,
  find = findSshTemplate,
): Promise<SshTemplate> {
  const template = await find(ctx, id);
  await unlessHidden(SSH_TEMPLATE, authorizeById(ctx, permission, { projectId: template.projectId }));
  return template;
}

import { authorize, organizationOf } from '../../access/index.ts';
import { givenFields, at, inTransaction, record, statement, type Context } from '../../kernel/index.ts';
import { makeDefaultAuthorities, requireMayUseAuthorities } from '../host/index.ts';
import { keepingLogins } from '../login/index.ts';
import {
  sshConfigPermissions,
  sshConfigUpdated,
  type SshConfig,
  type SshConfigRef,
  type UpdateSshConfig,
} from './config.ts';

const READ = statement(
  'ssh_config.read',
  `select coalesce(c.created_at, p.created_at) as "createdAt", coalesce(c.updated_at, p.created_at) as "updatedAt",
     c.default_user_ca_id as "defaultUserSshCaId", c.default_host_ca_id as "defaultHostSshCaId"
   from projects p left join ssh_project_configs c on c.project_id = p.id where p.organization_id = $1 and p.id = $2`,
);
const UPDATE = statement(
  'ssh_config.update',
  `update ssh_project_configs set default_user_ca_id = coalesce($3, default_user_ca_id),
     default_host_ca_id = coalesce($4, default_host_ca_id), updated_at = $5
   where organization_id = $1 and project_id = $2`,
);

interface Row {
  createdAt: string;
  updatedAt: string;
  defaultUserSshCaId: string | null;
  defaultHostSshCaId: string | null;
}

/** The SSH settings of a project; without authorities until one is needed. @throws DomainError 404, 403 */
export async function getSshConfig(ctx: Context, { projectId }: SshConfigRef): Promise<SshConfig> {
  await authorize(ctx, sshConfigPermissions.read, { projectId });
  return readConfig(ctx, projectId);
}

async function readConfig(ctx: Context, projectId: string): Promise<SshConfig> {
  const [row] = await ctx.sql<Row>(READ, [organizationOf(ctx), projectId]);
  const { createdAt, updatedAt, ...authorities } = row!;
  return { id: projectId, projectId, createdAt: at(createdAt), updatedAt: at(updatedAt), ...authorities };
}

/**
 * Gives a project other default authorities. Hosts without their own accept the certificates of the new one, or are
 * recognized by them, which needs the right to edit these hosts (see `keepingLogins`), and the right to edit the authority.
 *
 * @throws DomainError 404, 403
 */
export async function updateSshConfig(ctx: Context, input: UpdateSshConfig): Promise<SshConfig> {
  const { projectId, defaultUserSshCaId, defaultHostSshCaId } = input;
  await authorize(ctx, sshConfigPermissions.edit, { projectId });
  return inTransaction(ctx, async (tx) => {
    await makeDefaultAuthorities(tx, projectId);
    return keepingLogins(tx, projectId, async () => {
      await requireMayUseAuthorities(tx, projectId, [defaultUserSshCaId, defaultHostSshCaId]);
      const given = [defaultUserSshCaId ?? null, defaultHostSshCaId ?? null];
      await tx.sql(UPDATE, [organizationOf(tx), projectId, ...given, tx.now()]);
      const config = await readConfig(tx, projectId);
      const { defaultUserSshCaId: user, defaultHostSshCaId: host } = config;
      const changed = givenFields({ defaultUserSshCaId, defaultHostSshCaId });
      record(tx, sshConfigUpdated, { defaultUserSshCaId: user, defaultHostSshCaId: host, changed }, { projectId });
      return config;
    });
  });
}

import { organizationOf } from '../../access/index.ts';
import { inTransaction, statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { SshCertificateType } from '../ssh.ts';
import { addSshAuthority } from './authority.service.ts';
import { keyOfAuthority } from './key.ts';

/** The authorities of a project by default: of the certificates of its users, and of those of its hosts. */
export interface DefaultSshAuthorities {
  readonly userSshCaId: string;
  readonly hostSshCaId: string;
}

interface Row {
  readonly user: string | null;
  readonly host: string | null;
}
const COLUMNS = 'select default_user_ca_id as "user", default_host_ca_id as "host" from ssh_project_configs';
const READ = statement('ssh_project_configs.read', `${COLUMNS} where organization_id = $1 and project_id = $2`);
const MAKE = statement(
  'ssh_project_configs.make',
  `insert into ssh_project_configs (project_id, organization_id, created_at, updated_at) values ($2, $1, $3, $3)
   on conflict (project_id) do nothing`,
);
const LOCK = statement(
  'ssh_project_configs.lock',
  `${COLUMNS} where organization_id = $1 and project_id = $2 for update`,
);
const SET = statement(
  'ssh_project_configs.set',
  `update ssh_project_configs set default_user_ca_id = $2, default_host_ca_id = $3, updated_at = $4 where project_id = $1`,
);

const NAMES: Record<SshCertificateType, string> = { user: 'Default user CA', host: 'Default host CA' };

/** Those that a project has. The rights of the caller are not checked. */
export async function readDefaultSshAuthorities(
  ctx: Context,
  projectId: string,
): Promise<{ userSshCaId: string | null; hostSshCaId: string | null }> {
  const [row] = await ctx.sql<Row>(READ, [organizationOf(ctx), projectId]);
  return { userSshCaId: row?.user ?? null, hostSshCaId: row?.host ?? null };
}

/**
 * The default authorities of a project, which are created at their first use. The rights of the caller are not checked.
 */
export async function defaultSshAuthorities(ctx: Context, projectId: string): Promise<DefaultSshAuthorities> {
  const found = await readDefaultSshAuthorities(ctx, projectId);
  if (found.userSshCaId !== null && found.hostSshCaId !== null) return found as DefaultSshAuthorities;
  return inTransaction(ctx, async (tx) => {
    const organizationId = organizationOf(tx);
    await tx.sql(MAKE, [organizationId, projectId, tx.now()]);
    const [row] = await tx.sql<Row>(LOCK, [organizationId, projectId]);
    const userSshCaId = row?.user ?? (await make(tx, projectId, 'user'));
    const hostSshCaId = row?.host ?? (await make(tx, projectId, 'host'));
    await tx.sql(SET, [projectId, userSshCaId, hostSshCaId, tx.now()]);
    return { userSshCaId, hostSshCaId };
  });
}

async function make(tx: Transaction, projectId: string, type: SshCertificateType): Promise<string> {
  const key = await keyOfAuthority(tx, {});
  return (await addSshAuthority(tx, { projectId, friendlyName: NAMES[type], key })).id;
}

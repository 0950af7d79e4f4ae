import { projectPermissions, readableAcross } from '../../access/index.ts';
import { statement, type Context } from '../../kernel/index.ts';

/** A PKI sync that uses a connection. */
export interface PkiSyncUse {
  readonly id: string;
  readonly pkiSync: string;
  readonly destination: string;
  readonly projectId: string;
  readonly name: string;
  readonly slug: string;
  readonly type: string;
}

const USES = statement(
  'app_connection.pki_syncs',
  `select s.id, s.name as "pkiSync", s.destination, p.id as "projectId", p.name, p.slug, p.type
   from pki_syncs s join projects p on p.id = s.project_id
   where s.organization_id = $1 and s.connection_id = $2 order by p.name, s.id`,
);

/** The PKI syncs that use a connection. */
export const pkiSyncsBy = (
  ctx: Context,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
): Promise<PkiSyncUse[]> => ctx.sql<PkiSyncUse>(USES, [organizationId, id]);

/** Those that the caller may read. */
export async function readablePkiSyncs(ctx: Context, uses: readonly PkiSyncUse[]): Promise<PkiSyncUse[]> {
  const isVisible = await readableAcross(
    ctx,
    projectPermissions('pki-syncs').read,
    uses.map(({ projectId }) => projectId),
  );
  return uses.filter(({ projectId, pkiSync: name }) => isVisible({ projectId, name }));
}

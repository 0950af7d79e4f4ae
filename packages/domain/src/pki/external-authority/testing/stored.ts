import type { Coffer } from '../../../app/coffer.ts';
import { newId } from '../../../kernel/index.ts';
import type { ExternalAuthorityType } from '../registry.ts';
import { sealExternalCredentials } from '../stored.ts';

export interface MakeExternalAuthority {
  readonly organizationId: string;
  readonly projectId: string;
  readonly connectionId: string;
  readonly type: ExternalAuthorityType;
  readonly name: string;
  readonly configuration: object;
}

/** A stored authority, which nobody was asked about. */
export async function makeExternalAuthority(
  coffer: Coffer,
  { organizationId, projectId, connectionId, type, name, configuration }: MakeExternalAuthority,
): Promise<{ id: string }> {
  const id = newId();
  const ctx = coffer.contextFor({ type: 'platform', organizationId });
  const credentials = await sealExternalCredentials(ctx, { id, organizationId, projectId }, { fields: {}, keys: {} });
  await coffer.pool.query(
    `insert into external_authorities (id, organization_id, project_id, name, type, status, enable_direct_issuance,
       connection_id, configuration, credentials, created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'active', true, $6, $7, $8, $9, $9)`,
    [id, organizationId, projectId, name, type, connectionId, configuration, credentials, coffer.now()],
  );
  return { id };
}

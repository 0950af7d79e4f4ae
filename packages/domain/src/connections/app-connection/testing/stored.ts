import type { Coffer } from '../../../app/coffer.ts';
import { inTransaction, newId } from '../../../kernel/index.ts';
import { addConnection, sealCredentials } from '../../connection/index.ts';
import type { App } from '../../registry.ts';

export interface MakeConnection {
  readonly organizationId: string;
  readonly projectId?: string;
  readonly app: App;
  readonly name: string;
  /** Default: a token of GitHub. */
  readonly credentials?: { readonly method: string } & Record<string, unknown>;
}

/** A stored connection, whose credentials nobody was asked to accept. */
export async function makeConnection(
  coffer: Coffer,
  { organizationId, projectId, app, name, credentials }: MakeConnection,
): Promise<{ id: string; name: string }> {
  const place = { id: newId(), organizationId, projectId };
  return inTransaction(coffer.contextFor({ type: 'platform', organizationId }), async (tx) => {
    const { id } = await addConnection(tx, {
      ...place,
      ...{ projectId: projectId ?? null, app, name, originProjectIds: [] },
      credentials: await sealCredentials(
        tx,
        place,
        credentials ?? { method: 'pat', personalAccessToken: `ghp_${name}`, host: 'github.example.com' },
      ),
    });
    return { id, name };
  });
}

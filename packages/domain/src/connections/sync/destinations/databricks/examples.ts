import { Databricks } from '../../../../apps/databricks/testing/databricks.ts';
import type { DestinationExample } from '../../testing/example.ts';

export const example: DestinationExample = {
  target() {
    const databricks = new Databricks();
    const [clientSecret] = databricks.principalSecrets.values();
    const shop = databricks.scopes.get('shop')!;
    return {
      credentials: {
        ...{ method: 'service-principal', workspaceUrl: `https://${databricks.host}` },
        ...{ clientId: databricks.clientId, clientSecret },
      },
      config: { scope: 'shop' },
      serve: (standIns) => standIns.serve(databricks.host, databricks.listener),
      held: () => Object.fromEntries(shop),
      put: (name, value) => void shop.set(name, value),
    };
  },
};

import { AzureCloud } from '../../../../apps/azure/testing/cloud.ts';
import { AzureKeyVault } from '../../../../apps/azure/testing/key-vault.ts';
import type { DestinationExample } from '../../testing/example.ts';

export const example: DestinationExample = {
  target() {
    const azure = new AzureCloud();
    const vault = new AzureKeyVault();
    return {
      credentials: { method: 'client-secret', tenantId: azure.tenantId, ...azure.application },
      config: { vaultBaseUrl: `https://${vault.host}` },
      async serve(standIns) {
        await azure.serve(standIns);
        await azure.serveApi(standIns, vault);
      },
      held: () => Object.fromEntries(vault.present().map(({ name, value }) => [name, value])),
      put: (name, value) => vault.set(name, value),
    };
  },
};

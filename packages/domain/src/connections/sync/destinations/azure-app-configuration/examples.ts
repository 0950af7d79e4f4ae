import { AppConfiguration } from '../../../../apps/azure/testing/app-configuration.ts';
import { AzureCloud } from '../../../../apps/azure/testing/cloud.ts';
import type { DestinationExample } from '../../testing/example.ts';

export const example: DestinationExample = {
  target() {
    const azure = new AzureCloud();
    const store = new AppConfiguration();
    return {
      credentials: { method: 'client-secret', tenantId: azure.tenantId, ...azure.application },
      config: { configurationUrl: `https://${store.host}`, label: 'prod' },
      async serve(standIns) {
        await azure.serve(standIns);
        await azure.serveApi(standIns, store);
      },
      held: () => store.held('prod'),
      put: (key, value) => store.set({ key, value, label: 'prod' }),
    };
  },
};

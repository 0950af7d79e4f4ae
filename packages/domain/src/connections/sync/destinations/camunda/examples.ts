import { Camunda } from '../../../../apps/camunda/testing/camunda.ts';
import type { DestinationExample } from '../../testing/example.ts';

export const example: DestinationExample = {
  target() {
    const camunda = new Camunda();
    return {
      credentials: { method: 'client-credentials', ...camunda.application },
      config: { scope: 'cluster', clusterUUID: camunda.cluster },
      async serve(standIns) {
        await standIns.serve('login.cloud.camunda.io', camunda.listener);
        await standIns.serve('api.cloud.camunda.io', camunda.listener);
      },
      held: () => Object.fromEntries(camunda.secrets),
      put: (name, value) => void camunda.secrets.set(name, value),
    };
  },
};

import { GcpCloud } from '../../../../apps/gcp/testing/cloud.ts';
import { GcpSecretManager } from '../../../../apps/gcp/testing/secret-manager.ts';
import type { DestinationExample } from '../../testing/example.ts';

/** One operator for all targets. */
const cloud = new GcpCloud();

export const example: DestinationExample = {
  settings: { gcpServiceAccount: cloud.operator },
  target() {
    const manager = new GcpSecretManager();
    return {
      credentials: (organizationId) => ({
        ...{ method: 'service-account-impersonation', serviceAccountEmail: cloud.addAccount(organizationId) },
      }),
      config: { scope: 'global', projectId: manager.project },
      async serve(standIns) {
        await cloud.serve(standIns);
        await standIns.serve('secretmanager.googleapis.com', manager.serveBy(cloud));
      },
      held: () => manager.held(),
      put: (name, value) => manager.set(name, value),
    };
  },
};

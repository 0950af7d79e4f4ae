import { TerraformCloud } from '../../../../apps/terraform-cloud/testing/terraform-cloud.ts';
import type { DestinationExample } from '../../testing/example.ts';

export const example: DestinationExample = {
  target() {
    const terraform = new TerraformCloud();
    const variables = terraform.places.get('ws-shop')!;
    let number = 0;
    return {
      credentials: { method: 'api-token', apiToken: terraform.token },
      config: { scope: 'workspace', org: 'acme', workspaceId: 'ws-shop', workspaceName: 'shop', category: 'env' },
      serve: (standIns) => standIns.serve('app.terraform.io', terraform.listener),
      held: () => Object.fromEntries(Array.from(variables.values(), ({ key, value }) => [key, value])),
      put: (key, value) =>
        void variables.set(`var-theirs${++number}`, { key, value, category: 'env', sensitive: true, hcl: false }),
    };
  },
};

import { TerraformCloud } from '../../../apps/terraform-cloud/testing/terraform-cloud.ts';
import type { AppExample } from '../../app-connection/testing/example.ts';

export const example: AppExample = {
  standIn() {
    const terraform = new TerraformCloud();
    for (let i = 0; i < 120; i++) terraform.workspaces.push({ id: `ws-${i}`, name: `web-${i}` });
    const variableSets = [{ id: 'varset-shop', name: 'Shop', description: 'of the shop', global: false }];
    return {
      hosts: { 'app.terraform.io': terraform.listener },
      methods: {
        'api-token': {
          ...{ given: { apiToken: terraform.token }, shown: {}, secret: terraform.token },
          wrong: { apiToken: 'another-token' },
        },
      },
      lists: {
        organizations: { answer: [{ id: 'acme', name: 'acme', variableSets, workspaces: terraform.workspaces }] },
      },
    };
  },
};

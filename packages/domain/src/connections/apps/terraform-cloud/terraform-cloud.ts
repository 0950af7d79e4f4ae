import { z } from 'zod';
import { TerraformClient } from '../../../apps/terraform-cloud/index.ts';
import { sealed } from '../../../family/index.ts';
import { defineConnector, defineList } from '../../connection/index.ts';
import { token } from '../../fields.ts';

const Named = z.object({ id: z.string(), name: z.string() });
const VariableSet = Named.extend({ description: z.string().optional(), global: z.boolean().optional() });

export const terraformCloud = defineConnector({
  app: 'terraform-cloud',
  title: 'Terraform Cloud',
  methods: {
    'api-token': { credentials: z.object({ apiToken: sealed(token('the API token of a team or user')) }) },
  },
  systemOf: () => ({ name: 'app.terraform.io' }),
  connect: ({ apiToken }, remote) => new TerraformClient(remote, apiToken),
  check: (client) => client.check(),
  lists: {
    organizations: defineList({
      what: 'the organizations with their workspaces and variable sets',
      answer: z.array(Named.extend({ variableSets: z.array(VariableSet), workspaces: z.array(Named) })),
      read: (client: TerraformClient) => client.organizations(),
    }),
  },
});

import { z } from 'zod';
import { terraformCloud as connector } from '../../../apps/terraform-cloud/index.ts';
import { needed } from '../../../fields.ts';
import { defineSync } from '../../sync.ts';

const id = (what: string) => needed(what, 64).regex(/^[\w-]+$/, what);
/** For people: places are found by their IDs. */
const label = (what: string) =>
  z
    .string()
    .max(255)
    .regex(/^\P{Cc}*$/u, what)
    .default('')
    .describe(`${what}, for people`);
const common = {
  org: label('the name of the organization'),
  category: z.enum(['env', 'terraform']).describe('What the variables are: of the environment, or of Terraform'),
};

const Config = z.discriminatedUnion('scope', [
  z.object({
    ...{ scope: z.literal('workspace'), workspaceId: id('the ID of the workspace, as ws-…') },
    ...{ workspaceName: label('the name of the workspace'), ...common },
  }),
  z.object({
    ...{ scope: z.literal('variable-set'), variableSetId: id('the ID of the variable set, as varset-…') },
    ...{ variableSetName: label('the name of the variable set'), ...common },
  }),
]);

const pathOf = (config: z.output<typeof Config>): string =>
  config.scope === 'workspace'
    ? `/workspaces/${config.workspaceId}/vars`
    : `/varsets/${config.variableSetId}/relationships/vars`;

export const terraformCloud = defineSync({
  connector,
  destination: 'terraform-cloud',
  title: 'Terraform Cloud',
  config: Config,
  writeOnly: true,
  layout: (config) => ({
    as: 'secrets',
    location: `${pathOf(config)} ${config.category}`,
    limits: {
      name: /^[A-Za-z_][\w-]{0,254}$/,
      expected: 'letters, digits, _ and -, beginning with a letter or _',
      bytes: [0, 256 * 1024],
      secrets: 5_000,
    },
    listsAll: true,
  }),
  open(client, config) {
    const place = pathOf(config);
    let ids: ReadonlyMap<string, string> = new Map();
    return {
      async list() {
        const variables = (await client.variables(place)).filter(({ category }) => category === config.category);
        ids = new Map(variables.map((variable) => [variable.key, variable.id]));
        return new Map(variables.map(({ key }) => [key, undefined]));
      },
      async put(name, value) {
        const known = ids.get(name);
        await (known ? client.update(place, known, value) : client.create(place, name, value, config.category));
      },
      async remove(name) {
        const known = ids.get(name);
        if (known) await client.remove(place, known);
      },
    };
  },
});

import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { DatabricksClient, PrincipalSecret } from '../../../../apps/databricks/index.ts';
import { badRequest } from '../../../../kernel/index.ts';
import { databricks } from '../../../apps/databricks/index.ts';
import { needed } from '../../../fields.ts';
import { defineRotation } from '../../rotation.ts';

/** The longest lifetime of a secret in seconds: two years. */
const LONGEST = 730 * 24 * 3600;
/** Seconds by which lifetimes of planned secrets are shorter at most: eleven days. */
const VARIATION = 1_000_000;

const PRINCIPAL = 'the ID of a service principal: a number';
const Parameters = z.object({
  servicePrincipalId: needed(PRINCIPAL, 32)
    .regex(/^\d+$/, PRINCIPAL)
    .meta({ examples: ['76997828332531'] }),
  servicePrincipalName: needed('the name of the service principal', 256)
    .regex(/^\P{Cc}+$/u, 'the name of the service principal')
    .optional()
    .describe('The name of the service principal, for people'),
  clientId: needed('the application ID of the same service principal', 64).regex(
    /^[\w-]+$/,
    'the application ID of the same service principal',
  ),
});

interface Plan {
  /** The secrets that were there before. */
  readonly known: readonly string[];
  /** Seconds. Secrets have no names: one whose creation was not answered is found by its lifetime. */
  readonly lifetime: number;
}

/** OAuth secrets of a service principal (https://docs.databricks.com/api/authentication/v1/service-principal-secret-proxy). */
export const databricksServicePrincipalSecret = defineRotation({
  type: 'databricks-service-principal-secret',
  title: 'Databricks Service Principal Secret',
  connector: databricks,
  parameters: Parameters,
  mapping: { clientId: 'DATABRICKS_CLIENT_ID', clientSecret: 'DATABRICKS_CLIENT_SECRET' },
  secret: ['clientSecret'],
  slots: 2,
  accounts: ({ servicePrincipalId }) => [BigInt(servicePrincipalId).toString()],
  loginOf: ({ clientId }) => String(clientId).toLowerCase(),
  logins: ({ clientId }) => [clientId.toLowerCase()],
  // A service principal is one of the account, and so of several workspaces.
  hasUniqueLogins: true,
  async generate({ servicePrincipalId }, { client }): Promise<Plan> {
    const secrets = await client.principalSecrets(servicePrincipalId);
    return { known: secrets.map(({ id }) => id), lifetime: LONGEST - randomInt(VARIATION) };
  },
  async apply({ client }, { parameters: { servicePrincipalId, clientId }, plan, replacedPlan }) {
    if ((await client.applicationOf(servicePrincipalId)) !== clientId)
      throw badRequest('secret_rotation.parameters', 'clientId is not that of the service principal with this ID');
    for (const one of [plan, ...(replacedPlan ? [replacedPlan] : [])]) await removeOf(client, servicePrincipalId, one);
    return { clientId, clientSecret: await client.createPrincipalSecret(servicePrincipalId, plan.lifetime) };
  },
  async verify({ as }, { clientId, clientSecret }) {
    await as({ clientId, clientSecret });
  },
  revoke: ({ client }, { parameters: { servicePrincipalId }, plan }) => removeOf(client, servicePrincipalId, plan),
  canReconcile: true,
});

const isOf = ({ known, lifetime }: Plan, { id, lifetime: its }: PrincipalSecret): boolean =>
  !known.includes(id) && its !== undefined && Math.abs(its - lifetime) <= 1;

async function removeOf(client: DatabricksClient, principalId: string, plan: Plan): Promise<void> {
  for (const secret of await client.principalSecrets(principalId))
    if (isOf(plan, secret)) await client.deletePrincipalSecret(principalId, secret.id);
}

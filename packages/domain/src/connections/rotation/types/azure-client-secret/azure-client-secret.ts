import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { AzureClient } from '../../../../apps/azure/index.ts';
import { isRemote, malformed } from '../../../../family/index.ts';
import { badRequest } from '../../../../kernel/index.ts';
import { azureClientSecrets as connector } from '../../../apps/azure-client-secrets/index.ts';
import { needed } from '../../../fields.ts';
import { defineRotation } from '../../rotation.ts';

const APPLICATIONS = 'https://graph.microsoft.com/v1.0/applications';
/** What the names of all secrets that Coffer adds begin with. */
const PREFIX = 'Coffer ';
/** Entra accepts a new secret after some seconds: tries, and milliseconds between them. */
const TRIES = 8;
const PAUSE_MS = 3_000;
const UNKNOWN_SECRET = 'AADSTS7000215';

const Secret = z.object({
  keyId: z.string(),
  displayName: z.string().nullish(),
  /** The first three characters of the secret. */
  hint: z.string().nullish(),
  startDateTime: z.string().nullish(),
});
const Application = z.object({ appId: z.string(), passwordCredentials: z.array(Secret) });
type Application = z.output<typeof Application>;
const Added = z.object({ secretText: z.string().min(1) });

const id = (what: string) => needed(what, 64).regex(/^[\w-]+$/, what);
const Parameters = z.object({
  objectId: id('the object ID of an application'),
  clientId: id('the client ID of the same application'),
  appName: needed('the name of the application', 256)
    .regex(/^[^\p{Cc}]+$/u, 'the name of the application')
    .optional()
    .describe('The name of the application, for people'),
});

const canonicalId = (given: string): string => given.toLowerCase().replaceAll('-', '');

/** Client secrets of an application of Microsoft Entra ID (https://learn.microsoft.com/en-us/graph/api/application-addpassword). */
export const azureClientSecret = defineRotation({
  type: 'azure-client-secret',
  title: 'Azure Client Secret',
  connector,
  parameters: Parameters,
  mapping: { clientId: 'AZURE_CLIENT_ID', clientSecret: 'AZURE_CLIENT_SECRET' },
  secret: ['clientSecret'],
  slots: 2,
  accounts: ({ objectId }) => [canonicalId(objectId)],
  // Users who have signed in have no secrets of the application.
  loginOf: ({ clientId }) => (typeof clientId === 'string' ? canonicalId(clientId) : undefined),
  logins: ({ clientId }) => [canonicalId(clientId)],
  loginApps: ['azure-app-configuration', 'azure-client-secrets', 'azure-dns', 'azure-key-vault'],
  hasUniqueLogins: true,
  validate(_parameters, credentials) {
    if (credentials['tenantId'] === undefined)
      throw badRequest(
        'secret_rotation.parameters',
        'The connection needs the tenantId, where new secrets are verified',
      );
  },
  // A name of its own: by it the secret is found if the answer to its creation is lost.
  generate: () => ({ displayName: PREFIX + randomUUID() }),
  async apply({ client }, { parameters: { objectId, clientId }, plan: { displayName }, replaced }) {
    const application = await applicationOf(client, objectId);
    if (application.appId !== clientId)
      throw badRequest('secret_rotation.parameters', 'clientId is not that of the application with this objectId');
    const former = replaced && formerOf(application, replaced.clientSecret);
    await removeAll(client, objectId, [...named(application, displayName), ...(former ? [former] : [])]);
    const url = `${APPLICATIONS}/${objectId}/addPassword`;
    const { body } = await client.ask(url, { method: 'POST', body: { passwordCredential: { displayName } } });
    const { data } = Added.safeParse(body);
    if (!data) throw malformed(url, 'no client secret');
    return { clientId, clientSecret: data.secretText };
  },
  async verify({ as, credentials: { tenantId } }, { clientId, clientSecret }, { isNew }) {
    for (let tries = isNew ? 1 : TRIES; ; tries++) {
      try {
        await as({ method: 'client-secret', tenantId, clientId, clientSecret });
        return;
      } catch (error) {
        const isYetUnknown = isRemote(error, 'rejected') && error.message.includes(UNKNOWN_SECRET);
        if (!isYetUnknown || tries === TRIES) throw error;
        await sleep(PAUSE_MS);
      }
    }
  },
  async revoke({ client }, { parameters: { objectId }, plan: { displayName } }) {
    await removeAll(client, objectId, named(await applicationOf(client, objectId), displayName));
  },
  canReconcile: true,
});

async function applicationOf(client: AzureClient, objectId: string): Promise<Application> {
  const url = `${APPLICATIONS}/${objectId}?$select=appId,passwordCredentials`;
  const { data } = Application.safeParse((await client.ask(url)).body);
  if (!data) throw malformed(url, 'no application');
  return data;
}

const named = ({ passwordCredentials }: Application, name: string) =>
  passwordCredentials.filter(({ displayName }) => displayName === name);

/** The secret whose place a new one takes: of Coffer's with this beginning, the oldest. */
const formerOf = ({ passwordCredentials }: Application, secret: string) =>
  passwordCredentials
    .filter(({ displayName, hint }) => displayName?.startsWith(PREFIX) && hint === secret.slice(0, 3))
    .toSorted((a, b) => ((a.startDateTime ?? '') < (b.startDateTime ?? '') ? -1 : 1))[0];

async function removeAll(
  client: AzureClient,
  objectId: string,
  secrets: readonly z.output<typeof Secret>[],
): Promise<void> {
  for (const { keyId } of secrets)
    await client.ask(`${APPLICATIONS}/${objectId}/removePassword`, { method: 'POST', body: { keyId } });
}

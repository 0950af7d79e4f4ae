import { z } from 'zod';
import { azureClient, azureLogin, type AzureClient } from '../../../../apps/azure/index.ts';
import { badRequest } from '../../../../kernel/index.ts';
import { defineProvider, type ProviderIo } from '../../provider.ts';
import { Inputs, type Application } from './inputs.ts';

const USERS = 'https://graph.microsoft.com/v1.0/users';
/** Entra requires three of these classes (https://learn.microsoft.com/en-us/entra/identity/authentication/concept-sspr-policy). */
const PASSWORD = { length: 48, required: { lowercase: 4, uppercase: 4, digits: 4, symbols: 4 } };

const User = z.object({ userPrincipalName: z.string(), mail: z.string().nullish() });
const Listed = User.extend({ id: z.string(), displayName: z.string().nullish() });

/** Passwords of a user of Microsoft Entra ID. */
export const azureEntraId = defineProvider({
  type: 'azure-entra-id',
  title: 'Azure Entra ID',
  inputs: Inputs,
  data: z.object({ email: z.string(), password: z.string() }),
  // All leases are of one user.
  maxLeases: () => 1,
  target: ({ tenantId, userId }) => `https://graph.microsoft.com ${tenantId} ${userId}`.toLowerCase(),
  logins: {
    apps: ['azure-client-secrets'],
    of: ({ applicationId: clientId }) => [
      { app: 'azure-client-secrets', credentials: { method: 'client-secret', clientId } },
    ],
  },
  async check(inputs, io) {
    const graph = await graphOf(inputs, io);
    const { body } = await graph.ask(`${urlOf(inputs)}?$select=userPrincipalName,mail`);
    const { data: user } = User.safeParse(body);
    const names = [user?.userPrincipalName, user?.mail].map((name) => name?.toLowerCase());
    if (!names.includes(inputs.email.toLowerCase()))
      throw badRequest('azure_entra_id.email', 'The user with this ID has another e-mail address');
  },
  prepare: (_inputs, { leaseId }) => leaseId,
  async issue(inputs, _lease, io) {
    const password = io.password(PASSWORD);
    await setPassword(inputs, io, password);
    return { email: inputs.email, password };
  },
  // A password that nobody knows.
  revoke: (inputs, _lease, io) => setPassword(inputs, io, io.password(PASSWORD)),
});

const urlOf = ({ userId }: Inputs): string => `${USERS}/${encodeURIComponent(userId)}`;

async function graphOf(
  { tenantId, applicationId: clientId, clientSecret }: z.output<typeof Application>,
  io: ProviderIo,
): Promise<AzureClient> {
  const login = { fetch: io.fetch, now: io.now, hide: (credential: string) => io.secret(credential) };
  return azureClient(io, await azureLogin(login, { tenantId, clientId, clientSecret }, 'graph'));
}

/** https://learn.microsoft.com/en-us/graph/api/user-update */
async function setPassword(inputs: Inputs, io: ProviderIo, password: string): Promise<void> {
  const graph = await graphOf(inputs, io);
  const passwordProfile = { password, forceChangePasswordNextSignIn: false };
  await graph.ask(urlOf(inputs), { method: 'PATCH', body: { passwordProfile } });
}

/** The users of a tenant, by which one is chosen. */
export async function usersOf(application: z.output<typeof Application>, io: ProviderIo) {
  const graph = await graphOf(application, io);
  const url = `${USERS}?$select=id,displayName,userPrincipalName&$top=999`;
  const users = await graph.list(url, Listed, '@odata.nextLink');
  return users.map(({ id, displayName, userPrincipalName: email }) => ({ id, email, name: displayName ?? email }));
}

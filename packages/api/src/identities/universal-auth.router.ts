import {
  ClientSecret,
  ClientSecretRef,
  CreateClientSecret,
  createClientSecret,
  CreatedClientSecret,
  getClientSecret,
  identityRights,
  IdentityRef,
  listClientSecrets,
  revokeClientSecret,
  universalAuth,
} from '@coffer/domain';
import { z } from 'zod';
import { mergeRouters, procedure, rest, router } from '../kernel/index.ts';
import { authMethodRouter, loginProcedure } from './auth-method.router.ts';

const secrets = '/api/v1/auth/universal-auth/identities/{identityId}/client-secrets';
const One = z.object({ clientSecretData: ClientSecret });

const clientSecretRouter = router({
  logIn: loginProcedure(universalAuth),

  createClientSecret: procedure
    .meta(rest('POST', secrets, identityRights.createClientSecret, 'Create a client secret'))
    .input(CreateClientSecret)
    .output(CreatedClientSecret)
    .mutation(({ ctx, input }) => createClientSecret(ctx, input)),

  listClientSecrets: procedure
    .meta(rest('GET', secrets, identityRights.read, 'List the active client secrets'))
    .input(IdentityRef)
    .output(z.object({ clientSecretData: z.array(ClientSecret) }))
    .query(async ({ ctx, input }) => ({ clientSecretData: await listClientSecrets(ctx, input) })),

  getClientSecret: procedure
    .meta(rest('GET', `${secrets}/{clientSecretId}`, identityRights.read, 'Read a client secret without its value'))
    .input(ClientSecretRef)
    .output(One)
    .query(async ({ ctx, input }) => ({ clientSecretData: await getClientSecret(ctx, input) })),

  revokeClientSecret: procedure
    .meta(
      rest(
        'POST',
        `${secrets}/{clientSecretId}/revoke`,
        identityRights.revokeClientSecret,
        'Revoke a client secret and the access tokens that were issued for it',
      ),
    )
    .input(ClientSecretRef)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ clientSecretData: await revokeClientSecret(ctx, input) })),
});

export const universalAuthRouter = mergeRouters(authMethodRouter(universalAuth), clientSecretRouter);

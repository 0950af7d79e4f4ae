import type { CofferError } from '@coffer/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { ask, useChange } from '../../app/ask.ts';
import type { Type } from '../../ui/detail.tsx';
import { texts } from './texts.ts';

/** The login methods: what the API calls them, and the area with their procedures. */
export const METHODS = [
  {
    id: 'universal-auth',
    area: 'universalAuth',
    name: texts.universalAuth,
    detail: texts.clientIdAndSecrets,
  },
  { id: 'token-auth', area: 'tokenAuth', name: texts.tokenAuth, detail: texts.accessTokensThatAreMade },
  { id: 'kubernetes-auth', area: 'kubernetesAuth', name: texts.kubernetes, detail: texts.serviceAccountsOfCluster },
  { id: 'aws-auth', area: 'awsAuth', name: 'AWS', detail: texts.iamUsersAndRoles },
  { id: 'gcp-auth', area: 'gcpAuth', name: texts.googleCloud, detail: texts.serviceAccountsAndInstances },
  { id: 'azure-auth', area: 'azureAuth', name: texts.azure, detail: texts.managedIdentitiesAndService },
  { id: 'oidc-auth', area: 'oidcAuth', name: 'OIDC', detail: texts.tokensOfProviderSuchAsCi },
  { id: 'jwt-auth', area: 'jwtAuth', name: 'JWT', detail: texts.tokensSignedByKeys },
  { id: 'ldap-auth', area: 'ldapAuth', name: 'LDAP', detail: texts.usersOfDirectory },
  { id: 'tls-cert-auth', area: 'tlsCertAuth', name: texts.tlsCertificate, detail: texts.clientCertificatesOfAuthority },
] as const satisfies readonly (Type & { area: string })[];
export type Method = (typeof METHODS)[number];

/** The settings of an attached method, whatever it is: its answer has them under a name of its own, with warnings beside. */
export interface Attached {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

export function useAttached({ area }: Method, identityId: string): UseQueryResult<Attached, CofferError> {
  return useQuery({
    ...ask(area, 'get', { identityId }),
    select: ({ warnings, ...wrapped }): Attached => ({
      settings: (Object.values(wrapped)[0] ?? {}) as Attached['settings'],
      warnings,
    }),
  });
}

/** What an attachment changes: what is shown of the identity, too. */
export const affectsOf = ({ area }: Method) => [area, 'identities', 'projectIdentities'] as const;

export const useDetach = (method: Method) => useChange(method.area, 'detach', affectsOf(method));

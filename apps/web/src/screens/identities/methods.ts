import type { CofferError } from '@coffer/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { ask, useChange } from '../../app/ask.ts';
import type { Type } from '../../ui/detail.tsx';

/** The login methods: what the API calls them, and the area with their procedures. */
export const METHODS = [
  {
    id: 'universal-auth',
    area: 'universalAuth',
    name: 'Universal Auth',
    detail: 'A client ID and secrets; works anywhere',
  },
  { id: 'token-auth', area: 'tokenAuth', name: 'Token Auth', detail: 'Access tokens that are made here' },
  { id: 'kubernetes-auth', area: 'kubernetesAuth', name: 'Kubernetes', detail: 'Service accounts of a cluster' },
  { id: 'aws-auth', area: 'awsAuth', name: 'AWS', detail: 'IAM users and roles' },
  { id: 'gcp-auth', area: 'gcpAuth', name: 'Google Cloud', detail: 'Service accounts and instances' },
  { id: 'azure-auth', area: 'azureAuth', name: 'Azure', detail: 'Managed identities and service principals' },
  { id: 'oidc-auth', area: 'oidcAuth', name: 'OIDC', detail: 'Tokens of a provider, such as CI jobs' },
  { id: 'jwt-auth', area: 'jwtAuth', name: 'JWT', detail: 'Tokens signed by keys that you name' },
  { id: 'ldap-auth', area: 'ldapAuth', name: 'LDAP', detail: 'Users of a directory' },
  { id: 'tls-cert-auth', area: 'tlsCertAuth', name: 'TLS certificate', detail: 'Client certificates of an authority' },
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

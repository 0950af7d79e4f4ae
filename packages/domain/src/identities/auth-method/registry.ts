import { defineFamily } from '../../family/index.ts';
import { notFound } from '../../kernel/index.ts';
import type { AnyAuthMethod } from './auth-method.ts';
import { awsAuth } from './methods/aws-auth/index.ts';
import { azureAuth } from './methods/azure-auth/index.ts';
import { gcpAuth } from './methods/gcp-auth/index.ts';
import { jwtAuth } from './methods/jwt-auth/index.ts';
import { kubernetesAuth } from './methods/kubernetes-auth/index.ts';
import { ldapAuth } from './methods/ldap-auth/index.ts';
import { oidcAuth } from './methods/oidc-auth/index.ts';
import { tlsCertAuth } from './methods/tls-cert-auth/index.ts';
import { tokenAuth } from './methods/token-auth/index.ts';
import { universalAuth } from './methods/universal-auth/index.ts';

/** Every login method. To add one, implement it in `methods/` and name it here. */
export const authMethodMembers = [
  universalAuth,
  tokenAuth,
  kubernetesAuth,
  gcpAuth,
  awsAuth,
  azureAuth,
  tlsCertAuth,
  oidcAuth,
  jwtAuth,
  ldapAuth,
] as const;

export const authMethods = defineFamily<'kind', AnyAuthMethod>(authMethodMembers, 'kind', (kind) =>
  notFound('login method', { kind }),
);

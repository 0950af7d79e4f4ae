// Generated from registry.ts by scripts/pages.mjs.

import * as awsAuth from './methods/aws-auth/inputs.ts';
import * as azureAuth from './methods/azure-auth/inputs.ts';
import * as gcpAuth from './methods/gcp-auth/inputs.ts';
import * as jwtAuth from './methods/jwt-auth/inputs.ts';
import * as kubernetesAuth from './methods/kubernetes-auth/inputs.ts';
import * as ldapAuth from './methods/ldap-auth/inputs.ts';
import * as oidcAuth from './methods/oidc-auth/inputs.ts';
import * as tlsCertAuth from './methods/tls-cert-auth/inputs.ts';
import * as tokenAuth from './methods/token-auth/inputs.ts';
import * as universalAuth from './methods/universal-auth/inputs.ts';

/** Every login method: its `Config` and, where there is a login, its `Credentials`, without what verifies them. */
export const authMethodInputs = {
  'universal-auth': universalAuth,
  'token-auth': tokenAuth,
  'kubernetes-auth': kubernetesAuth,
  'gcp-auth': gcpAuth,
  'aws-auth': awsAuth,
  'azure-auth': azureAuth,
  'tls-cert-auth': tlsCertAuth,
  'oidc-auth': oidcAuth,
  'jwt-auth': jwtAuth,
  'ldap-auth': ldapAuth,
} as const;

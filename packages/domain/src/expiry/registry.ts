import type { Ends } from './kind.ts';
import { apiKeys } from './kinds/api-key.ts';
import { certificateAuthorities, certificates } from './kinds/certificate.ts';
import { accessTokens, clientSecrets } from './kinds/identity-credential.ts';
import { kmsKeys } from './kinds/kms-key.ts';
import { leases } from './kinds/lease.ts';
import { privileges, roles } from './kinds/member.ts';
import { serviceTokens } from './kinds/service-token.ts';
import { sshCertificates } from './kinds/ssh-certificate.ts';

/** All that ends. */
export const endings: readonly Ends[] = [
  certificates,
  certificateAuthorities,
  sshCertificates,
  serviceTokens,
  leases,
  roles,
  privileges,
  kmsKeys,
  clientSecrets,
  accessTokens,
  apiKeys,
];

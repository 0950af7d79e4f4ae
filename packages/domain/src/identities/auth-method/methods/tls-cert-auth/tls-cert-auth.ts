import { badRequest } from '../../../../kernel/index.ts';
import { defineAuthMethod } from '../../auth-method.ts';
import { isEmptyList } from '../../fields.ts';
import { isAuthority, readCertificates } from './certificate.ts';
import { Config, Credentials } from './inputs.ts';
import { isPublicAuthority } from './public-authority.ts';
import { verifyClient } from './verify-client.ts';

/** A certificate of the client's, which a proxy has seen in the TLS handshake. */
export const tlsCertAuth = defineAuthMethod({
  kind: 'tls-cert-auth',
  title: 'TLS Certificate Auth',
  answerKey: 'identityTlsCertAuth',
  config: Config,
  trustRoot: {
    kind: 'shared',
    with: 'everybody to whom this public authority issues certificates',
    bindingsOf: ({ caCertificate, allowedCommonNames, allowedSubjectAltNames }) =>
      readCertificates(caCertificate).some(isPublicAuthority)
        ? {
            allowedCommonNames: !isEmptyList(allowedCommonNames ?? ''),
            allowedSubjectAltNames: allowedSubjectAltNames.length > 0,
          }
        : undefined,
  },
  check({ caCertificate }) {
    if (!readCertificates(caCertificate).every(isAuthority))
      throw badRequest(
        'tls_cert_auth.authority',
        'caCertificate contains a certificate that is not an authority, or one with name constraints',
      );
  },
  requiresMaxTTL: true,
  notAttached: { update: 'not_found' },
  credentials: Credentials,
  verify: verifyClient,
});

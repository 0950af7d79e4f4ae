import { rootCertificates } from 'node:tls';
import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import type { LoginMethodExample } from '../../testing/example.ts';

export const example: LoginMethodExample = {
  least: { caCertificate: makeAuthority('Clients').cert.trim() },
  full: {
    caCertificate: makeAuthority('Other clients').cert.trim(),
    allowedCommonNames: 'web, api',
    allowedSubjectAltNames: ['web.example.com'],
    verifyClientCertificateChain: true,
  },
  shared: {
    unbound: { caCertificate: rootCertificates[0] },
    bindings: [{ allowedCommonNames: 'web.example.com' }, { allowedSubjectAltNames: ['web.example.com'] }],
    nonBindings: [{ allowedCommonNames: ',' }, { verifyClientCertificateChain: true }],
  },
};

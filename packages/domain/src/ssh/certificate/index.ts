export * from './certificate.service.ts';
export * from './certificate.ts';
export { issueSshCertificate, type IssuedSshCertificate, type SshOrder } from './issue.ts';
export * from './order.ts';
export { defineSshRevocation, REVOKED_AT_ONCE } from './revoke.ts';

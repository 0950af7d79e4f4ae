export { isForbidden, type CertificateFacts } from './asked.ts';
export {
  dueCertificates,
  enqueueDueCertificates,
  isDueForRenewal,
  renewalFailed,
  renewCertificateJob,
} from './auto-renewal.ts';
export * from './certificate.ts';
export * from './change.ts';
export * from './csr.ts';
export { storeForeign, type Foreign, type Taking } from './foreign.ts';
export { requireMayKeepIssuing, requireMayLetEnroll } from './enrolment-right.ts';
export { importCertificate } from './import.ts';
export * from './issue.ts';
export * from './list.ts';
export { byTemplate, issueByAuthority, signByAuthority, usualUsages } from './order.ts';
export { pageOf, type Conditions } from './page.ts';
export * from './read.ts';
export {
  authorizeRenewalBy,
  keyFor,
  maySucceed,
  policyRulesOf,
  renewalRules,
  renewCertificate,
  requireOrders,
  succeeding,
  withoutRoots,
  withoutRootsOf,
} from './renew.ts';
export * from './revoke.ts';
export * from './right.ts';
export { openPrivateKey, privateKeyPem } from './sealed.ts';
export {
  certificateFor,
  certificatesById,
  chainOf,
  factsOf as certificateFactsOf,
  findCertificate,
  lockCertificate,
  lockRenewedCertificate,
  namedOf,
  type StoredCertificate,
} from './stored.ts';

export {
  generateKey,
  keyAlgorithmOf,
  keyIdOf,
  signatureAlgorithmOf,
  spkiOf,
  type KeyPair,
  type SigningKey,
} from './algorithm.ts';
export {
  altNamesText,
  isNumberLabel,
  isWildcard,
  parseAltName,
  parseAltNames,
  readAltName,
  readConstraint,
} from './alt-name.ts';
export {
  buildCertificate,
  derOfChain,
  readCertificate,
  readChain,
  readStoredChain,
  signTbs,
  tbsOf,
  type ReadCertificate,
} from './certificate.ts';
export * from './chain.ts';
export * from './content.ts';
export * from './crl.ts';
export * from './csr.ts';
export * from './lint/index.ts';
export { X509Error } from './error.ts';
export { encodeName, nameText, subjectNamed, type NamedSubject } from './name.ts';
export { newKey } from './new-key.ts';
export { afterWildcard, isHostLabel, isHostName } from './name-constraint.ts';
export * from './ocsp.ts';
export { chainPem, toPem } from './pem.ts';
export { pkcs12 } from './pkcs12.ts';
export { certsOnly } from './pkcs7.ts';
export { sameKey } from './same-key.ts';
export * from './serial.ts';
export * from './whole-seconds.ts';

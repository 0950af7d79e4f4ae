export * from './certificate.ts';
export * from './content.ts';
export { SshError } from './error.ts';
export * from './krl.ts';
export { blobOfSpki } from './key-type.ts';
export * from './private-key.ts';
export { blobOf, fingerprintOf, lineOf, readPublicKey, readPublicKeyBlob, type SshPublicKey } from './public-key.ts';

import * as ssh from '@coffer/ssh';
import { badRequestsFor } from '../kernel/errors.ts';

// @coffer/ssh with the errors of the domain: what its functions refuse is the caller's input, and so a 400 of the same code.

export {
  blobOf,
  blobOfSpki,
  fingerprintOf,
  isOpensshPrivateKey,
  lineOf,
  opensshPrivateKey,
  signCertificate,
  writeKrl,
  type SshCertificateContent,
  type SshPublicKey,
} from '@coffer/ssh';
export * from '@coffer/ssh/content';

const asDomain = badRequestsFor(ssh.SshError);

export const readPublicKey = asDomain(ssh.readPublicKey);
/** The blob of the key that a stored certificate certifies. */
export const keyOfCertificate = (body: Buffer): Buffer => ssh.readSshCertificate(body).publicKey.blob;
export const pemOfOpenssh = asDomain(ssh.pemOfOpenssh);

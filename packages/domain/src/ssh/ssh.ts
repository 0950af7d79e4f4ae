import * as ssh from '@coffer/ssh';
import { badRequest } from '../kernel/errors.ts';

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
  type SshIssuer,
  type SshPublicKey,
} from '@coffer/ssh';
export * from '@coffer/ssh/content';

export const readPublicKey = asDomain(ssh.readPublicKey);
export const pemOfOpenssh = asDomain(ssh.pemOfOpenssh);

function asDomain<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    try {
      return work(...args);
    } catch (error) {
      throw error instanceof ssh.SshError ? badRequest(error.code, error.message) : error;
    }
  };
}

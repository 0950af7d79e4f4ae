import { DomainError } from '../../kernel/index.ts';
import { readCsr, sameKey, type KeyUsage, type ReadCsr } from '../x509.ts';
import type { AcmeAccount } from './message.ts';
import { problem } from './problem.ts';
import { readJwk } from './jws.ts';

/** Bytes; a CSR with a hundred long names needs a quarter. */
const MAX_BYTES = 128 * 1024;

/** The usages that a CSR may request; the profile determines the issued ones. */
const KEY_USAGES: readonly KeyUsage[] = ['digitalSignature', 'keyEncipherment', 'keyAgreement'];
const EXTENDED_KEY_USAGES = ['serverAuth', 'clientAuth'];

/**
 * Parses the CSR of a finalization. It must not contain anything beyond the order: exactly the same names, and
 * otherwise only what the profile determines anyway.
 *
 * @throws AcmeProblem `badCSR`
 */
export async function readOrderCsr(
  given: string,
  identifiers: readonly string[],
  account: AcmeAccount,
): Promise<ReadCsr> {
  if (given.length > MAX_BYTES * 2 || !/^[\w-]+$/.test(given)) throw badCsr('The CSR must be DER in base64url');
  let csr: ReadCsr;
  try {
    csr = readCsr(Buffer.from(given, 'base64url'));
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'bad_request') throw badCsr(error.message);
    throw error;
  }
  const fault = faultOf(csr, identifiers);
  if (fault !== undefined) throw badCsr(fault);
  if (await isKeyOf(csr, account)) throw badCsr('The CSR must not use the account key');
  return csr;
}

export const badCsr = (why: string) => problem('badCSR', why);

function faultOf(csr: ReadCsr, identifiers: readonly string[]): string | undefined {
  const { commonName, other, domainComponents, ...attributes } = csr.subject;
  if (other.length > 0 || domainComponents?.length || Object.values(attributes).some(Boolean))
    return 'The subject can have only a common name';
  if (csr.ca || csr.pathLength !== undefined) return 'The CSR requests a CA certificate';
  if (csr.extensions.length > 0)
    return `The CSR requests extensions that are not supported: ${csr.extensions.join(', ')}`;
  if (csr.altNames.some(({ type }) => type !== 'dns')) return 'The CSR has names other than DNS names';
  if (csr.keyUsages?.some((usage) => !KEY_USAGES.includes(usage)))
    return 'The CSR requests key usages that are not supported';
  if (csr.extendedKeyUsages?.some((usage) => !EXTENDED_KEY_USAGES.includes(usage)))
    return 'The CSR requests extended key usages that are not supported';
  const names = new Set(csr.altNames.map(({ value }) => value.toLowerCase()));
  if (commonName) {
    if (names.size > 0 && !names.has(commonName.toLowerCase()))
      return 'The common name is not among the alternative names';
    names.add(commonName.toLowerCase());
  }
  if (names.size !== identifiers.length || !identifiers.every((name) => names.has(name)))
    return 'The names of the CSR are not those of the order';
  return undefined;
}

/** The holder of a certificate's key could act as the account (RFC 8555, section 11.1). */
async function isKeyOf({ publicKey }: ReadCsr, account: AcmeAccount): Promise<boolean> {
  const { key } = await readJwk({ ...account.jwk });
  return sameKey(key, publicKey);
}

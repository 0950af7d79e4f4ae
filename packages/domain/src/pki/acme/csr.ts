import { DomainError } from '../../kernel/index.ts';
import { readCsr, sameKey, type KeyUsage, type ReadCsr } from '../x509.ts';
import type { AcmeAccount } from './message.ts';
import { problem } from './problem.ts';
import { readJwk } from './jws.ts';

/** Bytes; one with a hundred long names has a quarter. */
const MAX_BYTES = 128 * 1024;

/** What a certificate for servers may be asked to be good for; what it is good for says the profile. */
const KEY_USAGES: readonly KeyUsage[] = ['digitalSignature', 'keyEncipherment', 'keyAgreement'];
const EXTENDED_KEY_USAGES = ['serverAuth', 'clientAuth'];

/**
 * Reads the request by which an order is finalized. It says nothing that the order does not: the same names, and no
 * more than these; of the rest, what the profile decides anyway.
 *
 * @throws AcmeProblem `badCSR`
 */
export async function readOrderCsr(
  given: string,
  identifiers: readonly string[],
  account: AcmeAccount,
): Promise<ReadCsr> {
  if (given.length > MAX_BYTES * 2 || !/^[\w-]+$/.test(given)) throw badCsr('It is not DER in base64url');
  let csr: ReadCsr;
  try {
    csr = readCsr(Buffer.from(given, 'base64url'));
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'bad_request') throw badCsr(error.message);
    throw error;
  }
  const fault = faultOf(csr, identifiers);
  if (fault !== undefined) throw badCsr(fault);
  if (await isKeyOf(csr, account)) throw badCsr('Its key is that of the account');
  return csr;
}

export const badCsr = (why: string) => problem('badCSR', why);

function faultOf(csr: ReadCsr, identifiers: readonly string[]): string | undefined {
  const { commonName, other, domainComponents, ...attributes } = csr.subject;
  if (other.length > 0 || domainComponents?.length || Object.values(attributes).some(Boolean))
    return 'Its subject may have a common name and nothing else';
  if (csr.ca || csr.pathLength !== undefined) return 'It asks for the certificate of an authority';
  if (csr.extensions.length > 0) return `It asks for extensions that are not issued: ${csr.extensions.join(', ')}`;
  if (csr.altNames.some(({ type }) => type !== 'dns')) return 'It has names of another kind than those in the DNS';
  if (csr.keyUsages?.some((usage) => !KEY_USAGES.includes(usage))) return 'It asks for key usages that are not issued';
  if (csr.extendedKeyUsages?.some((usage) => !EXTENDED_KEY_USAGES.includes(usage)))
    return 'It asks for extended key usages that are not issued';
  const names = new Set(csr.altNames.map(({ value }) => value.toLowerCase()));
  if (commonName) {
    if (names.size > 0 && !names.has(commonName.toLowerCase())) return 'Its common name is not among its names';
    names.add(commonName.toLowerCase());
  }
  if (names.size !== identifiers.length || !identifiers.every((name) => names.has(name)))
    return 'Its names are not those of the order';
  return undefined;
}

/** Whoever has a certificate's key could speak for the account (RFC 8555, section 11.1). */
async function isKeyOf({ publicKey }: ReadCsr, account: AcmeAccount): Promise<boolean> {
  const { key } = await readJwk({ ...account.jwk });
  return sameKey(key, publicKey);
}

import { reading, refuseErrors } from '../constraint/index.ts';
import { readAltName, readCsr, type AltName, type Finding, type ReadCsr, type Subject } from '../x509.ts';

/** What is taken from a request: the key that it proves, and what it asks for. */
export interface Requested {
  readonly csr: ReadCsr;
  readonly subject: Subject;
  readonly altNames: readonly AltName[];
}

/** What a caller says instead of the request; what is empty says nothing. */
export interface Instead {
  readonly commonName?: string | undefined;
  readonly altNames?: readonly AltName[] | undefined;
}

/**
 * Reads a request for a certificate that is no authority's. What cannot be granted as it stands is refused and not
 * passed over: what is issued is what was asked for.
 *
 * @throws DomainError 400, by rule: `csr.<rule>` for what cannot be read, for a key that is weak or of an unknown kind,
 * and for a signature that is not by it; `csr.ca`, `csr.extension`, `csr.subject`, `csr.common_name`.
 */
export function readRequest(pemOrDer: string | Uint8Array, instead: Instead = {}): Requested {
  const csr = reading(() => readCsr(pemOrDer));
  const { other, ...attributes } = csr.subject;
  const commonName = instead.commonName || attributes.commonName;
  const altNames = instead.altNames?.length ? instead.altNames : csr.altNames;
  const findings: Finding[] = [];
  const found = (rule: string, message: string) => findings.push({ rule, severity: 'error', message });
  if (csr.ca) found('csr.ca', 'The CSR requests a CA certificate');
  if (csr.extensions.length > 0)
    found('csr.extension', `The CSR requests extensions that are not allowed: ${csr.extensions.join(', ')}`);
  if (other.length > 0) found('csr.subject', `The subject has attributes that are not allowed: ${other.join(', ')}`);
  if (commonName && altNames.length > 0 && isName(commonName) && !isAmong(commonName, altNames))
    found('csr.common_name', `The common name "${commonName}" is not among the alternative names`);
  refuseErrors(findings);
  return { csr, subject: { ...attributes, ...(commonName && { commonName }) }, altNames };
}

/** Whether two lists have the same names, in any order. */
export const sameNames = (one: readonly AltName[], other: readonly AltName[]): boolean => keyOf(one) === keyOf(other);

const keyOf = (names: readonly AltName[]): string =>
  JSON.stringify(names.map(({ type, value }) => `${type}:${value}`).toSorted());

/** Whether clients may take a common name for the name of a host or mailbox; `Ann Lee` names neither. */
const isName = (text: string): boolean => !/\s/.test(text) && readable(text).length > 0;

function isAmong(commonName: string, altNames: readonly AltName[]): boolean {
  const readings = readable(commonName);
  return altNames.some(({ type, value }) => readings.some((one) => one.type === type && one.value === value));
}

function readable(text: string): AltName[] {
  return (['dns', 'ip', 'email', 'uri'] as const).flatMap((type) => {
    try {
      return [readAltName(type, text)];
    } catch {
      return [];
    }
  });
}

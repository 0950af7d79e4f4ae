import { reading, refuseErrors } from '../constraint/index.ts';
import { readAltName, readCsr, type AltName, type Finding, type ReadCsr, type Subject } from '../x509.ts';

/** The used parts of a CSR: the proven key, and the requested content. */
export interface Requested {
  readonly csr: ReadCsr;
  readonly subject: Subject;
  readonly altNames: readonly AltName[];
}

/** Overrides of the caller; empty ones are ignored. */
export interface Instead {
  readonly commonName?: string | undefined;
  readonly altNames?: readonly AltName[] | undefined;
}

/**
 * Parses the CSR of an end-entity certificate. Unsupported content is rejected and not ignored: the certificate
 * contains what was requested.
 *
 * @throws DomainError 400, by rule: `csr.<rule>` for malformed CSRs, weak or unknown keys, and invalid signatures;
 * `csr.ca`, `csr.extension`, `csr.subject`, `csr.common_name`.
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

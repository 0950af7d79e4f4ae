import { X509Certificate } from 'node:crypto';
import { MalformedBer } from './ber.ts';
import { isVerifiable } from './key-limits.ts';
import type { ReadCertificate } from './certificate.ts';
import type { Finding } from './content.ts';
import { Comparisons, nameOutside, namesOf, subtreesOf } from './name-constraint.ts';
import { readEnvelope, readTbs } from './structure.ts';

/** Why a chain does not hold. `rule` is stable. */
export interface ChainProblem {
  readonly rule:
    | 'expired'
    | 'not_yet_valid'
    | 'issuer_name'
    | 'issuer_key'
    | 'signature'
    | 'signature_algorithm'
    | 'not_a_ca'
    | 'key_usage'
    | 'path_length'
    | 'name_constraint'
    | 'critical_extension';
  readonly message: string;
}

/** Signatures with MD5 and SHA-1, which can be forged. */
const BROKEN = new Set([
  '1.2.840.113549.1.1.2',
  '1.2.840.113549.1.1.4',
  '1.2.840.113549.1.1.5',
  '1.2.840.10045.4.1',
  '1.2.840.10040.4.3',
]);

/**
 * Verifies that every certificate is signed by the next one, all of them are valid at this time, and each may have
 * issued those below it (RFC 5280, section 6.1, without policies). `chain` begins with the certificate's issuer; its
 * last member is trusted, whether it is a root or not, and only its own validity, names and signature (of a root) are
 * checked. Returns `undefined` if it is valid. With an empty chain, the certificate must be self-signed. Never throws.
 */
export function verifyChain(
  certificate: ReadCertificate,
  chain: readonly ReadCertificate[],
  at: Date,
): ChainProblem | undefined {
  const path = [certificate, ...chain];
  for (const [depth, one] of path.entries()) {
    const issuer = path[depth + 1];
    const problem =
      validityProblem(one, at) ??
      (one.unknownCritical.length > 0
        ? fault(
            'critical_extension',
            one,
            `has critical extensions that are not understood: ${one.unknownCritical.join(', ')}`,
          )
        : undefined) ??
      (issuer ? issuerProblem(one, issuer, path.slice(1, depth + 1)) : rootProblem(one));
    if (problem) return problem;
  }
  try {
    return constraintProblem(path);
  } catch (error) {
    if (!(error instanceof MalformedBer)) throw error;
    return fault('name_constraint', certificate, 'has names or constraints that cannot be compared');
  }
}

function validityProblem(one: ReadCertificate, at: Date): ChainProblem | undefined {
  if (at < one.notBefore) return fault('not_yet_valid', one, `is valid only from ${one.notBefore.toISOString()}`);
  if (at > one.notAfter) return fault('expired', one, `was valid until ${one.notAfter.toISOString()}`);
  return undefined;
}

function rootProblem(last: ReadCertificate): ChainProblem | undefined {
  if (!last.subjectName.equals(last.issuerName) || last.selfSigned) return undefined;
  // Under its own name and by another key: the older of two keys, or a forgery. It is trusted where its issuer is.
  return last.authorityKeyId && last.keyId && !last.authorityKeyId.equals(last.keyId)
    ? undefined
    : fault('signature', last, 'is not signed by its own key');
}

/** `below`: the CAs between the first certificate and this issuer, without this one. */
function issuerProblem(
  one: ReadCertificate,
  issuer: ReadCertificate,
  below: readonly ReadCertificate[],
): ChainProblem | undefined {
  if (!one.issuerName.equals(issuer.subjectName)) return fault('issuer_name', one, 'names another issuer');
  if (one.authorityKeyId && issuer.keyId && !one.authorityKeyId.equals(issuer.keyId)) {
    return fault('issuer_key', one, 'names another key of its issuer');
  }
  if (!issuer.ca) return fault('not_a_ca', issuer, 'is not a CA certificate');
  if (issuer.keyUsages.length > 0 && !issuer.keyUsages.includes('keyCertSign')) {
    return fault('key_usage', issuer, 'may not sign certificates');
  }
  // Self-issued certificates (key rollover) do not count.
  const length = below.filter((ca) => !ca.subjectName.equals(ca.issuerName)).length;
  if (issuer.ca.pathLength !== undefined && length > issuer.ca.pathLength) {
    return fault('path_length', issuer, `allows ${issuer.ca.pathLength} authorities below it, and there are ${length}`);
  }
  if (BROKEN.has(one.signatureAlgorithm)) {
    return fault('signature_algorithm', one, 'is signed with a broken hash function');
  }
  if (!isVerifiable(issuer.publicKey)) {
    return fault('signature_algorithm', one, 'is signed by a key whose type or length is not supported');
  }
  return hasSignature(one, issuer) ? undefined : fault('signature', one, 'is not signed by its issuer');
}

/** What was found of the signature of a certificate, by its issuer: a certificate may be in many paths. */
const signatures = new WeakMap<ReadCertificate, WeakMap<ReadCertificate, boolean>>();

function hasSignature(one: ReadCertificate, issuer: ReadCertificate): boolean {
  let byIssuer = signatures.get(one);
  if (!byIssuer) signatures.set(one, (byIssuer = new WeakMap()));
  let isSigned = byIssuer.get(issuer);
  if (isSigned === undefined) byIssuer.set(issuer, (isSigned = isSignedBy(one, issuer)));
  return isSigned;
}

function isSignedBy(one: ReadCertificate, issuer: ReadCertificate): boolean {
  try {
    return new X509Certificate(one.der).verify(issuer.publicKey);
  } catch {
    return false;
  }
}

/** RFC 5280, section 4.2.1.10: each authority's constraints hold for all that is below it. */
function constraintProblem(path: readonly ReadCertificate[]): ChainProblem | undefined {
  const [, ...authorities] = path;
  if (!authorities.some(({ nameConstraints }) => nameConstraints)) return undefined;
  const comparisons = new Comparisons();
  const named = path.map((one) => ({ one, names: namesOf(readTbs(readEnvelope(one.der).tbs)) }));
  for (const [above, { der, nameConstraints }] of authorities.entries()) {
    const subtrees = nameConstraints && subtreesOf(der);
    if (!subtrees) continue;
    for (const [depth, { one, names }] of named.slice(0, above + 1).entries()) {
      // A self-issued certificate does not count, unless it is the last one.
      if (depth > 0 && one.subjectName.equals(one.issuerName)) continue;
      const outside = nameOutside(names, subtrees, comparisons);
      if (outside === undefined) continue;
      const what = `has ${shown(outside)}, which is outside the name constraints of its authority`;
      return fault('name_constraint', one, what);
    }
  }
  return undefined;
}

const shown = (name: string): string => (name === '' ? 'a name' : `"${name.slice(0, 100)}"`);

/**
 * The same for a TBSCertificate (DER) before the first of these authorities signs it, because clients would reject it.
 * At most one error, with the rule `authority.name_constraints`.
 */
export function constraintFindings(tbs: Buffer, chain: readonly ReadCertificate[]): Finding[] {
  const found = (message: string): Finding[] => [{ rule: 'authority.name_constraints', severity: 'error', message }];
  try {
    const all = chain.flatMap(({ der, nameConstraints }) => (nameConstraints && subtreesOf(der)) ?? []);
    if (all.length === 0) return [];
    const names = namesOf(readTbs(tbs));
    const comparisons = new Comparisons();
    const [outside] = all.flatMap((subtrees) => nameOutside(names, subtrees, comparisons) ?? []);
    if (outside === undefined) return [];
    return found(`It has ${shown(outside)}, which is outside the name constraints of the authority`);
  } catch (error) {
    if (!(error instanceof MalformedBer)) throw error;
    return found('Its names cannot be compared with the name constraints of the authority');
  }
}

function fault(rule: ChainProblem['rule'], one: ReadCertificate, what: string): ChainProblem {
  return { rule, message: `The certificate ${one.serialNumber} ${what}` };
}

import { isIP } from 'node:net';
import { z } from 'zod';
import { isNumberLabel, isWildcard } from '../x509.ts';
import { MAX_IDENTIFIERS } from './acme.ts';
import { problem, subproblem, type AcmeRefusal, type Subproblem } from './problem.ts';

const Identifiers = z
  .array(z.object({ type: z.string().max(32), value: z.string().max(1_000) }))
  .min(1)
  .max(MAX_IDENTIFIERS);

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The names of an order, without duplicates, in lower case.
 *
 * @throws AcmeProblem `malformed`, `unsupportedIdentifier`, `rejectedIdentifier` with the fault of each.
 */
export function readIdentifiers(given: unknown): string[] {
  const identifiers = Identifiers.safeParse(given);
  if (!identifiers.success)
    throw problem('malformed', `An order must have 1 to ${MAX_IDENTIFIERS} identifiers with type and value`);
  const faults: Subproblem[] = [];
  const names = identifiers.data.map(({ type, value }) => {
    const name = value.toLowerCase();
    const fault = type === 'dns' ? faultOf(name) : 'Only identifiers of type dns are supported';
    const kind = type === 'dns' ? 'rejectedIdentifier' : 'unsupportedIdentifier';
    if (fault !== undefined) faults.push(subproblem(kind, fault, { type, value }));
    return name;
  });
  if (faults.length > 0) throw rejected(faults);
  return [...new Set(names)].toSorted();
}

/** One problem for all of them; a refusal where the client may not have the names. */
export function rejected(faults: readonly Subproblem[], refusal?: AcmeRefusal) {
  const [first] = faults;
  const isUnsupported = faults.every(({ type }) => type.endsWith(':unsupportedIdentifier'));
  return problem(isUnsupported ? 'unsupportedIdentifier' : 'rejectedIdentifier', first?.detail ?? 'No identifier', {
    subproblems: faults,
    ...(refusal && { refusal }),
  });
}

/** Why a text is not a valid DNS name, with an optional leading wildcard. */
function faultOf(name: string): string | undefined {
  const bare = nameOf(name);
  const labels = bare.split('.');
  if (bare.length > 253) return 'The name is too long';
  if (!labels.every((label) => LABEL.test(label)))
    return 'The name is not a valid DNS name: use labels of letters, digits and hyphens, with an asterisk only as the first label';
  // Only A-labels of internationalized names begin with this (RFC 5890, section 2.3.2.1).
  if (labels.some((label) => label.slice(2, 4) === '--' && !label.startsWith('xn--')))
    return 'A label has hyphens where only those of internationalized names have them';
  if (isIP(bare) || isNumberLabel(labels.at(-1)!)) return 'This is an IP address, not a DNS name';
  if (name !== bare && labels.length < 2) return 'A wildcard needs at least two more labels';
  return undefined;
}

/** The name to validate. */
export const nameOf = (name: string) => (isWildcard(name) ? name.slice(2) : name);

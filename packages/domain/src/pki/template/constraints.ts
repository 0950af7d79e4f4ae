import { parseDuration } from '../../kernel/index.ts';
import { expression, type Constraints } from '../constraint/index.ts';
import type { CertificateTemplate } from './template.ts';

/**
 * What a template says of a certificate. Its subject has the common name alone: an organization could be taken for a
 * group that clients trust, and a template has no rule for it.
 */
export function constraintsOf(template: CertificateTemplate): Constraints {
  const { commonName, subjectAlternativeName, keyUsages, extendedKeyUsages, ttl } = template;
  const names = { allowed: [expression(subjectAlternativeName)] };
  return {
    origin: 'template',
    subject: { rules: { commonName: { allowed: [expression(commonName)] } }, others: 'denied' },
    altNames: { rules: { dns: names, ip: names, email: names, uri: names }, others: 'denied' },
    keyUsages: { allowed: keyUsages },
    extendedKeyUsages: { allowed: extendedKeyUsages },
    maxValidity: parseDuration(ttl),
  };
}

import { parseDuration } from '../../kernel/index.ts';
import { expression, type Constraints } from '../constraint/index.ts';
import type { CertificateTemplate } from './template.ts';

/**
 * The constraints of a template. The subject has only the common name: clients could use an organization as a group,
 * and templates have no rule for it.
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

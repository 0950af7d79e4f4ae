import { EXTENSIONS, issuerUrlsOf, ocspUrlsOf, urlsOf } from '../extension.ts';
import type { Linted } from './linted.ts';
import { when, type LintRule } from './rule.ts';

const isCritical = ({ extensions }: Linted, id: string) => extensions.find((one) => one.id === id)?.critical === true;
const isFetchable = (url: string) => /^(?:https?|ldaps?):\/\/[^/]/.test(url) && URL.canParse(url);

/** Which keys it is about, and where more can be found. */
export const pointerRules: readonly LintRule[] = [
  {
    id: 'rfc5280.subject_key_id',
    source: 'RFC 5280, 4.2.1.2',
    check: ({ known, isCa }) => when(isCa && !known.subjectKeyId, 'A CA certificate has no subject key identifier'),
  },
  {
    id: 'rfc5280.subject_key_id_leaf',
    source: 'RFC 5280, 4.2.1.2',
    severity: 'warning',
    check: ({ known, isCa }) =>
      when(!isCa && !known.subjectKeyId, 'A certificate should have a subject key identifier'),
  },
  {
    id: 'rfc5280.subject_key_id_empty',
    source: 'RFC 5280, 4.2.1.2',
    check: ({ known }) => when(known.subjectKeyId?.length === 0, 'The subject key identifier is empty'),
  },
  {
    id: 'rfc5280.key_id_critical',
    source: 'RFC 5280, 4.2.1.1 and 4.2.1.2',
    check: (one) =>
      when(
        isCritical(one, EXTENSIONS.subjectKeyIdentifier) || isCritical(one, EXTENSIONS.authorityKeyIdentifier),
        'A key identifier is critical',
      ),
  },
  {
    id: 'rfc5280.authority_key_id',
    source: 'RFC 5280, 4.2.1.1',
    check: ({ known, isSelfIssued }) =>
      when(!isSelfIssued && !known.authorityKeyId?.keyId, 'It has no authority key identifier'),
  },
  {
    id: 'rfc5280.authority_key_id_pair',
    source: 'RFC 5280, 4.2.1.1 and appendix A.2',
    check: ({ known: { authorityKeyId } }) =>
      when(
        authorityKeyId && authorityKeyId.hasName !== authorityKeyId.hasSerial,
        'The issuer’s name and serial number come together or not at all',
      ),
  },
  {
    id: 'rfc5280.authority_key_id_match',
    source: 'RFC 5280, 4.2.1.1',
    check: ({ known: { authorityKeyId, subjectKeyId }, isSelfIssued }, { issuer }) => {
      if (!authorityKeyId?.keyId) return undefined;
      if (issuer) return when(!authorityKeyId.keyId.equals(issuer.keyId), 'It names another key of its issuer');
      return when(
        isSelfIssued && subjectKeyId && !authorityKeyId.keyId.equals(subjectKeyId),
        'It is by itself, and names another key as its issuer’s',
      );
    },
  },
  {
    id: 'rfc5280.crl_points',
    source: 'RFC 5280, 4.2.1.13',
    check: ({ known: { crlPoints } }) => {
      if (!crlPoints) return undefined;
      const urls = urlsOf(crlPoints);
      return when(
        crlPoints.length === 0 || urls.length < crlPoints.length || !urls.every(isFetchable),
        'A CRL distribution point has a URL that is not http, https or ldap',
      );
    },
  },
  {
    id: 'rfc5280.crl_points_critical',
    source: 'RFC 5280, 4.2.1.13',
    severity: 'warning',
    check: (one) =>
      when(isCritical(one, EXTENSIONS.crlDistributionPoints), 'CRL distribution points should not be critical'),
  },
  {
    id: 'rfc5280.access',
    source: 'RFC 5280, 4.2.2.1',
    check: ({ known }) => {
      if (!known.access) return undefined;
      const urls = [...ocspUrlsOf(known), ...issuerUrlsOf(known)];
      return when(
        known.access.length === 0 || urls.length < known.access.length || !urls.every(isFetchable),
        'Authority information access has a URL that is not http, https or ldap',
      );
    },
  },
  {
    id: 'rfc5280.access_critical',
    source: 'RFC 5280, 4.2.2.1',
    check: (one) => when(isCritical(one, EXTENSIONS.authorityInfoAccess), 'Authority information access is critical'),
  },
];

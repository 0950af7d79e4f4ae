import { signatureIdentifier, signatureName } from '../algorithm.ts';
import { TAG } from '../der.ts';
import { lengthOf, PRINTABLE } from '../name.ts';
import type { LintedAttribute } from './linted.ts';
import { when, type LintRule } from './rule.ts';

const MAX_SERIAL = 20;
const MIN_SERIAL = 8;

const UPPER_BOUNDS = new Map([
  ['2.5.4.3', 64],
  ['2.5.4.6', 2],
  ['2.5.4.7', 128],
  ['2.5.4.8', 128],
  ['2.5.4.10', 64],
  ['2.5.4.11', 64],
]);
const COUNTRY = '2.5.4.6';
const DOMAIN_COMPONENT = '0.9.2342.19200300.100.1.25';
const EMAIL_ADDRESS = '1.2.840.113549.1.9.1';

/** The fields of a certificate, without its extensions. */
export const fieldRules: readonly LintRule[] = [
  {
    id: 'rfc5280.der',
    source: 'RFC 5280, 4.1; X.690, 10 and 11',
    check: ({ notCanonical }) => notCanonical && `It is not DER: ${notCanonical}`,
  },
  {
    id: 'rfc5280.default_value',
    source: 'X.690, 11.5',
    check: ({ known, extensions }) =>
      when(
        extensions.some(({ hasDefault }) => hasDefault) || known.basicConstraints?.hasDefault,
        'A default value is encoded',
      ),
  },
  {
    id: 'rfc5280.version',
    source: 'RFC 5280, 4.1.2.1',
    check: ({ version }) => when(version !== 2, 'The version is not 3'),
  },
  {
    id: 'rfc5280.serial_positive',
    source: 'RFC 5280, 4.1.2.2',
    check: ({ serialNumber }) =>
      when(serialNumber[0]! >= 0x80 || serialNumber.every((octet) => octet === 0), 'The serial number is not positive'),
  },
  {
    id: 'rfc5280.serial_length',
    source: 'RFC 5280, 4.1.2.2',
    check: ({ serialNumber }) => when(serialNumber.length > MAX_SERIAL, 'The serial number is longer than 20 octets'),
  },
  {
    id: 'cabf.serial_entropy',
    source: 'CA/Browser Forum, Baseline Requirements, 7.1',
    check: ({ serialNumber }) => when(serialNumber.length < MIN_SERIAL, 'The serial number has less than 64 bits'),
  },
  {
    id: 'rfc5280.signature_algorithm_match',
    source: 'RFC 5280, 4.1.1.2',
    check: ({ signatureAlgorithm, outerAlgorithm }) =>
      when(outerAlgorithm && !outerAlgorithm.equals(signatureAlgorithm), 'It names two different signature algorithms'),
  },
  {
    id: 'rfc5280.signature_algorithm',
    source: 'RFC 5280, 4.1.2.3; RFC 4055, 5; RFC 5758, 3.2; RFC 8410, 3',
    check: ({ signatureAlgorithm }, { issuer }) => {
      if (issuer) {
        return when(
          !signatureAlgorithm.equals(signatureIdentifier(issuer.algorithm)),
          'The signature algorithm is not that of the issuer’s key',
        );
      }
      return when(/^[\d.]+$/.test(signatureName(signatureAlgorithm)), 'The signature algorithm is unknown or too weak');
    },
  },
  {
    id: 'rfc5280.issuer_empty',
    source: 'RFC 5280, 4.1.2.4',
    check: ({ issuer }) => when(issuer?.length === 0, 'The issuer has no name'),
  },
  {
    id: 'rfc5280.issuer_name',
    source: 'RFC 5280, 4.1.2.4 and 6.1.3',
    check: ({ issuerName }, { issuer }) =>
      when(issuer && !issuerName.equals(issuer.name), 'The issuer’s name is not that of the authority’s certificate'),
  },
  {
    id: 'rfc5280.validity_encoding',
    source: 'RFC 5280, 4.1.2.5',
    check: ({ notBefore, notAfter, from, until }) => {
      if (!from || !until) return 'A time is malformed, or has fractions or a zone';
      const isWrong = [
        [notBefore, from],
        [notAfter, until],
      ].some(([element, date]) => {
        const isShort = (date as Date).getUTCFullYear() < 2050;
        return (element as typeof notBefore).tag !== (isShort ? TAG.utcTime : TAG.generalizedTime);
      });
      return when(isWrong, 'Times through 2049 are UTCTime, and later ones GeneralizedTime');
    },
  },
  {
    id: 'rfc5280.validity_order',
    source: 'RFC 5280, 4.1.2.5',
    check: ({ from, until }) => when(from && until && from > until, 'notAfter is before notBefore'),
  },
  {
    id: 'rfc5280.validity_of_issuer',
    source: 'RFC 5280, 6.1.3',
    check: ({ from, until }, { issuer }) => {
      if (!issuer || !from || !until) return undefined;
      const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
      return when(
        seconds(until) > seconds(issuer.notAfter) || seconds(from) < seconds(issuer.notBefore),
        'Its validity is not within that of its issuer',
      );
    },
  },
  {
    id: 'rfc5280.name_malformed',
    source: 'RFC 5280, 4.1.2.4',
    check: ({ subject, issuer }) => when(!subject || !issuer, 'A name is malformed'),
  },
  {
    id: 'rfc5280.subject_empty',
    source: 'RFC 5280, 4.1.2.6',
    check: ({ subject, isCa }) => when(isCa && subject?.length === 0, 'The subject of an authority is empty'),
  },
  {
    id: 'rfc5280.subject_string',
    source: 'RFC 5280, 4.1.2.4 and appendix A.1; RFC 4519, 2.4',
    check: ({ subject }) => {
      const wrong = subject?.find((one) => !hasRightString(one));
      return wrong && `The attribute ${wrong.type} of the subject does not have the required string type`;
    },
  },
  {
    id: 'rfc5280.subject_length',
    source: 'RFC 5280, appendix A.1 (upper bounds)',
    check: ({ subject }) => {
      const wrong = subject?.find(({ type, text }) => lengthOf(text ?? '') > (UPPER_BOUNDS.get(type) ?? Infinity));
      return wrong && `The attribute ${wrong.type} of the subject is longer than its upper bound`;
    },
  },
  {
    id: 'rfc5280.subject_value',
    source: 'RFC 5280, appendix A.1 (SIZE 1..ub)',
    check: ({ subject }) => {
      const wrong = subject?.find(({ text }) => text === '' || (text !== undefined && /\p{Cc}/u.test(text)));
      return wrong && `The attribute ${wrong.type} of the subject is empty or has control characters`;
    },
  },
  {
    id: 'iso3166.country',
    source: 'RFC 5280, appendix A.1 (X520countryName); ISO 3166-1',
    check: ({ subject }) =>
      when(
        subject?.some(({ type, text }) => type === COUNTRY && !/^[A-Za-z]{2}$/.test(text ?? '')),
        'The country is not two letters',
      ),
  },
  {
    id: 'rfc5280.key',
    source: 'RFC 3279, 2.3.1; RFC 5480, 2; RFC 8410, 4',
    check: ({ publicKey }) => when(!publicKey, 'The public key is malformed, or not in canonical form'),
  },
  {
    id: 'cabf.key_strength',
    source: 'CA/Browser Forum, Baseline Requirements, 6.1.1.3, 6.1.5 and 6.1.6; FIPS 186-5, 5.4',
    check: ({ publicKey, keyAlgorithm }) =>
      when(publicKey !== undefined && !keyAlgorithm, 'The public key is too weak, or its type is not supported'),
  },
  {
    id: 'rfc5280.unique_id',
    source: 'RFC 5280, 4.1.2.8',
    check: ({ hasUniqueIds }) => when(hasUniqueIds, 'It has a unique identifier of its issuer or subject'),
  },
];

function hasRightString({ type, value, text }: LintedAttribute): boolean {
  if (text === undefined) return false;
  if (type === DOMAIN_COMPONENT || type === EMAIL_ADDRESS) return value.tag === TAG.ia5String;
  if (value.tag === TAG.printableString) return PRINTABLE.test(text);
  return value.tag === TAG.utf8String && type !== COUNTRY;
}

import fc from 'fast-check';
import type { KeyObject } from 'node:crypto';
import { readAltName } from '../alt-name.ts';
import {
  EXTENDED_KEY_USAGES,
  type AltName,
  type CertificateContent,
  type ExtendedKeyUsage,
  type Issuer,
  type Subject,
} from '../content.ts';
import { newSerialNumber } from '../serial.ts';
import { inDays } from './authority.ts';

/** Text that names may have, of up to so many characters, in all scripts. */
const text = (limit: number) =>
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: limit })
    .filter((value) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(value) && value.isWellFormed());
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });

export const arbitrarySubject: fc.Arbitrary<Subject> = fc
  .record({
    commonName: maybe(text(64)),
    organization: maybe(text(64)),
    organizationalUnit: maybe(text(64)),
    country: maybe(fc.constantFrom('DE', 'US', 'fr')),
    province: maybe(text(128)),
    locality: maybe(text(128)),
    domainComponents: maybe(
      fc.array(
        fc.domain().map((name) => name.split('.')[0]!),
        { minLength: 1, maxLength: 3 },
      ),
    ),
  })
  .map((subject) => Object.fromEntries(Object.entries(subject).filter(([, value]) => value !== undefined)));

const isName = (type: AltName['type'], value: string) => {
  try {
    return readAltName(type, value).value !== '';
  } catch {
    return false;
  }
};

export const arbitraryAltName: fc.Arbitrary<AltName> = fc
  .oneof(
    fc.domain().map((value) => ({ type: 'dns', value }) as const),
    fc.domain().map((value) => ({ type: 'dns', value: `*.${value}` }) as const),
    fc.ipV4().map((value) => ({ type: 'ip', value }) as const),
    fc.ipV6().map((value) => ({ type: 'ip', value }) as const),
    fc.emailAddress().map((value) => ({ type: 'email', value }) as const),
    fc.webUrl().map((value) => ({ type: 'uri', value }) as const),
  )
  .filter(({ type, value }) => isName(type, value))
  .map(({ type, value }) => readAltName(type, value));

const usages = Object.keys(EXTENDED_KEY_USAGES) as ExtendedKeyUsage[];

/** All usages for an EC key. */
export const arbitraryContent = (
  publicKey: KeyObject,
  issuer: Pick<Issuer, 'notAfter'>,
): fc.Arbitrary<CertificateContent> =>
  fc
    .record({
      subject: arbitrarySubject,
      altNames: fc.array(arbitraryAltName, { maxLength: 6 }),
      extendedKeyUsages: fc.uniqueArray(fc.constantFrom(...usages), { maxLength: 3 }),
      days: fc.integer({ min: 0, max: 40 * 365 - 1 }),
      ca: maybe(fc.record({ pathLength: maybe(fc.nat(5)) })),
      extraUsages: fc.uniqueArray(fc.constantFrom('nonRepudiation', 'keyAgreement'), { maxLength: 2 }),
      urls: fc.array(fc.webUrl({ validSchemes: ['http', 'https'] }), { maxLength: 2 }),
    })
    .filter(({ subject, altNames, ca }) => Object.keys(subject).length > 0 || (altNames.length > 0 && !ca))
    .map(({ subject, altNames, extendedKeyUsages, days, ca, extraUsages, urls }) => {
      const isServer = !ca && extendedKeyUsages.includes('serverAuth');
      // A server with names has one of them as common name.
      const { commonName: _, ...nameless } = subject;
      const own = altNames.find(({ type, value }) => type === 'dns' && value.length <= 64);
      const called = isServer && altNames.length ? { ...nameless, ...(own && { commonName: own.value }) } : subject;
      return {
        serialNumber: newSerialNumber(),
        subject: called,
        altNames,
        publicKey,
        notBefore: inDays(0),
        notAfter: new Date(Math.min(inDays(days).getTime(), issuer.notAfter.getTime())),
        keyUsages: [
          'digitalSignature' as const,
          ...(['nonRepudiation', 'keyAgreement'] as const).filter((usage) => extraUsages.includes(usage)),
          ...(ca ? (['keyCertSign', 'cRLSign'] as const) : []),
        ],
        extendedKeyUsages,
        ...(!ca && extendedKeyUsages.includes('ocspSigning') && { ocspNoCheck: true }),
        ca: ca && (ca.pathLength === undefined ? {} : { pathLength: ca.pathLength }),
        crlUrls: urls,
        ocspUrls: urls,
        issuerUrls: urls,
      };
    });

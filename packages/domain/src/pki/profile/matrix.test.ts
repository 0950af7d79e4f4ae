import { createPublicKey, X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DomainError, type Context } from '../../kernel/index.ts';
import { makeOrganization, makeProject, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { runs } from '../../testing/search.ts';
import { createAuthority, signerOf } from '../authority/index.ts';
import { CreateCertificatePolicy, createCertificatePolicy, type CertificatePolicy } from '../policy/index.ts';
import {
  EXTENDED_KEY_USAGES,
  generateKey,
  lint,
  makeCsr,
  readCertificate,
  signatureAlgorithmOf,
  subjectNamed,
  toPem,
  type AltName,
  type Issuer,
  type KeyAlgorithm,
  type KeyPair,
} from '../x509.ts';
import { OrderByProfile, orderByProfile, type RequestedCertificate } from './order.ts';
import { createCertificateProfile } from './profile.service.ts';
import { CreateCertificateProfile } from './profile.ts';
import {
  AUTHORITY_DAYS,
  EXTENDED,
  forbidden,
  IMPOSSIBLE,
  KEYS,
  orders,
  wanted,
  type Ordered,
  type Place,
} from './testing/arbitrary-order.ts';
import { MATRIX } from './testing/matrix.ts';
import { broken, includes, letters, type Content } from './testing/naive-policy.ts';

/** Certificates issued. */
const RUNS = runs(80, 10_000);
const DAY = 86_400_000;

let test: TestCoffer;
let ctx: Context;
const places: Place[] = [];
const issuers = new Map<KeyAlgorithm, Issuer>();
const keyPairs = new Map<KeyAlgorithm, KeyPair>();
beforeAll(async () => {
  test = await testCoffer();
  const { id: organizationId, admin } = await makeOrganization(test.coffer);
  const { id: projectId } = await makeProject(test.coffer, organizationId, admin.actor);
  ctx = test.coffer.contextFor(admin.actor);
  const policies = new Map<string, CertificatePolicy>();
  for (const [name, { policy }] of Object.entries(MATRIX)) {
    policies.set(
      name,
      await createCertificatePolicy(ctx, CreateCertificatePolicy.parse({ projectId, name, ...policy })),
    );
  }
  for (const keyAlgorithm of KEYS) {
    keyPairs.set(keyAlgorithm, await generateKey(keyAlgorithm));
    const nameless = { organization: '', ou: '', country: '', province: '', locality: '' };
    const notAfter = new Date(test.coffer.now().getTime() + (AUTHORITY_DAYS + 0.5) * DAY);
    const name = letters(keyAlgorithm);
    const configuration = {
      type: 'root',
      commonName: name,
      ...nameless,
      maxPathLength: -1,
      keyAlgorithm,
      notAfter,
    } as const;
    const { id: caId } = await createAuthority(ctx, { projectId, name, status: 'active', configuration });
    issuers.set(keyAlgorithm, (await signerOf(ctx, caId)).issuer);
    for (const [called, matrix] of Object.entries(MATRIX)) {
      const policy = policies.get(called)!;
      for (const defaults of [null, matrix.defaults]) {
        const slug = `${called}-${name}${defaults ? '-usual' : ''}`;
        const bound = { caId, certificatePolicyId: policy.id, enrollmentType: 'api' };
        const profile = CreateCertificateProfile.parse({ projectId, ...bound, slug, defaults });
        const { id: profileId } = await createCertificateProfile(ctx, profile);
        places.push({ called: slug, profileId, authority: keyAlgorithm, policy, defaults: profile.defaults ?? {} });
      }
    }
  }
});
afterAll(() => test.close());

/** `now`: in milliseconds. */
async function order(one: Ordered, now: number): Promise<RequestedCertificate> {
  const { place, csr, subject, altNames, time, ...asked } = one;
  const inDays = (days: number) => new Date(now + days * DAY).toISOString();
  const { start, days = 0, isTtl = false } = time ?? {};
  const pem =
    csr &&
    toPem(
      'CERTIFICATE REQUEST',
      await makeCsr(subjectNamed(csr.names), { ...keyPairs.get(csr.key)!, algorithm: csr.key }, csr),
    );
  const dates = {
    ...(start !== undefined && { notBefore: inDays(start) }),
    notAfter: inDays((start ?? 0) + days),
  };
  const names = altNames?.map(({ type, value, given = value }) => ({ type, value: given }));
  // With a TTL, there is no start.
  const validity = time && (isTtl && start === undefined ? { ttl: `${days}d` } : dates);
  const attributes = { ...asked, ...subject, altNames: names, ...validity };
  const issued = await orderByProfile(
    test.coffer.contextFor(ctx.actor),
    OrderByProfile.parse({ profileId: place.profileId, csr: pem, attributes }),
  );
  if (issued.status !== 'issued') throw new Error('An authority here issues immediately');
  return issued;
}

/** A 400 with rules; any other exception is a fault. */
function refusalOf(error: unknown): { rules: string[] } {
  if (!(error instanceof DomainError) || error.kind !== 'bad_request') throw error;
  const { findings } = error.details as { findings: { rule: string }[] };
  expect(findings[0]?.rule).toBe(error.code);
  const isLaw = (rule: string) => /^(?:rfc\d+\.|certificate\.(?:nameless|key_usage)$)/.test(rule);
  return { rules: findings.map(({ rule }) => (isLaw(rule) ? IMPOSSIBLE : rule)) };
}

const KINDS: Record<string, AltName['type']> = { DNS: 'dns', 'IP Address': 'ip', email: 'email', URI: 'uri' };

/** What OpenSSL reads in a certificate; the key usages, which Node does not show, by our own reader. */
function contentOf(pem: string): Content {
  const x509 = new X509Certificate(pem);
  const { keyUsages, signatureAlgorithm: signature, ...more } = readCertificate(pem);
  expect([more.unknownCritical, more.otherExtendedKeyUsages, more.hasOtherAltNames]).toEqual([[], [], false]);
  expect([more.ca, x509.ca]).toEqual([undefined, false]);
  const altNames = (x509.subjectAltName?.split(', ') ?? []).map((text) => {
    const colon = text.indexOf(':');
    const type = KINDS[text.slice(0, colon)]!;
    const value = text.slice(colon + 1);
    const isLong = type === 'ip' && value.includes(':');
    return { type, value: isLong ? new URL(`http://[${value}]`).hostname.slice(1, -1) : value };
  });
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = x509.publicKey;
  const size = details?.namedCurve ?? details?.modulusLength;
  const subject = x509.toLegacyObject().subject as unknown as Record<string, string | string[]>;
  return {
    subject: Object.fromEntries(Object.entries(subject ?? {}).map(([short, value]) => [short, [value].flat()])),
    altNames,
    keyUsages,
    extendedKeyUsages: EXTENDED.filter((usage) => x509.keyUsage?.includes(EXTENDED_KEY_USAGES[usage])),
    key: KEYS.find((key) => letters(key) === letters([kind, size].join('')))!,
    signature,
    days: Math.floor((Date.parse(x509.validTo) - Date.parse(x509.validFrom) + 1_000) / DAY),
  };
}

const sorted = ({ subject, altNames, keyUsages, extendedKeyUsages, ...content }: Content) => ({
  ...content,
  subject: Object.fromEntries(Object.entries(subject).filter(([, values]) => values.length > 0)),
  altNames: altNames.map(({ type, value }) => `${type}:${value}`).toSorted(),
  keyUsages: keyUsages.toSorted(),
  extendedKeyUsages: extendedKeyUsages.toSorted(),
});

const serials = new Set<string>();
const issuedBy = new Map<Place, number>();

async function requireWanted(one: Ordered, issued: RequestedCertificate, now: number): Promise<void> {
  const { place, csr, time } = one;
  const content = contentOf(issued.certificate);
  expect(broken(place.policy, content)).toEqual([]);
  expect(sorted(content)).toEqual(sorted(wanted(one)));
  const x509 = new X509Certificate(issued.certificate);
  const { rows } = await test.coffer.pool.query<{ body: Buffer; serial_number: string }>(
    'select body, serial_number from certificates where id = $1',
    [issued.certificateId],
  );
  const [stored] = rows;
  expect(stored!.body.equals(x509.raw)).toBe(true);
  const issuer = issuers.get(place.authority)!;
  expect(lint(stored!.body, { issuer }).filter(({ severity }) => severity === 'error')).toEqual([]);
  const authority = new X509Certificate(issued.issuingCaCertificate);
  expect([x509.checkIssued(authority), x509.verify(authority.publicKey)]).toEqual([true, true]);
  expect(authority.publicKey.asymmetricKeyType).toBe(FAMILIES[place.authority]);
  const key = csr ? keyPairs.get(csr.key)!.publicKey : createPublicKey(issued.privateKey!);
  expect([x509.publicKey.equals(key), issued.privateKey === null]).toEqual([true, csr !== undefined]);
  const [from, until] = [Date.parse(x509.validFrom), Date.parse(x509.validTo)];
  // The default: a minute before now, in whole seconds.
  const [earliest, latest] =
    time?.start === undefined
      ? [now - 61_000, test.coffer.now().getTime()]
      : [now + time.start * DAY - 1_000, now + time.start * DAY];
  expect([from >= earliest, from <= latest]).toEqual([true, true]);
  expect(Math.abs(until - from - content.days * DAY)).toBeLessThanOrEqual(62_000);
  const serial = x509.serialNumber.toLowerCase().padStart(40, '0');
  expect([issued.serialNumber, stored!.serial_number]).toEqual([serial, serial]);
  expect(serials.has(serial)).toBe(false);
  serials.add(serial);
  issuedBy.set(place, (issuedBy.get(place) ?? 0) + 1);
}
const FAMILIES: Partial<Record<KeyAlgorithm, string>> = {
  ...{ EC_prime256v1: 'ec', EC_secp384r1: 'ec', ED25519: 'ed25519', RSA_2048: 'rsa' },
};

it('issues by profiles what is ordered or default and the policy allows, and rejects all else by a rule', async () => {
  const counts = { issued: 0, refused: 0 };
  const check = async (one: Ordered) => {
    const now = test.coffer.now().getTime();
    const outcome = await order(one, now).catch(refusalOf);
    const reasons = forbidden(one);
    const rules = 'rules' in outcome ? outcome.rules : [];
    expect([rules.filter((rule) => !reasons.has(rule)), rules.length > 0]).toEqual([[], reasons.size > 0]);
    if ('certificate' in outcome) await requireWanted(one, outcome, now);
    counts['certificate' in outcome ? 'issued' : 'refused']++;
  };
  const signs = ({ policy: { algorithms }, authority }: Place) =>
    !algorithms?.signature || includes(algorithms.signature, signatureAlgorithmOf(authority));
  const issuing = places.filter(signs);
  const drawn = fc.oneof(
    ...issuing.map((place) => orders(place, true)),
    ...places.map((place) => orders(place, false)),
  );
  const by = (of: (place: Place) => string) => new Set([...issuedBy.keys()].map(of)).size;
  const covered = () => [by(({ policy }) => policy.name), by(({ authority }) => authority)];
  const all = [Object.keys(MATRIX).length, KEYS.length];
  const isEnough = () => counts.issued >= RUNS && covered().join() === all.join();
  for (let rounds = 0; !isEnough() && rounds < RUNS; rounds++) {
    await fc.assert(fc.asyncProperty(drawn, check), { numRuns: 50 });
  }
  const { rows } = await test.coffer.pool.query<{ stored: number; serials: number }>(
    'select count(*)::integer as stored, count(distinct serial_number)::integer as serials from certificates',
  );
  expect(rows).toEqual([{ stored: counts.issued, serials: serials.size }]);
  expect(serials.size).toBe(counts.issued);
  expect(counts.refused).toBeGreaterThan(RUNS / 4);
  expect(covered()).toEqual(all);
}, 3_600_000);

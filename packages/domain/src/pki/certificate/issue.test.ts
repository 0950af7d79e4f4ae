import { X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../kernel/index.ts';
import { DomainError } from '../../kernel/index.ts';
import { makeOrganization, makeProject, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { runs } from '../../testing/search.ts';
import { createAuthority, signerOf, type Signer } from '../authority/index.ts';
import {
  generateKey,
  KEY_ALGORITHMS,
  lint,
  readCertificate,
  type AltName,
  type KeyAlgorithm,
  type KeyPair,
} from '../x509.ts';
import { compiled, isPossible, keeps, limits, ordered, type Limits, type Ordered } from './testing/arbitrary-order.ts';
import { issueCertificate, type Issued } from './issue.ts';

const RUNS = runs(150, 10_000);
const DAY = 86_400_000;

let test: TestCoffer;
let ctx: Context;
const signers = new Map<KeyAlgorithm, Signer>();
const keys = new Map<KeyAlgorithm, KeyPair>();
beforeAll(async () => {
  test = await testCoffer();
  const { id: organizationId, admin } = await makeOrganization(test.coffer);
  const { id: projectId } = await makeProject(test.coffer, organizationId, admin.actor);
  ctx = test.coffer.contextFor(admin.actor);
  for (const keyAlgorithm of KEY_ALGORITHMS) {
    keys.set(keyAlgorithm, await generateKey(keyAlgorithm));
    if (keyAlgorithm === 'RSA_3072' || keyAlgorithm === 'RSA_4096') continue;
    const configuration = {
      type: 'root',
      commonName: keyAlgorithm,
      organization: '',
      ou: '',
      country: '',
      province: '',
      locality: '',
      maxPathLength: -1,
      keyAlgorithm,
      notAfter: new Date(test.coffer.now().getTime() + 3_650 * DAY),
    } as const;
    const input = { projectId, name: keyAlgorithm.toLowerCase(), status: 'active', configuration } as const;
    signers.set(keyAlgorithm, await signerOf(ctx, (await createAuthority(ctx, input)).id));
  }
});
afterAll(() => test.close());

const serials = new Set<string>();

function issue(one: Ordered, by: Limits): Promise<Issued> {
  const { subject, altNames, keyUsages, extendedKeyUsages, days } = one;
  return issueCertificate(test.coffer.contextFor(ctx.actor), signers.get(one.authority)!, {
    subject,
    altNames,
    keyUsages,
    extendedKeyUsages,
    key: one.key === 'EC_prime256v1' ? { make: one.key } : { publicKey: keys.get(one.key)!.publicKey },
    ttl: days * DAY,
    constraints: [compiled(by)],
    allowedSubjects: by.allowed,
    source: 'issue',
  });
}

const sorted = (names: readonly AltName[]) => names.map(({ type, value }) => `${type}:${value}`).toSorted();

/** The certificate has exactly the ordered content. */
function requireOrdered(one: Ordered, issued: Issued): void {
  const { subject, altNames, ...read } = readCertificate(issued.certificate);
  expect(subject).toEqual({ ...one.subject, other: [] });
  expect(sorted(altNames)).toEqual(sorted(one.altNames));
  expect(read.keyUsages.toSorted()).toEqual(one.keyUsages.toSorted());
  expect(read.extendedKeyUsages.toSorted()).toEqual(one.extendedKeyUsages.toSorted());
  expect(read.ocspNoCheck).toBe(one.extendedKeyUsages.includes('ocspSigning'));
  expect([read.otherExtendedKeyUsages, read.unknownCritical, read.ca]).toEqual([[], [], undefined]);
  expect(read.keyAlgorithm).toBe(one.key);
  expect(Math.abs(read.notAfter.getTime() - read.notBefore.getTime() - one.days * DAY)).toBeLessThanOrEqual(62_000);
  const authority = new X509Certificate(issued.issuingCaCertificate);
  expect(new X509Certificate(issued.certificate).verify(authority.publicKey)).toBe(true);
  expect(
    lint(read.der, { issuer: signers.get(one.authority)!.issuer }).filter(({ severity }) => severity === 'error'),
  ).toEqual([]);
  expect(issued.serialNumber).toMatch(/^[0-7][0-9a-f]{39}$/);
  expect(serials.has(issued.serialNumber)).toBe(false);
  serials.add(issued.serialNumber);
}

/** A 400 with rules; any other exception is a fault. */
function refusalOf(error: unknown): { rules: string[] } {
  if (!(error instanceof DomainError) || error.kind !== 'bad_request') throw error;
  const { findings } = error.details as { findings: { rule: string }[] };
  expect([findings.length > 0, findings[0]?.rule]).toEqual([true, error.code]);
  return { rules: findings.map(({ rule }) => rule) };
}

describe('issueCertificate', () => {
  it('issues exactly what is ordered if everything allows it, and rejects it otherwise', async () => {
    const counts = { issued: 0, refused: 0 };
    const check = async (one: Ordered, by: Limits) => {
      const outcome = await issue(one, by).catch(refusalOf);
      const isIssued = 'certificate' in outcome;
      const why = isIssued ? undefined : outcome;
      expect([one, by, isIssued, why]).toEqual([one, by, isPossible(one) && keeps(by, one), why]);
      if (isIssued) requireOrdered(one, outcome);
      counts[isIssued ? 'issued' : 'refused']++;
    };
    const isSound = (one: Ordered) => isPossible(one);
    // Most generated orders are invalid for one of many reasons: as many others are valid.
    await fc.assert(fc.asyncProperty(ordered, limits, check), { numRuns: Math.ceil(RUNS / 2) });
    await fc.assert(fc.asyncProperty(ordered.filter(isSound), limits, check), { numRuns: Math.ceil(RUNS / 2) });
    const anything = limits.map((given): Limits => ({
      ...given,
      commonName: undefined,
      organization: undefined,
      organizationalUnit: undefined,
      altNames: { dns: undefined, ip: undefined, email: undefined, uri: undefined },
      others: 'allowed',
      keyUsages: undefined,
    }));
    const checkAllowed = (one: Ordered, by: Limits) => check(one, { ...by, allowed: [one.subject] });
    await fc.assert(fc.asyncProperty(ordered.filter(isSound), anything, checkAllowed), { numRuns: RUNS });
    const { rows } = await test.coffer.pool.query<{ stored: number; serials: number }>(
      'select count(*)::integer as stored, count(distinct serial_number)::integer as serials from certificates',
    );
    expect(rows).toEqual([{ stored: counts.issued, serials: counts.issued }]);
    expect(counts.issued).toBeGreaterThan(RUNS / 4);
    expect(counts.refused).toBeGreaterThan(RUNS / 4);
  }, 3_600_000);

  it('repeats no serial number, for any number of concurrent orders', async () => {
    const one: Ordered = {
      authority: 'EC_prime256v1',
      key: 'EC_prime256v1',
      subject: { commonName: 'a.example.com' },
      altNames: [],
      keyUsages: [],
      extendedKeyUsages: [],
      days: 1,
    };
    const none = { dns: undefined, ip: undefined, email: undefined, uri: undefined };
    const free: Limits = {
      commonName: undefined,
      organization: undefined,
      organizationalUnit: undefined,
      allowed: [],
      altNames: none,
      others: 'allowed',
      keyUsages: undefined,
      extendedKeyUsages: undefined,
      keyAlgorithms: undefined,
      maxDays: undefined,
    };
    const issued = await Promise.all(Array.from({ length: 200 }, () => issue(one, free)));
    expect(new Set(issued.map(({ serialNumber }) => serialNumber)).size).toBe(200);
  });
});

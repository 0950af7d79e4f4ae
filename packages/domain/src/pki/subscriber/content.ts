import { badRequest, DAY, parseDuration, type Context } from '../../kernel/index.ts';
import {
  authorizeIssue,
  requireMayKeepIssuing,
  type CertificateFacts,
  type IssuingRight,
} from '../certificate/index.ts';
import {
  check,
  COST_OF_MATCH,
  MatchingCost,
  reading,
  refuseErrors,
  type Constraints,
  type Matcher,
} from '../constraint/index.ts';
import {
  parseAltName,
  subjectNamed,
  type AltName,
  type KeyAlgorithm,
  type KeyUsage,
  type ReadCsr,
  type Subject,
} from '../x509.ts';
import { authorizeSubscriber, type SubscriberRow } from './stored.ts';
import { subscriberPermissions } from './subscriber.ts';

const USUAL_TTL = 90 * DAY;
/** Due ones are searched several times in half of it. */
const SHORTEST_RENEWED = 3_600_000;

type NamesOf = 'commonName' | 'subjectAlternativeNames';

/** The content of a subscriber's certificates. */
export type Says = Pick<
  SubscriberRow,
  'commonName' | 'subjectAlternativeNames' | 'keyUsages' | 'extendedKeyUsages' | 'properties' | 'ttl'
>;

/** @throws DomainError 400 `alt_name.<kind>` */
export const altNamesOf = ({ subjectAlternativeNames: names }: Pick<Says, 'subjectAlternativeNames'>): AltName[] =>
  reading(() => names.map(parseAltName));

export function subjectOf({ commonName, properties }: Pick<Says, 'commonName' | 'properties'>): Subject {
  return subjectNamed({ ...properties, commonName });
}

/** In milliseconds. */
export const ttlOf = ({ ttl }: Pick<Says, 'ttl'>): number => (ttl === null ? USUAL_TTL : parseDuration(ttl)!);

/**
 * The subscriber's key usages that such a key supports: only RSA keys encipher keys (RFC 8813, section 3; RFC 9295,
 * section 3). If none is left, the certificate would be unrestricted: the linter rejects it.
 */
export function keyUsagesOf({ keyUsages: usages }: Says, algorithm: KeyAlgorithm): KeyUsage[] {
  if (algorithm.startsWith('RSA')) return usages;
  const left = usages.filter((usage) => usage !== 'keyEncipherment' && usage !== 'dataEncipherment');
  return left.length === 0 ? usages : left;
}

const exactly = (text: string): Matcher => ({
  text,
  matches(value, cost) {
    cost.spend(COST_OF_MATCH);
    return value === text;
  },
});

/** The permitted content of a CSR for a subscriber: nothing beyond the subscriber's. */
function constraintsOf(says: Says): Constraints {
  const names = altNamesOf(says);
  const named = (type: AltName['type']) => ({
    allowed: names.filter((name) => name.type === type).map(({ value }) => exactly(value)),
  });
  const attributes = Object.entries(subjectOf(says)).filter(([, value]) => value !== undefined);
  return {
    origin: 'subscriber',
    subject: {
      rules: Object.fromEntries(attributes.map(([field, value]) => [field, { allowed: [exactly(value)] }])),
      others: 'denied',
    },
    altNames: {
      rules: { dns: named('dns'), ip: named('ip'), email: named('email'), uri: named('uri') },
      others: 'denied',
    },
    keyUsages: { allowed: says.keyUsages },
    extendedKeyUsages: { allowed: says.extendedKeyUsages },
  };
}

/**
 * A CSR may repeat all or part of the subscriber's content; the certificate has all of it.
 *
 * @throws DomainError 400 `subscriber.<rule>`, `certificate.too_costly`
 */
export async function requireOwn(
  ctx: Context,
  says: Says,
  csr: ReadCsr,
  subject: Subject,
  altNames: readonly AltName[],
): Promise<void> {
  const now = ctx.now();
  const asked = {
    subject,
    altNames,
    keyUsages: csr.keyUsages ?? says.keyUsages,
    extendedKeyUsages: csr.extendedKeyUsages ?? says.extendedKeyUsages,
    publicKey: csr.publicKey,
    ...{ serialNumber: '', notBefore: now, notAfter: now, crlUrls: [], ocspUrls: [], issuerUrls: [] },
  };
  refuseErrors(await check(constraintsOf(says), asked, new MatchingCost()));
}

type Issuing = Pick<SubscriberRow, 'projectId' | 'name' | 'properties' | NamesOf>;

/** What is asked of whoever issues by a subscriber. */
function issuingBy({ name, ...says }: Issuing): { by: IssuingRight; facts: CertificateFacts } {
  const { commonName } = says;
  return {
    by: { permission: subscriberPermissions['issue-cert'], fields: { name } },
    facts: {
      commonName,
      subject: subjectOf(says),
      names: altNamesOf(says),
      friendlyName: commonName,
      status: 'active',
    },
  };
}

/**
 * Checks the permission to issue by a subscriber: it is sufficient unless a rule forbids the certificate itself.
 *
 * @throws DomainError 403, 404
 */
export async function authorizeIssueBy(ctx: Context, row: Issuing): Promise<void> {
  const { by, facts } = issuingBy(row);
  await authorizeSubscriber(ctx, by.permission, row.projectId, row.name);
  await authorizeIssue(ctx, row.projectId, by, facts);
}

/** The same for issuing by itself, again and again: without an end. @throws DomainError 403, 404 */
export async function authorizeAutoRenewalBy(ctx: Context, row: Issuing): Promise<void> {
  const { by, facts } = issuingBy(row);
  await authorizeSubscriber(ctx, by.permission, row.projectId, row.name);
  await requireMayKeepIssuing(ctx, row.projectId, by, facts);
}

type Renewed = Pick<SubscriberRow, 'enableAutoRenewal' | 'autoRenewalPeriodInDays' | 'ttl'>;

/** @throws DomainError 400 if the renewal time is missing, or the validity too short. */
export function requireRenewable(row: Renewed): void {
  if (!row.enableAutoRenewal) return;
  const refuse = (message: string) => badRequest('pki_subscriber.auto_renewal', message);
  if (row.autoRenewalPeriodInDays === null)
    throw refuse('autoRenewalPeriodInDays is required: days before the end at which a certificate is renewed');
  if (ttlOf(row) < SHORTEST_RENEWED) throw refuse('The minimum validity for auto-renewal is one hour');
}

import { absentActor, actingAs, projectPermissions } from '../../access/index.ts';
import {
  at,
  isRefusal,
  orUnknown,
  statement,
  type Context,
  type Statement,
  type Transaction,
} from '../../kernel/index.ts';
import { requireNotCompromised } from '../authority/index.ts';
import {
  authorizeCertificate,
  authorizeIssue,
  certificateFactsOf,
  certificatePermissions,
  constraintsFound,
  lockCertificate,
  requireDirectIssuance,
  type IssuingRight,
} from '../certificate/index.ts';
import { refused, refuseErrors } from '../constraint/index.ts';
import { compilePolicy, type PolicyRules } from '../policy/index.ts';
import { readCsr, subjectNamed, type NamedSubject, type Subject } from '../x509.ts';
import { contentOf } from './place.ts';
import type { OrderRow } from './stored.ts';

/*
 * An order waits for its authority, for up to a day. What was true when it was placed has to be true before each step there,
 * and when its certificate is stored, as if it was issued here at that moment.
 */

const AUTHORITY = statement(
  'certificate_orders.hold_authority',
  `select status, enable_direct_issuance as "enableDirectIssuance" from external_authorities
   where organization_id = $1 and id = $2 for share`,
);
const SUBSCRIBER = statement(
  'certificate_orders.hold_subscriber',
  `select name, status, updated_at as "updatedAt" from pki_subscribers where organization_id = $1 and id = $2
   for no key update`,
);
const PROFILE = statement(
  'certificate_orders.profile',
  `select p.slug, p.external_ca_id as "externalCaId", p.defaults, c.rules from certificate_profiles p join certificate_policies c on c.id = p.certificate_policy_id
   where p.organization_id = $1 and p.id = $2`,
);

/** What an order names; `undefined` where that was deleted. */
async function found<Row extends object>(ctx: Context, by: Statement, { organizationId }: OrderRow, id: string | null) {
  return id === null ? undefined : (await ctx.sql<Row>(by, [organizationId, id]))[0];
}

const ended = (what: string) => refused('certificate_order.ended', `${what} since the certificate was ordered`);

/**
 * Checks that an order may be carried out, by what its authority, profile, policy, subscriber, renewed certificate and key are
 * now, and by the present rights of whoever has placed it. What it names is locked until the transaction ends.
 *
 * @returns The policy that the issued certificate has to satisfy; absent without a policy.
 * @throws DomainError 400 `certificate_order.ended`, `certificate.key_compromised`, or named by the violated rule.
 */
export async function requireStanding(tx: Transaction, order: OrderRow): Promise<PolicyRules | undefined> {
  const { source, isRenewal = order.renewedFromId !== null } = order.content;
  // In the order in which revocations and changes of subscribers lock.
  if (source !== 'subscriber' && isRenewal) await requireRenewed(tx, order);
  type Authority = { status: string; enableDirectIssuance: boolean };
  const authority = await found<Authority>(tx, AUTHORITY, order, order.externalCaId);
  if (authority?.status !== 'active') throw ended('The certificate authority was disabled or deleted');
  await requireNotCompromised(tx, order, readCsr(order.csr).publicKey);
  if (source === 'subscriber') {
    await requireRight(tx, order, await ofSubscriber(tx, order));
    return undefined;
  }
  const profile = await profileOf(tx, order, isRenewal);
  requireDirectIssuance(authority, { profile });
  const by = profile && { permission: issueByProfile, fields: { slug: profile.slug } };
  const allowed = await requireRight(tx, order, by);
  if (!profile) return order.content.rules;
  await requireAllowed(tx, order, profile.rules, [subjectNamed(profile.defaults ?? {}), allowed]);
  return profile.rules;
}

async function requireRenewed(tx: Transaction, order: OrderRow): Promise<void> {
  const { renewedFromId } = order;
  const renewed = renewedFromId === null ? undefined : await orUnknown(lockCertificate(tx, renewedFromId));
  if (renewed?.status !== 'active') throw ended('The certificate that is renewed was revoked or deleted');
  if (order.content.isAutomatic && renewed.renewBeforeDays === null) throw ended('Auto-renewal was disabled');
  await byRequester(tx, order, (acting) =>
    authorizeCertificate(acting, certificatePermissions.edit, order.projectId, certificateFactsOf(renewed)),
  );
}

const issueBySubscriber = projectPermissions('pki-subscribers')['issue-cert'];
const issueByProfile = projectPermissions('certificate-profiles')['issue-cert'];

async function ofSubscriber(tx: Transaction, order: OrderRow): Promise<IssuingRight> {
  type Subscriber = { name: string; status: string; updatedAt: string };
  const subscriber = await found<Subscriber>(tx, SUBSCRIBER, order, order.pkiSubscriberId);
  if (subscriber?.status !== 'active') throw ended('The subscriber was disabled or deleted');
  if (at(subscriber.updatedAt) > at(order.createdAt)) throw ended('The subscriber was changed');
  return { permission: issueBySubscriber, fields: { name: subscriber.name } };
}

interface Profile {
  readonly slug: string;
  readonly externalCaId: string | null;
  readonly defaults: NamedSubject | null;
  readonly rules: PolicyRules;
}

async function profileOf(tx: Transaction, order: OrderRow, isRenewal: boolean): Promise<Profile | undefined> {
  const profile = await found<Profile>(tx, PROFILE, order, order.profileId);
  // What was issued by a profile is renewed without it.
  if (!profile && isRenewal) return undefined;
  if (!profile) throw ended('The profile was deleted');
  if (profile.externalCaId !== order.externalCaId) throw ended('The profile got another authority');
  return profile;
}

/** Checks the order by the present policy. `allowed`: attributes by the defaults of the profile, and by the rules of the requester. */
async function requireAllowed(
  tx: Transaction,
  order: OrderRow,
  rules: PolicyRules,
  allowed: readonly Subject[],
): Promise<void> {
  const { subject, names: altNames, content, csr } = order;
  const { keyUsages, extendedKeyUsages, ttl } = content;
  const says = { subject, altNames, keyUsages, extendedKeyUsages };
  const wanted = contentOf(tx.now(), says, readCsr(csr).publicKey, ttl);
  refuseErrors(await constraintsFound({ constraints: [compilePolicy(rules)], allowedSubjects: allowed }, wanted));
}

async function requireRight(tx: Transaction, order: OrderRow, by: IssuingRight | undefined): Promise<Subject> {
  const { projectId, commonName, subject, names, friendlyName } = order;
  const facts = { commonName, subject, names, friendlyName, status: 'active' };
  return (await byRequester(tx, order, (acting) => authorizeIssue(acting, projectId, by, facts))) ?? {};
}

/** Orders that were placed automatically have nobody who could lose a right. */
async function byRequester<Found>(
  tx: Transaction,
  order: OrderRow,
  authorize: (acting: Context) => Promise<Found>,
): Promise<Found | undefined> {
  if (!order.requester) return undefined;
  const actor = await absentActor(tx, order, order.requester);
  try {
    if (actor) return await authorize(actingAs(tx, actor));
  } catch (error) {
    throw isRefusal(error) ? noLongerTheirs() : error;
  }
  throw noLongerTheirs();
}

const noLongerTheirs = () => ended('Whoever ordered the certificate has lost the right to issue it');

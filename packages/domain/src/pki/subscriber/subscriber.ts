import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { count, defineEvent, defineUpdate, Id, Instant, parseDuration, slug, text, Uuid } from '../../kernel/schema.ts';
import { SignCertificate } from '../certificate/certificate.ts';
import { ExtendedKeyUsages, KeyUsages } from '../constraint/usage.ts';

export const subscriberPermissions = projectPermissions('pki-subscribers');

export const SubscriberStatus = z.enum(['active', 'disabled']);

const attribute = text(64).trim().min(1).optional();
const notOffered = (message: string) =>
  text(64)
    .refine(() => false, message)
    .optional();

/** The subject attributes besides the common name. Upper bounds of RFC 5280, appendix A.1. */
export const SubscriberProperties = z.object({
  organization: attribute,
  organizationalUnit: attribute,
  country: z
    .string()
    .trim()
    .regex(/^[A-Z]{2}$/, 'Expected two upper-case letters')
    .optional(),
  state: attribute,
  locality: attribute,
  emailAddress: notOffered('E-mail addresses are alternative names and not part of the subject'),
  azureTemplateType: notOffered('Certificates of Azure services are not supported'),
});
export type SubscriberProperties = z.output<typeof SubscriberProperties>;

/** A server, device or person whose certificates always have the same names. */
export const Subscriber = z.object({
  id: Uuid,
  projectId: Uuid,
  caId: Uuid.nullable().describe('Absent where the authority was deleted'),
  name: z.string(),
  commonName: z.string(),
  status: SubscriberStatus,
  subjectAlternativeNames: z.array(z.string()),
  ttl: z.string().nullable().describe('Validity of certificates. Default: 90 days'),
  keyUsages: KeyUsages,
  extendedKeyUsages: ExtendedKeyUsages,
  lastOperationStatus: z.enum(['success', 'failed']).nullable(),
  lastOperationMessage: z.string().nullable(),
  lastOperationAt: Instant.nullable(),
  enableAutoRenewal: z.boolean(),
  autoRenewalPeriodInDays: z.int().nullable().describe('Days before the end at which a certificate is renewed'),
  lastAutoRenewAt: Instant.nullable(),
  properties: SubscriberProperties.nullable(),
  supportsImmediateCertIssuance: z.boolean().describe('Whether it has an authority here, which issues immediately'),
});
export type Subscriber = z.output<typeof Subscriber>;

const Name = text(64).trim().toLowerCase().min(1);
export const SubscriberRef = z.object({ projectId: Id, subscriberName: Name });
export type SubscriberRef = z.output<typeof SubscriberRef>;

const MAX_NAMES = 16_384;

const Fields = {
  caId: Id.describe('An authority of the project'),
  name: slug(1, 64),
  commonName: text(64).trim().min(1),
  status: SubscriberStatus,
  ttl: text(100)
    .trim()
    .refine(
      (given) => given === '' || (parseDuration(given) ?? 0) > 0,
      'Expected a duration, for example 30m, 8h or 2d',
    )
    .meta({ examples: ['90d'] })
    .describe('Validity of certificates. Empty: 90 days'),
  subjectAlternativeNames: z
    .array(text(2048).trim().min(1))
    .max(200, { abort: true })
    .refine((names) => names.join('').length <= MAX_NAMES, `Expected at most ${MAX_NAMES} characters in total`)
    .describe('DNS names, IP addresses, e-mail addresses and URIs'),
  keyUsages: KeyUsages,
  extendedKeyUsages: ExtendedKeyUsages,
  enableAutoRenewal: z.boolean(),
  autoRenewalPeriodInDays: z
    .int()
    .min(1)
    .max(3650)
    .describe('A certificate is renewed at the earliest after half of its validity'),
  properties: SubscriberProperties,
};

export const CreateSubscriber = z.object({
  projectId: Id,
  ...Fields,
  status: Fields.status.default('active'),
  ttl: Fields.ttl.optional(),
  subjectAlternativeNames: Fields.subjectAlternativeNames.default([]),
  keyUsages: KeyUsages.default(['digitalSignature', 'keyEncipherment']),
  extendedKeyUsages: ExtendedKeyUsages.default([]),
  enableAutoRenewal: Fields.enableAutoRenewal.default(false),
  autoRenewalPeriodInDays: Fields.autoRenewalPeriodInDays.optional(),
  properties: Fields.properties.optional(),
});
export type CreateSubscriber = z.output<typeof CreateSubscriber>;

export const UpdateSubscriber = SubscriberRef.extend(z.object(Fields).partial().shape);
export type UpdateSubscriber = z.output<typeof UpdateSubscriber>;

export const SignForSubscriber = SubscriberRef.extend({ csr: SignCertificate.shape.csr });
export type SignForSubscriber = z.output<typeof SignForSubscriber>;

export const ListCertificatesOfSubscriber = SubscriberRef.extend({
  offset: count(0, 1_000_000_000).default(0),
  limit: count(1, 100).default(25),
});
export type ListCertificatesOfSubscriber = z.output<typeof ListCertificatesOfSubscriber>;

const named = { pkiSubscriberId: z.string(), name: z.string() };
const content = z.object({
  ...named,
  caId: z.string().nullable(),
  commonName: z.string(),
  subjectAlternativeNames: z.array(z.string()),
  status: z.string(),
  enableAutoRenewal: z.boolean(),
});
const issuing = z.object({ ...named, certificateId: z.string(), serialNumber: z.string() });
export const subscriberCreated = defineEvent('pki_subscriber.created', 'create-pki-subscriber', content);
export const subscriberUpdated = defineUpdate('pki_subscriber.updated', 'update-pki-subscriber', content);
export const subscriberDeleted = defineEvent('pki_subscriber.deleted', 'delete-pki-subscriber', z.object(named));
export const subscriberIssued = defineEvent('pki_subscriber.issued', 'issue-pki-subscriber-cert', issuing);
export const subscriberSigned = defineEvent('pki_subscriber.signed', 'sign-pki-subscriber-cert', issuing);
export const subscriberRenewed = defineEvent('pki_subscriber.renewed', 'automated-renew-subscriber-cert', issuing);
export const subscriberBundleRead = defineEvent(
  'pki_subscriber.bundle_read',
  'get-subscriber-active-cert-bundle',
  issuing,
);

import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { count, defineEvent, defineUpdate, Id, Instant, slug, text, Uuid } from '../../kernel/schema.ts';
import { MAX_RENEW_BEFORE } from '../certificate/certificate.ts';
import { caChain, passphrase, rotatePassphrase } from '../est-config/fields.ts';
import { extendedKeyUsageNamed, keyAlgorithmNamed, keyUsageNamed, signatureAlgorithmNamed } from '../policy/name.ts';
import { named } from '../policy/policy.ts';

export const certificateProfilePermissions = projectPermissions('certificate-profiles');

/** Usages, algorithms and names of a subject, as profiles and orders have them. */
export const Attributes = {
  commonName: text(256).optional(),
  organization: text(256).optional(),
  organizationalUnit: text(256).optional(),
  country: text(2).optional().describe('Two letters'),
  state: text(256).optional(),
  locality: text(256).optional(),
  keyUsages: z
    .array(named(keyUsageNamed, 'key usage', 'digital_signature'))
    .max(20)
    .optional(),
  extendedKeyUsages: z
    .array(named(extendedKeyUsageNamed, 'extended key usage', 'server_auth'))
    .max(20)
    .optional(),
  keyAlgorithm: named(keyAlgorithmNamed, 'key algorithm', 'EC_prime256v1').optional(),
  signatureAlgorithm: named(signatureAlgorithmNamed, 'signature algorithm', 'ECDSA-SHA256').optional(),
  basicConstraints: z
    .object({ isCA: z.boolean().optional(), pathLength: z.int().min(0).max(100).optional() })
    .refine(({ isCA }) => isCA !== true, 'CA certificates cannot be issued by profiles')
    .optional(),
};

export const ProfileDefaults = z.object({ ttlDays: z.int().min(1).max(36_500).optional(), ...Attributes });
export type ProfileDefaults = z.output<typeof ProfileDefaults>;

export const ApiConfig = z.object({
  autoRenew: z.boolean().optional().describe('Default: false'),
  renewBeforeDays: z.int().min(1).max(MAX_RENEW_BEFORE).nullable().optional().describe('Default: 7'),
});
export type ApiConfig = z.output<typeof ApiConfig>;
export const AcmeConfig = z.object({
  skipDnsOwnershipVerification: z.boolean().optional().describe('Default: false'),
  skipEabBinding: z.boolean().optional().describe('Default: false'),
});
export type AcmeConfig = z.output<typeof AcmeConfig>;

/** RFC 7030. The passphrase is not shown again. */
export const ProfileEstConfig = z.object({
  passphrase: passphrase.optional().describe('Default: generated, and returned once'),
  caChain: caChain.optional(),
  disableBootstrapCaValidation: z
    .boolean()
    .default(false)
    .describe('Whether the first enrolment needs no client certificate'),
});
const ChangeProfileEstConfig = z.object({
  passphrase: passphrase.optional(),
  rotatePassphrase,
  caChain: caChain.optional(),
  disableBootstrapCaValidation: z.boolean().optional(),
});
export type ChangeProfileEstConfig = z.output<typeof ChangeProfileEstConfig>;

export const ENROLLMENT_TYPES = ['api', 'est', 'acme', 'scep'] as const;
export type EnrollmentType = (typeof ENROLLMENT_TYPES)[number];
const enrollmentType = z.enum(ENROLLMENT_TYPES).describe('Supported: api, est, acme');
const issuerType = z.enum(['ca', 'self-signed']).describe('Supported: ca');

/** A name by which clients ask for certificates. */
export const CertificateProfile = z.object({
  id: Uuid,
  projectId: Uuid,
  caId: Uuid.nullable(),
  certificatePolicyId: Uuid,
  slug: z.string(),
  description: z.string().nullable(),
  enrollmentType: z.enum(ENROLLMENT_TYPES),
  issuerType: z.enum(['ca', 'self-signed']),
  apiConfig: z.object({ autoRenew: z.boolean(), renewBeforeDays: z.int().nullable() }).nullable(),
  acmeConfig: AcmeConfig.required().extend({ id: Uuid, directoryUrl: z.string() }).nullable(),
  estConfig: z
    .object({
      id: Uuid,
      disableBootstrapCaValidation: z.boolean(),
      caChain: z.string().nullable().describe('PEM'),
      passphrase: z.string().optional().describe('Returned once, if it was generated'),
    })
    .nullable(),
  externalConfigs: z.null(),
  defaults: ProfileDefaults.nullable(),
  certificateAuthority: z.object({ id: Uuid, name: z.string(), status: z.string() }).nullable(),
  certificatePolicy: z.object({ id: Uuid, name: z.string() }),
  createdAt: Instant,
  updatedAt: Instant,
});
export type CertificateProfile = z.output<typeof CertificateProfile>;

const Fields = {
  caId: Id.nullable().optional(),
  certificatePolicyId: Id,
  slug: slug(1, 255),
  description: text(1000).nullable().optional(),
  enrollmentType,
  apiConfig: ApiConfig.nullable().optional(),
  acmeConfig: AcmeConfig.nullable().optional(),
  estConfig: ProfileEstConfig.nullable().optional(),
  externalConfigs: z.record(text(64), z.unknown()).nullable().optional(),
  defaults: ProfileDefaults.nullable().optional(),
};

export const CreateCertificateProfile = z.object({ projectId: Id, ...Fields, issuerType: issuerType.default('ca') });
export type CreateCertificateProfile = z.output<typeof CreateCertificateProfile>;

export const CertificateProfileRef = z.object({ profileId: Id });
export type CertificateProfileRef = z.output<typeof CertificateProfileRef>;

export const UpdateCertificateProfile = CertificateProfileRef.extend({
  ...z.object({ ...Fields, estConfig: ChangeProfileEstConfig.nullable().optional(), issuerType }).partial().shape,
});
export type UpdateCertificateProfile = z.output<typeof UpdateCertificateProfile>;

export const ListCertificateProfiles = z.object({
  projectId: Id,
  offset: count(0, 1_000_000).default(0),
  limit: count(1, 100).default(20),
  search: text(255).optional().describe('A part of the slug or description'),
  enrollmentType: enrollmentType.optional(),
  issuerType: issuerType.optional(),
  caId: Id.optional(),
});
export type ListCertificateProfiles = z.output<typeof ListCertificateProfiles>;

const data = z.object({ certificateProfileId: z.string(), slug: z.string() });
export const certificateProfileCreated = defineEvent('certificate_profile.created', 'create-certificate-profile', data);
export const certificateProfileUpdated = defineUpdate(
  'certificate_profile.updated',
  'update-certificate-profile',
  data,
);
export const certificateProfileDeleted = defineEvent('certificate_profile.deleted', 'delete-certificate-profile', data);

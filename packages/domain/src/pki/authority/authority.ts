import { KEY_ALGORITHMS } from '@coffer/x509/content';
import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { count, defineEvent, defineUpdate, flag, Id, Instant, text, Uuid } from '../../kernel/schema.ts';
import { moment } from './moment.ts';

export const authorityPermissions = projectPermissions('certificate-authorities');

export const AuthorityType = z.enum(['root', 'intermediate']);
export type AuthorityType = z.output<typeof AuthorityType>;

/** `pending-certificate`: it has a key, and waits for a certificate of an external authority. */
export const AuthorityStatus = z.enum(['active', 'disabled', 'pending-certificate']);
export type AuthorityStatus = z.output<typeof AuthorityStatus>;

/**
 * The signer of OCSP responses: the key of the authority, or a delegated responder, which Coffer creates and renews.
 */
export const OcspResponder = z.enum(['authority', 'delegated']);
export type OcspResponder = z.output<typeof OcspResponder>;
const ocspResponder = OcspResponder.optional().describe(
  'The signer of OCSP responses: the authority itself (default), or a delegated responder with its own certificate',
);

/** What people switch between. */
export const SetStatus = z.enum(['active', 'disabled']);

export const KeyAlgorithmName = z.enum(KEY_ALGORITHMS).meta({ examples: ['EC_prime256v1'] });

/** A limit above all practical path lengths. */
const MAX_PATH_LENGTH = 255;
const pathLength = z
  .int()
  .min(-1)
  .max(MAX_PATH_LENGTH)
  .describe('Maximum number of authorities below it in a chain; -1: unlimited');

const SubtreeType = z.enum(['dns', 'ip', 'email', 'uri']);
const Subtree = z.object({
  type: SubtreeType,
  value: text(255).trim().min(1).describe('A domain including its subdomains, a CIDR range, or a host'),
});
/** RFC 5280, section 4.2.1.10. */
export const NameConstraintsInput = z
  .object({ permitted: z.array(Subtree).max(100).optional(), excluded: z.array(Subtree).max(100).optional() })
  .describe('Names that certificates below it may or may not have');

const attribute = (max: number) => text(max).trim();
/** Upper bounds of RFC 5280, appendix A.1. */
const SubjectFields = {
  commonName: attribute(64).default(''),
  organization: attribute(64).default(''),
  ou: attribute(64).default(''),
  country: attribute(2).default('').describe('Two letters'),
  province: attribute(128).default(''),
  locality: attribute(128).default(''),
};
const name = text(64).trim().min(1);
const friendlyName = text(255).trim();

const END = moment().meta({ examples: ['2034-01-01T00:00:00Z'] });

/** The properties of a new authority. */
const Given = {
  type: AuthorityType,
  friendlyName: friendlyName.optional(),
  ...SubjectFields,
  notBefore: moment().optional().describe('Default: now'),
  notAfter: moment().optional().describe('Default: ten years later'),
  maxPathLength: pathLength.nullable().default(-1),
  keyAlgorithm: KeyAlgorithmName.default('RSA_2048'),
  nameConstraints: NameConstraintsInput.nullable().optional(),
  parentCaId: Id.nullable()
    .optional()
    .describe('For an intermediate: the authority of the project that signs it immediately'),
};

const Configuration = z.object(Given);

export const CreateAuthority = z.object({
  projectId: Id,
  name: name.describe('Unique in the project'),
  status: SetStatus.default('active'),
  enableDirectIssuance: z
    .boolean()
    .optional()
    .describe('Whether it can issue without a template or profile. Default: true'),
  disableDirectIssuance: z.boolean().optional().describe('The opposite, under a legacy name'),
  ocspResponder,
  configuration: Configuration,
});
export type CreateAuthority = z.output<typeof CreateAuthority>;

/** The older form of it, without the project. */
export const CreateAuthorityV1 = z.object({
  projectSlug: z.string().trim(),
  requireTemplateForIssuance: z.boolean().optional(),
  ...Given,
});
export type CreateAuthorityV1 = z.output<typeof CreateAuthorityV1>;

export const AuthorityRef = z.object({ caId: Id });
export type AuthorityRef = z.output<typeof AuthorityRef>;

export const ListAuthorities = z.object({ projectId: Id });
export type ListAuthorities = z.output<typeof ListAuthorities>;

export const ListAuthoritiesV1 = z.object({
  slug: z.string().trim(),
  status: AuthorityStatus.optional(),
  friendlyName: text(255).optional(),
  commonName: text(255).optional(),
  offset: count(0, 1_000_000).default(0),
  limit: count(1, 1000).default(1000),
});
export type ListAuthoritiesV1 = z.output<typeof ListAuthoritiesV1>;

/** The sent configuration must equal the stored one, except the friendly name. */
const Changes = z.object({
  type: AuthorityType.optional(),
  friendlyName: friendlyName.optional(),
  commonName: text(64).optional(),
  organization: text(64).optional(),
  ou: text(64).optional(),
  country: text(2).optional(),
  province: text(128).optional(),
  locality: text(128).optional(),
  keyAlgorithm: KeyAlgorithmName.optional(),
  maxPathLength: pathLength.nullable().optional(),
  notBefore: moment().nullable().optional(),
  notAfter: moment().nullable().optional(),
});

export const UpdateAuthority = AuthorityRef.extend({
  name: name.optional(),
  status: SetStatus.optional(),
  enableDirectIssuance: z.boolean().optional(),
  disableDirectIssuance: z.boolean().optional(),
  requireTemplateForIssuance: z.boolean().optional().describe('The same, under the first legacy name'),
  ocspResponder,
  configuration: Changes.optional(),
});
export type UpdateAuthority = z.output<typeof UpdateAuthority>;

/** The published form of an authority. */
export const Authority = z.object({
  id: Uuid,
  projectId: Uuid,
  name: z.string(),
  type: z.literal('internal'),
  status: AuthorityStatus,
  enableDirectIssuance: z.boolean(),
  ocspResponder: OcspResponder,
  createdAt: Instant,
  updatedAt: Instant,
  configuration: z.object({
    type: AuthorityType,
    friendlyName: z.string(),
    commonName: z.string(),
    organization: z.string(),
    ou: z.string(),
    country: z.string(),
    province: z.string(),
    locality: z.string(),
    dn: z.string().describe('RFC 4514'),
    keyAlgorithm: z.string(),
    maxPathLength: z.number().int().describe('-1: unlimited'),
    nameConstraints: z
      .object({
        permitted: z.array(z.object({ type: SubtreeType, value: z.string() })).optional(),
        excluded: z.array(z.object({ type: SubtreeType, value: z.string() })).optional(),
      })
      .nullable(),
    parentCaId: Uuid.nullable(),
    notBefore: Instant.nullable(),
    notAfter: Instant.nullable(),
    serialNumber: z.string().nullable().describe('Serial number of its certificate'),
    activeCaCertId: Uuid.nullable(),
  }),
});
export type Authority = z.output<typeof Authority>;

/** PEM texts. */
export const AuthorityCertificate = z.object({
  certificate: z.string(),
  certificateChain: z.string().describe('The certificates above it, nearest first; empty for a root'),
  serialNumber: z.string(),
});
export type AuthorityCertificate = z.output<typeof AuthorityCertificate>;

export const ListedAuthorityCertificate = AuthorityCertificate.extend({
  id: Uuid,
  version: z.number().int(),
  notBefore: Instant,
  notAfter: Instant,
});
export type ListedAuthorityCertificate = z.output<typeof ListedAuthorityCertificate>;

export const RenewAuthority = AuthorityRef.extend({
  type: z.enum(['existing', 'new']).describe('Whether to keep the key or to generate a new one'),
  notAfter: END,
});
export type RenewAuthority = z.output<typeof RenewAuthority>;

const MAX_PEM = 100_000;

export const ImportAuthorityCertificate = AuthorityRef.extend({
  certificate: text(MAX_PEM).describe('PEM'),
  certificateChain: text(MAX_PEM).describe('PEM of the certificates above it, nearest first, up to the root'),
});
export type ImportAuthorityCertificate = z.output<typeof ImportAuthorityCertificate>;

export const SignIntermediate = AuthorityRef.extend({
  csr: text(MAX_PEM).trim().describe('PEM of a certificate signing request (PKCS #10)'),
  notBefore: moment().optional().describe('Default: now'),
  notAfter: END,
  maxPathLength: pathLength.default(-1),
  nameConstraints: NameConstraintsInput.optional(),
});
export type SignIntermediate = z.output<typeof SignIntermediate>;

export const SignedIntermediate = AuthorityCertificate.extend({ issuingCaCertificate: z.string() });
export type SignedIntermediate = z.output<typeof SignedIntermediate>;

export const AuthorityCertificateRef = z.object({ caId: Id, caCertId: Id });
export type AuthorityCertificateRef = z.output<typeof AuthorityCertificateRef>;

export const AutoRenewal = z.object({
  caId: Uuid,
  enableAutoRenewal: z.boolean(),
  renewBeforeDays: z
    .number()
    .int()
    .nullable()
    .describe('Days before the end of its certificate at which it is renewed'),
});
export type AutoRenewal = z.output<typeof AutoRenewal>;

export const UpdateAutoRenewal = AuthorityRef.extend({
  enableAutoRenewal: flag().optional(),
  renewBeforeDays: z.int().min(1).max(3650).optional().describe('Default: the present value, or 30'),
});
export type UpdateAutoRenewal = z.output<typeof UpdateAutoRenewal>;

/** Who signs an intermediate's next certificate. */
export const SigningConfig = z.object({
  caId: Uuid,
  type: z
    .enum(['internal', 'external'])
    .describe('`internal`: an authority of the project; `external`: by CSR and import'),
  parentCaId: Uuid.nullable(),
});
export type SigningConfig = z.output<typeof SigningConfig>;

export const SetSigningConfig = AuthorityRef.extend({
  type: z.literal('internal').default('internal'),
  parentCaId: Id,
  notAfter: moment().optional().describe('End of the first certificate. Default: ten years, or the end of the parent'),
});
export type SetSigningConfig = z.output<typeof SetSigningConfig>;

const data = z.object({ caId: z.string(), name: z.string() });
const certified = data.extend({ serialNumber: z.string(), caCertificateId: z.string() });
export const authorityCreated = defineEvent('certificate_authority.created', 'create-certificate-authority', data);
export const authorityUpdated = defineUpdate('certificate_authority.updated', 'update-certificate-authority', data);
export const authorityDeleted = defineEvent(
  'certificate_authority.deleted',
  'delete-certificate-authority',
  data.extend({ certificates: z.number().int(), revoked: z.number().int() }),
);
export const authorityRenewed = defineEvent(
  'certificate_authority.renewed',
  'renew-certificate-authority',
  certified.extend({ key: z.enum(['existing', 'new']), isAutomatic: z.boolean() }),
);
export const authorityActivated = defineEvent(
  'certificate_authority.signed',
  'sign-certificate-authority',
  certified.extend({ parentCaId: z.string() }),
);
export const authorityImported = defineEvent(
  'certificate_authority.imported',
  'import-certificate-authority-certificate',
  certified,
);
export const intermediateSigned = defineEvent(
  'certificate_authority.signed_intermediate',
  'sign-intermediate',
  data.extend({ certificateId: z.string(), serialNumber: z.string(), dn: z.string() }),
);
export const requestMade = defineEvent('certificate_authority.request_made', 'get-certificate-authority-csr', data);
export const keyPrepared = defineEvent(
  'certificate_authority.key_prepared',
  'create-certificate-authority-key',
  data.extend({ caKeyId: z.string() }),
);

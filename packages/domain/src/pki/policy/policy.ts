import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { count, defineEvent, defineUpdate, duration, Id, Instant, text, Uuid } from '../../kernel/schema.ts';
import {
  altNameTypeNamed,
  extendedKeyUsageNamed,
  keyAlgorithmNamed,
  keyUsageNamed,
  signatureAlgorithmNamed,
  subjectFieldNamed,
} from './name.ts';

export const certificatePolicyPermissions = projectPermissions('certificate-policies');

const MAX_RULES = 20;
const MAX_VALUES = 100;

const values = (of: z.ZodType<string>) => z.array(of).max(MAX_VALUES);
const lists = (of: z.ZodType<string>) => ({
  allowed: values(of).optional(),
  required: values(of).optional(),
  denied: values(of).optional(),
});
/** A name in one of the accepted spellings. */
export const named = (isKnown: (name: string) => unknown, what: string, example: string) =>
  text(64)
    .refine((name) => isKnown(name) !== undefined, `This is not a valid ${what}`)
    .meta({ examples: [example] });

const pattern = text(1024)
  .trim()
  .min(1)
  .describe('Text in which * matches any characters')
  .meta({ examples: ['*.example.com'] });

const names = (isKnown: (name: string) => string | undefined, what: string, example: string) =>
  z
    .array(z.object({ type: named(isKnown, what, example), ...lists(pattern) }))
    .max(MAX_RULES, { abort: true })
    .refine(
      (rules) => new Set(rules.map(({ type }) => isKnown(type))).size === rules.length,
      'Each type can have only one rule',
    );

/** The content of a policy, as published and stored. */
export const PolicyRules = z.object({
  subject: names(subjectFieldNamed, 'attribute of a subject', 'common_name').optional(),
  sans: names(altNameTypeNamed, 'kind of alternative name', 'dns_name')
    .optional()
    .describe('Kinds that are not named are not allowed, where any is'),
  keyUsages: z.object(lists(named(keyUsageNamed, 'key usage', 'digital_signature'))).optional(),
  extendedKeyUsages: z.object(lists(named(extendedKeyUsageNamed, 'extended key usage', 'server_auth'))).optional(),
  algorithms: z
    .object({
      signature: values(named(signatureAlgorithmNamed, 'signature algorithm', 'ECDSA-SHA256')).optional(),
      keyAlgorithm: values(named(keyAlgorithmNamed, 'key algorithm', 'EC_prime256v1')).optional(),
    })
    .optional(),
  validity: z.object({ max: duration().optional() }).optional(),
  basicConstraints: z
    .object({
      isCA: z.enum(['allowed', 'required', 'denied']).optional(),
      maxPathLength: z.int().min(-1).max(100).optional(),
    })
    .optional(),
});
export type PolicyRules = z.output<typeof PolicyRules>;

const said = <T extends z.ZodType>(of: z.ZodOptional<T>) => of.unwrap().nullable();
const { shape } = PolicyRules;

export const CertificatePolicy = z.object({
  id: Uuid,
  projectId: Uuid,
  name: z.string(),
  description: z.string().nullable(),
  subject: said(shape.subject),
  sans: said(shape.sans),
  keyUsages: said(shape.keyUsages),
  extendedKeyUsages: said(shape.extendedKeyUsages),
  algorithms: said(shape.algorithms),
  validity: said(shape.validity),
  basicConstraints: said(shape.basicConstraints),
  createdAt: Instant,
  updatedAt: Instant,
});
export type CertificatePolicy = z.output<typeof CertificatePolicy>;

/** Absent parts of a policy may be null, as they are returned. */
const RulesInput = z.object({
  subject: shape.subject.nullable(),
  sans: shape.sans.nullable(),
  keyUsages: shape.keyUsages.nullable(),
  extendedKeyUsages: shape.extendedKeyUsages.nullable(),
  algorithms: shape.algorithms.nullable(),
  validity: shape.validity.nullable(),
  basicConstraints: shape.basicConstraints.nullable(),
});
const name = text(255).trim().min(1);
const description = text(1000);

export const CreateCertificatePolicy = RulesInput.extend({
  projectId: Id,
  name,
  description: description.nullable().optional(),
});
export type CreateCertificatePolicy = z.output<typeof CreateCertificatePolicy>;

export const CertificatePolicyRef = z.object({ certificatePolicyId: Id });
export type CertificatePolicyRef = z.output<typeof CertificatePolicyRef>;

export const UpdateCertificatePolicy = CertificatePolicyRef.extend({
  ...RulesInput.shape,
  name: name.optional(),
  description: description.nullable().optional(),
});
export type UpdateCertificatePolicy = z.output<typeof UpdateCertificatePolicy>;

export const ListCertificatePolicies = z.object({
  projectId: Id,
  offset: count(0, 1_000_000).default(0),
  limit: count(1, 100).default(20),
  search: text(255).optional().describe('A part of the name'),
});
export type ListCertificatePolicies = z.output<typeof ListCertificatePolicies>;

const data = z.object({ certificatePolicyId: z.string(), name: z.string() });
export const certificatePolicyCreated = defineEvent('certificate_policy.created', 'create-certificate-policy', data);
export const certificatePolicyUpdated = defineUpdate('certificate_policy.updated', 'update-certificate-policy', data);
export const certificatePolicyDeleted = defineEvent('certificate_policy.deleted', 'delete-certificate-policy', data);

import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { count, defineEvent, defineUpdate, duration, Id, text, Uuid } from '../../kernel/schema.ts';
import { ExtendedKeyUsages, KeyUsages } from '../constraint/usage.ts';

export const certificateTemplatePermissions = projectPermissions('certificate-templates');

/** The constraints of an authority's certificates that are issued by it. */
export const CertificateTemplate = z.object({
  id: Uuid,
  caId: Uuid,
  name: z.string(),
  commonName: z.string().describe('A regular expression (RE2) that must match the whole common name'),
  subjectAlternativeName: z.string().describe('A regular expression (RE2) that must match each whole alternative name'),
  pkiCollectionId: Uuid.nullable().describe('The collection to which certificates are added'),
  ttl: z.string().describe('Maximum validity'),
  keyUsages: KeyUsages,
  extendedKeyUsages: ExtendedKeyUsages,
  projectId: Uuid,
  caName: z.string(),
});
export type CertificateTemplate = z.output<typeof CertificateTemplate>;

/** As lists of an authority have it. */
export const AuthorityTemplate = CertificateTemplate.omit({ projectId: true, caName: true }).extend({
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type AuthorityTemplate = z.output<typeof AuthorityTemplate>;

const Fields = {
  caId: Id,
  pkiCollectionId: Id.nullable(),
  name: text(64).trim().min(1),
  commonName: text(1024)
    .trim()
    .min(1)
    .meta({ examples: ['.*\\.example\\.com'] }),
  subjectAlternativeName: text(1024)
    .trim()
    .min(1)
    .meta({ examples: ['.*\\.example\\.com'] }),
  ttl: duration(),
  keyUsages: KeyUsages,
  extendedKeyUsages: ExtendedKeyUsages,
};

export const CreateCertificateTemplate = z.object({
  ...Fields,
  pkiCollectionId: Fields.pkiCollectionId.optional(),
  keyUsages: Fields.keyUsages.default(['digitalSignature', 'keyEncipherment']),
  extendedKeyUsages: Fields.extendedKeyUsages.default([]),
});
export type CreateCertificateTemplate = z.output<typeof CreateCertificateTemplate>;

export const CertificateTemplateRef = z.object({ certificateTemplateId: Id });
export type CertificateTemplateRef = z.output<typeof CertificateTemplateRef>;

export const UpdateCertificateTemplate = z.object(Fields).partial().extend(CertificateTemplateRef.shape);
export type UpdateCertificateTemplate = z.output<typeof UpdateCertificateTemplate>;

export const ListCertificateTemplates = z.object({
  projectId: Id,
  offset: count(0, 1_000_000).default(0),
  limit: count(1, 100).default(100),
});
export type ListCertificateTemplates = z.output<typeof ListCertificateTemplates>;

const data = z.object({ certificateTemplateId: z.string(), name: z.string(), caId: z.string() });
export const certificateTemplateCreated = defineEvent(
  'certificate_template.created',
  'create-certificate-template',
  data,
);
export const certificateTemplateUpdated = defineUpdate(
  'certificate_template.updated',
  'update-certificate-template',
  data,
);
export const certificateTemplateDeleted = defineEvent(
  'certificate_template.deleted',
  'delete-certificate-template',
  data,
);

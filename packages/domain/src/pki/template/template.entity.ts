import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import { AuthorityEntity } from '../authority/authority.entity.ts';

export const CertificateTemplateEntity = defineEntity({
  name: 'CertificateTemplate',
  tableName: 'certificate_templates',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    caId: () => p.manyToOne(AuthorityEntity).mapToPk().fieldName('ca_id'),
    pkiCollectionId: p.uuid().nullable(),
    name: p.text(),
    commonName: p.text(),
    subjectAlternativeName: p.text(),
    ttl: p.text(),
    keyUsages: p.array().$type<string[]>(),
    extendedKeyUsages: p.array().$type<string[]>(),
  },
});
export type CertificateTemplateEntity = InferEntity<typeof CertificateTemplateEntity>;

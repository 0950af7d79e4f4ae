import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import type { KeyAlgorithm, NameConstraints, Subject } from '../x509.ts';
import type { AuthorityStatus, AuthorityType, OcspResponder } from './authority.ts';

/** Its keys and certificates are rows of their own; see `stored.ts`. */
export const AuthorityEntity = defineEntity({
  name: 'CertificateAuthority',
  tableName: 'certificate_authorities',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    name: p.text(),
    friendlyName: p.text(),
    type: p.text().$type<AuthorityType>(),
    status: p.text().$type<AuthorityStatus>(),
    enableDirectIssuance: p.boolean(),
    ocspResponder: p.text().$type<OcspResponder>(),
    subject: p.json().$type<Subject>(),
    dn: p.text(),
    keyAlgorithm: p.text().$type<KeyAlgorithm>(),
    maxPathLength: p.integer().nullable(),
    nameConstraints: p.json().$type<NameConstraints>().nullable(),
    parentCaId: p.uuid().nullable(),
    activeKeyId: p.uuid().nullable(),
    activeCertificateId: p.uuid().nullable(),
    serialNumber: p.text().nullable(),
    notBefore: p.datetime().nullable(),
    notAfter: p.datetime().nullable(),
    autoRenewDays: p.integer().nullable(),
  },
});
export type AuthorityEntity = InferEntity<typeof AuthorityEntity>;

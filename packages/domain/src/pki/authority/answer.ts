import type { Authority } from './authority.ts';
import type { AuthorityEntity } from './authority.entity.ts';

/** The published form of an authority. */
export function toAuthority(row: AuthorityEntity): Authority {
  const { subject, nameConstraints } = row;
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    type: 'internal',
    status: row.status,
    enableDirectIssuance: row.enableDirectIssuance,
    ocspResponder: row.ocspResponder,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    configuration: {
      type: row.type,
      friendlyName: row.friendlyName,
      commonName: subject.commonName ?? '',
      organization: subject.organization ?? '',
      ou: subject.organizationalUnit ?? '',
      country: subject.country ?? '',
      province: subject.province ?? '',
      locality: subject.locality ?? '',
      dn: row.dn,
      keyAlgorithm: row.keyAlgorithm,
      maxPathLength: row.maxPathLength ?? -1,
      nameConstraints: nameConstraints
        ? { permitted: [...(nameConstraints.permitted ?? [])], excluded: [...(nameConstraints.excluded ?? [])] }
        : null,
      parentCaId: row.parentCaId ?? null,
      notBefore: row.notBefore ?? null,
      notAfter: row.notAfter ?? null,
      serialNumber: row.serialNumber ?? null,
      activeCaCertId: row.activeCertificateId ?? null,
    },
  };
}

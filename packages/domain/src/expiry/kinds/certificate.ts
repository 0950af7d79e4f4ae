import { allowsNothing } from '../../access/index.ts';
import { authorityPermissions } from '../../pki/authority/index.ts';
import { allowsCertificate, certificateFactsOf, certificatePermissions } from '../../pki/certificate/index.ts';
import { defineEnds } from '../kind.ts';

type Facts = Parameters<typeof certificateFactsOf>[0] & {
  readonly renewedBy: string | null;
  readonly renewBeforeDays: number | null;
};

/** Valid ones. That of an authority is shown as the authority: the same one, since serial numbers can be chosen. */
export const certificates = defineEnds<Facts>({
  kind: 'certificate',
  from: `certificates c left join certificate_authorities a on a.id = c.ca_id
    left join external_authorities x on x.id = c.external_ca_id`,
  where: `c.organization_id = board.organization_id and c.project_id = board.project_id and c.status = 'active'
    and not (c.is_ca and exists (select from certificate_authorities o
      cross join lateral (select k.body from ca_certificates k where k.ca_id = o.id offset 0) k
      where o.project_id = c.project_id and o.serial_number = c.serial_number and k.body = c.body))`,
  id: 'c.id',
  endsAt: 'c.not_after',
  name: `coalesce(nullif(c.friendly_name, ''), nullif(c.common_name, ''), c.serial_number)`,
  of: 'coalesce(a.name, x.name)',
  columns: `c.common_name as "commonName", c.subject, c.names, c.friendly_name as "friendlyName", c.status,
    c.serial_number as "serialNumber", c.renew_before_days as "renewBeforeDays",
    (select r.id from certificates r where r.renewed_from_id = c.id) as "renewedBy"`,
  mayRead({ ability }) {
    const { read } = certificatePermissions;
    return allowsNothing(ability, read)
      ? undefined
      : (row) => allowsCertificate(ability, read, certificateFactsOf(row));
  },
  details: ({ renewedBy, renewBeforeDays }) => ({
    ...(renewedBy !== null && { renewedBy }),
    ...(renewBeforeDays !== null && { renewBeforeDays: String(renewBeforeDays) }),
  }),
});

export const certificateAuthorities = defineEnds({
  kind: 'certificate-authority',
  from: 'certificate_authorities a left join certificate_authorities p on p.id = a.parent_ca_id',
  where: 'a.organization_id = board.organization_id and a.project_id = board.project_id',
  id: 'a.id',
  endsAt: 'a.not_after',
  name: 'a.name',
  of: 'p.name',
  mayRead({ ability, projectId }) {
    const { read } = authorityPermissions;
    return allowsNothing(ability, read) ? undefined : ({ name }) => ability.can(read, { projectId, name });
  },
  mayNameOf:
    ({ ability, projectId }) =>
    ({ of: name }) =>
      ability.can(authorityPermissions.read, { projectId, name }),
});

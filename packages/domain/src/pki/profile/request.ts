import { z } from 'zod';
import { abilityIn, organizationOf, unlessHidden } from '../../access/index.ts';
import { at, count, Id, Instant, isId, notFound, statement, text, Uuid, type Context } from '../../kernel/index.ts';
import {
  authorizeCertificateById,
  certificateFactsOf,
  CertificateFilter,
  certificatePermissions,
  pageOf,
  shownCertificates,
  type Conditions,
} from '../certificate/index.ts';
import { cancelOrderAsCaller } from '../certificate-order/index.ts';
import type { AltName, Subject } from '../x509.ts';

const STATUSES = ['issued', 'pending', 'failed', 'cancelled'] as const;

/** A certificate request by a profile, with its result. */
export const CertificateRequest = z.object({
  id: Uuid,
  status: z.enum(STATUSES).describe('Authorities of Coffer respond immediately: only orders elsewhere are pending'),
  commonName: z.string(),
  altNames: z.string().nullable(),
  profileId: Uuid.nullable(),
  profileName: z.string().nullable(),
  caId: Uuid.nullable(),
  certificateId: Uuid.nullable(),
  serialNumber: z.string().nullable(),
  approvalRequestId: z.null(),
  errorMessage: z.string().nullable().describe('Why it failed'),
  pendingMessage: z.string().nullable().describe('What it waits for'),
  certificate: z.object({ id: Uuid, serialNumber: z.string(), status: z.string() }).nullable(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type CertificateRequest = z.output<typeof CertificateRequest>;

export const CertificateRequestRef = z.object({ requestId: Id });
export type CertificateRequestRef = z.output<typeof CertificateRequestRef>;

export const SearchCertificateRequests = z.object({
  projectId: Id,
  offset: count(0, 1_000_000).default(0),
  limit: count(1, 100).default(20),
  search: text(255).optional().describe('A part of a name or of the serial number'),
  status: z.enum(STATUSES).optional(),
  fromDate: CertificateFilter.shape.fromDate,
  toDate: CertificateFilter.shape.toDate,
  profileIds: z.array(Id).max(100).optional(),
  sortBy: z.enum(['createdAt', 'commonName']).default('createdAt'),
  sortOrder: z.enum(['asc', 'desc']).default('desc'),
  metadata: CertificateFilter.shape.metadata,
});
export type SearchCertificateRequests = z.output<typeof SearchCertificateRequests>;

interface Row {
  id: string;
  projectId: string;
  profileId: string | null;
  slug: string | null;
  caId: string | null;
  certificateId: string | null;
  serialNumber: string | null;
  status: 'active' | 'revoked';
  /** Of the request. */
  progress: (typeof STATUSES)[number];
  message: string | null;
  commonName: string;
  subject: Subject;
  altNames: string | null;
  names: AltName[];
  friendlyName: string;
  createdAt: string;
  updatedAt: string;
}

const SELECTED = `r.id, r.project_id as "projectId", r.profile_id as "profileId", p.slug, c.ca_id as "caId",
  r.certificate_id as "certificateId", c.serial_number as "serialNumber", c.status,
  c.common_name as "commonName", c.subject, c.alt_names as "altNames", c.names, c.friendly_name as "friendlyName",
  coalesce(o.status, 'issued') as progress, o.message, r.created_at as "createdAt",
  coalesce(o.updated_at, r.created_at) as "updatedAt"`;
/** Before it is issued, what is known of a certificate is in its order. */
const FROM = `certificate_requests r left join certificates i on i.id = r.certificate_id
  left join certificate_orders o on o.id = r.id
  cross join lateral (select coalesce(i.ca_id, i.external_ca_id, o.external_ca_id) as ca_id, i.serial_number,
    coalesce(i.status, 'active') as status, coalesce(i.common_name, o.common_name) as common_name,
    coalesce(i.subject, o.subject) as subject, coalesce(i.alt_names, o.alt_names) as alt_names,
    coalesce(i.names, o.names) as names, coalesce(i.friendly_name, o.friendly_name) as friendly_name,
    coalesce(i.metadata, o.content -> 'metadata') as metadata) c
  left join certificate_profiles p on p.id = r.profile_id`;
const BY_ID = statement(
  'certificate_requests.by_id',
  `select ${SELECTED} from ${FROM} where r.organization_id = $1 and r.id = $2`,
);
const COLUMNS = { createdAt: 'r.created_at', commonName: 'c.common_name' };
const WORDS = `concat_ws(' ', c.common_name, c.alt_names, c.serial_number)`;
const LISTING = {
  name: 'certificate_requests',
  columns: SELECTED,
  from: FROM,
  id: 'r.id',
};

const toRequest = (row: Row): CertificateRequest => ({
  id: row.id,
  status: row.progress,
  commonName: row.commonName,
  altNames: row.altNames,
  profileId: row.profileId,
  profileName: row.slug,
  caId: row.caId,
  certificateId: row.certificateId,
  serialNumber: row.serialNumber,
  approvalRequestId: null,
  errorMessage: row.progress === 'failed' ? row.message : null,
  pendingMessage: row.progress === 'pending' ? row.message : null,
  certificate:
    row.certificateId === null || row.serialNumber === null
      ? null
      : { id: row.certificateId, serialNumber: row.serialNumber, status: row.status },
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});

/**
 * For callers with the permission on its certificate. The key is read from the certificate.
 *
 * @throws DomainError 404, 403.
 */
export async function getCertificateRequest(
  ctx: Context,
  { requestId }: CertificateRequestRef,
  permission = certificatePermissions.read,
): Promise<CertificateRequest> {
  const thing = 'certificate request';
  const [row] = isId(requestId) ? await ctx.sql<Row>(BY_ID, [organizationOf(ctx), requestId]) : [];
  if (!row) throw notFound(thing);
  await unlessHidden(thing, abilityIn(ctx, row.projectId));
  const facts = certificateFactsOf({ ...row, serialNumber: row.serialNumber ?? '' });
  await authorizeCertificateById(ctx, permission, row.projectId, facts);
  return toRequest(row);
}

const OVER: Readonly<Record<string, string>> = {
  issued: 'The certificate is already issued; revoke it instead',
  failed: 'The request has failed already',
  cancelled: 'The request was cancelled already',
};

/**
 * Cancels a request that waits for an external authority. Others have nothing to cancel, and the response says so.
 *
 * @throws DomainError 404, 403.
 */
export async function cancelCertificateRequest(ctx: Context, ref: CertificateRequestRef) {
  const { id } = await getCertificateRequest(ctx, ref, certificatePermissions.edit);
  const before = (await cancelOrderAsCaller(ctx, id)) ?? 'issued';
  if (before === 'pending') return { status: 'cancelled', cancelled: true, errorMessage: null };
  return { status: before, cancelled: false, errorMessage: OVER[before]! };
}

/** The requests of a project whose certificates the caller may read, and their total number. */
export async function searchCertificateRequests(
  ctx: Context,
  input: SearchCertificateRequests,
): Promise<{ certificateRequests: CertificateRequest[]; totalCount: number }> {
  const { projectId, status, profileIds, metadata, sortBy, sortOrder: order, offset, limit } = input;
  const isShown = await shownCertificates(ctx, projectId);
  if (!(profileIds ?? []).every(isId)) return { certificateRequests: [], totalCount: 0 };
  const conditions: Conditions = ({ bind, given }) => [
    `r.organization_id = ${bind(organizationOf(ctx))}`,
    `r.project_id = ${bind(projectId)}`,
    given(input.search || undefined, ($) => `strpos(lower(${WORDS}), lower(${$})) > 0`),
    given(input.fromDate, ($) => `r.created_at >= ${$}`),
    given(input.toDate, ($) => `r.created_at <= ${$}`),
    given(status, ($) => `coalesce(o.status, 'issued') = ${$}`),
    given(profileIds, ($) => `r.profile_id = any (${$}::uuid[])`),
    given(metadata?.length ? JSON.stringify(metadata) : undefined, ($) => `c.metadata @> ${$}`),
  ];
  const page = { by: COLUMNS[sortBy], order, offset, limit, isShown };
  const { items, totalCount } = await pageOf(ctx, LISTING, conditions, page, toRequest);
  return { certificateRequests: items, totalCount };
}

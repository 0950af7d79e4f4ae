import { organizationOf, projectIdBySlug } from '../../access/index.ts';
import { isId, type Context } from '../../kernel/index.ts';
import type {
  CertificateFilter,
  ListCertificatesBySlug,
  ListedCertificate,
  SearchCertificates,
} from './certificate.ts';
import { pageOf } from './page.ts';
import { shownCertificates, type CertificateFacts } from './right.ts';
import { LISTED, toListed, type CertificateRow } from './stored.ts';

export interface CertificatePage {
  readonly certificates: ListedCertificate[];
  readonly totalCount: number;
}

const COLUMNS = {
  createdAt: 'c.created_at',
  notAfter: 'c.not_after',
  notBefore: 'c.not_before',
  commonName: 'c.common_name',
} as const satisfies Record<CertificateFilter['sortBy'], string>;

const WHERE = `c.organization_id = $1 and c.project_id = $2
  and ($3::uuid[] is null or c.ca_id = any ($3)) and ($4::uuid[] is null or c.profile_id = any ($4))
  and ($5::uuid is null or c.pki_subscriber_id = $5)
  and ($6::text[] is null
    or (case when c.status = 'active' and c.not_after <= $7::timestamptz then 'expired' else c.status end) = any ($6))
  and ($8::text is null or c.friendly_name = $8) and ($9::text is null or c.common_name = $9)
  and ($10::text is null
    or strpos(lower(concat_ws(' ', c.common_name, c.friendly_name, c.alt_names, c.serial_number)), lower($10)) > 0)
  and ($11::timestamptz is null or c.created_at >= $11) and ($12::timestamptz is null or c.created_at <= $12)
  and ($13::timestamptz is null or c.not_after >= $13) and ($14::timestamptz is null or c.not_after <= $14)
  and ($15::jsonb is null or c.metadata @> $15)`;

const LISTING = { name: 'certificates', columns: LISTED, from: 'certificates c', id: 'c.id', where: WHERE };

/**
 * The certificates of a project that the caller may read, and their total number.
 *
 * @throws DomainError 404 if the caller is not a member of the project, 403 if it may read none.
 */
export async function listCertificates(ctx: Context, input: SearchCertificates): Promise<CertificatePage> {
  return findCertificates(ctx, input, await shownCertificates(ctx, input.projectId));
}

/**
 * The same after the check of rights.
 *
 * @param isShown Absent: all of them.
 */
export async function findCertificates(
  ctx: Context,
  input: SearchCertificates,
  isShown?: (facts: CertificateFacts) => boolean,
): Promise<CertificatePage> {
  const { sortBy, sortOrder: order, offset, limit } = input;
  const values = valuesOf(ctx, input);
  if (!values) return { certificates: [], totalCount: 0 };
  const page = { by: COLUMNS[sortBy], order, offset, limit, isShown };
  const { items, totalCount } = await pageOf(ctx, LISTING, values, page, async (asked, given) =>
    (await ctx.sql<CertificateRow>(asked, given)).map((row) => toListed(row, ctx.now())),
  );
  return { certificates: items, totalCount };
}

/** The same of the project that has a slug. */
export const listCertificatesBySlug = async (
  ctx: Context,
  { slug, ...filter }: ListCertificatesBySlug,
): Promise<CertificatePage> =>
  listCertificates(ctx, {
    ...filter,
    projectId: await projectIdBySlug(ctx, slug),
    sortBy: 'createdAt',
    sortOrder: 'desc',
  });

/** `undefined` if nothing can match. */
function valuesOf(ctx: Context, input: SearchCertificates): unknown[] | undefined {
  const { projectId, caId, caIds, profileIds, pkiSubscriberId, status, metadata } = input;
  const authorities = caId === undefined ? caIds : [caId].filter((id) => caIds?.includes(id) ?? true);
  const ids = [...(authorities ?? []), ...(profileIds ?? []), pkiSubscriberId ?? projectId];
  if (!ids.every(isId)) return undefined;
  return [
    organizationOf(ctx),
    projectId,
    authorities ?? null,
    profileIds ?? null,
    pkiSubscriberId ?? null,
    status === undefined ? null : [status].flat(),
    ctx.now(),
    input.friendlyName ?? null,
    input.commonName ?? null,
    input.search || null,
    input.fromDate ?? null,
    input.toDate ?? null,
    input.notAfterFrom ?? null,
    input.notAfterTo ?? null,
    metadata && metadata.length > 0 ? JSON.stringify(metadata) : null,
  ];
}

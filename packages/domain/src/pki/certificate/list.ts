import { organizationOf, projectIdBySlug } from '../../access/index.ts';
import { isId, type Context } from '../../kernel/index.ts';
import type { CertificateFacts } from './asked.ts';
import type {
  CertificateFilter,
  ListCertificatesBySlug,
  ListedCertificate,
  SearchCertificates,
} from './certificate.ts';
import { pageOf, type Conditions } from './page.ts';
import { shownCertificates } from './right.ts';
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

const LISTING = { name: 'certificates', columns: LISTED, from: 'certificates c', id: 'c.id' };

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
  const conditions = conditionsOf(ctx, input);
  if (!conditions) return { certificates: [], totalCount: 0 };
  const page = { by: COLUMNS[sortBy], order, offset, limit, isShown };
  const publish = (row: CertificateRow) => toListed(row, ctx.now());
  const { items, totalCount } = await pageOf(ctx, LISTING, conditions, page, publish);
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

const WORDS = `concat_ws(' ', c.common_name, c.friendly_name, c.alt_names, c.serial_number)`;

/** `undefined` if nothing can match. */
function conditionsOf(ctx: Context, input: SearchCertificates): Conditions | undefined {
  const { projectId, caId, caIds, profileIds, pkiSubscriberId, status, metadata } = input;
  const authorities = caId === undefined ? caIds : [caId].filter((id) => caIds?.includes(id) ?? true);
  const ids = [...(authorities ?? []), ...(profileIds ?? []), pkiSubscriberId ?? projectId];
  if (!ids.every(isId)) return undefined;
  return ({ bind, given }) => [
    `c.organization_id = ${bind(organizationOf(ctx))}`,
    `c.project_id = ${bind(projectId)}`,
    given(authorities, ($) => `(c.ca_id = any (${$}::uuid[]) or c.external_ca_id = any (${$}::uuid[]))`),
    given(profileIds, ($) => `c.profile_id = any (${$}::uuid[])`),
    given(pkiSubscriberId, ($) => `c.pki_subscriber_id = ${$}`),
    given(
      status && [status].flat(),
      ($) =>
        `(case when c.status = 'active' and c.not_after <= ${bind(ctx.now())} then 'expired' else c.status end) = any (${$}::text[])`,
    ),
    given(input.friendlyName, ($) => `c.friendly_name = ${$}`),
    given(input.commonName, ($) => `c.common_name = ${$}`),
    given(input.search || undefined, ($) => `strpos(lower(${WORDS}), lower(${$})) > 0`),
    given(input.fromDate, ($) => `c.created_at >= ${$}`),
    given(input.toDate, ($) => `c.created_at <= ${$}`),
    given(input.notAfterFrom, ($) => `c.not_after >= ${$}`),
    given(input.notAfterTo, ($) => `c.not_after <= ${$}`),
    given(metadata?.length ? JSON.stringify(metadata) : undefined, ($) => `c.metadata @> ${$}`),
  ];
}

import { authorizeChange, organizationOf, readable, projectIdBySlug, filterInTurns } from '../../access/index.ts';
import {
  at,
  badRequest,
  etagOf,
  invalidate,
  inTransaction,
  isId,
  notFound,
  record,
  type Context,
} from '../../kernel/index.ts';
import { toPem } from '../x509.ts';
import { toAuthority } from './answer.ts';
import { AuthorityEntity } from './authority.entity.ts';
import { requireMayGoOn } from './auto-renewal.ts';
import {
  authorityPermissions,
  authorityUpdated,
  type Authority,
  type AuthorityCertificate,
  type AuthorityCertificateRef,
  type AuthorityRef,
  type ListAuthorities,
  type ListAuthoritiesV1,
  type ListedAuthorityCertificate,
  type UpdateAuthority,
} from './authority.ts';
import { lockAuthority, requireAuthority } from './find.ts';
import { lockPaths } from './paths.ts';
import { requireNotRevoked, wholeOf } from './revoked.ts';
import { tagOf } from './signer.ts';
import { bodyOf, certificatesOf, type CertificateRow } from './stored.ts';

/** The authorities of a project that the caller may read, by name. */
export async function listAuthorities(ctx: Context, { projectId }: ListAuthorities): Promise<Authority[]> {
  const mayRead = await readable(ctx, authorityPermissions.read, { projectId });
  const rows = isId(projectId)
    ? await ctx.em.find(
        AuthorityEntity,
        { organizationId: organizationOf(ctx), projectId },
        { orderBy: { name: 'asc' } },
      )
    : [];
  return (await filterInTurns(rows, ({ name }) => mayRead({ projectId, name }))).map(toAuthority);
}

/** The same in its older form, with filters and pages. */
export async function listAuthoritiesV1(ctx: Context, input: ListAuthoritiesV1): Promise<Authority[]> {
  const { slug, status, friendlyName, commonName, offset, limit } = input;
  const all = await listAuthorities(ctx, { projectId: await projectIdBySlug(ctx, slug) });
  return all
    .filter(
      (one) =>
        (status === undefined || one.status === status) &&
        (friendlyName === undefined || one.configuration.friendlyName === friendlyName) &&
        (commonName === undefined || one.configuration.commonName === commonName),
    )
    .slice(offset, offset + limit);
}

export const getAuthority = async (ctx: Context, { caId }: AuthorityRef): Promise<Authority> =>
  toAuthority(await requireAuthority(ctx, caId, authorityPermissions.read));

/**
 * Updates the name of an authority, its status, and whether it issues without a template or profile. Its certificate is
 * unchanged.
 *
 * @throws DomainError 400 `certificate_authorities_name_unique`, `certificate_authority.fixed`, `.pending`, `.revoked`
 * if its certificate or one above it was; 403 also if the caller may not edit authorities with the new name, or has no lasting
 * right to what an authority that is renamed or enabled does by itself.
 */
export async function updateAuthority(ctx: Context, input: UpdateAuthority): Promise<Authority> {
  const seen = await requireAuthority(ctx, input.caId, authorityPermissions.edit);
  const { projectId } = seen;
  return inTransaction(ctx, async (tx) => {
    if (input.status === 'active') await lockPaths(tx, projectId);
    const row = await lockAuthority(tx, seen.id);
    const [before, after] = [{ name: row.name }, { name: input.name ?? row.name }];
    await authorizeChange(tx, authorityPermissions, { projectId, before, after });
    const isEnabled = input.status === 'active' && row.status === 'disabled';
    if (isEnabled || after.name !== before.name) await requireMayGoOn(tx, row, after.name);
    requireFixed(row, input.configuration);
    if (input.status !== undefined && row.status === 'pending-certificate')
      throw badRequest(
        'certificate_authority.pending',
        'The authority has no certificate yet: import one, or have it signed',
      );
    if (isEnabled) {
      const { body, chain } = (await certificatesOf(tx, row)).find(({ id }) => id === row.activeCertificateId)!;
      await requireNotRevoked(tx, row, wholeOf(body, chain));
    }
    const changes = changesOf(row, input);
    tx.em.assign(row, changes);
    await tx.em.flush();
    invalidate(tx, tagOf(row.id));
    const data = { caId: row.id, name: row.name, changed: Object.keys(changes) };
    record(tx, authorityUpdated, data, { projectId });
    return toAuthority(row);
  });
}

function changesOf(row: AuthorityEntity, input: UpdateAuthority) {
  const { name, status, ocspResponder, ...issuance } = input;
  const { enableDirectIssuance, disableDirectIssuance, requireTemplateForIssuance } = issuance;
  const isForbidden = disableDirectIssuance ?? requireTemplateForIssuance;
  const isEnabled = enableDirectIssuance ?? (isForbidden === undefined ? undefined : !isForbidden);
  const friendlyName = input.configuration?.friendlyName;
  return {
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status }),
    ...(ocspResponder !== undefined && { ocspResponder }),
    ...(isEnabled !== undefined && { enableDirectIssuance: isEnabled }),
    ...(friendlyName !== undefined && { friendlyName: friendlyName || row.dn }),
  };
}

/** Clients send the whole configuration back. */
function requireFixed(row: AuthorityEntity, given: UpdateAuthority['configuration'] = {}): void {
  const { friendlyName: _, ...sent } = given;
  const { configuration } = toAuthority(row);
  const is = (value: unknown): unknown => (value instanceof Date ? Math.floor(value.getTime() / 1000) : value);
  for (const [field, value] of Object.entries(sent)) {
    if (value === undefined || value === null) continue;
    if (is(value) !== is(configuration[field as keyof typeof sent]))
      throw badRequest('certificate_authority.fixed', `${field} is part of the certificate and cannot be changed`);
  }
}

/** The certificates that an authority has had, the oldest first. */
export async function listAuthorityCertificates(
  ctx: Context,
  { caId }: AuthorityRef,
): Promise<ListedAuthorityCertificate[]> {
  const row = await requireAuthority(ctx, caId, authorityPermissions.read);
  return (await certificatesOf(ctx, row)).map(listed);
}

/**
 * The active certificate of an authority, and its chain.
 *
 * @throws DomainError 404 `certificate_authority_certificate.not_found` if it has none yet.
 */
export async function getAuthorityCertificate(ctx: Context, { caId }: AuthorityRef): Promise<AuthorityCertificate> {
  const row = await requireAuthority(ctx, caId, authorityPermissions.read);
  const active = (await certificatesOf(ctx, row)).find(({ id }) => id === row.activeCertificateId);
  if (!active) throw notFound('certificate authority certificate');
  return listed(active);
}

function listed(row: CertificateRow): ListedAuthorityCertificate {
  return {
    id: row.id,
    version: row.version,
    certificate: toPem('CERTIFICATE', row.body),
    certificateChain: row.chain,
    serialNumber: row.serialNumber,
    notBefore: at(row.notBefore),
    notAfter: at(row.notAfter),
  };
}

/** A certificate of an authority as clients fetch it (RFC 5280, section 4.2.2.1), with a tag. Everybody may. */
export async function getAuthorityCertificateDer(
  ctx: Context,
  { caId, caCertId }: AuthorityCertificateRef,
): Promise<{ der: Buffer; etag: string }> {
  const der = isId(caId) && isId(caCertId) ? await bodyOf(ctx, caId, caCertId) : undefined;
  if (!der) throw notFound('certificate authority certificate');
  return { der, etag: etagOf(der) };
}

import { abilityIn } from '../../access/index.ts';
import { eventOf, notFound, type Context } from '../../kernel/index.ts';
import {
  certificatePermissions,
  findCertificates,
  getCertificateBundle,
  isForbidden,
  SearchCertificates,
  type CertificateBundle,
  type CertificatePage,
} from '../certificate/index.ts';
import { latestOf } from './auto-renewal.ts';
import { requireSubscriber } from './stored.ts';
import {
  subscriberBundleRead,
  subscriberPermissions,
  type ListCertificatesOfSubscriber,
  type SubscriberRef,
} from './subscriber.ts';

const { 'list-certs': listCerts } = subscriberPermissions;

/**
 * What was issued to a subscriber, newest first, less what the caller is forbidden to read.
 *
 * @throws DomainError 404, 403.
 */
export async function listCertificatesOfSubscriber(
  ctx: Context,
  { offset, limit, ...ref }: ListCertificatesOfSubscriber,
): Promise<CertificatePage> {
  const { id, projectId } = await requireSubscriber(ctx, listCerts, ref);
  const search = { ...SearchCertificates.parse({ projectId, pkiSubscriberId: id }), offset, limit };
  const ability = await abilityIn(ctx, projectId);
  const { read } = certificatePermissions;
  const isDenied = ability.rulesFor(read).some(({ inverted }) => inverted);
  return findCertificates(ctx, search, isDenied ? (facts) => !isForbidden(ability, read, facts) : undefined);
}

/**
 * The newest currently valid certificate of a subscriber, with its key, which is `null` if it is not stored.
 *
 * @throws DomainError 404, 403 also without the permission to read its private key.
 */
export async function latestBundleOfSubscriber(ctx: Context, ref: SubscriberRef): Promise<CertificateBundle> {
  const row = await requireSubscriber(ctx, listCerts, ref);
  const latest = await latestOf(ctx, row);
  if (!latest) throw notFound('certificate');
  const bundle = await getCertificateBundle(ctx, { id: latest.id });
  const { id: pkiSubscriberId, name, projectId } = row;
  const data = { pkiSubscriberId, name, certificateId: latest.id, serialNumber: bundle.serialNumber };
  await ctx.commitRead(eventOf(subscriberBundleRead, data, { projectId }), ctx);
  return bundle;
}

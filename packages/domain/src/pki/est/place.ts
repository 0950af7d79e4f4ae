import { notFound, parseDuration, type Actor, type Context } from '../../kernel/index.ts';
import type { Signer } from '../authority/index.ts';
import { usualUsages, type Order, type Requested } from '../certificate/index.ts';
import { findEstEnrolling, type EstEnrolling } from '../est-config/index.ts';
import { orderByRequest, profileById } from '../profile/index.ts';
import { certificateTemplateById, constraintsOf, type FoundTemplate } from '../template/index.ts';

/** What clients enrol on: a certificate template or a certificate profile, with its configuration. */
export interface Place extends EstEnrolling {
  readonly id: string;
  readonly projectId: string;
  readonly caId: string;
  /** The content of certificates for a CSR without requests. */
  readonly orderOf: (signer: Signer, request: Requested) => Order;
}

/** Whose call it is from here on. */
export type Enter = (actor: Actor) => void;

/** @throws DomainError 404 if the ID has no EST. */
export async function enter(ctx: Context, id: string, become: Enter): Promise<Place> {
  const enrolling = await findEstEnrolling(ctx, id);
  if (!enrolling) throw noServer();
  become({ type: 'platform', organizationId: enrolling.organizationId });
  const { certificateTemplateId, profileId } = enrolling;
  return profileId === null
    ? { ...enrolling, ...onTemplate(await certificateTemplateById(ctx, certificateTemplateId!)) }
    : { ...enrolling, ...(await onProfile(ctx, profileId)) };
}

const noServer = () => notFound('EST server');

function onTemplate(template: FoundTemplate) {
  const { id, projectId, caId, pkiCollectionId } = template;
  const orderOf: Place['orderOf'] = (_, { csr, subject, altNames }) => ({
    subject,
    altNames,
    key: { publicKey: csr.publicKey },
    ttl: parseDuration(template.ttl),
    keyUsages: csr.keyUsages ?? usualUsages(csr.keyAlgorithm, template),
    extendedKeyUsages: csr.extendedKeyUsages ?? template.extendedKeyUsages,
    constraints: [constraintsOf(template)],
    source: 'est',
    template,
    ...(pkiCollectionId !== null && { pkiCollectionId }),
  });
  return { id, projectId, caId, orderOf };
}

async function onProfile(ctx: Context, profileId: string) {
  const profile = await profileById(ctx, profileId);
  // Both come from the configuration and type of one row, which are updated together.
  if (profile?.enrollmentType !== 'est' || profile.caId === null) throw noServer();
  const { id, projectId, caId } = profile;
  const orderOf: Place['orderOf'] = (signer, request) => ({
    ...orderByRequest(profile, signer, request),
    source: 'est',
  });
  return { id, projectId, caId, orderOf };
}

import { authorize, unlessHidden } from '../../access/index.ts';
import { badRequest, DomainError, parseDuration, type Context } from '../../kernel/index.ts';
import { projectOfAuthority, signerOf, type Signer } from '../authority/index.ts';
import { collectionPermissions } from '../collection/index.ts';
import { reading } from '../constraint/index.ts';
import {
  constraintsOf,
  findCertificateTemplate,
  certificateTemplatePermissions,
  type CertificateTemplate,
  type FoundTemplate,
} from '../template/index.ts';
import { parseAltNames, type ExtendedKeyUsage, type KeyAlgorithm, type KeyUsage, type Subject } from '../x509.ts';
import type { IssueCertificate, SignCertificate } from './certificate.ts';
import { readRequest } from './csr.ts';
import { issueCertificate, type Issued, type Order, type OrderedKey } from './issue.ts';
import { authorizeIssue, requireAnyIssuingRight, type IssuingRight } from './right.ts';

/** How a certificate is issued: by an authority directly, or by one of its templates. */
interface Source {
  readonly signer: Signer;
  readonly template: FoundTemplate | undefined;
}

type Named = Pick<IssueCertificate, 'caId' | 'certificateTemplateId'>;

/**
 * @throws DomainError 404, 400 where neither is named, both are and do not agree, or the authority does not issue now.
 */
async function sourceOf(ctx: Context, { caId, certificateTemplateId }: Named): Promise<Source> {
  const template =
    certificateTemplateId === undefined ? undefined : await findCertificateTemplate(ctx, certificateTemplateId);
  const authority = caId ?? template?.caId;
  if (authority === undefined) throw badRequest('certificate.no_source', 'caId or certificateTemplateId is required');
  if (template && template.caId !== authority)
    throw badRequest('certificate.other_authority', 'The template belongs to another authority');
  return { signer: await visibleSigner(ctx, authority, template), template };
}

async function visibleSigner(ctx: Context, caId: string, template: CertificateTemplate | undefined): Promise<Signer> {
  try {
    const signer = await signerOf(ctx, caId);
    await unlessHidden(
      'certificate authority',
      requireAnyIssuingRight(ctx, signer.projectId, template && byTemplate(template)),
    );
    return signer;
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'bad_request') throw error;
    // Its status is disclosed only to callers who may issue something.
    const projectId = await projectOfAuthority(ctx, caId);
    const by = template && byTemplate(template);
    if (projectId !== undefined)
      await unlessHidden('certificate authority', requireAnyIssuingRight(ctx, projectId, by));
    throw error;
  }
}

/** The permission to issue by a template, if any. */
export const byTemplate = ({ name }: Pick<CertificateTemplate, 'name'>): IssuingRight => ({
  permission: certificateTemplatePermissions['issue-cert'],
  fields: { name },
});

/**
 * Issues a certificate for a key that is made here.
 *
 * @throws DomainError 404, 403; 400 by the rule that it breaks.
 */
export async function issueByAuthority(
  ctx: Context,
  input: IssueCertificate,
): Promise<Issued & { privateKey: string }> {
  const source = await sourceOf(ctx, input);
  const algorithm = input.keyAlgorithm ?? source.signer.issuer.algorithm;
  const commonName = input.commonName.trim();
  const { privateKey, ...issued } = await issue(ctx, source, input, {
    subject: commonName === '' ? {} : { commonName },
    altNames: reading(() => parseAltNames(input.altNames)),
    key: { make: algorithm },
    algorithm,
    asked: {},
    source: 'issue',
  });
  return { ...issued, privateKey: privateKey! };
}

/**
 * Signs a certificate signing request (PKCS #10), which proves possession of the key.
 *
 * @throws DomainError 404, 403; 400 named by the violated rule.
 */
export async function signByAuthority(ctx: Context, input: SignCertificate): Promise<Issued> {
  const source = await sourceOf(ctx, input);
  const { commonName } = input;
  const instead = { commonName, altNames: reading(() => parseAltNames(input.altNames ?? '')) };
  const { csr, subject, altNames } = readRequest(input.csr, instead);
  const { publicKey, keyAlgorithm: algorithm } = csr;
  return issue(ctx, source, input, { subject, altNames, key: { publicKey }, algorithm, asked: csr, source: 'sign' });
}

interface Content {
  readonly subject: Subject;
  readonly altNames: Order['altNames'];
  readonly key: OrderedKey;
  readonly algorithm: KeyAlgorithm;
  /** The usages that a CSR requests. */
  readonly asked: {
    readonly keyUsages?: readonly KeyUsage[] | undefined;
    readonly extendedKeyUsages?: readonly ExtendedKeyUsage[] | undefined;
  };
  readonly source: 'issue' | 'sign';
}

type Wanted = Pick<
  IssueCertificate,
  'ttl' | 'notBefore' | 'notAfter' | 'keyUsages' | 'extendedKeyUsages' | 'friendlyName' | 'pkiCollectionId'
>;

async function issue(ctx: Context, { signer, template }: Source, wanted: Wanted, content: Content): Promise<Issued> {
  const { subject, altNames, key, algorithm, asked, source } = content;
  const { friendlyName, notBefore, notAfter, pkiCollectionId } = wanted;
  const allowed = await authorizeIssue(ctx, signer.projectId, template && byTemplate(template), {
    commonName: subject.commonName ?? '',
    subject,
    names: altNames,
    friendlyName: friendlyName || subject.commonName || altNames[0]?.value || '',
    status: 'active',
  });
  if (pkiCollectionId !== undefined)
    await authorize(ctx, collectionPermissions.create, { projectId: signer.projectId });
  const collectionId = pkiCollectionId ?? template?.pkiCollectionId ?? undefined;
  return issueCertificate(ctx, signer, {
    subject,
    altNames,
    key,
    ...(notBefore && { notBefore }),
    ...(notAfter ? { notAfter } : { ttl: ttlOf(wanted, template) }),
    keyUsages: wanted.keyUsages ?? asked.keyUsages ?? usualUsages(algorithm, template),
    extendedKeyUsages: wanted.extendedKeyUsages ?? asked.extendedKeyUsages ?? template?.extendedKeyUsages ?? [],
    constraints: template ? [constraintsOf(template)] : [],
    allowedSubjects: [allowed],
    source,
    friendlyName,
    ...(template && { template }),
    ...(collectionId !== undefined && { pkiCollectionId: collectionId }),
  });
}

function ttlOf({ ttl, notAfter }: Wanted, template: CertificateTemplate | undefined): number | undefined {
  if (notAfter) return undefined;
  const text = ttl ?? template?.ttl;
  return text === undefined ? undefined : parseDuration(text);
}

const USUAL_USAGES: readonly KeyUsage[] = ['digitalSignature', 'keyEncipherment'];
const SIGNING_USAGES: readonly KeyUsage[] = ['digitalSignature', 'nonRepudiation'];
const AGREEMENT_USAGES: readonly KeyUsage[] = ['keyAgreement', 'encipherOnly', 'decipherOnly'];

/** By the kind of the key: RFC 3279, section 2.3.1; RFC 8813, section 3; RFC 9295, section 3. */
function isPossible(algorithm: KeyAlgorithm, usage: KeyUsage): boolean {
  if (algorithm.startsWith('RSA')) return !AGREEMENT_USAGES.includes(usage);
  return SIGNING_USAGES.includes(usage) || (algorithm !== 'ED25519' && AGREEMENT_USAGES.includes(usage));
}

/** The default usages: those of the template, or of a server or client, as far as the key supports them. */
export function usualUsages(algorithm: KeyAlgorithm, template?: Pick<CertificateTemplate, 'keyUsages'>): KeyUsage[] {
  const usages: readonly KeyUsage[] = template?.keyUsages ?? USUAL_USAGES;
  return usages.filter((usage) => isPossible(algorithm, usage));
}

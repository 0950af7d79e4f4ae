import { hash, type KeyObject } from 'node:crypto';
import { authorize } from '../../access/index.ts';
import { runWithEvent, writeWithEvent } from '../../audit/index.ts';
import { joinPkiSyncs } from '../../connections/pki-sync/index.ts';
import { generateInTurn } from '../../crypto/index.ts';
import {
  badRequest,
  conflict,
  eventOf,
  explainConstraint,
  inTransaction,
  newId,
  restBeforeLong,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import {
  authorityPermissions,
  keepAuthority,
  notCompromised,
  requireNotCompromised,
  spkiHashOf,
  type Signer,
} from '../authority/index.ts';
import { addToCollection } from '../collection/index.ts';
import {
  attributesFound,
  BACKDATED,
  check,
  hostNamedBy,
  MatchingCost,
  reading,
  refused,
  refuseErrors,
  type Constraints,
} from '../constraint/index.ts';
import {
  afterWildcard,
  altNamesText,
  constraintFindings,
  isWildcard,
  keyAlgorithmOf,
  lint,
  newKey,
  newSerialNumber,
  signatureAlgorithmOf,
  signTbs,
  tbsOf,
  throwAwayKey,
  toPem,
  type AltName,
  type CertificateContent,
  type ExtendedKeyUsage,
  type Finding,
  type KeyAlgorithm,
  type KeyUsage,
  type PublicKey,
  type Subject,
  wholeSeconds,
} from '../x509.ts';
import { certificateIssued, certificateSigned } from './certificate.ts';
import { privateKeys } from './sealed.ts';

explainConstraint('certificates_renewed_from_unique', 'The certificate was already renewed; renew its successor');

/** What restricts certificates, in the state by which an order was checked. */
export interface CheckedState {
  readonly id: string;
  readonly updatedAt: string;
}
/** A profile with its policy. */
export interface ProfileState extends CheckedState {
  readonly policyUpdatedAt: string;
}

/** The complete content of a certificate. */
export interface Order {
  readonly subject: Subject;
  readonly altNames: readonly AltName[];
  /** The key to certify, or the algorithm of a new one. */
  readonly key: OrderedKey;
  /** Absent: now, less a minute for clocks that are behind. */
  readonly notBefore?: Date | undefined;
  /** One of `notAfter` and `ttl`, which is in milliseconds from `notBefore`, default now. */
  readonly notAfter?: Date | undefined;
  readonly ttl?: number | undefined;
  readonly keyUsages: readonly KeyUsage[];
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[];
  /** All of them hold. */
  readonly constraints: readonly Constraints[];
  /**
   * Subject attributes that are allowed without a rule in `constraints`: by the caller's own rules, or because the
   * issuing configuration sets them.
   */
  readonly allowedSubjects?: readonly Subject[] | undefined;
  readonly source: 'issue' | 'sign' | 'acme' | 'est' | 'subscriber';
  readonly friendlyName?: string | undefined;
  /** By which it was checked: they have to be the same when the certificate is stored. */
  readonly template?: CheckedState | undefined;
  readonly profile?: ProfileState | undefined;
  /** How the client has shown who it is, for one that enrols by EST. */
  readonly estConfig?: CheckedState | undefined;
  readonly pkiSubscriberId?: string | undefined;
  readonly renewedFromId?: string | undefined;
  readonly renewBeforeDays?: number | undefined;
  readonly pkiCollectionId?: string | undefined;
  readonly metadata?: readonly { readonly key: string; readonly value: string }[] | undefined;
}

/** `privateKey`: if it is known and stored. */
export type OrderedKey =
  | { readonly publicKey: KeyObject; readonly privateKey?: KeyObject | undefined }
  | { readonly make: KeyAlgorithm };

export interface Issued {
  readonly certificateId: string;
  readonly serialNumber: string;
  /** PEM. */
  readonly certificate: string;
  readonly issuingCaCertificate: string;
  /** PEM: the issuer's certificate, then its chain. */
  readonly certificateChain: string;
  /** PEM of PKCS #8, where the key is known here. */
  readonly privateKey?: string | undefined;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Microseconds of checking, linting and signing one, with a new key on a curve. */
const COST = 2_000;

/** What joins the transaction that stores a certificate. */
export interface WithIt {
  /**
   * Locks and compares what else the order relies on, and has no column in the statement that stores. It comes first: what
   * changes while it waits for a lock is compared afterwards.
   */
  readonly first?: (tx: Transaction) => Promise<unknown>;
  readonly also?: (tx: Transaction, issued: Issued) => Promise<void>;
}

/**
 * Issues a certificate: the only way to do so. The caller of this function has checked the rights. The content is
 * checked against the constraints and linted under a throw-away signature first; the certificate is returned after it
 * is stored. If the process is killed in between, its serial number is never used.
 *
 * @throws DomainError 400 named by the violated rule, `certificate_authority.not_active` if the authority was disabled
 * concurrently, `certificate.changed` if it, the template, the profile, its policy or the EST configuration was changed or
 * deleted: orders may wait for their key for minutes.
 */
export async function issueCertificate(
  ctx: Context,
  signer: Signer,
  order: Order,
  { first, also }: WithIt = {},
): Promise<Issued> {
  const { organizationId, projectId, issuer } = signer;
  requireDirectIssuance(signer, order);
  if (needsRightToAuthority(order)) await authorizeOcspSigning(ctx, signer);
  await restBeforeLong(COST);
  const { publicKey, privateKey } = await keyOf(ctx, order.key);
  const keyAlgorithm = keyAlgorithmOf(publicKey);
  if (!keyAlgorithm) throw refused('certificate.key', 'The key type is not supported');
  const now = ctx.now();
  const content = contentOf(now, signer, order, publicKey);
  refuseErrors(await contentFindings(content, signer, order, now));
  const tbs = reading(() => tbsOf(content, issuer));
  const findings = await examine(tbs, signer, content);
  const der = await signTbs(tbs, issuer);
  const issued: Issued = {
    certificateId: newId(),
    serialNumber: content.serialNumber,
    certificate: toPem('CERTIFICATE', der),
    issuingCaCertificate: signer.issuingCaCertificate,
    certificateChain: signer.certificateChain,
    ...(privateKey && { privateKey: toPem('PRIVATE KEY', privateKey) }),
    notBefore: content.notBefore,
    notAfter: content.notAfter,
  };
  // Lookups inside a transaction are not cached.
  if (!ctx.outbox && privateKey) await ctx.keys.sealing(organizationId, projectId);
  const row = { signer, order, content, findings, der, issued, privateKey, keyAlgorithm };
  const { pkiCollectionId } = order;
  if (pkiCollectionId === undefined && !first && !also) await store(ctx, row);
  else {
    await inTransaction(ctx, async (tx) => {
      if (first) {
        await keepAuthority(tx, signer.caId);
        await first(tx);
      }
      await store(tx, row);
      if (pkiCollectionId !== undefined) {
        const { certificateId } = issued;
        await addToCollection(tx, { organizationId, projectId, pkiCollectionId, certificateId });
      }
      await also?.(tx, issued);
      const { renewedFromId, pkiSubscriberId } = order;
      const place = { organizationId, id: issued.certificateId };
      await joinPkiSyncs(tx, { ...place, renewedFromId, pkiSubscriberId, hasPrivateKey: privateKey !== undefined });
    });
  }
  return issued;
}

/**
 * The rule for what an authority, here or elsewhere, issues directly: without a template, profile or subscriber.
 *
 * @throws DomainError 400 `certificate_authority.no_direct_issuance`
 */
export function requireDirectIssuance(
  { enableDirectIssuance }: { readonly enableDirectIssuance: boolean },
  { template, profile, pkiSubscriberId }: { [By in 'template' | 'profile' | 'pkiSubscriberId']?: unknown },
): void {
  if (enableDirectIssuance || (template ?? profile ?? pkiSubscriberId) !== undefined) return;
  throw refused(
    'certificate_authority.no_direct_issuance',
    'The authority issues only by templates, profiles and subscribers',
  );
}

/** `privateKey`: DER of PKCS #8, if it is known. */
async function keyOf(
  ctx: Context,
  key: OrderedKey,
): Promise<{ publicKey: PublicKey; privateKey?: Buffer | undefined }> {
  if ('make' in key) return generateInTurn(ctx, key.make, () => newKey(key.make));
  return { publicKey: key.publicKey, privateKey: key.privateKey?.export({ type: 'pkcs8', format: 'der' }) };
}

function contentOf(now: Date, signer: Signer, order: Order, publicKey: PublicKey): CertificateContent {
  const { issuer, crlUrls, ocspUrls, issuerUrls } = signer;
  const { subject, altNames, keyUsages, extendedKeyUsages } = order;
  const start = order.notBefore?.getTime() ?? Math.max(now.getTime() - BACKDATED, issuer.notBefore.getTime());
  const end = order.notAfter?.getTime() ?? (order.notBefore ?? now).getTime() + requireTtl(order.ttl);
  return {
    serialNumber: newSerialNumber(),
    subject,
    altNames: distinct(altNames),
    publicKey,
    notBefore: wholeSeconds(start),
    notAfter: wholeSeconds(end),
    keyUsages: [...new Set(keyUsages)],
    extendedKeyUsages: [...new Set(extendedKeyUsages)],
    ocspNoCheck: extendedKeyUsages.includes('ocspSigning'),
    crlUrls,
    ocspUrls,
    issuerUrls,
  };
}

function requireTtl(ttl: number | undefined): number {
  if (ttl !== undefined) return ttl;
  throw badRequest('certificate.validity', 'The validity is required: ttl or notAfter');
}

const distinct = (names: readonly AltName[]): AltName[] => [
  ...new Map(names.map((name) => [`${name.type}:${name.value}`, name])).values(),
];

async function contentFindings(
  content: CertificateContent,
  { issuer }: Signer,
  order: Order,
  now: Date,
): Promise<Finding[]> {
  // Validities count from now: certificates dated ahead would follow one another, past each limit.
  const notBefore = new Date(Math.min(content.notBefore.getTime(), now.getTime()));
  const fromNow = { ...content, notBefore };
  return [
    ...ownRules(content, issuer, now),
    ...(await constraintsFound(order, fromNow, signatureAlgorithmOf(issuer.algorithm))),
  ];
}

/** The violations of an order's constraints, and of the rules for common names, by a content. `signature`: as in `check`. */
export async function constraintsFound(
  { constraints, allowedSubjects = [] }: Pick<Order, 'constraints' | 'allowedSubjects'>,
  content: CertificateContent,
  signature?: string,
): Promise<Finding[]> {
  const findings = [...hostNameFound(content.subject), ...attributesFound(constraints, content, allowedSubjects)];
  const cost = new MatchingCost();
  for (const one of constraints) findings.push(...(await check(one, content, cost, signature)));
  return findings;
}

/** Forms of a host name that some clients read as another name, and rules as it is written. */
function hostNameFound({ commonName = '' }: Subject): Finding[] {
  if (!hostNamedBy(commonName)) return [];
  const found = (message: string): Finding[] => [{ rule: 'certificate.common_name', severity: 'error', message }];
  if (commonName.trim().endsWith('.'))
    return found('The common name is the name of a host: write it without the dot at its end');
  if (afterWildcard(commonName) !== undefined && !isWildcard(commonName))
    return found(
      'The common name is the name of a host: an asterisk must be its whole first label, as in *.example.com',
    );
  return [];
}

/**
 * The warnings of the linter, with a temporary signature.
 *
 * @throws DomainError 400 for errors.
 */
async function examine(tbs: Buffer, { issuer, chain }: Signer, { publicKey }: CertificateContent): Promise<Finding[]> {
  refuseErrors(constraintFindings(tbs, chain));
  const findings = lint(await signTbs(tbs, await throwAwayKey(issuer.algorithm)), { issuer, publicKey });
  refuseErrors(findings);
  return findings;
}

/** Constraints on every issued certificate. */
function ownRules(content: CertificateContent, issuer: Signer['issuer'], now: Date): Finding[] {
  const { notBefore, notAfter, ocspNoCheck } = content;
  const findings: Finding[] = [];
  const found = (rule: string, message: string) => findings.push({ rule, severity: 'error', message });
  if (isNameless(content)) found(...NAMELESS);
  if (isForAuthorities(content)) found('certificate.key_usage', 'keyCertSign and cRLSign are only for authorities');
  if (Number.isNaN(notAfter.getTime()) || notAfter <= notBefore)
    found('certificate.validity', 'notAfter must be after notBefore');
  else if (notAfter <= now) found('certificate.validity', 'notAfter must be in the future');
  else if (notAfter > issuer.notAfter || notBefore < wholeSeconds(issuer.notBefore))
    found('certificate.validity', 'The validity must not exceed that of the certificate of the authority');
  if (ocspNoCheck && notAfter.getTime() - now.getTime() > MAX_OCSP_SIGNING + BACKDATED)
    found('certificate.ocsp_signing', 'OCSP signing certificates cannot be revoked: they end within 90 days from now');
  return findings;
}

/** Whether a certificate has neither a subject nor alternative names, which no order may have. */
export const isNameless = ({ subject, altNames }: Pick<CertificateContent, 'subject' | 'altNames'>): boolean =>
  altNames.length === 0 && Object.values(subject).every((value) => value === undefined || value.length === 0);
export const NAMELESS = ['certificate.nameless', 'A common name or an alternative name is required'] as const;

/** Whether a certificate has usages of authorities, which none has that is issued here. */
export const isForAuthorities = ({ keyUsages }: Pick<CertificateContent, 'keyUsages'>): boolean =>
  keyUsages.includes('keyCertSign') || keyUsages.includes('cRLSign');

const MAX_OCSP_SIGNING = 90 * 86_400_000;

const needsRightToAuthority = ({ extendedKeyUsages }: Order): boolean => extendedKeyUsages.includes('ocspSigning');

/**
 * The holder of such a certificate signs revocation answers for the whole authority. It is issued to authorized callers
 * only, never by enrolment or auto-renewal.
 *
 * @throws DomainError 403; 400 `certificate.ocsp_signing`
 */
async function authorizeOcspSigning(ctx: Context, { projectId, name }: Signer): Promise<void> {
  if (!('id' in ctx.actor))
    throw refused(
      'certificate.ocsp_signing',
      'ocspSigning needs a right of the caller and cannot be issued by enrolment',
    );
  await authorize(ctx, authorityPermissions['issue-ocsp-signing'], { projectId, name });
}

/** What the order was checked by is the same at this moment. Nothing but the authority restricts what it issues directly. */
const INSERT = statement(
  'certificates.issue',
  `insert into certificates (id, organization_id, project_id, ca_id, ca_certificate_id, ca_key_id,
     certificate_template_id, profile_id, pki_subscriber_id, serial_number, friendly_name, common_name, alt_names, names,
     subject, not_before, not_after, key_usages, extended_key_usages, key_algorithm, signature_algorithm, body,
     fingerprint_sha256, private_key, lint, source, renewed_from_id, renew_before_days, metadata, created_at, updated_at)
   select $1, $2, $3, a.id, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
     $24, $25, $26, $27, $28, $29, $30, $30
   from certificate_authorities a where a.id = $4 and a.organization_id = $2 and a.status = 'active' and a.active_key_id = $6
     and ${notCompromised('$2', '$3', '$31')}
     and ($7::uuid is null or exists (select from certificate_templates t
       where t.id = $7 and t.ca_id = a.id and t.updated_at = $32))
     and ($8::uuid is null or exists (select from certificate_profiles p join certificate_policies c on c.id = p.certificate_policy_id
       where p.id = $8 and p.updated_at = $33 and c.updated_at = $34))
     and ($35::uuid is null or exists (select from est_configs e where e.id = $35 and e.is_enabled and e.updated_at = $36))
     and ($37::text is null or a.name = $37)
     and (a.enable_direct_issuance or coalesce($7::uuid, $8::uuid, $9::uuid) is not null)
   returning id`,
);
const STATUS = statement(
  'certificates.status_of_authority',
  'select status from certificate_authorities where organization_id = $1 and id = $2',
);
const ISSUE = writeWithEvent(INSERT, 37);

interface ToStore {
  readonly signer: Signer;
  readonly order: Order;
  readonly content: CertificateContent;
  readonly findings: readonly Finding[];
  readonly der: Buffer;
  readonly issued: Issued;
  /** PKCS #8, if it is known. */
  readonly privateKey: Buffer | undefined;
  readonly keyAlgorithm: KeyAlgorithm;
}

async function store(ctx: Context, toStore: ToStore): Promise<void> {
  const { signer, order, content, findings, der, issued, privateKey, keyAlgorithm } = toStore;
  const { organizationId, projectId, caId } = signer;
  const { certificateId, serialNumber } = issued;
  const { subject, altNames } = content;
  const { commonName = '' } = subject;
  const event = order.source === 'issue' || order.source === 'subscriber' ? certificateIssued : certificateSigned;
  const { template, profile, estConfig, source } = order;
  const [certificateTemplateId, profileId] = [template?.id ?? null, profile?.id ?? null];
  const data = { certificateId, serialNumber, commonName, caId, certificateTemplateId, profileId, source };
  const values = [
    certificateId,
    organizationId,
    projectId,
    caId,
    signer.caCertificateId,
    signer.caKeyId,
    certificateTemplateId,
    profileId,
    order.pkiSubscriberId ?? null,
    serialNumber,
    order.friendlyName || commonName || altNames[0]?.value || '',
    commonName,
    altNames.length > 0 ? altNamesText(altNames) : null,
    JSON.stringify(altNames),
    JSON.stringify(subject),
    content.notBefore,
    content.notAfter,
    content.keyUsages,
    content.extendedKeyUsages,
    keyAlgorithm,
    signatureAlgorithmOf(signer.issuer.algorithm),
    der,
    hash('sha256', der, 'buffer'),
    privateKey && (await privateKeys.seal(ctx, { id: certificateId, organizationId, projectId }, privateKey)),
    JSON.stringify(findings),
    source,
    order.renewedFromId ?? null,
    order.renewBeforeDays ?? null,
    JSON.stringify(order.metadata ?? []),
    ctx.now(),
    spkiHashOf(content.publicKey),
    template?.updatedAt ?? null,
    profile?.updatedAt ?? null,
    profile?.policyUpdatedAt ?? null,
    estConfig?.id ?? null,
    estConfig?.updatedAt ?? null,
    // The right to have it issued was asked by this name.
    needsRightToAuthority(order) ? signer.name : null,
  ];
  const stored = await runWithEvent(ctx, ISSUE, values, eventOf(event, data, { organizationId, projectId }));
  if (stored.length > 0) return;
  await requireNotCompromised(ctx, signer, content.publicKey);
  const [authority] = await ctx.sql<{ status: string }>(STATUS, [organizationId, caId]);
  if (authority?.status !== 'active')
    throw refused('certificate_authority.not_active', 'The authority cannot issue now');
  throw conflict(
    'certificate.changed',
    'The authority, or the template, profile, policy or EST configuration, was changed or deleted in the meantime: try again',
  );
}

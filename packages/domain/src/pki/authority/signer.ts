import { organizationOf } from '../../access/index.ts';
import {
  at,
  isId,
  loadSigner,
  notFound,
  placeTags,
  statement,
  type Context,
  type OnceLoaded,
} from '../../kernel/index.ts';
import {
  keyIdOf,
  readCertificate,
  readStoredChain,
  toPem,
  type Issuer,
  type KeyAlgorithm,
  type NameConstraints,
  type ReadCertificate,
} from '../x509.ts';
import type { OcspResponder } from './authority.ts';
import { AUTHORITY, requireActive } from './find.ts';
import { openKey, type SealedKeyRow } from './stored.ts';
import { urlsOf } from './urls.ts';

/** A parsed key of an authority, with everything that signing needs. */
export interface Signer {
  readonly organizationId: string;
  readonly projectId: string;
  readonly caId: string;
  readonly name: string;
  readonly caKeyId: string;
  readonly caCertificateId: string;
  readonly issuer: Issuer;
  /** PEM. */
  readonly issuingCaCertificate: string;
  /** PEM: the authority's own certificate, then its chain. */
  readonly certificateChain: string;
  /** The maximum number of authorities below it, including the limits of those above; `null` for no limit. */
  readonly maxPathLength: number | null;
  /** The constraints of its own certificate; those of the `chain` apply as well. */
  readonly nameConstraints: NameConstraints | null;
  /** Its own certificate, then its chain. */
  readonly chain: readonly ReadCertificate[];
  readonly enableDirectIssuance: boolean;
  readonly ocspResponder: OcspResponder;
  readonly crlUrls: readonly string[];
  readonly ocspUrls: readonly string[];
  readonly issuerUrls: readonly string[];
}

interface SignerRow extends SealedKeyRow {
  readonly caId: string;
  readonly name: string;
  readonly ocspResponder: OcspResponder;
  readonly status: string;
  readonly enableDirectIssuance: boolean;
  readonly keyAlgorithm: KeyAlgorithm;
  readonly certificateId: string | null;
  readonly body: Buffer | null;
  readonly chain: string | null;
  readonly notAfter: string | null;
}

const COLUMNS = `a.id as "caId", a.name, a.ocsp_responder as "ocspResponder", a.organization_id as "organizationId",
  a.project_id as "projectId", a.status, a.enable_direct_issuance as "enableDirectIssuance",
  a.key_algorithm as "keyAlgorithm", k.id, k.private_key as "privateKey", k.public_key as "publicKey",
  c.id as "certificateId", c.body, c.chain, c.not_after as "notAfter"`;

/** One row, also for an authority without a certificate. */
const ACTIVE = statement(
  'certificate_authorities.signer',
  `select ${COLUMNS} from certificate_authorities a left join ca_keys k on k.id = a.active_key_id
   left join ca_certificates c on c.id = a.active_certificate_id where a.id = $1`,
);
/** The certificate of a key with the latest expiry: while one is valid, so is what the key has signed. */
const BY_KEY = statement(
  'certificate_authorities.signer_by_key',
  `select ${COLUMNS} from ca_keys k join certificate_authorities a on a.id = k.ca_id
   join ca_certificates c on c.ca_key_id = k.id where k.id = $1 order by c.not_after desc, c.version desc limit 1`,
);

/** The cached data of an authority, whether it issues or not. */
interface CachedSigner {
  readonly organizationId: string;
  readonly status: string;
  readonly notAfter: Date | null;
  readonly signer: Signer | undefined;
}

/**
 * The key and certificate with which an authority signs now. The cached state is at most a second old: storing what was
 * signed checks the row again, in its transaction.
 *
 * @throws DomainError 404 unknown or foreign; 400 `certificate_authority.not_active` (disabled, pending, expired).
 */
export async function signerOf(ctx: Context, caId: string): Promise<Signer> {
  const kept = isId(caId) ? await load(ctx, ACTIVE, caId) : undefined;
  if (!kept || kept.organizationId !== organizationOf(ctx)) throw notFound(AUTHORITY);
  requireActive(kept.status, kept.notAfter, ctx.now());
  if (!kept.signer) throw notFound(AUTHORITY);
  return kept.signer;
}

/** The same with the name for which the right to sign by it was asked: what it signs is stored if it still has that name. */
export const signerNamed = async (
  ctx: Context,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<Signer> => ({ ...(await signerOf(ctx, id)), name });

/**
 * The same by key, for revocation lists and OCSP; including keys and authorities that no longer issue. The rights of
 * the caller are not checked.
 */
export async function signerOfKey(ctx: Context, caKeyId: string): Promise<Signer | undefined> {
  return isId(caKeyId) ? (await load(ctx, BY_KEY, caKeyId))?.signer : undefined;
}

// Public requests may have IDs in upper case: they share one cache entry.
const load = (ctx: Context, asked: typeof ACTIVE, id: string): OnceLoaded<CachedSigner> =>
  loadSigner(ctx, `${asked.name}:${id.toLowerCase()}`, async () => {
    const [row] = await ctx.sql<SignerRow>(asked, [id]);
    return row && { value: await toCached(ctx, row), tags: [tagOf(row.caId), ...placeTags(row)] };
  });

/** The cache tag of an authority's keys. */
export const tagOf = (caId: string): string => `authority:${caId}`;

async function toCached(ctx: Context, row: SignerRow): Promise<CachedSigner> {
  return {
    organizationId: row.organizationId,
    status: row.status,
    notAfter: row.notAfter === null ? null : at(row.notAfter),
    signer: await toSigner(ctx, row),
  };
}

async function toSigner(ctx: Context, row: SignerRow): Promise<Signer | undefined> {
  const { body, certificateId: caCertificateId } = row;
  if (!body || !caCertificateId) return undefined;
  const { privateKey } = await openKey(ctx, row);
  const own = readCertificate(body);
  const above = row.chain ? readStoredChain(row.chain) : [];
  const issuingCaCertificate = toPem('CERTIFICATE', own.der);
  return {
    organizationId: row.organizationId,
    projectId: row.projectId,
    caId: row.caId,
    name: row.name,
    caKeyId: row.id,
    caCertificateId,
    issuer: {
      name: own.subjectName,
      keyId: own.keyId ?? keyIdOf(own.publicKey),
      privateKey,
      algorithm: row.keyAlgorithm,
      notBefore: own.notBefore,
      notAfter: own.notAfter,
    },
    issuingCaCertificate,
    certificateChain: `${issuingCaCertificate}${row.chain ?? ''}`,
    maxPathLength: pathLengthLeft([own, ...above]),
    nameConstraints: own.nameConstraints ?? null,
    chain: [own, ...above],
    enableDirectIssuance: row.enableDirectIssuance,
    ocspResponder: row.ocspResponder,
    ...urlsOf(ctx, { caId: row.caId, caKeyId: row.id, caCertificateId }),
  };
}

/** The name constraints of the first certificate, restricted by the others (RFC 5280, section 6.1.4). */
function pathLengthLeft(chain: readonly ReadCertificate[]): number | null {
  const left = chain.map(({ ca }, depth) => (ca?.pathLength ?? Infinity) - depth);
  const least = Math.min(...left);
  return Number.isFinite(least) ? Math.max(least, 0) : null;
}

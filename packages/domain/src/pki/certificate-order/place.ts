import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { generateInTurn } from '../../crypto/index.ts';
import {
  badRequest,
  fewIn,
  inTransaction,
  newId,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { runAsOf, type RunAs } from '../../secrets/import/replication/index.ts';
import { requireNotCompromised } from '../authority/index.ts';
import {
  constraintsFound,
  isForAuthorities,
  isNameless,
  NAMELESS,
  requireDirectIssuance,
  sameNames,
  type Order,
} from '../certificate/index.ts';
import { BACKDATED, refused, refuseErrors } from '../constraint/index.ts';
import { issuerOf, type ExternalAuthorityRow } from '../external-authority/index.ts';
import type { PolicyRules } from '../policy/index.ts';
import {
  altNamesText,
  keyAlgorithmOf,
  makeCsr,
  newKey,
  readAltName,
  readCsr,
  wholeSeconds,
  type CertificateContent,
  type PublicKey,
  type Subject,
} from '../x509.ts';
import { certificateOrdered, type OrderContent, type PlacedOrder } from './certificate-order.ts';
import { orderKeys } from './stored.ts';
import { orders } from './work.ts';

/** An order for an external authority. */
export interface ToOrder {
  readonly order: Order;
  /** DER of the CSR with the ordered key; absent where the key is made here. */
  readonly csr?: Buffer | undefined;
  /** Of the policy among the constraints. */
  readonly rules?: PolicyRules | undefined;
  readonly isAutomatic?: boolean;
  /** Whether it is a certificate request, which callers can read. It has the ID of the order. */
  readonly isRequest?: boolean;
}

const INSERT = statement(
  'certificate_orders.insert',
  `insert into certificate_orders (id, organization_id, project_id, external_ca_id, profile_id, pki_subscriber_id,
     renewed_from_id, status, common_name, alt_names, names, subject, friendly_name, content, csr, private_key, message,
     due_at, created_at, updated_at, requester)
   values ($1, $2, $3, $4, $5, $6, $7, 'pending', $8, $9, $10, $11, $12, $13, $14, $15, 'Waiting for its turn', $16,
     $16, $16, $17)`,
);

const REQUEST = statement(
  'certificate_requests.insert_pending',
  `insert into certificate_requests (id, organization_id, project_id, profile_id, created_at)
   values ($1, $2, $3, $4, $5)`,
);

/** Automatic renewals do not count: they are of certificates that exist, one for each. */
const COUNTED = `status = 'pending' and not (content ->> 'isAutomatic')::boolean`;

const TOO_MANY = 'certificate_order.too_many';

const requireFewOrders = fewIn(
  'project',
  { table: 'certificate_orders', most: 1_000, code: TOO_MANY, of: 'pending certificate orders' },
  COUNTED,
);

/** The maximum for one requester, so that nobody takes all that a project may have. */
const MOST_OF_ONE = 100;

const COUNT_OF_ONE = statement(
  'certificate_orders.few_of_one',
  `select count(*)::integer as count from (
     select from certificate_orders where project_id = $1 and ${COUNTED} and requester = $2 limit ${MOST_OF_ONE + 1}) t`,
);

/** Orders that are placed at the same time do not see one another, so there may be a few more. @throws DomainError 400 */
async function requireFewOf(tx: Transaction, projectId: string, requester: RunAs | undefined): Promise<void> {
  if (!requester) return;
  const [found] = await tx.sql<{ count: number }>(COUNT_OF_ONE, [projectId, JSON.stringify(requester)]);
  if (found!.count > MOST_OF_ONE)
    throw badRequest(
      TOO_MANY,
      `You can have at most ${MOST_OF_ONE} pending certificate orders in one project; wait for others, or cancel them first`,
    );
}

/** ACME and its like know a server by its alternative names: a common name that is one of a host is one of these. */
export function withNamedHost({ subject, altNames }: Pick<Order, 'subject' | 'altNames'>): Order['altNames'] {
  const { commonName } = subject;
  if (altNames.length > 0 || commonName === undefined) return altNames;
  try {
    return [readAltName('dns', commonName)];
  } catch {
    return altNames;
  }
}

/**
 * Orders a certificate from an external authority: the order and its key are stored, and carried out afterwards. The
 * caller of this function has checked the rights.
 *
 * @param also Joins the transaction that stores it.
 * @throws DomainError 400 named by the violated rule, `certificate_authority.not_active`, `certificate_order.too_many` unless it
 * is automatic.
 */
export async function placeOrder(
  ctx: Context,
  authority: ExternalAuthorityRow,
  { order, csr, rules, isAutomatic = false, isRequest = false }: ToOrder,
  also?: (tx: Transaction, placed: PlacedOrder) => Promise<void>,
): Promise<PlacedOrder> {
  const { organizationId, projectId, id: externalCaId } = authority;
  if (authority.status !== 'active')
    throw badRequest('certificate_authority.not_active', 'The certificate authority is disabled');
  requireDirectIssuance(authority, order);
  if (order.extendedKeyUsages.includes('ocspSigning'))
    throw refused('certificate.ocsp_signing', 'External authorities have their own OCSP responders');
  if (isForAuthorities(order))
    throw refused('certificate.key_usage', 'keyCertSign and cRLSign are only for authorities');
  const { publicKey, privateKey } = await keyOf(ctx, order.key);
  const keyAlgorithm = keyAlgorithmOf(publicKey);
  if (!keyAlgorithm) throw refused('certificate.key', 'The key type is not supported');
  const ttl = ttlOf(ctx.now(), order);
  const { subject, altNames } = order;
  if (isNameless(order)) throw refused(...NAMELESS);
  issuerOf(authority).requireIssuable({ subject, altNames, keyAlgorithm, ttl });
  refuseErrors(await constraintsFound(order, contentOf(ctx.now(), order, publicKey, ttl)));
  await requireNotCompromised(ctx, authority, publicKey);
  if (csr) requireOrderedContent(csr, order);
  else if (!privateKey)
    throw refused('certificate.csr', 'Its key is not stored here: send a CSR with the key and all names');
  const request =
    csr ?? (await makeCsr(subject, { publicKey, privateKey: privateKey!, algorithm: keyAlgorithm }, { altNames }));
  const { keyUsages, extendedKeyUsages, renewBeforeDays, metadata = [], source } = order;
  const isRenewal = order.renewedFromId !== undefined;
  const content: OrderContent = {
    ...{ keyAlgorithm, keyUsages, extendedKeyUsages, ttl, renewBeforeDays, rules, isAutomatic, isRenewal },
    source: source as OrderContent['source'],
    metadata: [...metadata],
  };
  const id = newId();
  const { commonName = '' } = subject;
  const { pkiSubscriberId = null, renewedFromId = null } = order;
  const profileId = order.profile?.id ?? null;
  const requester = runAsOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const pkcs8 = privateKey?.export({ type: 'pkcs8', format: 'der' });
    await tx.sql(INSERT, [
      ...[id, organizationId, projectId, externalCaId, profileId, pkiSubscriberId, renewedFromId, commonName],
      ...[altNames.length > 0 ? altNamesText(altNames) : null, JSON.stringify(altNames), JSON.stringify(subject)],
      ...[order.friendlyName || commonName || altNames[0]?.value || '', JSON.stringify(content), request],
      ...[pkcs8 ? await orderKeys.seal(tx, { id, organizationId, projectId }, pkcs8) : null, tx.now()],
      requester ? JSON.stringify(requester) : null,
    ]);
    if (!isAutomatic) {
      await requireFewOf(tx, projectId, requester);
      await requireFewOrders(tx, projectId);
    }
    const placed: PlacedOrder = { orderId: id, status: 'pending' };
    if (isRequest) await tx.sql(REQUEST, [id, organizationId, projectId, profileId, tx.now()]);
    await also?.(tx, placed);
    orders.enqueue(tx, { id, organizationId });
    const data = { certificateOrderId: id, caId: externalCaId, commonName, profileId, pkiSubscriberId };
    record(tx, certificateOrdered, data, { organizationId, projectId });
    return placed;
  });
}

/**
 * Authorities take names, subject and usages from the request: it may have none that the order, whose rights were checked, has
 * not. A CSR for an authority, or with other extensions, was refused when it was read (`readRequest`).
 *
 * @throws DomainError 400
 */
function requireOrderedContent(csr: Buffer, { altNames, subject, ...usages }: Says): void {
  const request = readCsr(csr);
  if (!sameNames(request.altNames, altNames))
    throw refused('csr.names', 'An external authority needs a CSR with exactly the names of the certificate');
  const { other, ...requested } = request.subject;
  const attribute =
    other[0] ?? Object.keys(requested).find((name) => !sameValue(requested, subject, name as keyof Subject));
  if (attribute !== undefined)
    throw refused(
      'csr.subject',
      `The subject of the CSR has another ${attribute} than the certificate: an external authority may take it from there`,
    );
  const beyond = [
    ...(request.keyUsages ?? []).filter((usage) => !usages.keyUsages.includes(usage)),
    ...(request.extendedKeyUsages ?? []).filter((usage) => !usages.extendedKeyUsages.includes(usage)),
  ];
  if (beyond.length > 0)
    throw refused(
      'csr.usage',
      `The CSR requests ${beyond.join(', ')}, which the certificate has not: an external authority may take it from there`,
    );
}

const sameValue = (requested: Subject, ordered: Subject, name: keyof Subject): boolean =>
  requested[name] === undefined || String(requested[name]) === String(ordered[name]);

async function keyOf(
  ctx: Context,
  key: Order['key'],
): Promise<{ publicKey: KeyObject; privateKey?: KeyObject | undefined }> {
  if (!('make' in key)) return key;
  const made = await generateInTurn(ctx, key.make, () => newKey(key.make));
  const privateKey = createPrivateKey({ key: made.privateKey, format: 'der', type: 'pkcs8' });
  made.privateKey.fill(0);
  return { publicKey: createPublicKey(privateKey), privateKey };
}

/**
 * The validity in milliseconds; `undefined` where the authority decides.
 *
 * @throws DomainError 400 `certificate.validity` for what has ended, or would begin later: authorities elsewhere begin with the issue.
 */
function ttlOf(now: Date, { notBefore, notAfter, ttl: wanted }: Order): number | undefined {
  if (notBefore && notBefore.getTime() > now.getTime() + BACKDATED)
    throw refused('certificate.validity', 'Certificates of external authorities begin when they are issued');
  const ttl = notAfter ? notAfter.getTime() - now.getTime() : wanted;
  if (ttl !== undefined && !(ttl > 0)) throw refused('certificate.validity', 'notAfter must be in the future');
  return ttl;
}

type Says = Pick<Order, 'subject' | 'altNames' | 'keyUsages' | 'extendedKeyUsages'>;

/** What is ordered, as a certificate. */
export const contentOf = (now: Date, order: Says, publicKey: PublicKey, ttl = 0): CertificateContent => ({
  serialNumber: '',
  subject: order.subject,
  altNames: order.altNames,
  publicKey,
  notBefore: wholeSeconds(now),
  notAfter: wholeSeconds(now.getTime() + ttl),
  keyUsages: order.keyUsages,
  extendedKeyUsages: order.extendedKeyUsages,
  ...{ crlUrls: [], ocspUrls: [], issuerUrls: [] },
});

import { z } from 'zod';
import { at, DomainError, isId, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { signerOf, type Signer } from '../authority/index.ts';
import { issueCertificate, withoutRoots, type Issued, type Order } from '../certificate/index.ts';
import { usualExtendedKeyUsages, usualKeyUsages, usualSubject } from '../profile/index.ts';
import { chainPem, isWildcard, type ReadCsr } from '../x509.ts';
import { parsed } from './account.ts';
import { acmeOrderFinalized } from './acme.ts';
import { badCsr, readOrderCsr } from './csr.ts';
import { inAccountTransaction } from './hold.ts';
import { nameOf } from './identifier.ts';
import { requireBound, type AcmeAccount } from './message.ts';
import { endOf, findOrder, statusOf, type AcmeOrder } from './order.ts';
import { noSuch, problem } from './problem.ts';
import type { AcmeProfile } from './profile.ts';
import { proveAccount } from './unproved.ts';

const Finalize = z.object({ csr: z.string() });

const LOCK = statement(
  'acme_orders.lock_to_finalize',
  `select status, expires_at as "expiresAt", identifiers from acme_orders
   where id = $1 and account_id = $2 and profile_id = $3 for update`,
);
const AUTHORIZATIONS = statement(
  'acme_authorizations.to_finalize',
  `select account_id as "accountId", status, identifier, is_wildcard as "isWildcard", expires_at as "expiresAt",
     (select true from acme_challenges c where c.authorization_id = a.id and c.status = 'valid' limit 1) is not null as "hasProof"
   from acme_authorizations a where order_id = $1 for share`,
);
const FINISH = statement(
  'acme_orders.finish',
  `update acme_orders set status = 'valid', certificate_id = $2, error = null, updated_at = $3
   where id = $1 and status = 'ready' returning id`,
);

/**
 * Issues the certificate of an order. One transaction that starts with the locks of its account and of the order: of concurrent
 * calls one issues, and the response is stored first.
 *
 * @throws AcmeProblem `orderNotReady` unless all of its authorizations are valid now; `badCSR`; `malformed` if the profile does not
 * allow its validity any more; `externalAccountRequired`.
 */
export async function finalizeOrder(
  ctx: Context,
  profile: AcmeProfile,
  account: AcmeAccount,
  { id, payload }: { id: string; payload: Record<string, unknown> },
): Promise<AcmeOrder> {
  requireBound(profile, account);
  const order = await findOrder(ctx, account, id);
  const { csr: given } = parsed(Finalize, payload);
  if (statusOf(ctx, order) !== 'ready') throw notReady();
  const csr = await readOrderCsr(given, order.identifiers, account);
  const signer = await signerOfProfile(ctx, profile);
  await inAccountTransaction(ctx, profile, account, async (tx) => {
    await requireReady(tx, profile, account, order);
    const issued = await issue(tx, signer, certificateOrder(tx, { profile, signer, order, csr }));
    if ((await tx.sql(FINISH, [id, issued.certificateId, tx.now()])).length === 0) throw notReady();
    await proveAccount(tx, account.id);
    const { certificateId, serialNumber } = issued;
    const data = {
      acmeAccountId: account.id,
      certificateProfileId: profile.id,
      acmeOrderId: id,
      certificateId,
      serialNumber,
    };
    record(tx, acmeOrderFinalized, data, { organizationId: profile.organizationId, projectId: profile.projectId });
  });
  return findOrder(ctx, account, id);
}

const notReady = () => problem('orderNotReady', 'The order is not ready: its names are not validated, or it has ended');

/** Nothing is signed but for names that are all proved, by this account, and still count as such. */
async function requireReady(
  tx: Transaction,
  profile: AcmeProfile,
  account: AcmeAccount,
  order: AcmeOrder,
): Promise<void> {
  const now = tx.now();
  const [locked] = await tx.sql<{ status: string; expiresAt: string; identifiers: string[] }>(LOCK, [
    order.id,
    account.id,
    profile.id,
  ]);
  if (locked?.status !== 'ready' || at(locked.expiresAt) <= now) throw notReady();
  const authorizations = await tx.sql<{
    accountId: string;
    status: string;
    identifier: string;
    isWildcard: boolean;
    expiresAt: string;
    hasProof: boolean;
  }>(AUTHORIZATIONS, [order.id]);
  const proved = authorizations.filter(
    ({ accountId, status, expiresAt, hasProof }) =>
      accountId === account.id &&
      status === 'valid' &&
      at(expiresAt) > now &&
      // What was taken for proved when the order was made may not be any more.
      (hasProof || profile.skipDnsOwnershipVerification),
  );
  const isProved = (name: string) =>
    proved.some((one) => one.identifier === nameOf(name) && one.isWildcard === isWildcard(name));
  if (proved.length !== authorizations.length || !locked.identifiers.every(isProved)) throw notReady();
}

async function signerOfProfile(ctx: Context, profile: AcmeProfile): Promise<Signer> {
  try {
    return await signerOf(ctx, profile.caId);
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
    throw problem('serverInternal', 'The authority of this profile cannot issue now');
  }
}

async function issue(tx: Transaction, signer: Signer, order: Order): Promise<Issued> {
  try {
    return await issueCertificate(tx, signer, order);
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'bad_request') throw error;
    throw badCsr(error.message);
  }
}

/** From the CSR only the key and the choice of the common name are used. */
function certificateOrder(
  ctx: Context,
  { profile, signer, order, csr }: { profile: AcmeProfile; signer: Signer; order: AcmeOrder; csr: ReadCsr },
): Order {
  const { defaults, constraints } = profile;
  const notBefore = order.notBefore ?? undefined;
  const notAfter = endOf(ctx, profile, order);
  const { commonName } = csr.subject;
  return {
    subject: { ...usualSubject(defaults), commonName: commonName?.toLowerCase() },
    altNames: order.identifiers.map((value) => ({ type: 'dns', value })),
    key: { publicKey: csr.publicKey },
    notBefore,
    notAfter: notAfter < signer.issuer.notAfter ? notAfter : signer.issuer.notAfter,
    keyUsages: usualKeyUsages(defaults, constraints, csr.keyAlgorithm),
    extendedKeyUsages: usualExtendedKeyUsages(defaults, constraints, ['serverAuth']),
    constraints: [constraints],
    allowedSubjects: [usualSubject(defaults)],
    source: 'acme',
    profile,
    ...(order.replacesCertificateId && { renewedFromId: order.replacesCertificateId }),
  };
}

const DOWNLOAD = statement(
  'acme.certificate_download',
  `select c.body, ca.body as "issuer", ca.chain as "above"
   from acme_orders o join certificates c on c.id = o.certificate_id
     join ca_certificates ca on ca.id = c.ca_certificate_id
   where o.account_id = $1 and c.id = $2`,
);

/**
 * A certificate that the account ordered, in PEM, followed by its issuer's chain; the root is omitted if there are
 * intermediates.
 */
export async function downloadCertificate(ctx: Context, account: AcmeAccount, id: string): Promise<string> {
  const [row] = isId(id)
    ? await ctx.sql<{ body: Uint8Array; issuer: Uint8Array; above: string }>(DOWNLOAD, [account.id, id])
    : [];
  if (!row) throw noSuch('certificate');
  return chainPem([row.body, row.issuer]) + (row.above && withoutRoots(row.above));
}

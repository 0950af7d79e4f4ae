import { createPublicKey, type KeyObject } from 'node:crypto';
import { at, DomainError, isId, notFound, statement, type Context } from '../../kernel/index.ts';
import { signerOfKey } from '../authority/index.ts';
import {
  certIdMatches,
  ocspError,
  ocspResponse,
  readOcspRequest,
  REVOCATION_REASONS,
  type CertId,
  type OcspAnswer,
  type OcspRequest,
  type RevocationReason,
} from '../x509.ts';
import { responderOf, type Responder } from './responder.ts';
import { retiredKey } from './retire.ts';

const SECOND = 1000;
/** Milliseconds for which an answer may be presented, stapled to a handshake for example. */
const VALIDITY = 24 * 60 * 60 * SECOND;
/** Maximum number of certificates in one request. */
const MAX_ASKED = 20;

export interface OcspReply {
  /** DER of an OCSPResponse. */
  readonly der: Buffer;
  /** Absent where the answer is an error, or made for this request alone. */
  readonly reusable?: { readonly producedAt: Date; readonly nextUpdate: Date } | undefined;
}

/**
 * Responds to an OCSP request (RFC 6960) for one key, with the current state of the database; errors are those of the
 * protocol.
 *
 * @throws DomainError 404 for an unknown key.
 */
export async function answerOcsp(
  ctx: Context,
  { crlId, request }: { crlId: string; request: Uint8Array },
): Promise<OcspReply> {
  try {
    const answering = isId(crlId) ? ((await ofAuthority(ctx, crlId)) ?? (await ofRetired(ctx, crlId))) : undefined;
    if (!answering) throw notFound('ocsp responder');
    return await answer(ctx, answering, request);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') throw error;
    if (error instanceof DomainError && error.kind === 'bad_request') return { der: ocspError('malformedRequest') };
    ctx.log.error({ err: error, crlId }, 'An OCSP request could not be answered');
    return { der: ocspError('tryLater') };
  }
}

/** The content of responses. */
interface Answering {
  /** Of the authority, as questions name it. */
  readonly name: Uint8Array;
  readonly publicKey: KeyObject;
  readonly responder: Responder;
  readonly statuses: (serials: readonly string[]) => Promise<StatusRow[]>;
}

async function ofAuthority(ctx: Context, caKeyId: string): Promise<Answering | undefined> {
  const signer = await signerOfKey(ctx, caKeyId);
  if (!signer) return undefined;
  const { issuer, caId } = signer;
  return {
    name: issuer.name,
    publicKey: createPublicKey(issuer.privateKey),
    responder: await responderOf(ctx, signer),
    statuses: (serials) => ctx.sql<StatusRow>(STATUSES, [caKeyId, caId, serials]),
  };
}

async function ofRetired(ctx: Context, caKeyId: string): Promise<Answering | undefined> {
  const retired = await retiredKey(ctx, caKeyId);
  if (!retired) return undefined;
  const { issuerName, publicKey, responder } = retired;
  return {
    name: issuerName,
    publicKey: createPublicKey({ key: publicKey, type: 'spki', format: 'der' }),
    responder,
    statuses: (serials) => ctx.sql<StatusRow>(RETIRED_STATUSES, [caKeyId, serials]),
  };
}

async function answer(ctx: Context, answering: Answering, der: Uint8Array): Promise<OcspReply> {
  const request = readOcspRequest(der);
  if (request.certIds.length === 0 || request.certIds.length > MAX_ASKED) return { der: ocspError('malformedRequest') };
  const { key, certificate, notAfter } = answering.responder;
  const producedAt = new Date(Math.floor(ctx.now().getTime() / SECOND) * SECOND);
  // Caches judge a response by the certificate of its responder, too.
  const nextUpdate = new Date(
    Math.min(producedAt.getTime() + VALIDITY, Math.max(notAfter.getTime(), producedAt.getTime())),
  );
  const { nonce } = request;
  const answers = await answersTo(answering, request);
  const made = await ocspResponse(key, {
    ...{ answers, producedAt, thisUpdate: producedAt, nextUpdate, nonce },
    ...(certificate && { certificate }),
  });
  return { der: made, reusable: nonce ? undefined : { producedAt, nextUpdate } };
}

interface StatusRow {
  serialNumber: string;
  revokedAt: string | null;
  reason: number | null;
}
/** Revoked certificates have an entry until they expire; after that the status of their row is used, if it exists. */
const STATUSES = statement(
  'ocsp.statuses',
  `select asked.serial as "serialNumber", coalesce(e.revoked_at, c.revoked_at) as "revokedAt",
     coalesce(e.reason, c.revocation_reason) as reason
   from unnest($3::text[]) as asked (serial)
   left join revocation_entries e on e.ca_key_id = $1 and e.serial_number = asked.serial
   left join certificates c on c.ca_id = $2 and c.serial_number = asked.serial and c.ca_key_id = $1
   where e.serial_number is not null or c.id is not null`,
);

const RETIRED_STATUSES = statement(
  'ocsp.retired_statuses',
  `select serial_number as "serialNumber", revoked_at as "revokedAt", reason from retired_certificates
   where ca_key_id = $1 and serial_number = any ($2)`,
);

async function answersTo(answering: Answering, { certIds }: OcspRequest): Promise<OcspAnswer[]> {
  const ours = new Set(certIds.filter((certId) => certIdMatches(certId, answering)));
  const serials = [...new Set(Array.from(ours, ({ serialNumber }) => serialNumber))];
  const rows = serials.length > 0 ? await answering.statuses(serials) : [];
  const bySerial = new Map(rows.map((row) => [row.serialNumber, row]));
  return certIds.map((certId) => ({ certId, status: statusOf(certId, ours, bySerial) }));
}

function statusOf(
  certId: CertId,
  ours: ReadonlySet<CertId>,
  bySerial: ReadonlyMap<string, StatusRow>,
): OcspAnswer['status'] {
  const row = ours.has(certId) ? bySerial.get(certId.serialNumber) : undefined;
  if (!row) return 'unknown';
  return row.revokedAt === null ? 'good' : { revokedAt: at(row.revokedAt), reason: reasonOf(row.reason) };
}

const reasonOf = (number: number | null): RevocationReason | undefined =>
  (Object.keys(REVOCATION_REASONS) as RevocationReason[]).find((reason) => REVOCATION_REASONS[reason] === number);

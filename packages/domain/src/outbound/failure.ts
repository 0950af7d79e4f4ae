import { badRequest, DomainError } from '../kernel/errors.ts';

/**
 * Errors of outbound calls. Messages contain the host and the reason. The underlying error is dropped: its text can
 * contain the URL, an internal address, or bytes of the response.
 */
export const badUrl = (why: string) => badRequest('outbound.bad_url', why);

export const refused = (host: string, what: string) =>
  badRequest(
    'outbound.refused',
    `${host} has ${what} address, which Coffer does not call unless the operator allows it (COFFER_OUTBOUND_ALLOW)`,
    { host },
  );

export const timedOut = (host: string) => badRequest('outbound.timeout', `${host} did not answer in time`, { host });

export const tooLarge = (host: string, what: string) =>
  badRequest('outbound.too_large', `${host} answered with ${what} than accepted`, { host });

export const badRedirect = (host: string, why: string) =>
  badRequest('outbound.redirect', `${host} redirects ${why}`, { host });

/** The request cannot be sent: an invalid header, method or certificate. */
export const badOutboundRequest = (why: string) => badRequest('outbound.bad_request', why);

/** For faults of the answer itself, where the caller wanted text or JSON. */
export const badResponse = (host: string, why: string) =>
  badRequest('outbound.bad_response', `${host} answered ${why}`, { host });

/** For what is not of the protocol that was to be spoken. */
export const unexpected = (host: string) => badResponse(host, 'what its protocol does not allow');

const reasons: Record<string, string> = {
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
  EADDRNOTAVAIL: 'cannot be reached from here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'presents a certificate for another name',
  CERT_HAS_EXPIRED: 'presents an expired certificate',
  CERT_NOT_YET_VALID: 'presents a certificate that is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'presents a certificate that is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'presents a certificate that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'presents a certificate that is not trusted',
  CERT_SIGNATURE_FAILURE: 'presents a certificate that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'presents a certificate that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'presents a certificate that is not trusted',
};

const ABSENT = 'ENOTFOUND';

/** For a name without an address that may be called: why is the operator's to know. */
export const noAddress = (host: string) =>
  unreachable(
    host,
    'has no address, or one that Coffer does not call unless the operator allows it (COFFER_OUTBOUND_ALLOW)',
    ABSENT,
  );

/** A name that could not be resolved, for any reason. */
export function asLookupFailure(error: unknown, host: string): DomainError {
  if (error instanceof DomainError) return error;
  const code = codeOf(error);
  if (code === 'ETIMEOUT') return timedOut(host);
  return isAbsent(error) ? noAddress(host) : unreachable(host, 'cannot be resolved', code);
}

/** Whether the failure of a look-up says that nobody has the name. */
export const isAbsent = (error: unknown): boolean => [ABSENT, 'ENODATA'].includes(codeOf(error));

/** A failure of the network or of the remote's protocol, in terms of the contract. */
export function asFailure(error: unknown, host: string): DomainError {
  if (error instanceof DomainError) return error;
  const code = codeOf(error);
  if (code === 'ETIMEDOUT') return timedOut(host);
  if (code === 'HPE_HEADER_OVERFLOW') return tooLarge(host, 'longer headers');
  if (code.startsWith('HPE_')) return unreachable(host, 'does not speak HTTP', code);
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return unreachable(host, 'fails the TLS handshake', code);
  return unreachable(host, reasons[code] ?? 'cannot be reached', code);
}

/** Error codes of the network before anything was sent. */
const UNSENT = new Set(['ECONNREFUSED', ABSENT, 'ENODATA', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Whether a call failed before anything of it was sent. */
export function isUnsent(error: unknown): boolean {
  if (!(error instanceof DomainError)) return false;
  const { code } = (error.details ?? {}) as { code?: string };
  return ['outbound.refused', 'outbound.bad_url'].includes(error.code) || UNSENT.has(code ?? '');
}

export const unreachable = (host: string, why: string, code?: string) =>
  badRequest('outbound.unreachable', `${host} ${why}`, { host, ...(code && { code }) });

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^[A-Z0-9_/]{1,64}$/.test(code) ? code : '';
}

import {
  answerOcsp,
  authorityPermissions,
  AuthorityRef,
  getRevocationList,
  getRevocationListOf,
  getWholeRevocationList,
  listRevocationLists,
  NamedRevocationList,
  RevocationListRef,
  type Context,
  type OcspReply,
  type RevocationList,
} from '@coffer/domain';
import { z } from 'zod';
import { isKnown, octets, procedure, Raw, RawAnswer, rest, router, type ApiCall } from '../kernel/index.ts';

/** RFC 5280, section 4.2.1.13 of the DER; of PEM, what browsers and tools take it for. */
const CRL = 'application/pkix-crl';
const OCSP_REQUEST = 'application/ocsp-request';
const OCSP_RESPONSE = 'application/ocsp-response';

/** Seconds of caching; a revocation is in a list within a minute. */
const CRL_AGE = 30;
const OCSP_AGE = 300;
/**
 * Maximum size of a parsed request; requests for one certificate have less than 150 bytes, and from 16 KiB on they are
 * rejected.
 */
const MAX_REQUEST = 65_536;
/** Maximum size in a path, because servers in between limit it. */
const MAX_IN_PATH = 1_500;

type Form = 'pem' | 'der';

/** Milliseconds after which no other list of the same second can follow, so that its time identifies it. */
const SETTLED = 60_000;

function crlHeaders({ fingerprint, thisUpdate, nextUpdate }: RevocationList, form: Form, now: Date) {
  const isSettled = now.getTime() - thisUpdate.getTime() >= SETTLED;
  return {
    etag: `"${fingerprint}${form === 'pem' ? '.pem' : ''}"`,
    'cache-control': `public, max-age=${CRL_AGE}`,
    ...(isSettled && { 'last-modified': thisUpdate.toUTCString() }),
    expires: nextUpdate.toUTCString(),
  };
}

/** A list is sent to clients that do not have it. */
async function answerCrl(ctx: Context & Pick<ApiCall, 'http'>, crlId: string, form: Form): Promise<RawAnswer> {
  const now = ctx.now();
  const headers = crlHeaders(await getRevocationList(ctx, crlId), form, now);
  if (hasList(ctx.http, headers)) return new RawAnswer(CRL, '', headers, 304);
  const list = await getWholeRevocationList(ctx, crlId, form);
  return new RawAnswer(CRL, list.body, crlHeaders(list, form, now));
}

/** By its tag or, without tags, by its time (RFC 9110, section 13.2.2), which is compared like a tag. */
function hasList(http: ApiCall['http'], { etag, 'last-modified': time }: ReturnType<typeof crlHeaders>): boolean {
  const tags = http.header('if-none-match');
  return tags === undefined ? time !== undefined && http.header('if-modified-since') === time : isKnown(tags, etag);
}

/** As in RFC 5019, section 6.2, but for a shorter time than the validity of the response. */
const reusable = ({ reusable: times }: OcspReply): Readonly<Record<string, string>> =>
  times
    ? {
        'cache-control': `max-age=${OCSP_AGE}, public, no-transform, must-revalidate`,
        'last-modified': times.producedAt.toUTCString(),
        expires: times.nextUpdate.toUTCString(),
      }
    : {};

export const revocationRouter = router({
  getPem: procedure
    .meta(
      rest('GET', '/api/v1/pki/crl/{crlId}', 'public', 'Read a revocation list, as PEM', {
        answers: [CRL],
        description: 'The ID is that of the signing key, as named in the certificates that the list is about.',
      }),
    )
    .input(RevocationListRef)
    .output(Raw)
    .query(({ ctx, input }) => answerCrl(ctx, input.crlId, 'pem')),
  getDer: procedure
    .meta(rest('GET', '/api/v1/pki/crl/{crlId}/der', 'public', 'Read a revocation list, as DER', { answers: [CRL] }))
    .input(RevocationListRef)
    .output(Raw)
    .query(({ ctx, input }) => answerCrl(ctx, input.crlId, 'der')),
  list: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/cert-manager/ca/internal/{caId}/crls',
        authorityPermissions.read,
        'List the revocation lists of an authority',
        {
          description: 'One list for each current and former key, newest first.',
          aliases: ['/api/v1/pki/ca/{caId}/crls'],
        },
      ),
    )
    .input(AuthorityRef)
    .output(z.array(NamedRevocationList))
    .query(({ ctx, input }) => listRevocationLists(ctx, input)),
  getOf: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/pki/ca/{caId}/crl',
        authorityPermissions.read,
        'Read the revocation list of the current key of an authority',
      ),
    )
    .input(AuthorityRef)
    .output(NamedRevocationList.pick({ crl: true }))
    .query(({ ctx, input }) => getRevocationListOf(ctx, input)),
  askOcsp: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/pki/ocsp/{crlId}',
        'public',
        'Query the revocation status of certificates (OCSP, RFC 6960)',
        {
          takes: { type: OCSP_REQUEST, field: 'ocspRequest' },
          answers: [OCSP_RESPONSE],
        },
      ),
    )
    .input(RevocationListRef.extend({ ocspRequest: octets(MAX_REQUEST).default(Buffer.of()) }))
    .output(Raw)
    .mutation(async ({ ctx, input }) => {
      const { der } = await answerOcsp(ctx, { crlId: input.crlId, request: input.ocspRequest });
      return new RawAnswer(OCSP_RESPONSE, der);
    }),
  getOcsp: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/pki/ocsp/{crlId}/{ocspRequest}',
        'public',
        'Query the revocation status of certificates, with the request in the path (OCSP)',
        { answers: [OCSP_RESPONSE], takesRest: true, description: 'RFC 6960, appendix A.1.' },
      ),
    )
    .input(RevocationListRef.extend({ ocspRequest: octets(MAX_IN_PATH) }))
    .output(Raw)
    .query(async ({ ctx, input }) => {
      const reply = await answerOcsp(ctx, { crlId: input.crlId, request: input.ocspRequest });
      return new RawAnswer(OCSP_RESPONSE, reply.der, reusable(reply));
    }),
});

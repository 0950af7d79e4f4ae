import { z } from 'zod';
import { notingThrottled } from '../../access/index.ts';
import {
  at,
  defineEvent,
  DomainError,
  REFUSALS,
  refusalOf,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { isAnyRevoked, signerOf, wholeOf } from '../authority/index.ts';
import { issueCertificate, readRequest, sameNames, type Order } from '../certificate/index.ts';
import { refused } from '../constraint/index.ts';
import { isPassphrase } from '../est-config/index.ts';
import { certsOnly, readCertificate, type ReadCertificate, type Subject } from '../x509.ts';
import { clientCertificates, notKnown, requireBootstrap, requireNoneRevoked } from './client.ts';
import { enter, type Enter, type Place } from './place.ts';

/** What clients prove who they are by. */
export interface EstCredentials {
  /** The header `Authorization`. */
  readonly authorization: string | undefined;
}

/**
 * RFC 7030, section 4.1: the authority's certificate and its chain, certs-only, in base64.
 *
 * @throws DomainError 404
 */
export async function estCertificates(ctx: Context, id: string, become: Enter): Promise<string> {
  const { chain } = await signerOf(ctx, (await enter(ctx, id, become)).caId);
  return inBase64(certsOnly(chain.map(({ der }) => der)));
}

const inBase64 = (der: Buffer): string => der.toString('base64').replaceAll(/.{1,64}/g, '$&\n');

export interface Enroll {
  /** Of a template or profile. */
  readonly id: string;
  /** DER, or base64 of it as RFC 7030 has it. */
  readonly csr: Uint8Array;
}

/**
 * RFC 7030, section 4.2.1: a certificate for a client with the passphrase and, unless the configuration needs none,
 * with a certificate of its chain.
 *
 * @throws DomainError 404, 401, 429, 400
 */
export async function simpleEnroll(
  ctx: Context,
  { id, csr }: Enroll,
  { authorization }: EstCredentials,
  become: Enter,
): Promise<string> {
  const place = await enter(ctx, id, become);
  return notingRefusal(ctx, place, 'simpleenroll', async () => {
    if (!(await isPassphrase(ctx, place, passwordOf(authorization)))) throw notKnown();
    const whole = place.isOpen ? [] : await requireBootstrap(ctx, place);
    const check = (by: Context) => requireNoneRevoked(by, place, whole);
    await check(ctx);
    return issue(ctx, place, csr, check);
  });
}

/**
 * RFC 7030, section 4.2.2: a new certificate with the same names for a client with a valid certificate that was enrolled
 * by this template or profile.
 *
 * @throws DomainError 404, 401, 400
 */
export async function simpleReenroll(ctx: Context, { id, csr }: Enroll, become: Enter): Promise<string> {
  const place = await enter(ctx, id, become);
  return notingRefusal(ctx, place, 'simplereenroll', async () => {
    const [certificate] = await clientCertificates(ctx);
    if (!certificate) throw notKnown();
    const current = await currentOf(ctx, place, certificate, CURRENT);
    return issue(ctx, place, csr, (tx) => currentOf(tx, place, certificate, LOCKED_CURRENT), current);
  });
}

const enrollmentRefused = defineEvent(
  'est.refused',
  'est-enrollment-refused',
  z.object({ estConfigOf: z.string().describe('ID of the template or profile'), ...REFUSALS }),
);

/** Records a rejected client, also one that has to wait, or asks for what it may not have: then with the rule, such as `policy.dns`. */
async function notingRefusal<T>(ctx: Context, place: Place, operation: string, check: () => Promise<T>): Promise<T> {
  const { id, organizationId, projectId } = place;
  const note = (detail: string) =>
    ctx.noteRefusal(
      refusalOf(enrollmentRefused, { estConfigOf: id }, { organizationId, projectId, subject: id, detail }),
      ctx,
    );
  try {
    return await notingThrottled(check, () => note(operation));
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'unauthenticated') await note(operation);
    if (error instanceof DomainError && error.kind === 'bad_request') await note(`${operation} ${error.code}`);
    throw error;
  }
}

/** The user name is ignored. */
function passwordOf(authorization: string | undefined): string {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization ?? '')?.[1] ?? '';
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  return text.includes(':') ? text.slice(text.indexOf(':') + 1) : '';
}

/** A certificate of this place that is valid. */
interface Current {
  readonly id: string;
  readonly certificate: ReadCertificate;
  /** A client that received no response repeats the request. */
  readonly isRenewed: boolean;
}

/** Only certificates that were enrolled by EST: a right by which another one was issued may have ended. */
const CURRENT_OF = `select c.id, c.not_before as "notBefore", c.not_after as "notAfter",
     exists (select 1 from certificates r where r.renewed_from_id = c.id) as "isRenewed"
   from certificates c
   where c.organization_id = $1 and c.project_id = $2 and (c.certificate_template_id = $3 or c.profile_id = $3)
     and c.source = 'est' and c.status = 'active' and c.fingerprint_sha256 = decode($4, 'hex')`;
const CURRENT = statement('est.current', CURRENT_OF);
/** The same, locked until the transaction ends. */
const LOCKED_CURRENT = statement('est.lock_current', `${CURRENT_OF} for no key update`);

async function currentOf(
  ctx: Context,
  place: Place,
  certificate: ReadCertificate,
  by: typeof CURRENT,
): Promise<Current> {
  const values = [place.organizationId, place.projectId, place.id, certificate.fingerprintSha256];
  const [row] = await ctx.sql<Omit<Current, 'certificate'> & { notBefore: string; notAfter: string }>(by, values);
  const now = ctx.now();
  if (!row || at(row.notBefore) > now || at(row.notAfter) <= now) throw notKnown();
  if (!(await hasIssuer(ctx, place, row.id))) throw notKnown();
  return { id: row.id, certificate, isRenewed: row.isRenewed };
}

const ISSUERS = statement(
  'est.issuers',
  `select ca.body, ca.chain from certificates c join ca_certificates ca on ca.ca_key_id = c.ca_key_id
   where c.organization_id = $1 and c.id = $2`,
);

/** Whether a certificate of the key that signed it, with the chain above, is not revoked. */
async function hasIssuer(ctx: Context, place: Place, certificateId: string): Promise<boolean> {
  const issuers = await ctx.sql<{ body: Buffer; chain: string }>(ISSUERS, [place.organizationId, certificateId]);
  for (const { body, chain } of issuers) if (!(await isAnyRevoked(ctx, place, wholeOf(body, chain)))) return true;
  return false;
}

const FIELDS = [
  'commonName',
  'organization',
  'organizationalUnit',
  'country',
  'province',
  'locality',
  'domainComponents',
] as const satisfies readonly (keyof Subject)[];
const subjectOf = (subject: Subject) => JSON.stringify(FIELDS.map((field) => subject[field] ?? null));

function requireSameNames({ subject, altNames }: ReadCertificate, order: Order): void {
  if (subjectOf(subject) !== subjectOf(order.subject) || !sameNames(altNames, order.altNames))
    throw refused('est.names', 'The subject and names must be those of the certificate that is renewed');
}

/** Base64 as RFC 7030 sends it, with or without the lines of PEM, or DER itself. */
function derOf(csr: Uint8Array): Uint8Array {
  const text = Buffer.from(csr).toString('latin1').trim();
  const base64 = text.replaceAll(/-----(?:BEGIN|END) (?:NEW )?CERTIFICATE REQUEST-----|\s/g, '');
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? Buffer.from(base64, 'base64') : csr;
}

/** @param check What the client has shown, again: some of it may have been revoked while the request waited. */
async function issue(
  ctx: Context,
  place: Place,
  csr: Uint8Array,
  check: (tx: Transaction) => Promise<unknown>,
  current?: Current,
): Promise<string> {
  const request = readRequest(derOf(csr));
  const signer = await signerOf(ctx, place.caId);
  const order = place.orderOf(signer, request);
  if (current) requireSameNames(current.certificate, order);
  const left = signer.issuer.notAfter.getTime() - ctx.now().getTime();
  const whole: Order = {
    ...order,
    // Clients cannot choose it: it expires with its authority at the latest.
    ttl: Math.min(order.ttl ?? Infinity, left),
    ...(current && !current.isRenewed && { renewedFromId: current.id }),
    estConfig: { id: place.configId, updatedAt: place.configUpdatedAt },
  };
  const issued = await issueCertificate(ctx, signer, whole, { first: check });
  return inBase64(certsOnly([readCertificate(issued.certificate).der]));
}

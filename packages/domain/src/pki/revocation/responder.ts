import { z } from 'zod';
import { columnSeal, generateInTurn, sealedRowOf } from '../../crypto/index.ts';
import { defineJob, enqueueEach, firstInTurns, turnsOf } from '../../jobs/index.ts';
import {
  at,
  DAY,
  DomainError,
  invalidate,
  inTransaction,
  newId,
  placeTags,
  record,
  statement,
  type Context,
  type Outside,
  type Transaction,
} from '../../kernel/index.ts';
import { openKeyAt, sealKey, signerOfKey, tagOf, type Signer } from '../authority/index.ts';
import { BACKDATED, refuseErrors } from '../constraint/index.ts';
import {
  generateKey,
  lint,
  newSerialNumber,
  signTbs,
  tbsOf,
  throwAwayKey,
  type KeyAlgorithm,
  type KeyPair,
  type SigningKey,
  wholeSeconds,
} from '../x509.ts';
import { responderIssued } from './revocation.ts';

/** Milliseconds for which a responder is good. Its certificate cannot be revoked (RFC 6960, section 4.2.2.2.1). */
const LIFETIME = 7 * DAY;

/**
 * The signer of OCSP responses for a key of an authority: the key itself, or a delegated responder with a certificate
 * by it.
 */
export interface Responder {
  readonly key: SigningKey;
  /** DER; absent for the authority itself. */
  readonly certificate?: Buffer | undefined;
  readonly notAfter: Date;
}

/** Algorithms that clients of the authority's certificate support; fast to generate. */
const KINDS: Readonly<Record<KeyAlgorithm, KeyAlgorithm>> = {
  EC_prime256v1: 'EC_prime256v1',
  EC_secp384r1: 'EC_secp384r1',
  ED25519: 'ED25519',
  RSA_2048: 'RSA_2048',
  RSA_3072: 'RSA_2048',
  RSA_4096: 'RSA_2048',
};

export interface MadeResponder {
  readonly algorithm: KeyAlgorithm;
  readonly pair: KeyPair;
  readonly certificate: Buffer;
  readonly serialNumber: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** The algorithm of a responder of the authority. */
export const responderAlgorithm = ({ issuer }: Signer): KeyAlgorithm => KINDS[issuer.algorithm];

/** Creates and certifies a responder of the authority. It has no order, and its key stays internal. */
async function makeResponder(ctx: Outside<Context>, signer: Signer, until: Date): Promise<MadeResponder> {
  const algorithm = responderAlgorithm(signer);
  const pair = await generateInTurn(ctx, algorithm, () => generateKey(algorithm));
  return certifyResponder(ctx, signer, pair, until);
}

/** The same for a key of `responderAlgorithm`. */
export async function certifyResponder(
  ctx: Context,
  signer: Signer,
  pair: KeyPair,
  until: Date,
): Promise<MadeResponder> {
  const { issuer, issuerUrls } = signer;
  const now = ctx.now().getTime();
  const content = {
    serialNumber: newSerialNumber(),
    subject: { commonName: 'OCSP Responder' },
    altNames: [],
    publicKey: pair.publicKey,
    notBefore: wholeSeconds(Math.max(now - BACKDATED, issuer.notBefore.getTime())),
    notAfter: wholeSeconds(Math.min(until.getTime(), issuer.notAfter.getTime())),
    keyUsages: ['digitalSignature'],
    extendedKeyUsages: ['ocspSigning'],
    ocspNoCheck: true,
    crlUrls: [],
    ocspUrls: [],
    issuerUrls,
  } as const;
  const tbs = tbsOf(content, issuer);
  refuseErrors(lint(await signTbs(tbs, await throwAwayKey(issuer.algorithm)), { issuer, publicKey: pair.publicKey }));
  const { serialNumber, notBefore, notAfter } = content;
  return {
    algorithm: responderAlgorithm(signer),
    pair,
    certificate: await signTbs(tbs, issuer),
    serialNumber,
    notBefore,
    notAfter,
  };
}

const privateKeys = columnSeal('ocsp_responders.private_key');

interface ResponderRow {
  id: string;
  organizationId: string;
  projectId: string;
  keyAlgorithm: KeyAlgorithm;
  privateKey: Buffer;
  body: Buffer;
  notBefore: string;
  notAfter: string;
}
const FIND = statement(
  'ocsp_responders.of_key',
  `select id, organization_id as "organizationId", project_id as "projectId", key_algorithm as "keyAlgorithm",
     private_key as "privateKey", body, not_before as "notBefore", not_after as "notAfter"
   from ocsp_responders where ca_key_id = $1`,
);
const KEEP = statement(
  'ocsp_responders.keep',
  `insert into ocsp_responders
     (id, ca_key_id, organization_id, project_id, key_algorithm, private_key, body, not_before, not_after)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (ca_key_id) do update set id = excluded.id, key_algorithm = excluded.key_algorithm,
     private_key = excluded.private_key, body = excluded.body, not_before = excluded.not_before,
     not_after = excluded.not_after`,
);
/** Serializes creations: all but the first find the new one. */
const LOCK_KEY = statement('ocsp_responders.lock_key', 'select id from ca_keys where id = $1 for no key update');

/** When it is replaced: after half of its validity. */
const dueAt = ({ notBefore, notAfter }: ResponderRow): number => (at(notBefore).getTime() + at(notAfter).getTime()) / 2;

/**
 * The current responder of a key. A delegated responder is created if there is none, or if half of its validity is
 * over.
 */
export async function responderOf(ctx: Context, signer: Signer): Promise<Responder> {
  const { issuer, ocspResponder, caKeyId, caId } = signer;
  const now = ctx.now().getTime();
  if (ocspResponder === 'authority' || issuer.notAfter.getTime() <= now)
    return { key: issuer, notAfter: issuer.notAfter };
  const kept = await ctx.signers.load(`ocsp_responder:${caKeyId}`, now, async () => {
    const row = await currentOf(ctx, signer);
    return { value: await open(ctx, row), tags: [tagOf(caId), ...placeTags(row)], until: dueAt(row) };
  });
  return kept as Responder;
}

async function open(ctx: Context, row: ResponderRow): Promise<Responder> {
  const privateKey = await openKeyAt(ctx, privateKeys, sealedRowOf(row), row.privateKey);
  const key = { privateKey, algorithm: row.keyAlgorithm };
  return { key, certificate: row.body, notAfter: at(row.notAfter) };
}

async function currentOf(ctx: Context, signer: Signer): Promise<ResponderRow> {
  const isDue = (row: ResponderRow | undefined) => !row || dueAt(row) <= ctx.now().getTime();
  const find = async (by: Context) => (await by.sql<ResponderRow>(FIND, [signer.caKeyId]))[0];
  const [there] = [await find(ctx)];
  // Close to the authority's expiry no other one can be issued.
  if (there && (!isDue(there) || at(there.notAfter) >= signer.issuer.notAfter)) return there;
  const made = await makeResponder(ctx, signer, new Date(ctx.now().getTime() + LIFETIME));
  return inTransaction(ctx, async (tx) => {
    await tx.sql(LOCK_KEY, [signer.caKeyId]);
    const other = await find(tx);
    if (other && !isDue(other)) return other;
    await keep(tx, signer, made);
    return (await find(tx))!;
  });
}

async function keep(tx: Transaction, signer: Signer, made: MadeResponder): Promise<void> {
  const { organizationId, projectId, caId, caKeyId } = signer;
  const { algorithm, certificate, serialNumber, notBefore, notAfter } = made;
  const id = newId();
  const sealed = await sealKey(tx, privateKeys, { id, organizationId, projectId }, made.pair);
  const place = [id, caKeyId, organizationId, projectId];
  await tx.sql(KEEP, [...place, algorithm, sealed, certificate, notBefore, notAfter]);
  invalidate(tx, tagOf(caId));
  const data = { caId, caKeyId, serialNumber, notAfter: notAfter.toISOString() };
  record(tx, responderIssued, data, { organizationId, projectId });
}

/** A thousand may be due at once, long before it is urgent. The next search queues those that have failed. */
const JOB = { maxAttempts: 3, priority: 15 };

/** Close to the end of the authority no other one can be issued. */
const DUE = statement(
  'ocsp_responders.due',
  firstInTurns({
    table: 'ca_keys',
    isDue: `exists (select 1 from certificate_authorities a where a.id = t.ca_id and a.ocsp_responder = 'delegated')
      and exists (select 1 from ca_certificates c where c.ca_key_id = t.id and c.not_after > $1
        and not exists (select 1 from ocsp_responders r where r.ca_key_id = t.id
          and (r.not_after >= c.not_after or r.not_before + (r.not_after - r.not_before) / 2 > $1)))`,
    order: '(select r.not_after from ocsp_responders r where r.ca_key_id = t.id) nulls first',
    most: 1_000,
  }),
);

/** Each has its own job: a failure does not affect others. */
export const makeDueResponder = defineJob({
  name: 'ocsp.make_responder',
  payload: z.object({ organizationId: z.string(), caKeyId: z.string() }),
  turns: turnsOf('ocsp'),
  run: async (ctx, { caKeyId }) => {
    try {
      const signer = await signerOfKey(ctx, caKeyId);
      if (signer) await responderOf(ctx, signer);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      ctx.log.warn({ caKeyId, code: error.code }, 'A responder could not be made');
    }
  },
});

/** Every ten minutes, so that requests do not wait for a new one. */
export const dueResponders = defineJob({
  name: 'ocsp.due_responders',
  payload: z.object({}),
  schedule: '7,17,27,37,47,57 * * * *',
  run: async (ctx) => {
    const rows = await ctx.sql<{ id: string; organizationId: string }>(DUE, [ctx.now()]);
    const due = rows.map(({ id: caKeyId, organizationId }) => ({ organizationId, caKeyId }));
    await enqueueEach(ctx, makeDueResponder, due, ({ caKeyId }) => ({ ...JOB, key: `ocsp:${caKeyId}` }));
  },
});

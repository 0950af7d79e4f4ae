import { createHmac, hkdfSync, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import { hashOf } from '../../crypto/index.ts';
import { statement, type Context } from '../../kernel/index.ts';
import type { AcmeProfile } from './profile.ts';
import { problem } from './problem.ts';

/**
 * Stateless nonces (RFC 8555, section 6.5): version of the project's key (4 bytes), expiry in seconds (6), random (16),
 * HMAC-SHA-256 under a key derived from it, truncated to 16 bytes. Issuing one stores nothing; a used one is stored in
 * the database until its expiry, so that all processes accept it once.
 */
const HEAD = 26;
const MAC = 16;
const LIFE_SECONDS = 3_600;

const macKeys = new WeakMap<KeyObject, Buffer>();

function macOf(key: KeyObject, profileId: string, head: Uint8Array): Buffer {
  let own = macKeys.get(key);
  if (!own) macKeys.set(key, (own = Buffer.from(hkdfSync('sha256', key, '', 'acme nonces', 32))));
  return createHmac('sha256', own).update(profileId).update(head).digest().subarray(0, MAC);
}

const keysOf = (ctx: Context, { organizationId, projectId }: AcmeProfile) =>
  ctx.keys.project(organizationId, projectId);

/** A new nonce for a client of this profile. */
export async function newNonce(ctx: Context, profile: AcmeProfile): Promise<string> {
  const { newest } = await keysOf(ctx, profile);
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(newest.version, 0);
  head.writeUIntBE(Math.floor(ctx.now().getTime() / 1_000) + LIFE_SECONDS, 4, 6);
  randomBytes(16).copy(head, 10);
  return Buffer.concat([head, macOf(newest.key, profile.id, head)]).toString('base64url');
}

const USE = statement(
  'acme_nonces.use',
  `insert into acme_nonces (hash, organization_id, expires_at) values ($1, $2, $3)
   on conflict do nothing returning 1 as used`,
);

export interface Nonce {
  readonly text: string;
  readonly expiresAt: Date;
}

const bad = () => problem('badNonce', 'The nonce is unknown, used or too old; use the new one');

/**
 * Checks a nonce, without checking whether it was used.
 *
 * @throws AcmeProblem `badNonce`
 */
export async function readNonce(ctx: Context, profile: AcmeProfile, text: unknown): Promise<Nonce> {
  if (typeof text !== 'string' || text.length > 100 || !/^[\w-]+$/.test(text)) throw bad();
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== HEAD + MAC || bytes.toString('base64url') !== text) throw bad();
  const head = bytes.subarray(0, HEAD);
  const key = (await keysOf(ctx, profile)).version(head.readUInt32BE(0));
  if (!key || !timingSafeEqual(macOf(key.key, profile.id, head), bytes.subarray(HEAD))) throw bad();
  const expiresAt = new Date(head.readUIntBE(4, 6) * 1_000);
  if (expiresAt <= ctx.now()) throw bad();
  return { text, expiresAt };
}

/** Uses it: once, for the first caller. @throws AcmeProblem `badNonce` */
export async function consumeNonce(ctx: Context, { organizationId }: AcmeProfile, nonce: Nonce): Promise<void> {
  const used = await ctx.sql(USE, [hashOf(nonce.text), organizationId, nonce.expiresAt]);
  if (used.length === 0) throw bad();
}

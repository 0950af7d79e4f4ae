import { createHmac, randomBytes } from 'node:crypto';
import { bytesOf, hashOf, isToken, makeToken, writeToken } from '../../crypto/index.ts';

/** The prefix of the tokens that refresh a session. */
export const REFRESH_TOKEN = 'cfr_';

/** Bytes that all refresh tokens of one session have in common; the others are the secret of one token. */
const FAMILY_BYTES = 16;

export interface RefreshToken {
  readonly token: string;
  readonly hash: Buffer;
  /** The same for all refresh tokens of one session: an old one is recognized by it, although nothing else of it is kept. */
  readonly family: Buffer;
}

/** The first refresh token of a session. */
export function makeRefreshToken(): RefreshToken {
  const { token, hash } = makeToken(REFRESH_TOKEN);
  return { token, hash, family: familyOf(token) };
}

/** A presented refresh token; nothing for text that is none. */
export const readRefreshToken = (text: string): RefreshToken | undefined =>
  isToken(REFRESH_TOKEN, text) ? { token: text, hash: hashOf(text), family: familyOf(text) } : undefined;

export const makeNonce = (): string => randomBytes(32).toString('base64url');

/**
 * The token that replaces one. It takes both the replaced token, which only the client has, and the nonce, which only the
 * database has, so neither alone leads to it; and the same two always lead to the same token, so a client whose answer
 * was lost gets the same successor again.
 */
export function successorOf(token: string, nonce: string): RefreshToken {
  const family = bytesOf(REFRESH_TOKEN, token).subarray(0, FAMILY_BYTES);
  const secret = createHmac('sha256', Buffer.from(nonce, 'base64url')).update(token).digest().subarray(FAMILY_BYTES);
  const { token: successor, hash } = writeToken(REFRESH_TOKEN, Buffer.concat([family, secret]));
  return { token: successor, hash, family: familyOf(successor) };
}

const familyOf = (token: string): Buffer =>
  hashOf(`family:${bytesOf(REFRESH_TOKEN, token).subarray(0, FAMILY_BYTES).toString('hex')}`);

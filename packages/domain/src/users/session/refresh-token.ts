import { createHmac, randomBytes } from 'node:crypto';
import { bytesOf, hashOf, isToken, makeToken, writeToken } from '../../crypto/index.ts';

/** The prefix of the tokens that refresh a session. */
export const REFRESH_TOKEN = 'cfr_';

/** Bytes that are common to all refresh tokens of one session (the family); the rest is the secret of one token. */
const FAMILY_BYTES = 16;

export interface RefreshToken {
  readonly token: string;
  readonly hash: Buffer;
  /** The family of all refresh tokens of one session: identifies an old one, although nothing else of it is stored. */
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
 * The successor of a token. It is derived from the replaced token, which only the client has, and the nonce, which only
 * the database has, so neither alone is sufficient; and it is always the same, so a client whose response was lost gets
 * it again.
 */
export function successorOf(token: string, nonce: string): RefreshToken {
  const family = bytesOf(REFRESH_TOKEN, token).subarray(0, FAMILY_BYTES);
  const secret = createHmac('sha256', Buffer.from(nonce, 'base64url')).update(token).digest().subarray(FAMILY_BYTES);
  const { token: successor, hash } = writeToken(REFRESH_TOKEN, Buffer.concat([family, secret]));
  return { token: successor, hash, family: familyOf(successor) };
}

const familyOf = (token: string): Buffer =>
  hashOf(`family:${bytesOf(REFRESH_TOKEN, token).subarray(0, FAMILY_BYTES).toString('hex')}`);

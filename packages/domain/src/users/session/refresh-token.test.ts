import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeToken } from '../../crypto/index.ts';
import { makeNonce, makeRefreshToken, readRefreshToken, successorOf } from './refresh-token.ts';

describe('a refresh token', () => {
  it('is parsed as created', () => {
    const made = makeRefreshToken();
    expect(readRefreshToken(made.token)).toEqual(made);
  });

  it('keeps its family in all successors, and nothing else of itself', () => {
    const first = makeRefreshToken();
    const seen = new Set([first.hash.toString('hex')]);
    let last = first;
    for (let i = 1; i <= 20; i++) {
      last = successorOf(last.token, makeNonce());
      expect(last.family).toEqual(first.family);
      expect(readRefreshToken(last.token)).toEqual(last);
      seen.add(last.hash.toString('hex'));
      expect(seen.size).toBe(i + 1);
    }
  });

  it('has the same successor for the same nonce, and another one for another', () => {
    const { token } = makeRefreshToken();
    const [nonce, other] = [makeNonce(), makeNonce()];
    expect(successorOf(token, nonce)).toEqual(successorOf(token, nonce));
    expect(successorOf(token, nonce).hash).not.toEqual(successorOf(token, other).hash);
    expect(successorOf(makeRefreshToken().token, nonce).hash).not.toEqual(successorOf(token, nonce).hash);
  });

  it('is no text of another form, and no token of another kind', () => {
    const { token } = makeRefreshToken();
    expect(readRefreshToken(makeToken('cfx_').token)).toBeUndefined();
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.string({ minLength: 1, maxLength: 2 }), (at, text) => {
        const changed = token.slice(0, at) + text + token.slice(at + 1);
        const read = readRefreshToken(changed);
        // A text that is a token is that token, and no other.
        expect(read?.hash.equals(readRefreshToken(token)!.hash) ?? false).toBe(changed === token);
      }),
    );
    for (const text of ['', 'cfr_', token.slice(0, -1), `${token}x`, ` ${token}`, token.toUpperCase()])
      expect(readRefreshToken(text)).toBeUndefined();
  });
});

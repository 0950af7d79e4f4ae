import { describe, expect, it } from 'vitest';
import { requestTokens, type TokenIo } from './oauth-tokens.ts';

const now = new Date('2026-05-01T00:00:00Z');

/** Asks an endpoint that answers this. */
function tokensFor(answer: object) {
  const body = Buffer.from(JSON.stringify(answer));
  const said = { status: 200, headers: {}, body, text: () => body.toString(), json: () => JSON.parse(body.toString()) };
  const io = { now, hide: () => undefined, fetch: () => Promise.resolve(said) } as unknown as TokenIo;
  return requestTokens(io, 'https://login.example.com/token', { grant_type: 'client_credentials' });
}

describe('tokens of another server', () => {
  it.each([
    [undefined, undefined],
    ['3600', '2026-05-01T01:00:00.000Z'],
    [Number.MAX_SAFE_INTEGER, '2027-05-01T00:00:00.000Z'],
  ])('that live for %s seconds end then, or in a year at the latest', async (expires_in, expiresAt) => {
    expect((await tokensFor({ access_token: 'a-token', expires_in })).expiresAt).toBe(expiresAt);
  });

  it.each([0, -1, 1.5, 'soon', 2 ** 60])('are refused with a lifetime of %s', async (expires_in) => {
    await expect(tokensFor({ access_token: 'a-token', expires_in })).rejects.toMatchObject({
      code: 'remote.malformed',
    });
  });
});

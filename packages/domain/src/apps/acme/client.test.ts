import { expect, it } from 'vitest';
import type { RemoteIo } from '../../family/index.ts';
import { newAccountKey, type AccountKey } from './account-key.ts';
import { AcmeClient } from './client.ts';

const NOW = new Date('2031-02-03T04:05:06Z');
const CA = 'https://ca.example';

const BAD_NONCE = 'urn:ietf:params:acme:error:badNonce';

/** A server that has every order wait for as long as it says. `seen` gets each message, and may return a problem as the answer. */
async function serverAsking(
  retryAfter: string,
  key?: AccountKey,
  seen?: (url: string, body: string) => { status: number } | undefined,
): Promise<AcmeClient> {
  const directory = { newNonce: `${CA}/nonce`, newAccount: `${CA}/account`, newOrder: CA, revokeCert: CA };
  const order = { status: 'processing', authorizations: [], finalize: `${CA}/finalize` };
  const io: RemoteIo = {
    now: NOW,
    async fetch(url, request) {
      const problem = request?.method === 'POST' ? seen?.(url, String(request.body)) : undefined;
      const body = JSON.stringify(problem ?? (url === `${CA}/directory` ? directory : order));
      const headers = { 'replay-nonce': 'a', 'retry-after': retryAfter };
      return {
        status: problem?.status ?? 200,
        headers,
        body: Buffer.from(body),
        text: () => body,
        json: (): unknown => JSON.parse(body),
      };
    },
  };
  return AcmeClient.open(io, `${CA}/directory`, key ?? (await newAccountKey()), `${CA}/account/1`);
}

it.each([
  ['5', 5],
  ['Mon, 03 Feb 2031 04:05:16 GMT', 10],
  ['3601', 3600],
  ['999999999999', undefined],
  ['1e300', undefined],
  ['Infinity', undefined],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 3600],
  ['0', 1],
  ['soon', undefined],
  ['', undefined],
])('an ACME authority that asks to wait for %j is asked again in an hour at the latest', async (given, seconds) => {
  const client = await serverAsking(given);
  const { retryAfter } = await client.getOrder(`${CA}/order`);
  expect(retryAfter).toBe(seconds);
});

it('a server that rejects every nonce is unavailable: the request was not refused', async () => {
  let tries = 0;
  const client = await serverAsking('1', undefined, () => {
    tries++;
    return { status: 400, type: BAD_NONCE };
  });
  await expect(client.order(['web.example.com'])).rejects.toMatchObject({ code: 'remote.unavailable' });
  expect(tries).toBeGreaterThan(1);
});

it('an account gets another contact by a message of its own key to its URL', async () => {
  const sent: { url: string; body: { protected: string; payload: string } }[] = [];
  const key = await newAccountKey();
  const client = await serverAsking('1', key, (url, body) => void sent.push({ url, body: JSON.parse(body) }));
  await client.updateContact('others@example.com');
  const [{ url, body } = { url: '', body: { protected: '', payload: '' } }] = sent;
  const decoded = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString());
  expect([sent.length, url, decoded(body.payload)]).toEqual([
    1,
    `${CA}/account/1`,
    { contact: ['mailto:others@example.com'] },
  ]);
  expect(decoded(body.protected)).toMatchObject({ kid: `${CA}/account/1`, url });
});

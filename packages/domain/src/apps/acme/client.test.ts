import { expect, it } from 'vitest';
import type { RemoteIo } from '../../family/index.ts';
import { newAccountKey } from './account-key.ts';
import { AcmeClient } from './client.ts';

const NOW = new Date('2031-02-03T04:05:06Z');
const CA = 'https://ca.example';

/** A server that has every order wait for as long as it says. */
async function serverAsking(retryAfter: string): Promise<AcmeClient> {
  const directory = { newNonce: `${CA}/nonce`, newAccount: `${CA}/account`, newOrder: CA, revokeCert: CA };
  const order = { status: 'processing', authorizations: [], finalize: `${CA}/finalize` };
  const io: RemoteIo = {
    now: NOW,
    async fetch(url) {
      const body = JSON.stringify(url === `${CA}/directory` ? directory : order);
      const headers = { 'replay-nonce': 'a', 'retry-after': retryAfter };
      return { status: 200, headers, body: Buffer.from(body), text: () => body, json: (): unknown => JSON.parse(body) };
    },
  };
  return AcmeClient.open(io, `${CA}/directory`, await newAccountKey(), `${CA}/account/1`);
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

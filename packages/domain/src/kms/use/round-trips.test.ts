import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../kernel/index.ts';
import { makeOrganization, makeProject, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { runs, SEARCH_SEED, searchTime, inTitle } from '../../testing/search.ts';
import { createKmsKey, CreateKmsKey, rotateKmsKey } from '../key/index.ts';
import { kmsDecrypt, kmsEncrypt } from './encrypt.ts';

const RUNS = runs(150, 10_000);
const ALGORITHMS = ['aes-256-gcm', 'aes-128-gcm', 'aes-256-siv', 'aes-128-siv'] as const;
const VERSIONS = 3;

let test: TestCoffer;
let ctx: Context;
const keyIds: string[] = [];
beforeAll(async () => {
  test = await testCoffer();
  const { id, admin } = await makeOrganization(test.coffer);
  const { id: projectId } = await makeProject(test.coffer, id, admin.actor);
  ctx = test.coffer.contextFor(admin.actor);
  for (const algorithm of ALGORITHMS) {
    const { id: keyId } = await createKmsKey(ctx, CreateKmsKey.parse({ projectId, name: algorithm, algorithm }));
    for (let version = 2; version < VERSIONS; version++) await rotateKmsKey(ctx, { keyId });
    keyIds.push(keyId);
  }
});
afterAll(() => test.close());

const data = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const input = fc.record({ plaintext: data, associatedData: fc.option(data, { nil: undefined }) });
const key = fc.nat(ALGORITHMS.length - 1).map((index) => () => keyIds[index]!);

/** What an attacker does to bytes that it did not make. */
type Tampering = (bytes: Buffer, other: Buffer) => Buffer;
const tampering = fc.oneof(
  fc.nat().map((bit): Tampering => (bytes) => {
    const at = bit % (bytes.length * 8);
    bytes[at >> 3]! ^= 1 << (at & 7);
    return bytes;
  }),
  fc.nat().map(
    (end): Tampering =>
      (bytes) =>
        bytes.subarray(0, end % bytes.length),
  ),
  fc.uint8Array({ minLength: 1, maxLength: 20 }).map(
    (more): Tampering =>
      (bytes) =>
        Buffer.concat([bytes, more]),
  ),
  fc.nat().map((at): Tampering => (bytes, other) => {
    const cut = 1 + (at % (Math.min(bytes.length, other.length) - 1));
    return Buffer.concat([bytes.subarray(0, cut), other.subarray(cut)]);
  }),
  fc.nat().map((): Tampering => (bytes) => randomBytes(bytes.length)),
);

describe('a ciphertext', () => {
  it(`opens in ${inTitle(RUNS)} round trips`, { timeout: searchTime(300_000) }, async () => {
    const property = fc.asyncProperty(key, input, async (keyOf, given) => {
      const { ciphertext } = await kmsEncrypt(ctx, { keyId: keyOf(), ...given });
      const { associatedData } = given;
      expect(await kmsDecrypt(ctx, { keyId: keyOf(), ciphertext, associatedData })).toEqual({
        plaintext: given.plaintext,
      });
    });
    await fc.assert(property, { numRuns: RUNS, seed: SEARCH_SEED });
  });

  it(
    `opens in none of ${inTitle(RUNS)} cases in which it was tampered with`,
    { timeout: searchTime(300_000) },
    async () => {
      const property = fc.asyncProperty(
        key,
        key,
        input,
        input,
        tampering,
        async (keyOf, otherOf, given, other, tamper) => {
          const made = await kmsEncrypt(ctx, { keyId: keyOf(), ...given });
          const second = await kmsEncrypt(ctx, { keyId: otherOf(), ...other });
          const [whole, others] = [made, second].map((one) => Buffer.from(one.ciphertext, 'base64')) as [
            Buffer,
            Buffer,
          ];
          const ciphertext = tamper(Buffer.from(whole), others).toString('base64');
          // What happens to be another ciphertext as it was made is none that was tampered with.
          if ([made.ciphertext, second.ciphertext].includes(ciphertext)) return;
          const { associatedData } = given;
          await expect(kmsDecrypt(ctx, { keyId: keyOf(), ciphertext, associatedData })).rejects.toMatchObject({
            code: 'kms.ciphertext',
          });
        },
      );
      await fc.assert(property, { numRuns: RUNS, seed: SEARCH_SEED });
    },
  );
});

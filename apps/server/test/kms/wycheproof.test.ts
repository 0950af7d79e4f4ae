import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/certificates.ts';
import { base64, createKey, keyName, KEYS, use } from '../harness/kms.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

// Parts of the vectors of Project Wycheproof: signatures and MACs that are right, and others that careless programs accept. What
// encrypts has our own associated data, so its vectors are those of the algorithms (kms/algorithm/wycheproof.test.ts).

interface Vectors {
  readonly verify: readonly {
    readonly file: string;
    readonly algorithm: string;
    readonly signingAlgorithm: string;
    readonly groups: readonly {
      readonly publicKey: string;
      readonly tests: readonly { tcId: number; msg: string; sig: string; isValid: boolean }[];
    }[];
  }[];
  readonly mac: readonly {
    readonly file: string;
    readonly algorithm: string;
    readonly tests: readonly { tcId: number; key: string; msg: string; tag: string; isValid: boolean }[];
  }[];
}

const vectors = JSON.parse(readFileSync(new URL('wycheproof.json', import.meta.url), 'utf8')) as Vectors;
const ofHex = (hex: string): string => base64(Buffer.from(hex, 'hex'));

let test: TestServer;
let projectId: string;
beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
});
afterAll(() => test.close());

/** Verifying needs the public half alone, and nobody has the private halves of these. */
async function putPublicKey(id: string, spki: string): Promise<void> {
  const { rowCount } = await test.coffer.pool.query(
    'update kms_key_versions set public_key = $2 where kms_key_id = $1',
    [id, Buffer.from(spki, 'hex')],
  );
  expect(rowCount).toBe(1);
  test.coffer.invalidate([`kms_key:${id}`]);
}

describe('the vectors of Wycheproof', () => {
  it.each(vectors.verify)(
    'in $file are verified as they should be',
    async ({ algorithm, signingAlgorithm, groups }) => {
      const { id } = await createKey(test.admin, projectId, { algorithm });
      const wrong: number[] = [];
      for (const { publicKey, tests } of groups) {
        await putPublicKey(id, publicKey);
        for (const { tcId, msg, sig, isValid } of tests) {
          const body = { data: ofHex(msg), signature: ofHex(sig), signingAlgorithm };
          if (ok(await use(test.admin, id, 'verify', body)).signatureValid !== isValid) wrong.push(tcId);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  it.each(vectors.mac)('in $file are made and verified as they should be', async ({ algorithm, tests }) => {
    const all = tests.map((one) => ({ ...one, name: keyName() }));
    const keys = all.map(({ name, key }) => ({ name, algorithm, keyMaterial: ofHex(key) }));
    const imported = ok(await test.admin('POST', `${KEYS}/bulk-import`, { projectId, keys })).keys;
    expect(imported).toHaveLength(tests.length);
    const wrong: number[] = [];
    for (const [index, { tcId, msg, tag, isValid }] of all.entries()) {
      const { id } = imported[index];
      const made = ok(await use(test.admin, id, 'generate-mac', { data: ofHex(msg) })).mac;
      const { macValid } = ok(await use(test.admin, id, 'verify-mac', { data: ofHex(msg), mac: ofHex(tag) }));
      const isPart = Buffer.from(tag, 'hex').length < Buffer.from(made, 'base64').length;
      // A part of a MAC is none here.
      if (macValid !== (isValid && !isPart) || (isValid && !isPart && made !== ofHex(tag))) wrong.push(tcId);
    }
    expect(wrong).toEqual([]);
  });
});

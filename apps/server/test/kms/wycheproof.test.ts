import { createPrivateKey, createPublicKey, randomUUID, webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { columnSeal } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealBySiv } from '../harness/aes-siv.ts';
import { ok } from '../harness/certificates.ts';
import { base64, boundTo, createKey, headerOf, keyName, KEYS, use } from '../harness/kms.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

// Parts of the vectors of Project Wycheproof: what is right, and what careless programs accept. Ciphertexts here are also bound to
// their key, so theirs are made anew with that, and changed where the vector is; as they are the algorithms open them
// (kms/algorithm/wycheproof.test.ts).

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
  readonly oaep: {
    readonly privateKey: string;
    readonly tests: readonly { tcId: number; msg: string; label: string; ct: string; isValid: boolean }[];
  };
}

interface CipherVector {
  readonly tcId: number;
  readonly algorithm: keyof typeof CODES;
  readonly key: string;
  readonly aad: string;
  readonly msg: string;
  readonly sealed: string;
  readonly isValid: boolean;
}
const CODES = { 'aes-256-gcm': 1, 'aes-128-gcm': 2, 'aes-256-siv': 3, 'aes-128-siv': 4 } as const;
const CIPHERS = '../../../../packages/domain/src/kms/algorithm/testing/wycheproof.json';
const { ciphers } = JSON.parse(readFileSync(new URL(CIPHERS, import.meta.url), 'utf8')) as {
  ciphers: readonly { file: string; tests: readonly CipherVector[] }[];
};

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

const NONCE = 12;
const octetsOf = (hex: string): Buffer => Buffer.from(hex, 'hex');
const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((octet, index) => octet ^ other[index]!));

/** What another implementation makes of a vector with its own or other associated data, and the nonce of the vector. */
async function sealed({ algorithm, key, msg, sealed: given }: CipherVector, associated: Buffer): Promise<Buffer> {
  if (algorithm.endsWith('-siv')) return sealBySiv(octetsOf(key), octetsOf(msg), associated);
  const iv = octetsOf(given).subarray(0, NONCE);
  const secret = await webcrypto.subtle.importKey('raw', octetsOf(key), 'AES-GCM', false, ['encrypt']);
  const how = { name: 'AES-GCM', iv, additionalData: associated };
  return Buffer.concat([iv, new Uint8Array(await webcrypto.subtle.encrypt(how, secret, octetsOf(msg)))]);
}

describe('the vectors of Wycheproof', () => {
  it.each(ciphers)('in $file open where they should, with keys that were imported', async ({ tests }) => {
    const keys = tests.map(({ algorithm, key }) => ({ name: keyName(), algorithm, keyMaterial: ofHex(key) }));
    const imported = ok(await test.admin('POST', `${KEYS}/bulk-import`, { projectId, keys })).keys;
    expect(imported).toHaveLength(tests.length);
    const wrong: number[] = [];
    for (const [index, vector] of tests.entries()) {
      const { id: keyId } = imported[index];
      const [associated, code] = [octetsOf(vector.aad), CODES[vector.algorithm]];
      const change = xor(octetsOf(vector.sealed), await sealed(vector, associated));
      const ours = await sealed(vector, boundTo({ projectId, keyId, code }, associated));
      expect(change.length).toBe(ours.length);
      const ciphertext = base64(Buffer.concat([headerOf(code), xor(ours, change)]));
      const { status, body } = await use(test.admin, keyId, 'decrypt', {
        ciphertext,
        associatedData: ofHex(vector.aad),
      });
      const isOpened = status === 200 && body.plaintext === ofHex(vector.msg);
      if (vector.isValid ? !isOpened : status !== 400) wrong.push(vector.tcId);
    }
    expect(wrong).toEqual([]);
  });

  it('of RSA-OAEP unwrap where they should, with an import key that was theirs', async () => {
    const { privateKey, tests } = vectors.oaep;
    const { id: ownProject } = await test.project();
    const { organizationId, coffer } = test;
    const row = { id: randomUUID(), organizationId, projectId: ownProject };
    const platform = coffer.contextFor({ type: 'platform', organizationId });
    const stored = await columnSeal('kms_import_keys.private_key').seal(platform, row, octetsOf(privateKey));
    const key = createPrivateKey({ key: octetsOf(privateKey), type: 'pkcs8', format: 'der' });
    await coffer.pool.query(
      `insert into kms_import_keys (id, organization_id, project_id, actor_id, private_key, public_key, expires_at)
       values ($1, $2, $3, $4, $5, $6, now() + interval '1 day')`,
      [
        ...[row.id, organizationId, ownProject, test.adminIdentity.id, stored],
        createPublicKey(key).export({ type: 'spki', format: 'der' }),
      ],
    );
    const all = tests.map((one) => ({ ...one, name: keyName() }));
    const wrapped = { algorithm: 'HMAC_SHA_256', wrapping: 'RSA_OAEP_SHA_256' };
    const keys = all.map(({ name, ct }) => ({ name, ...wrapped, keyMaterial: ofHex(ct) }));
    const { errors } = ok(await test.admin('POST', `${KEYS}/bulk-import`, { projectId: ownProject, keys }));
    const codes = new Map(errors.map(({ name, code }: { name: string; code: string }) => [name, code]));
    // Ours have no label; what is unwrapped and too short for a key is refused as such.
    const expected = ({ isValid, label, msg }: (typeof all)[number]) =>
      isValid && label === '' ? (octetsOf(msg).length < 14 ? 'kms_key.material' : undefined) : 'kms_key.unwrap';
    const wrong = all.filter((one) => codes.get(one.name) !== expected(one));
    expect(wrong.map(({ tcId }) => tcId)).toEqual([]);
    expect(all.filter((one) => expected(one) === undefined)).toHaveLength(3);
  });

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

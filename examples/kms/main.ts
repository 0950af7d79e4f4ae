// The typed client with keys that stay in Coffer: an application that encrypts a field of its database and signs what it sends.
//
//   node examples/kms/main.ts
//
// COFFER_URL, COFFER_CLIENT_ID, COFFER_CLIENT_SECRET and COFFER_PROJECT_ID are what examples/http/quickstart.sh ends with.
import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { createCofferClient, type Outputs } from '@coffer/client';

const { COFFER_URL = 'http://127.0.0.1:8080', COFFER_CLIENT_ID, COFFER_CLIENT_SECRET, COFFER_PROJECT_ID } = process.env;
if (!COFFER_CLIENT_ID || !COFFER_CLIENT_SECRET || !COFFER_PROJECT_ID) {
  throw new Error('Set COFFER_CLIENT_ID, COFFER_CLIENT_SECRET and COFFER_PROJECT_ID');
}

const { kms, kmsKeys } = createCofferClient({
  url: COFFER_URL,
  auth: { clientId: COFFER_CLIENT_ID, clientSecret: COFFER_CLIENT_SECRET },
});
const base64 = (text: string) => Buffer.from(text).toString('base64');
const text = (encoded: string) => Buffer.from(encoded, 'base64').toString();

// A value of a row is bound to it: moved to another row it does not open.
const { key } = await kmsKeys.create.mutate({ projectId: COFFER_PROJECT_ID, name: 'customers' });
const row = { keyId: key.id, associatedData: base64('customers/7/iban') };
const { ciphertext } = await kms.encrypt.mutate({ ...row, plaintext: base64('DE02 1203') });
console.log(`It is ${text((await kms.decrypt.mutate({ ...row, ciphertext })).plaintext)}`);
await kms.decrypt
  .mutate({ ...row, ciphertext, associatedData: base64('customers/8/iban') })
  .catch(({ reason }) => console.log(`In another row: ${reason}`));

// After a rotation what was stored still opens, and is renewed without being shown.
await kmsKeys.rotate.mutate({ keyId: key.id });
const renewed = await kms.reEncrypt.mutate({ ...row, ciphertext });
console.log(`Now by version ${renewed.keyVersion}`);

// Many values in one call: a result for each.
type Result = Outputs['kms']['encryptBatch']['results'][number];
const items = ['one', 'two', 'three'].map((plaintext) => ({ plaintext: base64(plaintext) }));
const { results } = await kms.encryptBatch.mutate({ keyId: key.id, items });
console.log(`${results.filter((result: Result) => 'ciphertext' in result).length} of ${items.length} are encrypted`);

// Whoever gets a signed message verifies it without a login, by the public keys of the project.
const signer = await kmsKeys.create.mutate({ projectId: COFFER_PROJECT_ID, name: 'messages', algorithm: 'ED25519' });
const message = 'Pay 7 to Ann';
const signed = await kms.sign.mutate({ keyId: signer.key.id, data: base64(message) });
const set = await fetch(`${COFFER_URL}/api/v1/projects/${COFFER_PROJECT_ID}/kms/jwks`);
const { keys } = (await set.json()) as { keys: (JsonWebKey & { kid: string })[] };
const jwk = keys.find(({ kid }) => kid === `${signed.keyId}.${signed.keyVersion}`)!;
const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
console.log(
  `The signature is ${verify(null, Buffer.from(message), publicKey, Buffer.from(signed.signature, 'base64'))}`,
);

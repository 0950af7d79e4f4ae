import { constants, sign, verify, type KeyObject } from 'node:crypto';
import { CURVES, ED25519, RSA } from './key-type.ts';
import { mpint, Reader, string } from './wire.ts';

/** RFC 8332; OpenSSH rejects SHA-1. */
const RSA_SIGNATURE = 'rsa-sha2-512';
const rsaKey = (key: KeyObject) => ({ key, padding: constants.RSA_PKCS1_PADDING });

/** Signs by a key of this type; RSA in the thread pool. */
export async function signBlob(privateKey: KeyObject, type: string, data: Uint8Array): Promise<Buffer> {
  if (type === ED25519) return Buffer.concat([string(type), string(sign(null, data, privateKey))]);
  const on = CURVES.find((one) => one.type === type);
  if (on) {
    const made = sign(on.hash, data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
    const [r, s] = [made.subarray(0, on.octets), made.subarray(on.octets)];
    return Buffer.concat([string(type), string(mpint(r), mpint(s))]);
  }
  const made = await new Promise<Buffer>((resolve, reject) => {
    sign('sha512', data, rsaKey(privateKey), (error, signature) => (error ? reject(error) : resolve(signature)));
  });
  return Buffer.concat([string(RSA_SIGNATURE), string(made)]);
}

/** Whether a key of this type made the signature. */
export function verifyBlob(publicKey: KeyObject, type: string, data: Uint8Array, signature: Buffer): boolean {
  const reader = new Reader(signature, 'ssh_signature.malformed');
  const algorithm = reader.text();
  const made = reader.string();
  reader.end();
  if (type === RSA) return algorithm === RSA_SIGNATURE && verify('sha512', data, rsaKey(publicKey), made);
  if (algorithm !== type) return false;
  if (type === ED25519) return verify(null, data, publicKey, made);
  const on = CURVES.find((one) => one.type === type)!;
  const numbers = new Reader(made, 'ssh_signature.malformed');
  const [r, s] = [numbers.mpint(), numbers.mpint()];
  numbers.end();
  if (r.length > on.octets || s.length > on.octets) return false;
  const padded = Buffer.concat([r, s].flatMap((number) => [Buffer.alloc(on.octets - number.length), number]));
  return verify(on.hash, data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, padded);
}

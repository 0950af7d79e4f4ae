import { createCipheriv } from 'node:crypto';

const BLOCK = 16;
const ZEROS = Buffer.alloc(BLOCK);

/** AES of OpenSSL in a mode, with the size of the key. */
const aes = (mode: 'cbc' | 'ctr', key: Buffer, iv: Buffer, data: Buffer): Buffer =>
  createCipheriv(`aes-${key.length * 8}-${mode}`, key, iv)
    .setAutoPadding(false)
    .update(data);

const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((octet, index) => octet ^ other[index]!));
const padded = (part: Buffer): Buffer => Buffer.concat([part, Buffer.of(0x80), ZEROS]).subarray(0, BLOCK);

/** Multiplication by x in the field of 2^128 elements (RFC 5297, section 2.3). */
function doubled(block: Buffer): Buffer {
  const number = BigInt(`0x${block.toString('hex')}`) << 1n;
  const reduced = number >> 128n ? (number ^ 0x87n) & ((1n << 128n) - 1n) : number;
  return Buffer.from(reduced.toString(16).padStart(2 * BLOCK, '0'), 'hex');
}

/** AES-CMAC (RFC 4493). */
function cmac(key: Buffer, data: Buffer): Buffer {
  const first = doubled(aes('cbc', key, ZEROS, ZEROS));
  const cut = Math.max(0, Math.ceil(data.length / BLOCK) - 1) * BLOCK;
  const last = data.subarray(cut);
  const end = last.length === BLOCK ? xor(last, first) : xor(padded(last), doubled(first));
  return aes('cbc', key, ZEROS, Buffer.concat([data.subarray(0, cut), end])).subarray(-BLOCK);
}

/**
 * AES-SIV (RFC 5297) with one component of associated data, written from the RFC over OpenSSL's AES: it stands beside the library
 * of the product.
 */
export function sealBySiv(key: Buffer, plaintext: Buffer, associated: Buffer): Buffer {
  const [authenticating, encrypting] = [key.subarray(0, key.length / 2), key.subarray(key.length / 2)];
  const before = xor(doubled(cmac(authenticating, ZEROS)), cmac(authenticating, associated));
  const [start, end] = [plaintext.subarray(0, -BLOCK), plaintext.subarray(-BLOCK)];
  const last =
    plaintext.length >= BLOCK ? Buffer.concat([start, xor(end, before)]) : xor(doubled(before), padded(plaintext));
  const synthetic = cmac(authenticating, last);
  const counter = Buffer.from(synthetic);
  counter[8]! &= 0x7f;
  counter[12]! &= 0x7f;
  return Buffer.concat([synthetic, aes('ctr', encrypting, counter, plaintext)]);
}

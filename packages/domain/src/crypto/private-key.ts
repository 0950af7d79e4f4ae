import { createPrivateKey, type KeyObject } from 'node:crypto';
import { berElements, der, MalformedBer, type BerElement } from '@coffer/x509/ber';
import { MAX_EXPONENT_BITS, MAX_RSA_BITS } from '@coffer/x509/key-limits';

// Private keys from callers. OpenSSL computes with the numbers of a key while it parses it, on the event loop: for a
// DSA key of 64 kB for about an hour. So type and lengths are parsed here first, and OpenSSL gets a re-encoded key.

const BLOCK = /-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([A-Za-z0-9+/=\s]+)-----END \1-----/g;

const [INTEGER, BIT_STRING, OCTET_STRING, NULL, OID, SEQUENCE, PARAMETERS, POINT] = [2, 3, 4, 5, 6, 0x30, 0xa0, 0xa1];
const RSA = '2a864886f70d010101';
const EC = '2a8648ce3d0201';
const ED25519 = '2b6570';
/** Octets of a private key on the named curves. */
const CURVES = new Map([
  ['2a8648ce3d030107', 32],
  ['2b81040022', 48],
  ['2b81040023', 66],
]);

/**
 * The single private key of a PEM text (PKCS #8, PKCS #1 or SEC 1, without a password), with any surrounding text.
 * `undefined` for none, for more than one, for types and lengths other than `PRIVATE_KEY_KINDS`, and for RSA keys whose numbers do
 * not fit. Use this function for every private key from outside; its cost does not depend on the key.
 *
 * @param maxRsaBits Less than `MAX_RSA_BITS` where a library signs on the event loop: twice the length takes eight times as long.
 */
export function readPrivateKey(pem: string, maxRsaBits = MAX_RSA_BITS): KeyObject | undefined {
  const [block, ...others] = pem.matchAll(BLOCK);
  // Other parsers could use a key of another type beside it.
  if (!block || others.length > 0 || pem.split('PRIVATE KEY').length > 3) return undefined;
  const [, label = '', body = ''] = block;
  const base64 = body.replaceAll(/\s/g, '');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) return undefined;
  try {
    return createPrivateKey({ key: rewritten(label, bytes, maxRsaBits), type: 'pkcs8', format: 'der' });
  } catch {
    return undefined;
  }
}

/** Bytes; the longest form of an ML-DSA key has the seed and the expanded key. */
const MAX_ML_DSA = 6_000;

/**
 * An ML-DSA private key (FIPS 204) as PKCS #8 in DER. `id`: the content of its object identifier (RFC 9881). `undefined` for
 * keys of any other kind; structure and kind are compared before OpenSSL reads anything.
 */
export function readMlDsaKey(bytes: Buffer, id: string): KeyObject | undefined {
  if (bytes.length > MAX_ML_DSA) return undefined;
  try {
    const [version, algorithm, key] = parts(bytes, SEQUENCE);
    const [name, ...parameters] = parts(algorithm?.whole, SEQUENCE);
    content(version, INTEGER);
    content(key, OCTET_STRING);
    if (content(name, OID).toString('hex') !== id || parameters.length > 0) return undefined;
    return createPrivateKey({ key: bytes, type: 'pkcs8', format: 'der' });
  } catch {
    return undefined;
  }
}

function rewritten(label: string, bytes: Buffer, maxRsaBits: number): Buffer {
  if (label === 'RSA PRIVATE KEY') return rsa(bytes, maxRsaBits);
  if (label === 'EC PRIVATE KEY') return ec(bytes);
  const [version, algorithm, key] = parts(bytes, SEQUENCE);
  content(version, INTEGER);
  const [id, parameters] = parts(algorithm?.whole, SEQUENCE);
  const inner = content(key, OCTET_STRING);
  switch (content(id, OID).toString('hex')) {
    case RSA:
      return rsa(inner, maxRsaBits);
    case EC:
      return ec(inner, content(parameters, OID));
    case ED25519:
      return pkcs8(ED25519, [], der(OCTET_STRING, ofLength(parts(key?.whole, OCTET_STRING)[0]?.content, 32)));
    default:
      throw new MalformedBer('A private key is of another kind');
  }
}

/** RSAPrivateKey of two primes (RFC 8017, appendix A.1.2). */
function rsa(bytes: Buffer, maxBits: number): Buffer {
  const [version, modulus, exponent, ...rest] = parts(bytes, SEQUENCE).map(positive);
  if (!version || !modulus || !exponent || rest.length !== 6 || version.some(Boolean))
    throw new MalformedBer('An RSA key does not have two primes');
  const bits = bitsOf(modulus);
  const isAffordable =
    bits <= maxBits &&
    bitsOf(exponent) <= MAX_EXPONENT_BITS &&
    (exponent.at(-1)! & 1) === 1 &&
    rest.every((number) => bitsOf(number) > 0 && bitsOf(number) <= bits);
  if (!isAffordable) throw new MalformedBer('A number of an RSA key is too long');
  if (!doFit([modulus, exponent, ...rest].map(numberOf)))
    throw new MalformedBer('The numbers of an RSA key do not fit');
  const numbers = [Buffer.of(0), modulus, exponent, ...rest].map((number) => der(INTEGER, withSign(number)));
  return pkcs8(RSA, [der(NULL)], der(SEQUENCE, ...numbers));
}

const numberOf = (octets: Buffer): bigint => BigInt(`0x${octets.toString('hex')}`);

/**
 * Whether the numbers of a key are those of its primes (RFC 8017, section 3.2). Where they give a wrong result, OpenSSL computes each
 * signature again by the private exponent, which takes ten times as long; with a small or even factor it fails.
 */
function doFit(numbers: readonly bigint[]): boolean {
  const [n = 0n, e = 0n, d = 0n, p = 0n, q = 0n, dP = 0n, dQ = 0n, qInv = 0n] = numbers;
  const isOf = (prime: bigint, exponent: bigint) =>
    isWithoutSmallFactor(prime) && (e * exponent) % (prime - 1n) === 1n && (d - exponent) % (prime - 1n) === 0n;
  return p * q === n && isOf(p, dP) && isOf(q, dQ) && dP < p && dQ < q && (qInv * q) % p === 1n;
}

const SMALL_FACTORS = 1_000n;

function isWithoutSmallFactor(number: bigint): boolean {
  if (number <= SMALL_FACTORS || number % 2n === 0n) return false;
  for (let factor = 3n; factor < SMALL_FACTORS; factor += 2n) if (number % factor === 0n) return false;
  return true;
}

/** ECPrivateKey (RFC 5915). */
function ec(bytes: Buffer, named?: Buffer): Buffer {
  const [version, number, ...optional] = parts(bytes, SEQUENCE);
  const given = optional.find(({ tag }) => tag === PARAMETERS);
  const own = given && content(parts(given.whole, PARAMETERS)[0], OID);
  const curve = named ?? own;
  if (!curve || (own && !own.equals(curve))) throw new MalformedBer('A key is on no named curve');
  const length = CURVES.get(curve.toString('hex'));
  if (length === undefined) throw new MalformedBer('A key is on another curve');
  const unpadded = withoutZeros(content(number, OCTET_STRING));
  const padded = Buffer.concat([Buffer.alloc(Math.max(0, length - unpadded.length)), unpadded]);
  const key = [der(INTEGER, ofLength(content(version, INTEGER), 1)), der(OCTET_STRING, ofLength(padded, length))];
  const point = optional.find(({ tag }) => tag === POINT);
  if (point) {
    const octets = content(parts(point.whole, POINT)[0], BIT_STRING);
    if (octets.length > 2 * length + 2) throw new MalformedBer('The point of a key is too long');
    key.push(der(POINT, der(BIT_STRING, octets)));
  }
  return pkcs8(EC, [der(OID, curve)], der(SEQUENCE, ...key));
}

const pkcs8 = (id: string, parameters: readonly Buffer[], key: Buffer): Buffer =>
  der(
    SEQUENCE,
    der(INTEGER, Buffer.of(0)),
    der(SEQUENCE, der(OID, Buffer.from(id, 'hex')), ...parameters),
    der(OCTET_STRING, key),
  );

/** The elements inside the single element of these bytes. */
function parts(bytes: Buffer | undefined, tag: number): BerElement[] {
  const [only, ...more] = berElements(bytes ?? Buffer.of());
  if (more.length > 0) throw new MalformedBer('There is data after the private key');
  return berElements(content(only, tag));
}

function content(of: BerElement | undefined, tag: number): Buffer {
  if (of?.tag !== tag) throw new MalformedBer('A private key is malformed');
  return of.content;
}

function ofLength(bytes: Buffer | undefined, length: number): Buffer {
  if (bytes?.length !== length) throw new MalformedBer('A private key has another length');
  return bytes;
}

/** The octets of a number without leading sign octets. */
function positive(of: BerElement): Buffer {
  const octets = content(of, INTEGER);
  if (octets.length === 0 || octets[0]! >= 0x80) throw new MalformedBer('A number of a private key is negative');
  return withoutZeros(octets);
}

function withoutZeros(octets: Buffer): Buffer {
  const start = octets.findIndex((octet) => octet !== 0);
  return start < 0 ? Buffer.of() : octets.subarray(start);
}

const withSign = (octets: Buffer): Buffer =>
  octets.length === 0 || octets[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), octets]) : octets;

const bitsOf = (octets: Buffer): number => octets.length * 8 - (octets.length > 0 ? Math.clz32(octets[0]!) - 24 : 0);

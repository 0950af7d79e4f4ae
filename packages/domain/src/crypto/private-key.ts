import {
  constants,
  createPrivateKey,
  createPublicKey,
  privateEncrypt,
  publicDecrypt,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
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
 * not fit. Use this function for every private key from outside; its cost depends on the kind and length of the key alone: for
 * RSA, what a signature costs.
 */
export function readPrivateKey(pem: string): KeyObject | undefined {
  const [block, ...others] = pem.matchAll(BLOCK);
  // Other parsers could use a key of another type beside it.
  if (!block || others.length > 0 || pem.split('PRIVATE KEY').length > 3) return undefined;
  const [, label = '', body = ''] = block;
  const base64 = body.replaceAll(/\s/g, '');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) return undefined;
  try {
    return createPrivateKey({ key: rewritten(label, bytes), type: 'pkcs8', format: 'der' });
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

function rewritten(label: string, bytes: Buffer): Buffer {
  if (label === 'RSA PRIVATE KEY') return rsa(bytes);
  if (label === 'EC PRIVATE KEY') return ec(bytes);
  const [version, algorithm, key] = parts(bytes, SEQUENCE);
  content(version, INTEGER);
  const [id, parameters] = parts(algorithm?.whole, SEQUENCE);
  const inner = content(key, OCTET_STRING);
  switch (content(id, OID).toString('hex')) {
    case RSA:
      return rsa(inner);
    case EC:
      return ec(inner, content(parameters, OID));
    case ED25519:
      return pkcs8(ED25519, [], der(OCTET_STRING, ofLength(parts(key?.whole, OCTET_STRING)[0]?.content, 32)));
    default:
      throw new MalformedBer('A private key is of another kind');
  }
}

/** RSAPrivateKey of two primes (RFC 8017, appendix A.1.2). */
function rsa(bytes: Buffer): Buffer {
  const [version, modulus, exponent, d, ...byPrimes] = parts(bytes, SEQUENCE).map(positive);
  if (!version || !modulus || !exponent || !d || byPrimes.length !== 5 || version.some(Boolean))
    throw new MalformedBer('An RSA key does not have two primes');
  const bits = bitsOf(modulus);
  const isAffordable =
    bits <= MAX_RSA_BITS &&
    bitsOf(exponent) <= MAX_EXPONENT_BITS &&
    (exponent.at(-1)! & 1) === 1 &&
    bitsOf(d) > 0 &&
    bitsOf(d) <= bits &&
    byPrimes.every((number) => bitsOf(number) > 0 && bitsOf(number) <= bits / 2 + MAX_DIFFERENCE_BITS);
  if (!isAffordable) throw new MalformedBer('A number of an RSA key is too long');
  const keyWith = (number: Buffer) =>
    pkcs8(
      RSA,
      [der(NULL)],
      der(
        SEQUENCE,
        ...[Buffer.of(0), modulus, exponent, number, ...byPrimes].map((one) => der(INTEGER, withSign(one))),
      ),
    );
  requireFittingPrimes(keyWith(Buffer.of(1)), modulus.length);
  const [p, q, dp, dq] = byPrimes as [Buffer, Buffer, Buffer, Buffer];
  if (!areExponents(p, exponent, d, dp) || !areExponents(q, exponent, d, dq))
    throw new MalformedBer('The numbers of an RSA key do not fit');
  return keyWith(d);
}

/**
 * Whether the exponents of a key are those of a prime. OpenSSH's form of a key has the private exponent alone, from which its readers
 * compute the ones of the primes.
 */
function areExponents(prime: Buffer, ...exponents: [open: Buffer, secret: Buffer, ofPrime: Buffer]): boolean {
  const order = numberOf(prime) - 1n;
  const [e, d, dp] = exponents.map(numberOf) as [bigint, bigint, bigint];
  return (d - dp) % order === 0n && (e * dp) % order === 1n;
}

const numberOf = (octets: Buffer): bigint => BigInt(`0x${octets.toString('hex')}`);

/** The primes of a modulus may differ by so many bits in length. */
const MAX_DIFFERENCE_BITS = 64;

/**
 * Where the primes give a wrong result, OpenSSL computes it again by the private exponent, which takes ten times as long, for each
 * signature. So one is tried by a key whose private exponent is 1 (RFC 8017, section 5.1.2).
 */
function requireFittingPrimes(bytes: Buffer, length: number): void {
  const key = createPrivateKey({ key: bytes, type: 'pkcs8', format: 'der' });
  const padding = constants.RSA_NO_PADDING;
  const block = Buffer.concat([Buffer.of(0), randomBytes(length - 1)]);
  const result = publicDecrypt({ key: createPublicKey(key), padding }, privateEncrypt({ key, padding }, block));
  if (!result.equals(block)) throw new MalformedBer('The numbers of an RSA key do not fit');
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

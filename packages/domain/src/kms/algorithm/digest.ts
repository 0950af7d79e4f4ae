import {
  constants,
  createHash,
  privateEncrypt,
  publicDecrypt,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import { berElements } from '@coffer/x509/ber';

/**
 * Signatures of digests that the caller has computed. Node hashes whatever it signs, so only the step with the key is
 * OpenSSL's for RSA; for ECDSA it is @noble/curves.
 */
export interface DigestSigner {
  /** The length of the digest in bytes. */
  readonly length: number;
  sign(key: KeyObject, digest: Buffer): Promise<Buffer>;
  /** May be rejected for malformed signatures. */
  verify(key: KeyObject, digest: Buffer, signature: Buffer): Promise<boolean>;
}

type Scheme = (hash: string, length: number) => Omit<DigestSigner, 'length'>;

/** DigestInfo (RFC 8017, section 9.2, note 1) up to the digest. */
const DIGEST_INFO: Readonly<Record<string, Buffer>> = {
  sha256: Buffer.from('3031300d060960864801650304020105000420', 'hex'),
  sha384: Buffer.from('3041300d060960864801650304020205000430', 'hex'),
  sha512: Buffer.from('3051300d060960864801650304020305000440', 'hex'),
};

/** RSASSA-PKCS1-v1_5: OpenSSL pads (block type 1). */
const pkcs1: Scheme = (hash) => {
  const encoded = (digest: Buffer) => Buffer.concat([DIGEST_INFO[hash]!, digest]);
  const how = { padding: constants.RSA_PKCS1_PADDING };
  return {
    sign: async (key, digest) => privateEncrypt({ key, ...how }, encoded(digest)),
    verify: async (key, digest, signature) => {
      if (signature.length !== modulusBytes(key)) return false;
      const found = publicDecrypt({ key, ...how }, signature);
      const wanted = encoded(digest);
      return found.length === wanted.length && timingSafeEqual(found, wanted);
    },
  };
};

/** RSASSA-PSS with MGF1 of the same hash and a salt of its length (RFC 8017, section 9.1), for moduli of whole bytes. */
const pss: Scheme = (hash, length) => {
  const how = { padding: constants.RSA_NO_PADDING };
  return {
    sign: async (key, digest) => {
      const salt = randomBytes(length);
      const code = codeOf(hash, digest, salt);
      const block = Buffer.alloc(modulusBytes(key) - length - 1);
      block[block.length - length - 1] = 1;
      salt.copy(block, block.length - length);
      return privateEncrypt({ key, ...how }, Buffer.concat([masked(hash, block, code), code, END]));
    },
    verify: async (key, digest, signature) => {
      const bytes = modulusBytes(key);
      if (signature.length !== bytes) return false;
      const found = publicDecrypt({ key, ...how }, signature);
      const [under, code] = [found.subarray(0, bytes - length - 1), found.subarray(bytes - length - 1, -1)];
      if (found.at(-1) !== END[0] || found[0]! >= 0x80) return false;
      const block = masked(hash, under, code);
      const start = block.length - length - 1;
      const isPadded = block[start] === 1 && block.subarray(0, start).every((octet) => octet === 0);
      return isPadded && timingSafeEqual(code, codeOf(hash, digest, block.subarray(start + 1)));
    },
  };
};

const END = Buffer.of(0xbc);
const ZEROS = Buffer.alloc(8);

const codeOf = (hash: string, digest: Buffer, salt: Buffer): Buffer =>
  createHash(hash).update(ZEROS).update(digest).update(salt).digest();

/** The block with the mask of MGF1 (RFC 8017, appendix B.2.1), or without it if it has it. Its first bit is zero. */
function masked(hash: string, block: Buffer, seed: Buffer): Buffer {
  const mask: Buffer[] = [];
  for (let counter = 0, made = 0; made < block.length; counter++) {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(counter);
    const next = createHash(hash).update(seed).update(number).digest();
    mask.push(next);
    made += next.length;
  }
  const all = Buffer.concat(mask);
  const result = block.map((octet, index) => octet ^ all[index]!);
  result[0]! &= 0x7f;
  return Buffer.from(result);
}

const modulusBytes = (key: KeyObject): number => (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8;

const CURVES = { prime256v1: 'p256', secp384r1: 'p384', secp521r1: 'p521' } as const;
type Curves = typeof import('@noble/curves/nist.js');
let loading: Promise<Curves> | undefined;

/** Loaded when it is first needed. Larger tables of points would take longer to make than they save. */
async function load(): Promise<Curves> {
  const curves = await import('@noble/curves/nist.js');
  for (const name of Object.values(CURVES)) curves[name].Point.BASE.precompute(4, true);
  return curves;
}

async function curveOf({ asymmetricKeyDetails }: KeyObject) {
  const name = CURVES[asymmetricKeyDetails?.namedCurve as keyof typeof CURVES];
  const curve = (await (loading ??= load()))[name];
  return { curve, point: curve.lengths.publicKeyUncompressed! };
}

const AS_DIGEST = { prehash: false, lowS: false, format: 'der' } as const;

/** Nonces are those of RFC 6979 with further random bytes, so that two signatures of a digest differ. */
const ecdsa: Scheme = () => ({
  sign: async (key, digest) => {
    const { curve } = await curveOf(key);
    const exported = key.export({ type: 'pkcs8', format: 'der' });
    try {
      const [, , outer] = inside(exported);
      const [, scalar] = inside(outer!.content);
      return Buffer.from(curve.sign(digest, scalar!.content, { ...AS_DIGEST, extraEntropy: true }));
    } finally {
      exported.fill(0);
    }
  },
  verify: async (key, digest, signature) => {
    const { curve, point } = await curveOf(key);
    return curve.verify(signature, digest, key.export({ type: 'spki', format: 'der' }).subarray(-point), AS_DIGEST);
  },
});

const inside = (whole: Buffer) => berElements(berElements(whole)[0]!.content);

const SCHEMES = { pkcs1, pss, ecdsa };

export function digestSigner(scheme: keyof typeof SCHEMES, hash: string): DigestSigner {
  const length = createHash(hash).digest().length;
  return { length, ...SCHEMES[scheme](hash, length) };
}

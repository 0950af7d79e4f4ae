import { createCipheriv, createHash, createHmac, pbkdf2, randomBytes, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { cms, encode, octets, pfx, pkcs8, schema, x509 } from './asn1.ts';
import { der, integer, octetString, oid, sequence, TAG } from './der.ts';

const OID = {
  data: '1.2.840.113549.1.7.1',
  encryptedData: '1.2.840.113549.1.7.6',
  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12',
  hmacSha256: '1.2.840.113549.2.9',
  sha256: '2.16.840.1.101.3.4.2.1',
  aes256Cbc: '2.16.840.1.101.3.4.1.42',
  friendlyName: '1.2.840.113549.1.9.20',
  localKeyId: '1.2.840.113549.1.9.21',
  shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
  certBag: '1.2.840.113549.1.12.10.1.3',
  x509Certificate: '1.2.840.113549.1.9.22.1',
} as const;

/**
 * Parameters that OpenSSL and the JDK read without options; the iterations add little to the strength of the password.
 */
const KEY_ITERATIONS = 100_000;
const MAC_ITERATIONS = 2048;
const derive = promisify(pbkdf2);

export interface Pkcs12Content {
  readonly privateKey: KeyObject;
  /** DER. */
  readonly certificate: Uint8Array;
  /** DER: the certificate's issuer first. */
  readonly chain: readonly Uint8Array[];
  readonly password: string;
  /** What key stores list it by. */
  readonly friendlyName: string;
}

/**
 * DER of a PKCS#12 bundle (RFC 7292): key and certificates under PBES2 with AES-256-CBC and PBKDF2-HMAC-SHA-256 (RFC
 * 8018), the whole under an HMAC-SHA-256.
 */
export async function pkcs12({
  privateKey,
  certificate,
  chain,
  password,
  friendlyName,
}: Pkcs12Content): Promise<Buffer> {
  const { SafeBag, SafeContents, CertBag, PKCS12Attribute, PKCS8ShroudedKeyBag } = pfx();
  const { ContentInfo } = cms();
  const { EncryptedData } = pkcs8();
  const { AlgorithmIdentifier } = x509();
  const { AsnConvert, OctetString } = schema();
  // Its constructor ignores its parameters.
  const attribute = (attrId: string, value: Buffer) =>
    Object.assign(new PKCS12Attribute(), { attrId, attrValues: [octets(value)] });
  const localKeyId = attribute(OID.localKeyId, octetString(createHash('sha1').update(certificate).digest()));
  // DER requires the attributes of a set in the order of their octets, and the name's length varies.
  const attributes = [
    localKeyId,
    ...(friendlyName ? [attribute(OID.friendlyName, der(TAG.bmpString, utf16(friendlyName)))] : []),
  ]
    .map((one) => ({ one, bytes: encode(one) }))
    .toSorted((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ one }) => one);
  const certBag = (bytes: Uint8Array, isLeaf: boolean) =>
    new SafeBag({
      bagId: OID.certBag,
      bagValue: octets(encode(new CertBag({ certId: OID.x509Certificate, certValue: octets(octetString(bytes)) }))),
      ...(isLeaf && { bagAttributes: attributes }),
    });

  const key = await encrypted(privateKey.export({ type: 'pkcs8', format: 'der' }), password);
  const shrouded = new PKCS8ShroudedKeyBag({
    encryptionAlgorithm: AsnConvert.parse(key.algorithm, AlgorithmIdentifier),
    encryptedData: new EncryptedData(octets(key.bytes)),
  });
  const keys = encode(
    new SafeContents([
      new SafeBag({ bagId: OID.shroudedKeyBag, bagValue: octets(encode(shrouded)), bagAttributes: attributes }),
    ]),
  );
  const certificates = encode(
    new SafeContents([certBag(certificate, true), ...chain.map((bytes) => certBag(bytes, false))]),
  );
  const sealed = await encrypted(certificates, password);
  // EncryptedData (RFC 5652, section 8).
  const encryptedData = sequence(integer(0), sequence(oid(OID.data), sealed.algorithm, der(0x80, sealed.bytes)));
  const info = (contentType: string, content: Buffer) =>
    encode(new ContentInfo({ contentType, content: octets(content) }));
  const safe = sequence(info(OID.encryptedData, encryptedData), info(OID.data, octetString(keys)));
  const salt = randomBytes(16);
  const macKey = pkcs12Key(password, salt, MAC_ITERATIONS, 3, 32);
  const mac = createHmac('sha256', macKey).update(safe).digest();
  return sequence(
    integer(3),
    info(OID.data, encode(new OctetString(octets(safe)))),
    sequence(
      sequence(sequence(oid(OID.sha256), der(TAG.null)), octetString(mac)),
      octetString(salt),
      integer(MAC_ITERATIONS),
    ),
  );
}

/** PBES2 (RFC 8018, section 6.2), with its AlgorithmIdentifier. */
async function encrypted(bytes: Buffer, password: string): Promise<{ algorithm: Buffer; bytes: Buffer }> {
  const [salt, iv] = [randomBytes(16), randomBytes(16)];
  const key = await derive(password, salt, KEY_ITERATIONS, 32, 'sha256');
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const derivation = sequence(octetString(salt), integer(KEY_ITERATIONS), sequence(oid(OID.hmacSha256), der(TAG.null)));
  return {
    algorithm: sequence(
      oid(OID.pbes2),
      sequence(sequence(oid(OID.pbkdf2), derivation), sequence(oid(OID.aes256Cbc), octetString(iv))),
    ),
    bytes: Buffer.concat([cipher.update(bytes), cipher.final()]),
  };
}

/** Big-endian UTF-16, without a mark. */
const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16();

const HASH = { name: 'sha256', length: 32, block: 64 } as const;

/**
 * A key from a password as PKCS#12 makes it (RFC 7292, appendix B.2), with SHA-256. Node has it only inside OpenSSL.
 * `purpose`: 1 for a cipher's key, 2 for an initial vector, 3 for a MAC.
 */
export function pkcs12Key(
  password: string,
  salt: Uint8Array,
  iterations: number,
  purpose: 1 | 2 | 3,
  length: number,
): Buffer {
  const diversifier = Buffer.alloc(HASH.block, purpose);
  const secret = Buffer.concat([utf16(password), Buffer.alloc(2)]);
  const input = Buffer.concat([stretched(salt), stretched(secret)]);
  const blocks: Buffer[] = [];
  for (let made = 0; made < length; made += HASH.length) {
    let block = createHash(HASH.name).update(diversifier).update(input).digest();
    for (let round = 1; round < iterations; round++) block = createHash(HASH.name).update(block).digest();
    blocks.push(block);
    const addend = BigInt(`0x${stretched(block).subarray(0, HASH.block).toString('hex')}`) + 1n;
    for (let at = 0; at < input.length; at += HASH.block) {
      const sum = BigInt.asUintN(HASH.block * 8, BigInt(`0x${input.toString('hex', at, at + HASH.block)}`) + addend);
      input.write(sum.toString(16).padStart(HASH.block * 2, '0'), at, 'hex');
    }
  }
  return Buffer.concat(blocks).subarray(0, length);
}

/** Repeated until whole blocks are full. */
function stretched(bytes: Uint8Array): Buffer {
  const length = Math.ceil(bytes.length / HASH.block) * HASH.block;
  return Buffer.alloc(length, bytes);
}

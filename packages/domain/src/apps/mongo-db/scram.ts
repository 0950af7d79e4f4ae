import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { saslPrep } from './sasl-prep.ts';

const derive = promisify(pbkdf2);
const LENGTH = 32;
/** Fewer iterations would expose the password to eavesdroppers; as many as operators set (`scramSHA256IterationCount`). */
const ITERATIONS = { least: 4096, most: 1_000_000 } as const;
const FIRST = /^r=([\x21-\x2b\x2d-\x7e]{1,1024}),s=([A-Za-z0-9+/]{1,1024}={0,2}),i=([1-9]\d{0,9})$/;
const FINAL = /^v=([A-Za-z0-9+/]{43}=)$/;

/** The server violates SCRAM, or does not know the password itself. */
export class ScramError extends Error {}

/** One SCRAM-SHA-256 authentication (RFC 5802, RFC 7677), which proves the password without sending it. */
export class Scram {
  readonly #nonce: string;
  readonly #bare: string;
  readonly #password: string;
  #serverSignature: Buffer | undefined;

  /** @param nonce for published exchanges only */
  constructor(username: string, password: string, nonce = randomBytes(24).toString('base64')) {
    this.#nonce = nonce;
    this.#bare = `n=${username.replaceAll('=', '=3D').replaceAll(',', '=2C')},r=${nonce}`;
    this.#password = saslPrep(password);
  }

  /** The first message, without channel binding. */
  get first(): string {
    return `n,,${this.#bare}`;
  }

  /**
   * The reply to the server's first message, for which a key is derived: see `deriveInTurn`.
   *
   * @throws ScramError
   */
  async prove(serverFirst: string): Promise<string> {
    const [, nonce = '', salt = '', count] = FIRST.exec(serverFirst) ?? [];
    const iterations = Number(count ?? 0);
    if (!nonce.startsWith(this.#nonce) || nonce.length <= this.#nonce.length)
      throw new ScramError('Its nonce is not ours');
    if (iterations < ITERATIONS.least || iterations > ITERATIONS.most)
      throw new ScramError('Its iterations are too few or too many');
    const salted = await derive(this.#password, Buffer.from(salt, 'base64'), iterations, LENGTH, 'sha256');
    const clientKey = hmac(salted, 'Client Key');
    // `biws` is `n,,`: what the first message began with.
    const withoutProof = `c=biws,r=${nonce}`;
    const message = `${this.#bare},${serverFirst},${withoutProof}`;
    const signature = hmac(createHash('sha256').update(clientKey).digest(), message);
    const proof = clientKey.map((octet, i) => octet ^ signature[i]!);
    this.#serverSignature = hmac(hmac(salted, 'Server Key'), message);
    return `${withoutProof},p=${Buffer.from(proof).toString('base64')}`;
  }

  /** Looks whether the server knows the password, too. @throws ScramError */
  verify(serverFinal: string): void {
    const given = Buffer.from(FINAL.exec(serverFinal)?.[1] ?? '', 'base64');
    const expected = this.#serverSignature;
    if (!expected || given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new ScramError('It does not know the password itself');
  }
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

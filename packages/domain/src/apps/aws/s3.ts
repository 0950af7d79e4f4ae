import { setTimeout as sleep } from 'node:timers/promises';
import { hashInTurns } from '../../crypto/index.ts';
import { DomainError, type OutboundFetch, type OutboundResponse } from '../../kernel/index.ts';
import { AwsFault } from './fault.ts';
import { serviceIn, type AwsService } from './service.ts';
import { sign, type AwsKeys } from './sign.ts';
import { at, readXml, type XmlElement } from './xml.ts';

/** A bucket of S3, or of a store that speaks its protocol. */
export interface BucketAccess {
  /** The store, without a slash at its end; default: S3 in the region. The bucket is the first part of the path. */
  readonly url?: string | undefined;
  readonly bucket: string;
  readonly region: string;
  readonly keys: AwsKeys;
}

export interface BucketIo {
  readonly fetch: OutboundFetch;
  now(): Date;
  /** Milliseconds before the first of the further tries; default: 500. */
  readonly pauseMs?: number;
  /** Default: 5. */
  readonly tries?: number;
  /** Milliseconds of one try; default: 30,000. */
  readonly timeoutMs?: number;
}

const DEFAULTS = { pauseMs: 500, tries: 5, timeoutMs: 30_000 };
/** Errors of a call that was not answered as a whole. */
const UNANSWERED = new Set(['outbound.unreachable', 'outbound.timeout', 'outbound.bad_response']);
/** Bytes of an error. */
const MAX_ERROR = 64 * 1024;

/**
 * Objects of one bucket. Calls that the store did not answer, or answered with a fault of its own, are repeated with backoff; each may be.
 * Keys consist of characters that a path has as they are.
 */
export class Bucket {
  readonly #io: Required<BucketIo>;
  readonly #service: AwsService;
  readonly #base: URL;
  readonly #keys: AwsKeys;

  constructor(io: BucketIo, { url, bucket, region, keys }: BucketAccess) {
    const service = serviceIn('s3', region);
    this.#io = { ...DEFAULTS, ...io };
    this.#base = new URL(`${url ?? `https://${service.host}`}/${bucket}/`);
    this.#service = { ...service, host: this.#base.host };
    this.#keys = keys;
  }

  /**
   * Stores an object unless the key has one; whether it was stored. Where an answer was lost, the object may be there nevertheless.
   *
   * @throws DomainError `remote.*`, `outbound.*`
   */
  async putNew(key: string, body: Uint8Array): Promise<boolean> {
    const sha256 = await hashInTurns(body);
    const headers = {
      'Content-Type': 'application/octet-stream',
      'If-None-Match': '*',
      // Also for buckets with object lock, which ask for a checksum.
      'X-Amz-Checksum-Sha256': sha256.toString('base64'),
      'X-Amz-Content-Sha256': sha256.toString('hex'),
      'X-Amz-Sdk-Checksum-Algorithm': 'SHA256',
    };
    const { status } = await this.#ask('PUT', key, { headers, body, maxBytes: MAX_ERROR, expected: [200, 412] });
    return status === 200;
  }

  /** An object of so many bytes at most. @throws DomainError `remote.*`, `outbound.*` */
  async get(key: string, maxBytes: number): Promise<Uint8Array> {
    const answer = await this.#ask('GET', key, { maxBytes: Math.max(maxBytes, MAX_ERROR), expected: [200] });
    return answer.body;
  }

  async #ask(method: 'GET' | 'PUT', key: string, request: BucketRequest): Promise<OutboundResponse> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#send(method, key, request);
      } catch (error) {
        const fault = error instanceof AwsFault ? error.rejection : error;
        if (!canPass(error) || tries >= this.#io.tries) throw fault;
        await sleep(this.#io.pauseMs * 2 ** (tries - 1) * (0.5 + Math.random() / 2));
      }
    }
  }

  async #send(
    method: 'GET' | 'PUT',
    key: string,
    { headers = {}, body, maxBytes, expected }: BucketRequest,
  ): Promise<OutboundResponse> {
    const url = new URL(key, this.#base);
    const signed = {
      method,
      path: url.pathname,
      headers,
      body: body ? Buffer.from(body.buffer, body.byteOffset, body.length) : '',
    };
    const answer = await this.#io.fetch(url.href, {
      method,
      headers: sign(this.#service, this.#keys, signed, this.#io.now()),
      ...(body && { body }),
      timeoutMs: this.#io.timeoutMs,
      maxBytes,
      maxRedirects: 0,
    });
    if (expected.includes(answer.status)) return answer;
    const error = documentOf(answer);
    throw new AwsFault(this.#service, answer.status, at(error, 'Code')?.text ?? '', at(error, 'Message')?.text ?? '');
  }
}

interface BucketRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly maxBytes: number;
  readonly expected: readonly number[];
}

/** 409: another request for the same key is being worked on. */
const canPass = (error: unknown): boolean =>
  error instanceof AwsFault
    ? error.isPassing || error.status >= 500 || error.status === 409 || error.status === 429
    : error instanceof DomainError && UNANSWERED.has(error.code);

/** An error may be as long as an object: then it is not looked at. */
function documentOf(answer: OutboundResponse): XmlElement | undefined {
  if (answer.body.length > MAX_ERROR) return undefined;
  try {
    return readXml(answer.text());
  } catch {
    return undefined;
  }
}

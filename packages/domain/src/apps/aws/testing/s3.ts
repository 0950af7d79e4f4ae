import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { element, texts } from './answer.ts';
import { whoSigned } from './signature-v4.ts';

/**
 * What happens to a request: nothing is done and the connection ends (`dropped`), it is done and the connection ends (`lost`), half of the
 * answer arrives (`truncated`), or it is answered with this status.
 */
export type S3Accident = 'dropped' | 'lost' | 'truncated' | number;

/** A bucket of S3, asked by its path: https://docs.aws.amazon.com/AmazonS3/latest/API/. Every request must be signed. */
export class S3Store {
  readonly bucket = 'exports';
  readonly region = 'eu-central-1';
  readonly keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
  readonly objects = new Map<string, Buffer>();
  /** What was requested, in order: `PUT 200 key`. */
  readonly calls: string[] = [];
  /** Of the next requests, one after the other; nothing happens to those after them. */
  accidents: (S3Accident | undefined)[] = [];
  /** Older stores know no conditions, and replace objects. */
  knowsConditions = true;
  /** What a store keeps of the bytes that it acknowledges. */
  keep: (content: Buffer) => Buffer = (content) => content;
  now: () => number = Date.now;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((req, res) => {
      this.#serve(req, res).catch(() => res.destroy());
    });
  }

  async start(): Promise<this> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await buffer(req);
    const key = (req.url ?? '').replace(`/${this.bucket}/`, '');
    const accident = this.accidents.shift();
    const done = accident === 'dropped' || typeof accident === 'number' ? undefined : this.#answer(req, key, body);
    const status = typeof accident === 'number' ? accident : (done?.status ?? 0);
    this.calls.push(`${req.method} ${status} ${key}${typeof accident === 'string' ? ` (${accident})` : ''}`);
    if (accident === 'dropped' || accident === 'lost') return void res.destroy();
    const { content } = done ?? errorOf(status, status === 503 ? 'SlowDown' : 'InternalError');
    res.writeHead(status, { 'content-length': content.length });
    if (accident !== 'truncated') return void res.end(content);
    res.write(content.subarray(0, content.length / 2), () => res.destroy());
  }

  #answer(req: IncomingMessage, key: string, body: Buffer): { status: number; content: Buffer } {
    const expected = { service: 's3', region: this.region, now: this.now(), hasPort: true };
    const find = (id: string) => (id === this.keys.accessKeyId ? this.keys : undefined);
    const hash = createHash('sha256').update(body).digest();
    if (!whoSigned(req, body, { ...expected, find })) return errorOf(403, 'SignatureDoesNotMatch');
    if (req.headers['x-amz-content-sha256'] !== hash.toString('hex')) return errorOf(400, 'XAmzContentSHA256Mismatch');
    if (!req.url?.startsWith(`/${this.bucket}/`)) return errorOf(404, 'NoSuchBucket');
    const there = this.objects.get(key);
    if (req.method === 'GET') return there ? { status: 200, content: there } : errorOf(404, 'NoSuchKey');
    if (req.headers['x-amz-checksum-sha256'] !== hash.toString('base64')) return errorOf(400, 'BadDigest');
    if (there && this.knowsConditions && req.headers['if-none-match'] === '*')
      return errorOf(412, 'PreconditionFailed');
    this.objects.set(key, this.keep(body));
    return { status: 200, content: Buffer.alloc(0) };
  }
}

const errorOf = (status: number, Code: string) => ({
  status,
  content: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${element('Error', texts({ Code, Message: 'No' }))}`),
});

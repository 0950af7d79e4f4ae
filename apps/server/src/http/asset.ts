import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { isKnown } from '@coffer/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accepted } from './accepted.ts';

/** What is served as it is, to everybody: a file of the console, the OpenAPI document. */
export interface Asset {
  /** Its `Content-Type`. */
  readonly type: string;
  readonly plain: Encoded;
  readonly brotli?: Encoded;
}

/** Each encoding is a representation with an `ETag` of its own (RFC 9110, section 8.8.3.3). */
interface Encoded {
  readonly bytes: Buffer;
  readonly etag: string;
}

export function assetOf(type: string, bytes: Buffer, brotli?: Buffer): Asset {
  const hash = createHash('sha256').update(bytes).digest('base64url');
  const plain = { bytes, etag: `"${hash}"` };
  return brotli ? { type, plain, brotli: { bytes: brotli, etag: `"${hash}-br"` } } : { type, plain };
}

/** A large text: a thirtieth of it is sent to clients that take brotli. */
export async function largeAsset(type: string, text: string): Promise<Asset> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 22 };
  return assetOf(type, Buffer.from(text), await promisify(brotliCompress)(text, { params }));
}

/** Answers with an asset, in the encoding that the client takes, or with 304 if it has that. */
export function sendAsset(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  policy: Readonly<Record<string, string>>,
): FastifyReply {
  const { type, plain, brotli } = asset;
  const packed = brotli && takesBrotli(headers['accept-encoding']) ? brotli : undefined;
  const { bytes, etag } = packed ?? plain;
  void reply.headers({ ...policy, etag, ...(brotli && { vary: 'accept-encoding' }) });
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send();
  if (packed) void reply.header('content-encoding', 'br');
  return reply.header('content-type', type).send(bytes);
}

/** Whether `Accept-Encoding` allows brotli: by its name, else by `*`, with a weight above 0 (RFC 9110, section 12.5.3). */
export function takesBrotli(header: string | string[] | undefined): boolean {
  const weights = new Map(accepted(header));
  return (weights.get('br') ?? weights.get('*') ?? 0) > 0;
}

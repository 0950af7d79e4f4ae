import { z } from 'zod';

/** A response other than JSON: bytes of a media type, with its own headers. Over tRPC they are base64. */
export class RawAnswer {
  readonly type: string;
  readonly body: Buffer;
  /** Names in lower case. With an `etag`, `if-none-match` is evaluated. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;

  constructor(type: string, body: Uint8Array | string, headers: Readonly<Record<string, string>> = {}, status = 200) {
    this.type = type;
    this.body = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
    this.headers = headers;
    this.status = status;
  }

  toJSON(): { type: string; body: string } {
    return { type: this.type, body: this.body.toString('base64') };
  }
}

/** The output of an operation that declares `answers` (see `RestOptions`). */
export const Raw = z.instanceof(RawAnswer).meta({
  type: 'object',
  required: ['type', 'body'],
  properties: { type: { type: 'string' }, body: { type: 'string', description: 'Base64' } },
});

/** Bytes of an input, as base64; an operation that declares `takes` gets its body in this form, without validation. */
export const octets = (max: number) =>
  z
    .string()
    .max(Math.ceil(max / 3) * 4)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'Expected base64')
    .transform((text) => Buffer.from(text, 'base64'))
    .meta({ examples: ['MAA='] });

/**
 * Whether `If-None-Match` contains this tag. It is a list with weak comparison (RFC 9110, section 13.1.2): compressing
 * proxies weaken tags. `*` matches any existing resource, and existence is not known yet.
 */
export const isKnown = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header === etag || header.split(',').some((tag) => tag.trim() === etag || tag.trim() === `W/${etag}`));

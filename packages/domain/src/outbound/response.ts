import type { IncomingMessage } from 'node:http';
import { excessOf, OF_REMOTES } from '../kernel/json-extent.ts';
import type { OutboundRequest, OutboundResponse } from '../kernel/outbound.ts';
import { asFailure, badResponse, tooLarge } from './failure.ts';

/** Of a body. */
export const MAX_BYTES = 1024 * 1024;

/**
 * Reads a complete response, at most `maxBytes`. Nothing is decompressed: encodings are not requested, and an encoded
 * body is returned as received. Throws `outbound.too_large` and `outbound.unreachable` (truncated).
 */
export async function readResponse(
  response: IncomingMessage,
  host: string,
  { maxBytes = MAX_BYTES, room }: Pick<OutboundRequest, 'maxBytes' | 'room'>,
): Promise<OutboundResponse> {
  try {
    const body = await readBody(response, host, maxBytes, room);
    return answer(response, host, body);
  } catch (error) {
    discard(response);
    throw asFailure(error, host);
  }
}

/** Drops an answer together with its connection. */
export function discard(response: IncomingMessage): void {
  response.on('error', () => {}).destroy();
}

async function readBody(
  response: IncomingMessage,
  host: string,
  maxBytes: number,
  room: OutboundRequest['room'],
): Promise<Uint8Array> {
  // One growing buffer instead of a list: a body of single-byte chunks would take a hundred times its size.
  let block = Buffer.allocUnsafe(Math.min(maxBytes, 16 * 1024));
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (size + chunk.length > maxBytes) throw tooLarge(host, 'more bytes');
    // Meanwhile the connection is not read.
    if (room && size <= room.from && size + chunk.length > room.from) await room.wait();
    if (size + chunk.length > block.length) {
      const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(2 * block.length, size + chunk.length)));
      block.copy(larger, 0, 0, size);
      block = larger;
    }
    size += chunk.copy(block, size);
  }
  const body = new Uint8Array(block.buffer, block.byteOffset, size);
  // To copy what is large takes long, and most of its block is used.
  return size > block.length / 2 ? body : body.slice();
}

function answer(response: IncomingMessage, host: string, body: Uint8Array): OutboundResponse {
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      String(Array.isArray(value) ? value.join(', ') : value),
    ]),
  );
  function text(): string {
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') throw badResponse(host, 'in an unsupported encoding');
    return new TextDecoder().decode(body);
  }
  function json(): unknown {
    const source = text();
    const excess = excessOf(source, OF_REMOTES);
    if (excess) throw tooLarge(host, `JSON with more ${excess}`);
    try {
      return JSON.parse(source);
    } catch {
      // The parser's own message quotes the body.
      throw badResponse(host, 'with something other than JSON');
    }
  }
  return { status: response.statusCode ?? 0, headers, body, text, json };
}

import { isUtf8 } from 'node:buffer';
import { DomainError } from '@coffer/domain';
import type { FastifyInstance } from 'fastify';

const DEPTH = 100;

const encoded = () =>
  new DomainError('unsupported_media_type', 'request.media_type', 'Send the body without a content encoding');
const malformed = (message: string) => new DomainError('bad_request', 'request.malformed', message);

export type ReadJson = (text: string) => unknown;

/**
 * How JSON is read, at every door: no half characters, nothing nested deeper than a hundred times, no keys that reach
 * for prototypes.
 *
 * @throws DomainError 400
 */
export function jsonReader(app: FastifyInstance): ReadJson {
  const parse = app.getDefaultJsonParser('error', 'error') as unknown as (
    req: undefined,
    text: string,
    done: Done,
  ) => void;
  return (text) => {
    if (isTooDeep(text)) throw malformed(`The JSON is nested deeper than ${DEPTH} times`);
    let fault: Error | null = null;
    let value: unknown;
    parse(undefined, text, (error, read) => {
      fault = error;
      value = read;
    });
    if (fault) throw malformed('The JSON is not valid');
    if (hasHalfCharacters(text, value)) throw malformed('A text in the JSON has half a surrogate pair');
    return value;
  };
}

type Done = (error: Error | null, value?: unknown) => void;

/** Bodies are UTF-8. One of no bytes counts as none: clients announce JSON and send nothing. */
export function acceptJson(app: FastifyInstance, readJson: ReadJson): void {
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (req, bytes, done) => {
    const buffer = bytes as Buffer;
    if (buffer.length === 0) return done(null);
    if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') return done(encoded());
    if (!isUtf8(buffer)) return done(malformed('The body is not UTF-8'));
    let body: unknown;
    try {
      body = readJson(buffer.toString('utf8'));
    } catch (error) {
      return done(error as Error);
    }
    return done(null, body);
  });
}

/** Text of up to twice the depth cannot be too deep. Brackets inside of strings do not count. */
export function isTooDeep(text: string): boolean {
  if (text.length <= 2 * DEPTH) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > DEPTH) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return false;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Where the string that begins at `start` ends; the text's end where it does not. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/** UTF-8 has no lone surrogates, so that only an escape can bring one. */
const hasHalfCharacters = (text: string, body: unknown): boolean => /\\u[dD][89a-fA-F]/.test(text) && isIllFormed(body);

function isIllFormed(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => !key.isWellFormed() || isIllFormed(inner));
}

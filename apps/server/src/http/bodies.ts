import { isUtf8 } from 'node:buffer';
import { DomainError } from '@coffer/domain';
import type { FastifyInstance } from 'fastify';

const DEPTH = 100;
/** Maximum number of values in one JSON text: a batch of a thousand secrets has some ten thousand. */
const VALUES = 50_000;

const encoded = () =>
  new DomainError('unsupported_media_type', 'request.media_type', 'Send the body without a content encoding');
const malformed = (message: string) => new DomainError('bad_request', 'request.malformed', message);

export type ReadJson = (text: string) => unknown;

/**
 * How JSON is read, at every door: no half characters, nothing nested deeper than a hundred times, not too many values,
 * no keys that reach for prototypes.
 *
 * @throws DomainError 400; 413 for too many values.
 */
export function jsonReader(app: FastifyInstance): ReadJson {
  const parse = app.getDefaultJsonParser('error', 'error') as unknown as (
    req: undefined,
    text: string,
    done: Done,
  ) => void;
  return (text) => {
    requireModest(text);
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

/** Bodies are UTF-8. An empty body counts as none: some clients send the content type of JSON without a body. */
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

const tooMany = () =>
  new DomainError('too_large', 'request.too_large', `The JSON holds more than ${VALUES} values; send several requests`);

/**
 * Rejects JSON that would block the process: parsing and validating millions of values takes seconds. Strings are
 * skipped. Text of up to twice the depth cannot be too deep, nor contain many values.
 *
 * @throws DomainError 400 for JSON nested too deep, 413 for too many values.
 */
export function requireModest(text: string): void {
  if (text.length <= 2 * DEPTH) return;
  let [depth, values] = [0, 1];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === COMMA) values++;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      values++;
      if (++depth > DEPTH) throw malformed(`The JSON is nested deeper than ${DEPTH} times`);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
    if (values > VALUES) throw tooMany();
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The end of the string that begins at `start`; the end of the text if it is unterminated. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/** UTF-8 has no lone surrogates; only an escape can produce one. */
const hasHalfCharacters = (text: string, body: unknown): boolean => /\\u[dD][89a-fA-F]/.test(text) && isIllFormed(body);

function isIllFormed(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => !key.isWellFormed() || isIllFormed(inner));
}

import { isUtf8 } from 'node:buffer';
import { DomainError, WorkBudget } from '@coffer/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const DEPTH = 100;
/** Maximum number of values in one JSON text: a batch of a thousand secrets has some ten thousand. */
const VALUES = 50_000;
/** Bytes of a body from which on it is read in several turns of the event loop. */
const LONG = 1024 * 1024;

const encoded = () =>
  new DomainError('unsupported_media_type', 'request.media_type', 'Send the body without a content encoding');
const malformed = (message: string) => new DomainError('bad_request', 'request.malformed', message);
const invalid = () => malformed('The JSON is not valid');

/**
 * How JSON is read, at every door: no half characters, nothing nested deeper than a hundred times, not too many values,
 * no keys that reach for prototypes.
 *
 * @throws DomainError 400; 413 for too many values.
 */
export function readJson(text: string): unknown {
  requireModest(text);
  const value = parse(text);
  requireHarmless(value);
  return value;
}

/** The same, while other requests are served between its parts. */
async function readJsonInTurns(text: string): Promise<unknown> {
  const pace = new WorkBudget();
  requireModest(text);
  await pace.rest();
  const value = parse(text);
  await pace.rest();
  requireHarmless(value);
  return value;
}

/** Bodies are UTF-8. An empty body counts as none: some clients send the content type of JSON without a body. */
export function acceptJson(app: FastifyInstance): void {
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (req: FastifyRequest, bytes: unknown) => {
    const buffer = bytes as Buffer;
    if (buffer.length === 0) return undefined;
    if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') throw encoded();
    if (!isUtf8(buffer)) throw malformed('The body is not UTF-8');
    const text = buffer.toString('utf8');
    return buffer.length < LONG ? readJson(text) : readJsonInTurns(text);
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
  const strings = new Strings(text);
  let [depth, values] = [0, 1];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = strings.endOf(i);
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

/** Finds the ends of strings in one pass over the text, whatever they contain. */
class Strings {
  readonly #text: string;
  /** The first backslash from the last start on. */
  #backslash = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The end of the string that begins at `start`, after those before; the end of the text if it is unterminated. */
  endOf(start: number): number {
    const text = this.#text;
    const end = indexFrom(text, '"', start + 1);
    if (this.#backslash < start) this.#backslash = indexFrom(text, '\\', start);
    if (this.#backslash > end) return end;
    for (let at = this.#backslash; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) return at;
    }
    return text.length;
  }
}

/** The end of the text if there is none. */
function indexFrom(text: string, what: string, start: number): number {
  const at = text.indexOf(what, start);
  return at === -1 ? text.length : at;
}

const BYTE_ORDER_MARK = 0xfeff;

function parse(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  } catch {
    throw invalid();
  }
}

/** @throws DomainError 400 for half a surrogate pair, which only an escape can produce, and for keys that reach for prototypes. */
function requireHarmless(value: unknown): void {
  if (typeof value === 'string') requireWellFormed(value);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) return value.forEach(requireHarmless);
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    requireWellFormed(key);
    if (key === '__proto__' || (key === 'constructor' && hasPrototype(inner))) throw invalid();
    requireHarmless(inner);
  }
}

function requireWellFormed(text: string): void {
  if (!text.isWellFormed()) throw malformed('A text in the JSON has half a surrogate pair');
}

const hasPrototype = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');

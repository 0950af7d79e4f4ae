import { isUtf8 } from 'node:buffer';
import { DomainError, excessOf, OF_CALLERS, WorkBudget } from '@coffer/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LONG_BODY } from './body-gate.ts';

const encoded = () =>
  new DomainError('unsupported_media_type', 'request.media_type', 'Send the body without a content encoding');
const malformed = (message: string) => new DomainError('bad_request', 'request.malformed', message);
const invalid = () => malformed('The JSON is not valid');

/**
 * How JSON is read, at every door: no half characters, nothing nested deeper than a hundred times, not too many values,
 * no keys that reach for prototypes.
 *
 * @throws DomainError 400; 413 for too many values or keys.
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
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (req, bytes, done) => {
    const body = readBody(req, bytes as Buffer);
    if (body instanceof Promise) body.then((value: unknown) => done(null, value), done);
    else done(null, body);
  });
}

/** A promise for a long one. @throws DomainError 400, 413, 415. */
function readBody(req: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') throw encoded();
  if (!isUtf8(bytes)) throw malformed('The body is not UTF-8');
  const text = bytes.toString('utf8');
  return bytes.length < LONG_BODY ? readJson(text) : readJsonInTurns(text);
}

const tooMany = () =>
  new DomainError(
    'too_large',
    'request.too_large',
    `The JSON holds more than ${OF_CALLERS.values} values (of a number, each 20 digits count as one more); send several requests`,
  );

const tooManyKeys = () =>
  new DomainError('too_large', 'request.too_large', 'The JSON has thousands of distinct keys; send several requests');

/**
 * Rejects JSON that would block the process: parsing and validating millions of values takes seconds.
 *
 * @throws DomainError 400 for JSON nested too deep, 413 for too many values or keys.
 */
export function requireModest(text: string): void {
  const excess = excessOf(text, OF_CALLERS);
  if (excess === 'depth') throw malformed(`The JSON is nested deeper than ${OF_CALLERS.depth} times`);
  if (excess === 'values') throw tooMany();
  if (excess === 'keys') throw tooManyKeys();
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

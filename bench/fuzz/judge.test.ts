import { describe, expect, it } from 'vitest';
import type { Document, Operation } from './document.ts';
import { Judge } from './judge.ts';

const tag = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const document = {
  paths: {
    '/tags/{id}': { get: { responses: { 200: json(tag), 404: { $ref: '#/components/responses/NotFound' } } } },
  },
  components: {
    schemas: {},
    responses: { NotFound: json({ type: 'object', required: ['reqId'] }) },
  },
} as unknown as Document;
const operation = {
  method: 'GET',
  url: '/tags/{id}',
  described: document.paths['/tags/{id}']!['get']!,
} as Operation;

const fault = (status: number, body: unknown, type = 'application/json; charset=utf-8') =>
  new Judge(document).faultOf(operation, {
    status,
    type,
    text: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('the judge of responses', () => {
  it('accepts documented responses', () => {
    expect(fault(200, { id: 'x', more: 1 })).toBeUndefined();
    expect(fault(404, { reqId: 'req-1' })).toBeUndefined();
  });

  it.each([
    ['a 5xx', 500, { reqId: 'req-1' }, '5xx'],
    ['a status that is not documented', 418, {}, 'not documented'],
    ['a body that does not match its schema', 200, { id: 1 }, 'does not match'],
    ['an error that does not match its schema', 404, {}, 'does not match'],
    ['JSON that is none', 200, '{', 'no JSON'],
  ])('finds %s', (_, status, body, expected) => {
    expect(fault(status, body)).toContain(expected);
  });

  it('finds a media type that is not documented', () => {
    expect(fault(200, '<html>', 'text/html')).toContain('media type');
  });
});

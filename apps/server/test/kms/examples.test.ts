import { appRouter, openApiDocument, type OpenApiDocument } from '@coffer/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/certificates.ts';
import { createKey, KEYS } from '../harness/kms.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

// The examples of the OpenAPI document are sent as they are.

let test: TestServer;
let projectId: string;
let document: OpenApiDocument;
beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
});
afterAll(() => test.close());

interface Bodies {
  readonly request: object;
  readonly answer: object;
}

function examplesOf(method: 'get' | 'post', path: string): Bodies {
  const operation = document.paths![path]![method] as {
    requestBody?: { content: Record<string, { example: object }> };
    responses: Record<string, { content: Record<string, { example: object }> }>;
  };
  return {
    request: operation.requestBody?.content['application/json']!.example ?? {},
    answer: operation.responses['200']!.content['application/json']!.example,
  };
}

/** The fields of a value and the types of what they hold; nothing for those that are null in `like`. */
function shapeOf(value: unknown, like: unknown = value): unknown {
  if (like === null) return undefined;
  if (Array.isArray(value)) return value.slice(0, 1).map((one) => shapeOf(one, (like as unknown[])[0]));
  if (value === null || typeof value !== 'object') return typeof value;
  const fields = like as Record<string, unknown>;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one, fields[name])]));
}

describe('the examples of operations', () => {
  it.each([
    ['aes-256-gcm', ['encrypt', 'encrypt/batch', 'data-key', 'rotate']],
    ['ECC_NIST_P256', ['sign', 'sign/batch', 'verify', 'verify/batch', 'public-key', 'signing-algorithms']],
    ['HMAC_SHA_256', ['generate-mac', 'verify-mac']],
  ])('with a key of %s are accepted, and answered as they say', async (algorithm, operations) => {
    const { id } = await createKey(test.admin, projectId, { algorithm });
    for (const operation of operations) {
      const method = ['public-key', 'signing-algorithms'].includes(operation) ? 'get' : 'post';
      const { request, answer } = examplesOf(method, `${KEYS}/{keyId}/${operation}`);
      const body = method === 'get' ? undefined : request;
      const answered = ok(await test.admin(method === 'get' ? 'GET' : 'POST', `${KEYS}/${id}/${operation}`, body));
      expect([operation, shapeOf(answered)]).toMatchObject([operation, shapeOf(answer, answered)]);
    }
  });

  it('that create and import keys are accepted', async () => {
    for (const path of [KEYS, `${KEYS}/bulk-import`]) {
      const { id } = await test.project();
      const { request } = examplesOf('post', path);
      const answered = ok(await test.admin('POST', path, { ...request, projectId: id }));
      expect(answered.errors ?? []).toEqual([]);
      expect(answered.keys ?? [answered.key]).toMatchObject([{ projectId: id, version: 1 }]);
    }
  });
});

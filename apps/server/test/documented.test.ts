import {
  openApiDocument,
  procedure,
  Raw,
  RawAnswer,
  rest,
  router,
  statusesOf,
  operationsOf,
  appRouter,
} from '@coffer/api';
import { describe, expect, it } from 'vitest';
import { testServer } from './harness/test-server.ts';

describe('the OpenAPI document', () => {
  it('lists for each operation the statuses with which tests compare its responses', async () => {
    const { paths = {} } = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
    const listed = (url: string, method: string) =>
      Object.keys(paths[url]?.[method.toLowerCase() as 'get']?.responses ?? {}).map(Number);
    for (const operation of operationsOf(appRouter)) {
      const { method, url } = operation;
      expect([method, url, listed(url, method)]).toEqual([method, url, statusesOf(operation)]);
    }
  });
});

describe('a test server', () => {
  it('fails its tests if an operation returns an undocumented status', async () => {
    const odd = router({
      odd: procedure
        .meta(rest('GET', '/odd/{id}', 'public', 'Answer oddly', { answers: ['text/plain'] }))
        .output(Raw)
        .query(() => new RawAnswer('text/plain', 'odd', {}, 418)),
    });
    const test = await testServer({}, { router: odd });
    expect((await test.as()('GET', '/odd/1')).status).toBe(418);
    await expect(test.close()).rejects.toThrow('GET /odd/:id: 418');
  });
});

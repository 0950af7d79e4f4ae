import { brotliDecompressSync } from 'node:zlib';
import { appRouter, operationsOf, type OpenApiDocument } from '@coffer/api';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let document: OpenApiDocument;
let text: string;
beforeAll(async () => {
  test = await testServer();
  text = (await test.app.inject({ method: 'GET', url: '/api/docs/json' })).body;
  document = JSON.parse(text) as OpenApiDocument;
});
afterAll(() => test.close());

type Operation = NonNullable<NonNullable<OpenApiDocument['paths']>[string]['get']>;
const all = () =>
  Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      key: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(text) as Record<string, unknown>);
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, '3.1']);
  });

  it('has every operation, aliases included, each under an id of its own', () => {
    expect(
      all()
        .map(({ key }) => key)
        .toSorted(),
    ).toEqual(
      operationsOf(appRouter)
        .map(({ method, url }) => `${method} ${url}`)
        .toSorted(),
    );
    const ids = all().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('refers to nothing that it does not contain', () => {
    const references = new Set(Array.from(text.matchAll(/"\$ref":"#\/([^"]+)"/g), ([, path]) => path ?? ''));
    const missing = [...references].filter(
      (path) =>
        path
          .split('/')
          .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document) ===
        undefined,
    );
    expect(missing).toEqual([]);
    expect(references.size).toBeGreaterThan(5);
  });

  it('names the parameters of each path', () => {
    for (const { key, operation } of all()) {
      const inPath = Array.from(key.matchAll(/\{(.+?)\}/g), ([, name = '']) => name);
      const parameters = (operation.parameters ?? []) as { name: string; in: string; required?: boolean }[];
      expect([
        key,
        ...parameters
          .filter((one) => one.in === 'path' && one.required)
          .map(({ name }) => name)
          .toSorted(),
      ]).toEqual([key, ...inPath.toSorted()]);
    }
  });

  it('puts the input of a GET into its query, and that of anything else into its body', () => {
    for (const { key, operation } of all()) {
      const inQuery = ((operation.parameters ?? []) as { in: string; name: string }[])
        .filter((one) => one.in === 'query')
        // A plan can be requested in both.
        .filter((one) => one.name !== 'dryRun');
      const inTheWrongPlace = key.startsWith('GET') ? operation.requestBody : inQuery[0];
      expect([key, inTheWrongPlace]).toEqual([key, undefined]);
    }
    const removal = all().filter(({ key, operation }) => key.startsWith('DELETE') && operation.requestBody);
    expect(removal.length).toBeGreaterThan(0);
  });

  it('shows dryRun, and the plan that it answers, at each operation that has plans', () => {
    const planned = all().filter(({ operation }) =>
      ((operation.parameters ?? []) as { name: string }[]).some(({ name }) => name === 'dryRun'),
    );
    expect(planned.length).toBeGreaterThan(30);
    for (const { key, operation } of planned) {
      expect([key, JSON.stringify(operation.responses?.['200'])]).toEqual([
        key,
        expect.stringContaining('#/components/schemas/PlanAnswer'),
      ]);
    }
  });

  it('describes for each operation its permissions and errors', () => {
    for (const { key, operation } of all()) {
      const isPublic = operation['x-coffer-permission'] === 'public';
      const [bearer, apiKey] = [{ bearer: [] }, { apiKey: [] }];
      expect(isPublic ? [[]] : [[bearer], [bearer, apiKey]]).toContainEqual(operation.security);
      expect([key, operation.description]).toEqual([key, expect.stringMatching(/Needs (?:no|a) token/)]);
      expect([key, Object.keys(operation.responses ?? {})]).toEqual([
        key,
        expect.arrayContaining(['200', '400', '404', '429', '500', ...(isPublic ? [] : ['401', '403'])]),
      ]);
    }
  });

  it('writes scalars as what callers send: no unions of text and numbers, and times with their format', () => {
    const { operation } = all().find(({ key }) => key === 'GET /api/v1/organization/audit-logs') ?? {};
    const parameters = Object.fromEntries(
      ((operation?.parameters ?? []) as { name: string; schema: object }[]).map(({ name, schema }) => [name, schema]),
    );
    expect(parameters['limit']).toMatchObject({ type: 'integer', minimum: 1, default: expect.any(Number) as number });
    expect(parameters['startDate']).toMatchObject({ type: 'string', format: 'date-time' });
    expect(JSON.stringify(parameters)).not.toContain('anyOf');
  });

  it('marks what is sealed as a password in requests, and nothing in responses', () => {
    const marked = (of: unknown) => JSON.stringify(of).split('"format":"password"').length - 1;
    const found = all().find(({ key }) => key === 'POST /api/v1/app-connections/postgres');
    expect(found?.operation.requestBody).toMatchObject({
      content: {
        'application/json': {
          schema: { properties: { credentials: { properties: { password: { format: 'password' } } } } },
        },
      },
    });
    expect(marked(found?.operation.requestBody)).toBe(1);
    expect(marked(all().map(({ operation }) => operation.responses))).toBe(0);
  });

  it('names the call of the client for each operation', () => {
    const verbs: Record<string, string> = { query: 'query', mutation: 'mutate', subscription: 'subscribe' };
    const calls = operationsOf(appRouter).map(
      ({ method, url, path, procedure }) => [`${method} ${url}`, `${path}.${verbs[procedure._def.type]}`] as const,
    );
    expect(new Map(all().map(({ key, operation }) => [key, operation['x-coffer-client']]))).toEqual(new Map(calls));
  });

  it('is compressed for clients that take brotli', async () => {
    const get = (headers: Record<string, string>) => test.app.inject({ method: 'GET', url: '/api/docs/json', headers });
    const { headers, rawPayload } = await get({ 'accept-encoding': 'gzip, br' });
    expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(brotliDecompressSync(rawPayload).toString()).toBe(text);
    const again = { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) };
    expect((await get(again)).statusCode).toBe(304);
    expect((await get({ 'if-none-match': String(headers.etag) })).statusCode).toBe(200);
  });

  it('has examples of bodies', () => {
    const { operation } = all().find(({ key }) => key === 'POST /api/v1/admin/bootstrap') ?? {};
    expect(operation?.requestBody).toMatchObject({
      required: true,
      content: {
        'application/json': {
          example: { email: 'someone@example.com', password: 'password', organization: 'organization' },
        },
      },
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { Operation } from './document.ts';
import { asCurl, asTypeScript, emptyRequest, urlOf } from './request.ts';

const operation = (given: Partial<Operation>): Operation => ({
  ...{
    operationId: 'secrets_create',
    method: 'POST',
    path: '/api/v4/secrets/{secretName}',
    area: 'Secrets',
    words: '',
  },
  ...{ responses: {}, 'x-coffer-client': 'secrets.create.mutate' },
  parameters: [
    { name: 'secretName', in: 'path', required: true },
    { name: 'if-none-match', in: 'header' },
  ],
  requestBody: { content: { 'application/json': { example: { secretValue: "it's", 'x-y': [1, null] } } } },
  ...given,
});
const read = operation({
  ...{ method: 'GET', path: '/api/v4/secrets', requestBody: undefined, 'x-coffer-client': 'secrets.list.query' },
  parameters: [
    { name: 'projectId', in: 'query', required: true },
    { name: 'recursive', in: 'query', schema: { type: 'boolean' } },
    { name: 'environment', in: 'query', schema: { type: 'string' } },
  ],
});
const entered = (parameters: Record<string, string>, body = '') => ({ parameters, body });

describe('a request of the API reference', () => {
  it('has its parameters in the path and the query, encoded, and braces for those that are missing', () => {
    expect(urlOf(operation({}), entered({ secretName: 'A/B ü' }))).toBe('/api/v4/secrets/A%2FB%20%C3%BC');
    expect(urlOf(operation({}), entered({}))).toBe('/api/v4/secrets/{secretName}');
    expect(urlOf(read, entered({ projectId: 'a&b', recursive: 'true' }))).toBe(
      '/api/v4/secrets?projectId=a%26b&recursive=true',
    );
  });

  it('is a command for a shell, whatever quotes are in it', () => {
    expect(asCurl('https://c.example', operation({}), emptyRequest(operation({})))).toBe(
      [
        `curl -X POST 'https://c.example/api/v4/secrets/{secretName}'`,
        `-H "Authorization: Bearer $COFFER_TOKEN"`,
        `-H 'content-type: application/json'`,
        String.raw`-d '{` + '\n  "secretValue": "it' + String.raw`'\''s",` + '\n  "x-y": [\n    1,\n    null\n  ]\n}\'',
      ].join(' \\\n  '),
    );
    expect(asCurl('https://c.example', operation({ security: [] }), entered({}))).not.toContain('TOKEN');
  });

  it('is a program on the typed client, with values of their types', () => {
    expect(asTypeScript('https://c.example', read, entered({ recursive: 'true', environment: 'true' }))).toBe(
      [
        `import { createCofferClient } from '@coffer/client';`,
        ``,
        `const coffer = createCofferClient({ url: 'https://c.example', token: process.env.COFFER_TOKEN });`,
        `const answer = await coffer.secrets.list.query({`,
        `  projectId: '{projectId}',`,
        `  recursive: true,`,
        `  environment: 'true',`,
        `});`,
      ].join('\n'),
    );
    const program = asTypeScript(
      'https://c.example',
      operation({}),
      entered({ secretName: 'A' }, '{"a":"it\'s \\"x\\"\\n","x-y":[1,{}]}'),
    );
    expect(program).toContain(String.raw`a: 'it\'s "x"\n',`);
    expect(program).toContain(`'x-y': [\n    1,\n    {},\n  ],`);
  });
});

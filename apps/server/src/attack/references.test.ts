import type { Rule } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Answer, type Caller, type TestServer } from '../testing/test-server.ts';

let test: TestServer;
let projectId: string;
let call: Caller;
beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  const put = (environment: string, name: string, secretValue: string) =>
    test.admin('POST', `/api/v4/secrets/${name}`, { projectId, environment, secretPath: '/', secretValue });
  await put('prod', 'THERE', 'only for a few');
  await put('dev', 'TO_THERE', '${prod.THERE}');
  await put('dev', 'TO_ABSENT', '${prod.ABSENT}');
  const rules: Rule[] = [{ subject: 'secrets', action: ['read', 'create'], conditions: { environment: 'dev' } }];
  ({ call } = await test.identity({ projectId, rules }));
});
afterAll(() => test.close());

const expanded = 'environment=dev&secretPath=/&expandSecretReferences=true';

/** An answer without what differs from call to call and by the name that was asked for. */
const comparable = ({ status, body: { reqId: _, ...body } }: Answer) =>
  JSON.stringify({ status, body }).replaceAll(/THERE|ABSENT/g, 'X');

describe('attack: references to secrets that may not be read', () => {
  it('do not tell whether these exist, in single reads, traces and writes', async () => {
    const both = async (ask: (name: string) => Promise<Answer>) => {
      const [there, absent] = [await ask('THERE'), await ask('ABSENT')];
      expect(there.status).toBe(403);
      expect(comparable(there)).toBe(comparable(absent));
    };
    await both((name) => call('GET', `/api/v4/secrets/TO_${name}?projectId=${projectId}&${expanded}`));
    await both((name) => call('GET', `/api/v3/secrets/raw/TO_${name}?workspaceId=${projectId}&${expanded}`));
    await both((name) =>
      call(
        'GET',
        `/api/v4/secrets/TO_${name}/secret-reference-tree?projectId=${projectId}&environment=dev&secretPath=/`,
      ),
    );
    await both((name) =>
      call('POST', '/api/v4/secrets/OWN', {
        ...{ projectId, environment: 'dev', secretPath: '/' },
        secretValue: `\${prod.${name}}`,
      }),
    );
  });

  it('do not tell it by way of a folder that imports them', async () => {
    const place = { projectId, environment: 'dev' };
    await test.admin('POST', '/api/v2/folders', { ...place, path: '/', name: 'p' });
    const imported = { ...place, path: '/p', import: { environment: 'prod', path: '/' } };
    expect((await test.admin('POST', '/api/v2/secret-imports', imported)).status).toBe(200);
    for (const name of ['THERE', 'ABSENT']) {
      const secret = { ...place, secretPath: '/', secretValue: `\${dev.p.${name}}` };
      expect((await call('POST', `/api/v4/secrets/BY_${name}`, secret)).status).toBe(200);
    }
    const [there, absent] = await Promise.all(
      ['THERE', 'ABSENT'].map((name) => call('GET', `/api/v4/secrets/BY_${name}?projectId=${projectId}&${expanded}`)),
    );
    const withoutIds = (answer: Answer) => {
      const { secretValue, secretReferenceErrors } = answer.body.secret;
      return JSON.stringify([answer.status, secretValue, secretReferenceErrors]).replaceAll(/THERE|ABSENT/g, 'X');
    };
    expect(withoutIds(there!)).toBe(withoutIds(absent!));
    for (const name of ['THERE', 'ABSENT'])
      await test.admin('DELETE', `/api/v4/secrets/BY_${name}`, { ...place, secretPath: '/' });
  });

  it('do not tell it in lists either, and bring nothing of them', async () => {
    const { status, body } = await call('GET', `/api/v4/secrets?projectId=${projectId}&${expanded}`);
    expect(status).toBe(200);
    const [absent, there] = body.secrets;
    expect([absent.secretKey, there.secretKey]).toEqual(['TO_ABSENT', 'TO_THERE']);
    const errorsOf = (secret: object) =>
      JSON.stringify((secret as { secretReferenceErrors: unknown }).secretReferenceErrors).replaceAll(
        /THERE|ABSENT/g,
        'X',
      );
    expect(errorsOf(there)).toBe(errorsOf(absent));
    expect([absent.secretValue, there.secretValue]).toEqual(['${prod.ABSENT}', '${prod.THERE}']);
    expect(JSON.stringify(body)).not.toContain('only for a few');
  });
});

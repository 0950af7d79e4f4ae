// @long: large values, many callers
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

async function setUp() {
  const project = await test.project();
  const at = { projectId: project.id, environment: 'dev' };
  const query = `projectId=${project.id}&environment=dev`;
  const putAll = (values: Record<string, string>, more: object = {}) => {
    const secrets = Object.entries(values).map(([secretKey, secretValue]) => ({ secretKey, secretValue }));
    return test.admin('POST', '/api/v4/secrets/batch', { ...at, secrets, ...more });
  };
  const read = (name: string) => test.admin('GET', `/api/v4/secrets/${name}?${query}&expandSecretReferences=true`);
  return { project, at, query, putAll, read };
}

interface Secret {
  readonly secretKey: string;
  readonly secretValue: string;
  readonly secretReferenceErrors?: readonly { readonly code: string }[];
}

/** The number of statements during some work. */
async function statements(work: () => Promise<unknown>): Promise<number> {
  const asked = vi.spyOn(test.coffer.pool, 'query');
  try {
    await work();
    return asked.mock.calls.length;
  } finally {
    asked.mockRestore();
  }
}

describe('references', () => {
  it('that would fill the memory are rejected in one value, a trace and the list of dependents, and reported in a list', async () => {
    const { query, putAll, read } = await setUp();
    const bomb = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`S${index}`, `\${S${index + 1}}`.repeat(12)]),
    );
    expect((await putAll({ ...bomb, S9: 'boom' })).status).toBe(200);
    expect((await read('S0')).status).toBe(400);
    expect((await read('S7')).body.secret.secretValue).toBe('boom'.repeat(144));
    const { status, body } = await test.admin('GET', `/api/v4/secrets?${query}&expandSecretReferences=true`);
    const codes = body.secrets.map((one: Secret) => [one.secretKey, one.secretReferenceErrors?.[0]?.code]);
    expect([status, Object.fromEntries(codes)]).toMatchObject([200, { S0: 'too-large', S7: undefined, S9: undefined }]);
    expect((await test.admin('GET', `/api/v4/secrets/S0/secret-reference-tree?${query}`)).status).toBe(400);
    const many = Array.from({ length: 8 }, (_, level) =>
      Array.from({ length: 8 }, (__, index) => [
        `L${level}_${index}`,
        level === 0 ? 'v' : Array.from({ length: 8 }, (___, other) => `\${L${level - 1}_${other}}`).join(''),
      ]),
    );
    await putAll(Object.fromEntries(many.flat()));
    expect((await test.admin('GET', `/api/v4/secrets/L0_0/reference-dependency-tree?${query}`)).status).toBe(400);
  });

  it('of a few bytes to a long value do not exceed the limit of a response', async () => {
    const { query, putAll } = await setUp();
    await putAll({ LONG: 'x'.repeat(1024 * 1024) });
    await putAll(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`P${index}`, '${LONG}'])));
    await putAll({ SHORT: '<${WORD}>', WORD: 'word' });
    const { status, body } = await test.admin('GET', `/api/v4/secrets?${query}&expandSecretReferences=true`);
    const [complete, refused] = [true, false].map((isComplete) =>
      body.secrets.filter((one: Secret) => isComplete === (one.secretReferenceErrors === undefined)),
    );
    expect([status, complete.length, refused.length]).toEqual([200, 3 + 8, 92]);
    expect(complete.find((one: Secret) => one.secretKey === 'SHORT').secretValue).toBe('<word>');
    const { secretKey, ...rest } = refused[0];
    const error = { code: 'too-large', reference: '${LONG}', secretKey, environment: 'dev', secretPath: '/' };
    expect(rest).toMatchObject({ secretValue: '${LONG}', secretReferenceErrors: [error] });
  });

  it('that are longer than any name are text', async () => {
    const { putAll, read } = await setUp();
    const noise = Array.from({ length: 9000 }, (_, index) => ((index * 7919) % 36).toString(36)).join('');
    const values = { A: `\${${noise}}`, B: `\${dev.${noise}.K}`, C: `\${${noise}.K}` };
    expect((await putAll(values)).status).toBe(200);
    expect((await read('A')).body.secret.secretValue).toBe(values.A);
  });

  it('are limited to fifty thousand per write, and one value does not use up the answer of another', async () => {
    const { query, putAll } = await setUp();
    const many = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `\${N${from + index}}`).join('');
    const { status, body } = await putAll({ A: many(0, 30_000), B: many(30_000, 50_001) });
    expect([status, body.message]).toEqual([400, expect.stringContaining('50000 references')]);
    expect((await putAll({ A: many(0, 12_000), B: '<${C}>', C: 'c' })).status).toBe(200);
    const list = await test.admin('GET', `/api/v4/secrets?${query}&expandSecretReferences=true`);
    const [first, second] = list.body.secrets;
    expect(first.secretReferenceErrors.at(-1)).toMatchObject({ code: 'too-many', reference: '${N10000}' });
    expect([list.status, second.secretValue, second.secretReferenceErrors]).toEqual([200, '<c>', undefined]);
  });

  it('to thousands of names that are not there cost no query each', async () => {
    const { putAll, read } = await setUp();
    const absent = Array.from({ length: 3000 }, (_, index) => `\${N${index}}\${dev.f${index % 50}.N}`).join('');
    await putAll({ A: `[${absent}]` });
    const count = await statements(async () => expect((await read('A')).body.secret.secretValue).toBe('[]'));
    expect(count).toBeLessThan(15);
  });

  it('may form a chain of five hundred, the last of which is checked against the first', async () => {
    const { at, putAll } = await setUp();
    const chain = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`S${index}`, `\${S${index + 1}}`]));
    expect((await putAll(chain)).status).toBe(200);
    const closing = await test.admin('POST', '/api/v4/secrets/S500', { ...at, secretValue: '${S0}' });
    expect(closing.body.details.cycle).toHaveLength(502);
    expect((await test.admin('POST', '/api/v4/secrets/S500', { ...at, secretValue: 'end' })).status).toBe(200);
  });
});

describe('ten thousand secrets', () => {
  it('are written, updated, renamed, listed and deleted in one request', async () => {
    const { at, query } = await setUp();
    const keys = Array.from({ length: 10_000 }, (_, index) => `KEY_${index}`);
    const ask = async (method: 'POST' | 'PATCH' | 'DELETE', secrets: object[]) => {
      const { status, body } = await test.admin(method, '/api/v4/secrets/batch', { ...at, secrets });
      expect([method, status, body.secrets?.length]).toEqual([method, 200, secrets.length]);
    };
    await ask(
      'POST',
      keys.map((secretKey) => ({ secretKey, secretValue: 'v' })),
    );
    await ask(
      'PATCH',
      keys.map((secretKey) => ({ secretKey, secretValue: 'w' })),
    );
    await ask(
      'PATCH',
      keys.map((secretKey, index) => ({ secretKey, newSecretName: `KEY_${(index + 1) % keys.length}` })),
    );
    expect((await test.admin('GET', `/api/v4/secrets?${query}`)).body.secrets).toHaveLength(10_000);
    await ask(
      'DELETE',
      keys.map((secretKey) => ({ secretKey })),
    );
  });
});

describe('imports', () => {
  it('take the next position also after an environment deleted some of them', async () => {
    const { project } = await setUp();
    const workspace = { workspaceId: project.id };
    const make = (environment: string, path = '/') =>
      test.admin('POST', '/api/v1/secret-imports', {
        ...workspace,
        environment: 'dev',
        import: { environment, path },
      });
    await make('staging');
    await make('prod');
    const { environments } = (await test.admin('GET', `/api/v1/workspace/${project.id}`)).body.workspace;
    const staging = environments.find((one: { slug: string }) => one.slug === 'staging');
    await test.admin('DELETE', `/api/v1/workspace/${project.id}/environments/${staging.id}`);
    expect(await make('prod', '/app')).toMatchObject({ status: 200, body: { secretImport: { position: 3 } } });
  });

  it('of one source by a thousand folders do not exceed the limit of a response', async () => {
    const { project, at, query } = await setUp();
    const secrets = Array.from({ length: 150 }, (_, index) => ({ secretKey: `K${index}`, secretValue: 'v' }));
    await test.admin('POST', '/api/v4/secrets/batch', { ...at, environment: 'prod', secrets });
    await test.coffer.query(
      {
        name: 'test.many_imports',
        text: `with made as (
            insert into folders (id, organization_id, project_id, environment_id, parent_id, name, path)
            select gen_random_uuid(), f.organization_id, f.project_id, f.environment_id, f.id, 'f' || n, '/f' || n
            from generate_series(1, 1000) n, folders f join environments e on e.id = f.environment_id and e.slug = 'dev'
            where f.project_id = $1 and f.path = '/' returning *),
          above as (
            insert into secret_imports (id, organization_id, project_id, folder_id, import_environment_id, import_path, position)
            select gen_random_uuid(), organization_id, project_id, parent_id, environment_id, path, row_number() over () from made)
          insert into secret_imports (id, organization_id, project_id, folder_id, import_environment_id, import_path, position)
          select gen_random_uuid(), m.organization_id, m.project_id, m.id, p.id, '/', 1
          from made m join environments p on p.project_id = m.project_id and p.slug = 'prod'`,
      },
      [project.id],
    );
    expect((await test.admin('GET', `/api/v4/secrets?${query}&includeImports=true`)).status).toBe(400);
    expect((await test.admin('GET', `/api/v4/secrets/K7?${query}&includeImports=true`)).status).toBe(200);
  });
});

describe('text that cannot be stored', () => {
  const LONE = '\ud800';

  it('is rejected at any position, without an error in the server', async () => {
    const { at, query } = await setUp();
    const bodies: object[] = [
      { secretComment: LONE },
      { secretMetadata: [{ key: `k${LONE}`, value: 'v' }] },
      { secretMetadata: [{ key: 'k', value: '\0' }] },
      { metadata: { k: '\0' } },
      { secretReminderNote: '\0' },
      { secretReminderRecipients: [LONE] },
      { tagIds: ['\0'] },
    ];
    for (const [index, body] of bodies.entries()) {
      const { status } = await test.admin('POST', '/api/v4/secrets/A', { ...at, secretValue: 'v', ...body });
      expect([index, [400, 404, 422].includes(status)]).toEqual([index, true]);
    }
    for (const environment of ['%00', '%ED%A0%80', 'x'.repeat(300)]) {
      const { status } = await test.admin(
        'GET',
        `/api/v4/secrets?projectId=${at.projectId}&environment=${environment}`,
      );
      expect([environment, [400, 404, 422].includes(status)]).toEqual([environment, true]);
    }
    expect((await test.admin('POST', '/api/v4/secrets/__proto__', { ...at, secretValue: 'v' })).status).toBe(200);
    expect((await test.admin('GET', `/api/v4/secrets/constructor?${query}`)).status).toBe(404);
    expect((await test.admin('GET', `/api/v4/secrets/__proto__?${query}`)).body.secret.secretValue).toBe('v');
  });
});

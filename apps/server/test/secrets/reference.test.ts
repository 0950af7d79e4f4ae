import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

async function setUp() {
  const project = await test.project();
  const folder = (path: string, environment = 'dev') =>
    test.admin('POST', '/api/v1/folders', {
      workspaceId: project.id,
      environment,
      name: path.slice(path.lastIndexOf('/') + 1),
      path: path.slice(0, path.lastIndexOf('/')) || '/',
    });
  const put = (secretName: string, secretValue: string, at: object = {}, call: Caller = test.admin) =>
    call('POST', `/api/v4/secrets/${secretName}`, { projectId: project.id, environment: 'dev', secretValue, ...at });
  const patch = (secretName: string, change: object) =>
    test.admin('PATCH', `/api/v4/secrets/${secretName}`, { projectId: project.id, environment: 'dev', ...change });
  const read = (secretName: string, query = '', call: Caller = test.admin) =>
    call('GET', `/api/v4/secrets/${secretName}?projectId=${project.id}&environment=dev${query}`);
  const expanded = async (secretName: string, query = '', call: Caller = test.admin) => {
    const { status, body } = await read(secretName, `&expandSecretReferences=true${query}`, call);
    return status === 200 ? body.secret.secretValue : status;
  };
  const raw = async (secretName: string, query = '') => (await read(secretName, query)).body.secret.secretValue;
  return { project, folder, put, patch, read, expanded, raw };
}

describe('a reference', () => {
  it('refers to a secret of the same folder, another environment or a folder there, through several steps', async () => {
    const { folder, put, expanded } = await setUp();
    await folder('/app', 'prod');
    await put('HOST', 'db.internal');
    await put('PORT', '5432', { environment: 'prod' });
    await put('USER', 'app-${prod.PORT}', { environment: 'prod', secretPath: '/app' });
    await put('URL', 'pg://${prod.app.USER}@${HOST}:${prod.PORT}/${HOST}');
    await put('AGAIN', '<${URL}>');
    expect(await expanded('AGAIN')).toBe('<pg://app-5432@db.internal:5432/db.internal>');
  });

  it('stays as written unless it is expanded, and other text always does', async () => {
    const { put, raw, expanded } = await setUp();
    await put('A', '$HOME ${B} ${not a reference} ${} ${.x} $${B}');
    await put('B', 'b');
    expect(await raw('A')).toBe('$HOME ${B} ${not a reference} ${} ${.x} $${B}');
    expect(await expanded('A')).toBe('$HOME b ${not a reference} ${} ${.x} $b');
  });

  it('to nothing is empty', async () => {
    const { put, expanded } = await setUp();
    await put('A', '[${NOTHING}${nowhere.KEY}${dev.no.folder.KEY}]');
    expect(await expanded('A')).toBe('[]');
  });

  it('is resolved in lists too', async () => {
    const { project, put } = await setUp();
    await put('A', '${B}!');
    await put('B', 'b');
    const { body } = await test.admin(
      'GET',
      `/api/v3/secrets/raw?workspaceId=${project.id}&environment=dev&expandSecretReferences=true`,
    );
    expect(body.secrets.map((secret: { secretValue: string }) => secret.secretValue)).toEqual(['b!', 'b']);
  });

  it('checks the rights of the reader at every hop', async () => {
    const { project, put, expanded } = await setUp();
    await put('DEEP', 'secret', { environment: 'prod' });
    await put('MIDDLE', '${prod.DEEP}');
    await put('TOP', '${MIDDLE}');
    const rules = [{ subject: 'secrets', action: 'read', conditions: { environment: 'dev' } }];
    const { call } = await test.identity({ projectId: project.id, rules });
    expect(await expanded('TOP', '', call)).toBe(403);
  });

  it('is reported as written, next to the secret that contains it, and fails no list', async () => {
    const { project, put } = await setUp();
    await put('DEEP', 'secret', { environment: 'prod' });
    await put('MIDDLE', '<${prod.DEEP}>');
    await put('TOP', '${MIDDLE}${prod.NOTHING}${nothing}');
    await put('PLAIN', 'plain');
    const rules = [{ subject: 'secrets', action: 'read', conditions: { environment: 'dev' } }];
    const { call } = await test.identity({ projectId: project.id, rules });
    const [unavailable, missing] = [
      { code: 'unavailable', message: 'The secret does not exist, or you may not read its value' },
      { code: 'missing', message: 'The secret does not exist' },
    ];
    const at = { environment: 'dev', secretPath: '/' };
    const deep = { ...unavailable, reference: '${prod.DEEP}', ...at, secretKey: 'MIDDLE' };
    const expected = {
      MIDDLE: ['<${prod.DEEP}>', [deep]],
      TOP: [
        '<${prod.DEEP}>${prod.NOTHING}',
        [
          deep,
          { ...unavailable, reference: '${prod.NOTHING}', ...at, secretKey: 'TOP' },
          { ...missing, reference: '${nothing}', ...at, secretKey: 'TOP' },
        ],
      ],
      PLAIN: ['plain', undefined],
    };
    await test.admin('POST', '/api/v2/folders', {
      projectId: project.id,
      environment: 'dev',
      name: 'importing',
      path: '/',
    });
    await test.admin('POST', '/api/v2/secret-imports', {
      projectId: project.id,
      environment: 'dev',
      path: '/importing',
      import: { environment: 'dev', path: '/' },
    });
    const shown = (secrets: { secretKey: string; secretValue: string; secretReferenceErrors?: object[] }[]) =>
      Object.fromEntries(secrets.map((one) => [one.secretKey, [one.secretValue, one.secretReferenceErrors]]));
    const [v4, v3] = [`projectId=${project.id}&environment=dev`, `workspaceId=${project.id}&environment=dev`];
    const expand = 'expandSecretReferences=true';
    for (const url of [
      `/api/v4/secrets?${v4}&${expand}`,
      `/api/v4/secrets?${v4}&${expand}&recursive=true`,
      `/api/v3/secrets/raw?${v3}&${expand}`,
    ]) {
      const { status, body } = await call('GET', url);
      expect([url, status, shown(body.secrets)]).toEqual([url, 200, expected]);
    }
    const { body } = await call('GET', `/api/v4/secrets?${v4}&${expand}&secretPath=/importing&includeImports=true`);
    expect(shown(body.imports[0].secrets)).toEqual(expected);
    // The administrator may read everything, and sees what is missing.
    const whole = await test.admin('GET', `/api/v4/secrets?${v4}&${expand}`);
    expect(shown(whole.body.secrets)).toEqual({
      MIDDLE: ['<secret>', undefined],
      TOP: [
        '<secret>',
        ['${prod.NOTHING}', '${nothing}'].map((reference) => ({ ...missing, reference, ...at, secretKey: 'TOP' })),
      ],
      PLAIN: ['plain', undefined],
    });
  });

  it('is rejected if the writer may not read its target', async () => {
    const { project, put } = await setUp();
    await put('DEEP', 'secret', { environment: 'prod' });
    const rules = [{ subject: 'secrets', action: ['read', 'create', 'edit'], conditions: { environment: 'dev' } }];
    const { call } = await test.identity({ projectId: project.id, rules });
    expect((await put('TOP', '${prod.DEEP}', {}, call)).status).toBe(403);
    expect((await put('TOP', '${prod.NOTHING}', {}, call)).status).toBe(403);
    expect((await put('TOP', '${OWN}', {}, call)).status).toBe(200);
  });

  it('follows references at most ten deep', async () => {
    const { put, expanded } = await setUp();
    for (let step = 0; step < 15; step++) await put(`S${step}`, `${step}\${S${step + 1}}`);
    expect(await expanded('S0')).toBe('012345678910${S11}');
  });

  it('puts a multi-line result on one line only on request', async () => {
    const { put, expanded } = await setUp();
    await put('KEY', 'one\ntwo');
    await put('PLAIN', '${KEY}');
    await put('QUOTED', '${KEY}', { skipMultilineEncoding: true });
    expect(await expanded('PLAIN')).toBe('one\ntwo');
    expect(await expanded('QUOTED')).toBe('"one\\ntwo"');
  });
});

describe('a reference cycle', () => {
  it('is rejected on writing, at any length, with its path', async () => {
    const { put, patch } = await setUp();
    await put('A', '${B}');
    await put('B', '${C}');
    expect(await put('C', 'x${A}y')).toMatchObject({
      status: 400,
      body: { details: { cycle: ['dev/C', 'dev/A', 'dev/B', 'dev/C'] } },
    });
    await put('C', 'end');
    expect((await patch('C', { secretValue: '${A}' })).status).toBe(400);
    expect((await put('SELF', '${SELF}')).status).toBe(400);
  });

  it('is rejected within one batch', async () => {
    const { project } = await setUp();
    const secrets = [
      { secretKey: 'A', secretValue: '${B}' },
      { secretKey: 'B', secretValue: '${A}' },
    ];
    expect(
      (await test.admin('POST', '/api/v4/secrets/batch', { projectId: project.id, environment: 'dev', secrets }))
        .status,
    ).toBe(400);
  });

  it('cannot be closed by two concurrent halves', async () => {
    const { put, patch } = await setUp();
    await put('A', 'a');
    await put('B', 'b');
    const answers = await Promise.all([patch('A', { secretValue: '${B}' }), patch('B', { secretValue: '${A}' })]);
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it('is refused where a renaming would close it', async () => {
    const { put, patch } = await setUp();
    await put('A', '${B}');
    await put('C', '${A}');
    expect((await patch('C', { newSecretName: 'B' })).status).toBe(400);
  });
});

describe('renaming and moving', () => {
  it('rewrites what refers to a renamed secret, as a new version', async () => {
    const { project, put, patch, read } = await setUp();
    await put('OLD', 'v');
    await put('LOCAL', 'a ${OLD} b ${dev.OLD} c ${OTHER}');
    await put('FAR', '${dev.OLD}', { environment: 'prod' });
    await patch('OLD', { newSecretName: 'NEW' });
    expect((await read('LOCAL')).body.secret).toMatchObject({
      secretValue: 'a ${NEW} b ${NEW} c ${OTHER}',
      version: 2,
    });
    const far = await test.admin('GET', `/api/v4/secrets/FAR?projectId=${project.id}&environment=prod`);
    expect(far.body.secret).toMatchObject({ secretValue: '${dev.NEW}', version: 2 });
  });

  it('keeps the meaning of moved secrets and of references to them', async () => {
    const { project, folder, put, raw, expanded, read } = await setUp();
    await folder('/app');
    await put('NEIGHBOUR', 'n');
    await put('MOVED', '${NEIGHBOUR}');
    await put('POINTER', '${MOVED}');
    const { id } = (await read('MOVED')).body.secret;
    await test.admin('POST', '/api/v4/secrets/move', {
      projectId: project.id,
      sourceEnvironment: 'dev',
      destinationEnvironment: 'dev',
      destinationSecretPath: '/app',
      secretIds: [id],
    });
    expect(await raw('POINTER')).toBe('${dev.app.MOVED}');
    expect(await raw('MOVED', '&secretPath=/app')).toBe('${dev.NEIGHBOUR}');
    expect(await expanded('POINTER')).toBe('n');
  });

  it('follows a folder and an environment to their new names', async () => {
    const { project, folder, put, raw, expanded } = await setUp();
    const made = await folder('/app');
    await put('INNER', 'v', { secretPath: '/app' });
    await put('BESIDE', '${INNER}', { secretPath: '/app' });
    await put('OUTER', '${dev.app.BESIDE}');
    await test.admin('PATCH', `/api/v1/folders/${made.body.folder.id}`, {
      workspaceId: project.id,
      environment: 'dev',
      path: '/',
      name: 'service',
    });
    expect(await raw('OUTER')).toBe('${dev.service.BESIDE}');
    expect(await raw('BESIDE', '&secretPath=/service')).toBe('${INNER}');
    expect(await expanded('OUTER')).toBe('v');
  });
});

describe('the trace of a value', () => {
  it('returns each hop with its stored value', async () => {
    const { project, put } = await setUp();
    await put('A', '${B}${MISSING}');
    await put('B', 'b${prod.C}');
    await put('C', 'c', { environment: 'prod' });
    const { body } = await test.admin(
      'GET',
      `/api/v3/secrets/raw/A/secret-reference-tree?workspaceId=${project.id}&environment=dev`,
    );
    expect(body).toMatchObject({
      value: 'bc',
      tree: {
        key: 'A',
        value: '${B}${MISSING}',
        children: [
          {
            key: 'B',
            environment: 'dev',
            value: 'b${prod.C}',
            children: [{ key: 'C', environment: 'prod', value: 'c', children: [] }],
          },
          { key: 'MISSING', children: [] },
        ],
      },
    });
  });

  it('returns the references to a secret, as far as the caller may see them', async () => {
    const { project, put } = await setUp();
    await put('BASE', 'v');
    await put('ONE', '${BASE}');
    await put('TWO', '${ONE}');
    await put('HIDDEN', '${dev.BASE}', { environment: 'prod' });
    const url = `/api/v4/secrets/BASE/reference-dependency-tree?projectId=${project.id}&environment=dev`;
    const keys = (tree: { key: string; children: never[] }): object => ({ [tree.key]: tree.children.map(keys) });
    expect(keys((await test.admin('GET', url)).body.tree)).toEqual({ BASE: [{ ONE: [{ TWO: [] }] }, { HIDDEN: [] }] });
    const { call } = await test.identity({
      projectId: project.id,
      rules: [{ subject: 'secrets', action: 'read', conditions: { environment: 'dev' } }],
    });
    expect(keys((await call('GET', url)).body.tree)).toEqual({ BASE: [{ ONE: [{ TWO: [] }] }] });
  });
});

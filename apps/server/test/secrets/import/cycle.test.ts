import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importing } from '../../harness/imports.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const setUp = () => importing(test);

describe('an import cycle', () => {
  it('is rejected at any length, with its path', async () => {
    const { importInto, imports } = await setUp();
    await importInto('dev', 'staging');
    await importInto('staging', 'prod');
    expect(await importInto('prod', 'dev')).toMatchObject({
      status: 400,
      body: { details: { cycle: ['prod/', 'dev/', 'staging/', 'prod/'] } },
    });
    expect((await importInto('dev', 'dev')).status).toBe(400);
    expect(await imports('prod')).toEqual([]);
  });

  it('names what a folder imports to those who may read its imports', async () => {
    const { importInto, project, at } = await setUp();
    await importInto('dev', 'staging');
    await importInto('staging', 'prod');
    const { call } = await test.identity({
      projectId: project.id,
      rules: [
        { subject: 'secret-folders', action: 'read' },
        { subject: 'secrets', action: ['describeSecret', 'readValue'] },
        { subject: 'secret-imports', action: ['create', 'read'], conditions: { environment: 'prod' } },
      ],
    });
    const body = { ...at, environment: 'prod', import: { environment: 'dev', path: '/' } };
    const refused = await call('POST', '/api/v1/secret-imports', body);
    expect([refused.status, refused.body.details?.cycle]).toEqual([400, ['prod/', 'dev/', '…', 'prod/']]);
  });

  it('is rejected on update, and for two concurrent halves', async () => {
    const { importInto, at } = await setUp();
    const made = await importInto('dev', 'prod');
    const url = `/api/v1/secret-imports/${made.body.secretImport.id}`;
    expect((await test.admin('PATCH', url, { ...at, import: { environment: 'dev' } })).status).toBe(400);
    const answers = await Promise.all([importInto('prod', 'staging'), importInto('staging', 'prod')]);
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });
});

describe('a cycle that a folder would close by its name', () => {
  const setUpFolder = async () => {
    const made = await setUp();
    const at = { workspaceId: made.project.id, environment: 'prod' };
    const { folder } = (await test.admin('POST', '/api/v1/folders', { ...at, name: 'x' })).body;
    const rename = (name: string) => test.admin('PATCH', `/api/v1/folders/${folder.id}`, { ...at, name });
    const importHere = () =>
      test.admin('POST', '/api/v1/secret-imports', { ...at, path: '/x', import: { environment: 'dev', path: '/' } });
    return { ...made, rename, importHere };
  };

  it('is rejected, and the folder keeps its name', async () => {
    const { importInto, rename, importHere } = await setUpFolder();
    await importInto('dev', 'prod', '/later');
    await importHere();
    expect(await rename('later')).toMatchObject({
      status: 400,
      body: { details: { cycle: ['prod/later', 'dev/', 'prod/later'] } },
    });
    expect((await rename('sooner')).status).toBe(200);
  });

  it('is also rejected for two concurrent halves', async () => {
    const { importInto, rename, importHere } = await setUpFolder();
    await importInto('dev', 'prod', '/later');
    const answers = await Promise.all([rename('later'), importHere()]);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('the cycle in an error', () => {
  it('names only folders that the caller sees', async () => {
    const { project, importInto } = await setUp();
    await importInto('staging', 'dev');
    await importInto('prod', 'staging');
    const { call } = await test.identity({
      projectId: project.id,
      rules: [
        { subject: 'secret-imports', action: 'create', conditions: { environment: 'dev' } },
        { subject: 'secrets', action: 'describeSecret', conditions: { environment: 'prod' } },
      ] as never,
    });
    const { status, body } = await importInto('dev', 'prod', '/', call);
    expect([status, body.details.cycle]).toEqual([400, ['dev/', 'prod/', '…', 'dev/']]);
    expect(JSON.stringify(body)).not.toContain('staging');
  });
});

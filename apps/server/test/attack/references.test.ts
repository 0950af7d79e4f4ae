import type { Rule } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turnsOf } from '../harness/turns.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

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

/** A response without what differs between calls and without the requested name. */
const comparable = ({ status, body: { reqId: _, ...body } }: Answer) =>
  JSON.stringify({ status, body }).replaceAll(/THERE|ABSENT/g, 'X');

describe('attack: references to secrets that may not be read', () => {
  it('do not disclose whether these exist, in single reads, traces and writes', async () => {
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

  it('do not disclose it by a folder that imports them', async () => {
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

  it('are named, as part of the values that have them, to nobody who may not read these', async () => {
    const { id } = await test.project();
    const at = { projectId: id, environment: 'dev', secretPath: '/' };
    const put = (caller: Caller, method: 'POST' | 'PATCH', name: string, secretValue: string) =>
      caller(method, `/api/v4/secrets/${name}`, { ...at, secretValue });
    await put(test.admin, 'POST', 'BASE', 'read');
    await put(test.admin, 'POST', 'HIDDEN', '${BASE}');
    await put(test.admin, 'POST', 'BETWEEN', '${HIDDEN}');
    await put(test.admin, 'POST', 'OPEN', '${BASE}${BETWEEN}');
    const { call: describer } = await test.identity({
      projectId: id,
      rules: [
        { subject: 'secrets', action: ['describeSecret', 'edit'] },
        { subject: 'secrets', action: 'readValue', conditions: { secretName: { $in: ['BASE', 'OPEN'] } } },
      ],
    });
    const query = new URLSearchParams(at).toString();
    const { body } = await describer('GET', `/api/v4/secrets/BASE/reference-dependency-tree?${query}`);
    expect(body.tree.children).toEqual([{ key: 'OPEN', environment: 'dev', secretPath: '/', children: [] }]);
    const refused = await put(describer, 'PATCH', 'BASE', '${OPEN}');
    expect(refused.body.details.cycle).toEqual(['dev/BASE', 'dev/OPEN', 'dev/BASE']);
    await put(test.admin, 'PATCH', 'OPEN', '${BETWEEN}');
    const through = await put(describer, 'PATCH', 'BASE', '${OPEN}');
    expect(through.body.details.cycle).toEqual(['dev/BASE', 'dev/OPEN', 'dev/BETWEEN', '…', 'dev/BASE']);
  });

  it('are not named where a cycle begins at one of them, either', async () => {
    const { id } = await test.project();
    const at = { projectId: id, environment: 'dev', secretPath: '/' };
    const secretsOf = (values: Record<string, string>) =>
      Object.entries(values).map(([secretKey, secretValue]) => ({ secretKey, secretValue }));
    const write = (caller: Caller, values: Record<string, string>) =>
      caller('PATCH', '/api/v4/secrets/batch', { ...at, mode: 'upsert', secrets: secretsOf(values) });
    const chain = {
      HIDDEN: '${WRITTEN}',
      NEXT: '${HIDDEN}',
      OPEN: '${NEXT}',
      BETWEEN: '${HIDDEN}',
      ENTRY: '${BETWEEN}',
    };
    expect((await write(test.admin, { FIRST: 'x', WRITTEN: 'x', ...chain })).status).toBe(200);
    const secretName = { $in: ['FIRST', 'WRITTEN', 'OPEN', 'ENTRY'] };
    const { call: describer } = await test.identity({
      projectId: id,
      rules: [
        { subject: 'secrets', action: ['describeSecret', 'edit'] },
        { subject: 'secrets', action: 'readValue', conditions: { secretName } },
      ],
    });
    const refused = await write(describer, { FIRST: '${ENTRY}', WRITTEN: '${OPEN}' });
    expect(refused.body.details.cycle).toEqual(['…', 'dev/WRITTEN', 'dev/OPEN', 'dev/NEXT', '…']);
  });

  it('do not disclose it in lists, and contribute nothing to them', async () => {
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

describe('attack: references that multiply', () => {
  const times = (name: string, count: number) => `\${${name}}`.repeat(count);
  const LISTS = ['/api/v4/secrets?projectId', '/api/v3/secrets/raw?workspaceId'];

  /** A folder with a valid value beside others; by a member who may create secrets. */
  async function folderWith(secrets: Record<string, string>) {
    const { id } = await test.project();
    const rules: Rule[] = [{ subject: 'secrets', action: ['read', 'create'] }];
    const { call: member } = await test.identity({ projectId: id, rules });
    const all = Object.entries({ ...secrets, OK: '<${WORD}>', WORD: 'fine' });
    for (let from = 0; from < all.length; from += 500) {
      const some = all.slice(from, from + 500).map(([secretKey, secretValue]) => ({ secretKey, secretValue }));
      const body = { projectId: id, environment: 'dev', secretPath: '/', secrets: some };
      expect((await member('POST', '/api/v4/secrets/batch', body)).status).toBe(200);
    }
    const at = `environment=dev&secretPath=/&expandSecretReferences=true`;
    const read = (name: string) => member('GET', `/api/v4/secrets/${name}?projectId=${id}&${at}`);
    const trace = (name: string) =>
      member('GET', `/api/v4/secrets/${name}/secret-reference-tree?projectId=${id}&${at}`);
    const lists = () => Promise.all(LISTS.map((url) => member('GET', `${url}=${id}&${at}`)));
    return { read, trace, lists };
  }

  interface Shown {
    readonly secretKey: string;
    readonly secretValue: string;
    readonly secretReferenceErrors?: readonly { code: string }[];
  }
  const shownIn = ({ body }: Answer, name: string) =>
    body.secrets.find((one: Shown) => one.secretKey === name) as Shown;

  it('delay no other, though each path through them leads to thousands that fail', async () => {
    const layers = { F: times('Z', 2000), E: times('F', 4), D: times('E', 10), C: times('D', 10), B: times('C', 10) };
    const { read, trace, lists } = await folderWith({ ...layers, A: times('B', 10) });
    await turnsOf(0, async () => {
      for (const name of ['A', 'B', 'C']) {
        const { status, body } = await read(name);
        expect([status, body.secret.secretValue]).toEqual([200, '']);
        expect(body.secret.secretReferenceErrors).toMatchObject([
          { code: 'missing', reference: '${Z}', secretKey: 'F' },
        ]);
      }
      expect((await trace('B')).status).toBe(400);
      for (const answer of await lists()) expect(shownIn(answer, 'OK').secretValue).toBe('<fine>');
    });
  });

  it('fail individually if they exceed the limit, without failing the list', async () => {
    const layers = Array.from({ length: 30 }, (_, index) => [`S${index}`, times(`S${index + 1}`, 10)]);
    const { read, lists } = await folderWith({ ...Object.fromEntries(layers), S30: 'x' });
    await turnsOf(0, async () => {
      const { status, body } = await read('S0');
      expect([status, body.error]).toEqual([400, 'BadRequest']);
      for (const answer of await lists()) {
        expect(answer.status).toBe(200);
        expect(shownIn(answer, 'OK')).not.toHaveProperty('secretReferenceErrors');
        expect(shownIn(answer, 'OK').secretValue).toBe('<fine>');
        expect(shownIn(answer, 'S28').secretValue).toBe('x'.repeat(100));
        expect(shownIn(answer, 'S0').secretReferenceErrors?.map(({ code }) => code)).toContain('too-large');
      }
    });
  });

  it('are resolved where 200 secrets refer to 50 others each', async () => {
    const leaves = Array.from({ length: 50 }, (_, index) => [`LEAF_${index}`, `${index % 10}`]);
    const all = leaves.map(([name]) => `\${${name}}`).join('');
    const secrets = Array.from({ length: 200 }, (_, index) => [`S_${index}`, `${index}:${all}`]);
    const { lists } = await folderWith(Object.fromEntries([...leaves, ...secrets]));
    for (const answer of await lists())
      for (const index of [0, 99, 199])
        expect(shownIn(answer, `S_${index}`).secretValue).toBe(`${index}:${'0123456789'.repeat(5)}`);
  });
});

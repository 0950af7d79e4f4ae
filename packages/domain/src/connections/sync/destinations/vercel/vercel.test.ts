import { afterAll, describe, expect, it } from 'vitest';
import { Vercel } from '../../../../apps/vercel/testing/vercel.ts';
import { StandIns } from '../../../../identities/auth-method/testing/stand-ins.ts';
import { openExample } from '../../testing/open.ts';
import { example } from './examples.ts';
import { vercel } from './vercel.ts';

const standIns = new StandIns();
afterAll(() => standIns.close());

async function open(config: object = {}) {
  const remote = new Vercel();
  const target = {
    ...example.target(),
    credentials: { method: 'api-token', apiToken: remote.token },
    serve: (at: StandIns) => at.serve('api.vercel.com', remote.listener),
  };
  const opened = await openExample(standIns, vercel, example, { target, config });
  const variables = () => remote.variables.map(({ id: _, ...variable }) => variable);
  return { ...opened, remote, variables };
}
const inProduction = (key: string, value: string, type = 'encrypted') => ({ key, value, type, target: ['production'] });

describe('Vercel', () => {
  it('lists all values with one call, and writes and deletes each secret with one', async () => {
    const { session, write, callsOf, variables } = await open({ env: 'production' });
    expect(await callsOf(() => write({ A: '1', B: 'süß\n"zitiert"' }))).toBe(3);
    expect(await callsOf(() => write({ A: '2' }, ['B']))).toBe(3);
    expect(variables()).toEqual([inProduction('A', '2')]);
    expect(await session.list([])).toEqual(new Map([['A', '2']]));
  });

  it('leaves a shared variable to the other environments', async () => {
    const { write, remote, variables } = await open({ env: 'production' });
    remote.add({ key: 'URL', value: 'theirs', type: 'encrypted', target: ['production', 'preview'] });
    remote.add({ key: 'GONE', value: 'theirs', type: 'encrypted', target: ['production', 'development'] });
    await write({ URL: 'ours' }, ['GONE']);
    expect(variables()).toEqual([
      { key: 'URL', value: 'theirs', type: 'encrypted', target: ['preview'] },
      { key: 'GONE', value: 'theirs', type: 'encrypted', target: ['development'] },
      inProduction('URL', 'ours'),
    ]);
  });

  it('writes variables of a branch, beside those of all branches', async () => {
    const { write, remote, variables } = await open({ env: 'preview', branch: 'feature/a' });
    const theirs = { key: 'URL', value: 'theirs', type: 'encrypted', target: ['preview'] };
    remote.add(theirs);
    await write({ URL: 'ours' });
    expect(variables()).toEqual([theirs, { ...theirs, value: 'ours', gitBranch: 'feature/a' }]);
    expect(() => vercel.configure({ ...example.target().config, branch: 'a' }, {})).toThrow(
      'only preview has branches',
    );
  });

  it('does not read sensitive variables, and encrypts plain ones', async () => {
    const { session, write, remote, variables } = await open({ env: 'production' });
    remote.add(inProduction('SENSITIVE', 'theirs', 'sensitive'));
    remote.add(inProduction('PLAIN', 'theirs', 'plain'));
    expect(await session.list([])).toEqual(
      new Map([
        ['SENSITIVE', undefined],
        ['PLAIN', 'theirs'],
      ]),
    );
    await write({ SENSITIVE: 'ours', PLAIN: 'ours' });
    expect(variables()).toEqual([inProduction('SENSITIVE', 'ours', 'sensitive'), inProduction('PLAIN', 'ours')]);
  });

  it('reports a name that Vercel reserves, and writes the others', async () => {
    const { write, variables } = await open({ env: 'production' });
    const { rejected } = await write({ TZ: 'UTC', KEY: 'value' });
    expect([...rejected]).toEqual([['TZ', expect.stringContaining('reserved')]]);
    expect(variables()).toEqual([inProduction('KEY', 'value')]);
  });
});

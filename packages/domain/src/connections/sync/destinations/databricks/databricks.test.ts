import { afterAll, describe, expect, it } from 'vitest';
import { StandIns } from '../../../../identities/auth-method/testing/stand-ins.ts';
import { openExample } from '../../testing/open.ts';
import { databricks } from './databricks.ts';
import { example } from './examples.ts';

const standIns = new StandIns();
afterAll(() => standIns.close());
const open = (given: object = {}) => openExample(standIns, databricks, example, given);

describe('Databricks', () => {
  it('lists once, and writes and deletes each secret with one call', async () => {
    const { write, held, callsOf } = await open();
    expect(await callsOf(() => write({ A: '1', B: 'süß\n"zitiert"', C: '' }))).toBe(4);
    expect(held()).toEqual({ A: '1', B: 'süß\n"zitiert"', C: '' });
    expect(await callsOf(() => write({ A: '2' }, ['B', 'NOBODY']))).toBe(4);
    expect(held()).toEqual({ A: '2', C: '' });
  });

  it('knows a secret in another spelling, and writes no second one', async () => {
    const { session, put, write, held } = await open();
    put('Url', 'theirs');
    expect([...(await session.list(['URL'])).keys()]).toEqual(['URL']);
    await write({ URL: 'ours' });
    expect(Object.values(held())).toEqual(['ours']);
  });

  it('reports a secret that the scope has no room for, and repeats that a scope does not exist', async () => {
    const { write, put } = await open();
    for (let n = 0; n < 1000; n++) put(`KEY_${n}`, 'theirs');
    const { rejected, put: done } = await write({ NEW: 'value', KEY_7: 'ours' });
    expect([...rejected]).toEqual([['NEW', expect.stringContaining('at its limit')]]);
    expect(done.map(({ name }) => name)).toEqual(['KEY_7']);
    await expect((await open({ config: { scope: 'nowhere' } })).write({ A: '1' })).rejects.toThrow('does not exist');
  });
});

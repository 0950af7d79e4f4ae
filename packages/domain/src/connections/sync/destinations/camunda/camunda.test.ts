import { afterAll, describe, expect, it } from 'vitest';
import { StandIns } from '../../../../identities/auth-method/testing/stand-ins.ts';
import { openExample } from '../../testing/open.ts';
import { camunda } from './camunda.ts';
import { example } from './examples.ts';

const standIns = new StandIns();
afterAll(() => standIns.close());
const open = (given: object = {}) => openExample(standIns, camunda, example, given);

describe('Camunda', () => {
  it('lists all values with one call, and writes and deletes each secret with one', async () => {
    const { session, write, held, callsOf } = await open();
    expect(await callsOf(() => write({ A: '1', 'a/b': 'süß\n"zitiert"' }))).toBe(3);
    expect(held()).toEqual({ A: '1', 'a/b': 'süß\n"zitiert"' });
    expect(await callsOf(() => write({ A: '2' }, ['a/b', 'NOBODY']))).toBe(4);
    expect(held()).toEqual({ A: '2' });
    expect(await session.list([])).toEqual(new Map([['A', '2']]));
  });

  it('reports a secret that somebody else has just added, and what the cluster has no room for', async () => {
    const { session, put, held } = await open();
    const add = (names: string[]) => {
      const puts = names.map((name) => ({ name, value: 'ours', exists: false }));
      return session.carryOut({ found: [], puts, removals: [], dropped: [] });
    };
    put('A', 'theirs');
    const { rejected, put: done } = await add(['A', 'B']);
    expect([...rejected]).toEqual([['A', expect.stringContaining('must be unique')]]);
    expect(done.map(({ name }) => name)).toEqual(['B']);
    for (let n = 0; n < 1000; n++) put(`KEY_${n}`, 'theirs');
    expect([...(await add(['C'])).rejected]).toEqual([['C', expect.stringContaining('Maximum number')]]);
    expect(held()['A']).toBe('theirs');
  });

  it('repeats that a cluster does not exist', async () => {
    const { write } = await open({ config: { clusterUUID: 'nowhere' } });
    await expect(write({ A: '1' })).rejects.toThrow('Cluster not found');
  });
});

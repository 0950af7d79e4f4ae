import { afterAll, describe, expect, it } from 'vitest';
import { Humanitec } from '../../../../apps/humanitec/testing/humanitec.ts';
import { StandIns } from '../../../../identities/auth-method/testing/stand-ins.ts';
import { openExample } from '../../testing/open.ts';
import { example } from './examples.ts';
import { humanitec } from './humanitec.ts';

const standIns = new StandIns();
afterAll(() => standIns.close());

async function open(config: object = {}) {
  const remote = new Humanitec();
  const target = {
    ...example.target(),
    credentials: { method: 'api-token', apiToken: remote.token },
    serve: (at: StandIns) => at.serve('api.humanitec.io', remote.listener),
  };
  return { ...(await openExample(standIns, humanitec, example, { target, config })), remote };
}

describe('Humanitec', () => {
  it('writes secrets of an environment beside those of its application', async () => {
    const { write, callsOf, remote } = await open();
    remote.places.get('shop')!.set('URL', { value: 'of the application', isSecret: true });
    expect(await callsOf(() => write({ URL: 'ours', EMPTY: '' }))).toBe(3);
    expect(await callsOf(() => write({ URL: 'changed' }, ['EMPTY', 'NOBODY']))).toBe(4);
    expect([...remote.places.get('shop/production')!]).toEqual([['URL', { value: 'changed', isSecret: true }]]);
    expect(remote.places.get('shop')!.get('URL')!.value).toBe('of the application');
    expect(remote.calls.at(-1)).toBe('DELETE /orgs/acme/apps/shop/envs/production/values/NOBODY');
  });

  it('writes secrets of an application', async () => {
    const { write, remote } = await open({ scope: 'application' });
    await write({ KEY: 'value' });
    expect([...remote.places.get('shop')!]).toEqual([['KEY', { value: 'value', isSecret: true }]]);
  });

  it('makes a value that is no secret one', async () => {
    const { write, remote } = await open();
    const values = remote.places.get('shop/production')!;
    values.set('KEY', { value: 'plain', isSecret: false });
    await write({ KEY: 'ours' });
    expect(values.get('KEY')).toEqual({ value: 'ours', isSecret: true });
  });

  it('reports a secret that somebody else has just added, and writes the others', async () => {
    const { session, remote } = await open();
    await session.list(['A', 'B']);
    remote.places.get('shop/production')!.set('A', { value: 'theirs', isSecret: true });
    const puts = ['A', 'B'].map((name) => ({ name, value: 'ours', exists: false }));
    const { rejected, put } = await session.carryOut({ found: [], puts, removals: [], dropped: [] });
    expect([...rejected]).toEqual([['A', expect.stringContaining('exists already')]]);
    expect(put.map(({ name }) => name)).toEqual(['B']);
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { StandIns } from '../../../../identities/auth-method/testing/stand-ins.ts';
import { openExample } from '../../testing/open.ts';
import { example } from './examples.ts';
import { externalInfisical } from './external-infisical.ts';

const standIns = new StandIns();
afterAll(() => standIns.close());

const open = (given: object = {}) => openExample(standIns, externalInfisical, example, given);

describe('External Infisical', () => {
  it('writes all changes with one call, and removes with another', async () => {
    const { session, write, held, callsOf } = await open();
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`KEY_${n}`, `value ${n}`]));
    expect(await callsOf(() => write({ ...many, TEXT: 'süß\n"zitiert"' }))).toBe(3);
    expect(held()).toEqual({ ...many, TEXT: 'süß\n"zitiert"' });
    expect(await session.list([])).toEqual(new Map(Object.entries(held())));
    const changed = standIns.called.length;
    await write({ KEY_1: 'other' }, ['TEXT']);
    expect(standIns.called.slice(changed).map((url) => new URL(url).pathname)).toEqual([
      ...['/api/v4/secrets', '/api/v4/secrets/batch', '/api/v4/secrets/batch'],
    ]);
    expect(held()).toEqual({ ...many, KEY_1: 'other' });
  });

  it('repeats what the server says of credentials and places that it does not know', async () => {
    const other = { machineIdentityClientSecret: 'another' };
    await expect(open({ credentials: other })).rejects.toMatchObject({
      message: expect.stringContaining('Invalid credentials'),
    });
    const { session } = await open({ config: { secretPath: '/other' } });
    await expect(session.list([])).rejects.toMatchObject({ message: expect.stringContaining('Folder not found') });
  });

  it('is not the server itself', async () => {
    await expect(open({ siteUrl: 'https://secrets.example.com:443' })).rejects.toMatchObject({
      code: 'app_connection.own_server',
    });
  });
});

import { describe, expect, it } from 'vitest';
import { CACHE_PASSPHRASE } from './cache/key.ts';
import { withoutCredentials } from './own-credentials.ts';
import { CLIENT_ID, CLIENT_SECRET, TOKEN } from './session.ts';
import type { Command, Flag } from './table/command.ts';
import { table } from './table/table.ts';

const flagsOf = ({ flags = {}, commands = [] }: Command): readonly Flag[] => [
  ...Object.values(flags),
  ...commands.flatMap(flagsOf),
];

describe('the environment of a program', () => {
  it('has no variable by which a command takes a credential', () => {
    const secret = flagsOf(table).flatMap((flag) => (flag.secret && flag.env) ?? []);
    expect(secret).toContain('COFFER_ADMIN_PASSWORD');
    const others = ['COFFER_SETUP_CODE', 'COFFER_CUSTOM_HEADERS', 'INFISICAL_CUSTOM_HEADERS', 'COFFER_LDAP_PASSWORD'];
    const all = [...secret, ...TOKEN, ...CLIENT_ID, ...CLIENT_SECRET, ...CACHE_PASSPHRASE, ...others];
    const env = Object.fromEntries(all.map((name) => [name, 'x']));
    expect(withoutCredentials({ ...env, COFFER_DOMAIN: 'https://coffer.example', NOTHING: undefined })).toEqual({
      COFFER_DOMAIN: 'https://coffer.example',
    });
    expect(withoutCredentials(env, { keepsCredentials: true })).toEqual(env);
  });
});

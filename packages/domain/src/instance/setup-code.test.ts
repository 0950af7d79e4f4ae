import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context, DomainError } from '../kernel/index.ts';
import { testCoffer, type TestCoffer } from '../testing/index.ts';
import { bootstrap } from './bootstrap.ts';
import { issueSetupCode, isSetupPermitted } from './setup-code.ts';

const FIRST = { email: 'ann@example.com', password: 'nevermore at midnight', organization: 'Ravens' };

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer();
});
afterAll(() => test.close());

const from = (isRemote: boolean) =>
  test.coffer.contextFor({ type: 'anonymous' }, { id: 'request', ipAddress: '203.0.113.9', userAgent: '', isRemote });
const issue = (previous?: string) => issueSetupCode(from(false), previous);
const isPermitted = (code: string | undefined, isRemote = true) => isSetupPermitted(from(isRemote), code);

describe('a set-up code', () => {
  it('is required of remote callers, and not on this machine', async () => {
    const code = await issue();
    expect(code).toMatch(/^cfb_/);
    expect(await isPermitted(undefined, false)).toBe(true);
    expect(await isPermitted(code)).toBe(true);
    for (const wrong of [undefined, '', 'cfb_', code!.slice(0, -1), `${code}0`, code!.toUpperCase()])
      expect(await isPermitted(wrong)).toBe(false);
  });

  it('is valid beside those of other processes, and not after its own process has created another one', async () => {
    const [mine, theirs] = [await issue(), await issue()];
    const next = await issue(mine);
    expect(await Promise.all([mine, theirs, next].map((code) => isPermitted(code)))).toEqual([false, true, true]);
  });

  it('is not stored', async () => {
    const code = await issue();
    const { rows } = await test.owner.query<{ all: string }>(
      'select string_agg(s::text, chr(10)) as all from setup_codes s',
    );
    expect(rows[0]!.all).not.toContain(code!.slice(4));
  });

  it('is invalid after the first administrator, of which a caller at the same time is told, and none is created then', async () => {
    const code = await issue();
    const ctx = from(true);
    const statements: string[] = [];
    /** Claims the instance before the second statement. */
    const interrupt =
      (caller: Context): Context['sql'] =>
      async (one, values) => {
        if (statements.push(one.name) === 2) await bootstrap(from(true), { ...FIRST, setupCode: code });
        return caller.sql(one, values);
      };
    const interrupted = new Proxy(ctx, {
      get: (target, key) => (key === 'sql' ? interrupt(target) : (Reflect.get(target, key) as unknown)),
    });
    const refusal = await bootstrap(interrupted, { ...FIRST, setupCode: code }).catch(
      (error: DomainError) => error.code,
    );
    expect(refusal).toBe('instance.bootstrapped');
    expect(statements.length).toBeGreaterThan(1);
    expect(await isPermitted(code)).toBe(false);
    expect(await issue()).toBeUndefined();
  });
});

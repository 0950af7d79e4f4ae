import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DomainError } from '../kernel/index.ts';
import { testCoffer, type TestCoffer } from '../testing/index.ts';
import { bootstrap } from './bootstrap.ts';
import { issueSetupCode, requireSetupCode } from './setup-code.ts';

const FIRST = { email: 'ann@example.com', password: 'nevermore at midnight', organization: 'Ravens' };

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer();
});
afterAll(() => test.close());

const from = (isRemote: boolean) =>
  test.coffer.contextFor({ type: 'anonymous' }, { id: 'request', ipAddress: '203.0.113.9', userAgent: '', isRemote });
const issue = (previous?: string) => issueSetupCode(from(false), previous);
const answerTo = (code: string | undefined, isRemote = true) =>
  requireSetupCode(from(isRemote), code).then(
    () => 'let in',
    (error: DomainError) => error.code,
  );

describe('a set-up code', () => {
  it('is required of remote callers, and not on this machine', async () => {
    const code = await issue();
    expect(code).toMatch(/^cfb_/);
    expect(await answerTo(undefined, false)).toBe('let in');
    expect(await answerTo(code)).toBe('let in');
    for (const wrong of [undefined, '', 'cfb_', code!.slice(0, -1), `${code}0`, code!.toUpperCase()])
      expect(await answerTo(wrong)).toBe('instance.setup_code');
  });

  it('is valid beside those of other processes, and not after its own process has created another one', async () => {
    const [mine, theirs] = [await issue(), await issue()];
    const next = await issue(mine);
    expect(await Promise.all([mine, theirs, next].map((code) => answerTo(code)))).toEqual([
      'instance.setup_code',
      'let in',
      'let in',
    ]);
  });

  it('is not stored', async () => {
    const code = await issue();
    const { rows } = await test.owner.query<{ all: string }>(
      'select string_agg(s::text, chr(10)) as all from setup_codes s',
    );
    expect(rows[0]!.all).not.toContain(code!.slice(4));
  });

  it('is invalid after the first administrator, and none is created afterwards', async () => {
    const code = await issue();
    await bootstrap(from(true), { ...FIRST, setupCode: code });
    expect(await answerTo(code)).toBe('instance.setup_code');
    expect(await issue()).toBeUndefined();
  });
});

import { CofferError } from '@coffer/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { again } from './again.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** How often a call is made that fails each time after so many milliseconds. */
async function callsOf(milliseconds: number): Promise<number> {
  const away = new CofferError({ status: 0, code: 'UNREACHABLE', reason: 'client.unreachable', message: 'Away' });
  const call = vi.fn<() => Promise<never>>(async () => {
    vi.setSystemTime(Date.now() + milliseconds);
    throw away;
  });
  await expect(again(call, [0, 0])).rejects.toBe(away);
  return call.mock.calls.length;
}

describe('a call of a server that is unreachable', () => {
  it('is made again where it fails soon', async () => {
    expect(await callsOf(10)).toBe(3);
  });

  it('is not made again after a long wait: it would be as long', async () => {
    expect(await callsOf(30_000)).toBe(1);
  });
});

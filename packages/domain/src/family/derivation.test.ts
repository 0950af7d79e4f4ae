import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { OutboundConnection } from '../kernel/index.ts';
import { deriveInTurn } from './derivation.ts';

it('keys are derived one at a time, in turns of organizations, and not after their connections have ended', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (organizationId: string, name: string, connection = {}) =>
    deriveInTurn(organizationId, connection as OutboundConnection, async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.push(end));
      return name;
    });
  const lost: { failure?: Error } = {};
  const all = [ask('a', 'a1'), ask('a', 'a2', lost), ask('a', 'a3'), ask('b', 'b1')];
  const answers = Promise.allSettled(all);
  lost.failure = new Error('closed');
  const seen: string[][] = [];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 10; j++) await turn();
    seen.push([...begun]);
    ends.shift()!();
  }
  expect(seen).toEqual([['a1'], ['a1', 'b1'], ['a1', 'b1', 'a3']]);
  expect((await answers).map((one) => (one.status === 'fulfilled' ? one.value : one.reason))).toEqual([
    ...['a1', lost.failure, 'a3', 'b1'],
  ]);
});

import { describe, expect, it } from 'vitest';
import { Transfer, TransferMemory } from './transfer-memory.ts';

/** A memory of 1,200 bytes, of which a caller gets 600; messages of 100 bytes take 300 while they are made. */
function memoryOf() {
  let now = 0;
  const memory = new TransferMemory(1_200, () => now);
  const started: string[] = [];
  const failed: string[] = [];
  const brokenOff: string[] = [];
  const transfers = new Map<string, Transfer>();
  const enter = (caller: string, name: string) => {
    const transfer = new Transfer(memory, caller, () => brokenOff.push(name));
    transfers.set(name, transfer);
    return transfer;
  };
  const make = async (caller: string, name: string, bytes = 100) => {
    await enter(caller, name)
      .announce(bytes)
      .then(() => started.push(name))
      .catch((error: { code: string }) => failed.push(`${name} ${error.code}`));
  };
  const begin = async (...all: [caller: string, name: string, bytes?: number][]) => {
    for (const one of all) make(...one).catch(expect.unreachable);
    await settled();
  };
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  const end = async (name: string) => {
    transfers.get(name)!.end();
    await settled();
  };
  const sweepAfter = (ms: number) => {
    now += ms;
    memory.sweep();
  };
  return { memory, started, failed, brokenOff, transfers, enter, begin, end, settled, sweepAfter };
}

describe('TransferMemory', () => {
  it('gives one caller half of the memory: the rest is for others, and the next waits until one is closed', async () => {
    const { memory, started, begin, end } = memoryOf();
    await begin(['a', 'a1'], ['a', 'a2'], ['a', 'a3'], ['b', 'b1']);
    expect([started, memory.used, memory.waiting]).toEqual([['a1', 'a2', 'b1'], 900, 1]);
    await end('a1');
    expect(started.at(-1)).toBe('a3');
  });

  it('alternates between callers', async () => {
    const { started, begin, end } = memoryOf();
    await begin(['a', 'a1'], ['a', 'a2'], ['b', 'b1'], ['b', 'b2']);
    await begin(['c', 'c1'], ['c', 'c2'], ['d', 'd1']);
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
    for (const name of ['a1', 'a2', 'b1']) await end(name);
    expect(started.slice(4)).toEqual(['c1', 'd1', 'c2']);
  });

  it('counts an answer by its size once it is made, until its response is closed', async () => {
    const { memory, transfers, begin, end } = memoryOf();
    await begin(['a', 'a1']);
    expect(memory.used).toBe(300);
    transfers.get('a1')!.waitForClient(120);
    expect(memory.used).toBe(120);
    await end('a1');
    expect(memory.used).toBe(0);
  });

  it('counts a body by its size once it is read', async () => {
    const { memory, enter } = memoryOf();
    const transfer = enter('a', 'a1');
    await transfer.receive(200);
    expect(memory.used).toBe(600);
    transfer.received(10);
    expect(memory.used).toBe(30);
  });

  it('gives the memory of a body back while its request waits for that of an answer', async () => {
    const { memory, started, begin, enter, end, settled } = memoryOf();
    const transfer = enter('a', 'a1');
    await transfer.receive(50);
    await begin(['a', 'a2', 150]);
    transfer.announce(100).then(() => started.push('a1'), expect.unreachable);
    await settled();
    expect([started, memory.used, memory.waiting]).toEqual([['a2'], 450, 1]);
    await end('a2');
    expect([started, memory.used]).toEqual([['a2', 'a1'], 450]);
  });

  it('waits again for an answer that becomes larger', async () => {
    const { memory, started, begin, transfers, end, settled } = memoryOf();
    await begin(['a', 'a1'], ['a', 'a2']);
    transfers
      .get('a1')!
      .announce(50)
      .then(() => started.push('more'), expect.unreachable);
    await settled();
    expect([started, memory.used, memory.waiting]).toEqual([['a1', 'a2'], 300, 1]);
    await end('a2');
    expect([started.at(-1), memory.used]).toEqual(['more', 450]);
  });

  it('does not let requests with bodies wait for each other forever', async () => {
    const { memory, started, enter, settled } = memoryOf();
    const transfers = ['a1', 'a2', 'a3', 'a4'].map((name) => enter('a', name));
    await Promise.all(transfers.map((transfer) => transfer.receive(50)));
    for (const [n, transfer] of transfers.entries())
      transfer.announce(150).then(() => started.push(`${n}`), expect.unreachable);
    for (const [n, transfer] of transfers.entries()) {
      await settled();
      expect(started).toHaveLength(n + 1);
      transfer.end();
    }
    expect(memory.used).toBe(0);
  });

  it('gives a message that needs more than the share of a caller all of that', async () => {
    const { memory, started, begin, end } = memoryOf();
    await begin(['a', 'a1', 5_000], ['a', 'a2'], ['b', 'b1']);
    expect([started, memory.used]).toEqual([['a1', 'b1'], 900]);
    await end('a1');
    expect(started.at(-1)).toBe('a2');
  });

  it('drops who disconnects while waiting', async () => {
    const { memory, started, failed, begin, end } = memoryOf();
    await begin(['a', 'a1', 200], ['a', 'a2'], ['a', 'a3']);
    await end('a2');
    await end('a1');
    await end('a3');
    expect([started, failed]).toEqual([['a1', 'a3'], ['a2 request.closed']]);
    expect([memory.used, memory.waiting]).toEqual([0, 0]);
  });

  it('refuses a caller with too many waiting requests', async () => {
    const { failed, begin } = memoryOf();
    await begin(...Array.from({ length: 1_003 }, (_, n): [string, string] => ['a', `a${n}`]));
    expect(failed).toEqual(['a1002 rate.busy']);
  });

  it('breaks off the slowest client of the caller that uses most, once another caller has waited for its memory', async () => {
    const { started, brokenOff, transfers, begin, settled, sweepAfter } = memoryOf();
    await begin(['a', 'a1', 200], ['b', 'b1'], ['b', 'b2']);
    for (const name of ['b1', 'a1', 'b2']) {
      const transfer = transfers.get(name)!;
      transfer.waitForClient(transfer.bytes);
      sweepAfter(1_000);
    }
    await begin(['c', 'c1']);
    sweepAfter(9_000);
    expect([started, brokenOff]).toEqual([['a1', 'b1', 'b2'], []]);
    sweepAfter(1_000);
    await settled();
    expect([started.slice(3), brokenOff]).toEqual([['c1'], ['b1']]);
  });

  it('does not break off what a caller itself waits for, nor what is being made', async () => {
    const { started, brokenOff, transfers, begin, sweepAfter } = memoryOf();
    await begin(['a', 'a1', 200], ['a', 'a2'], ['b', 'b1', 200]);
    transfers.get('a1')!.waitForClient(600);
    sweepAfter(60_000);
    expect([started, brokenOff]).toEqual([['a1', 'b1'], []]);
  });

  it('counts small answers without waiting, and breaks off those that nobody reads beyond the limit', () => {
    const { memory, brokenOff, enter, sweepAfter } = memoryOf();
    for (let n = 0; n < 15; n++) enter(n < 10 ? 'a' : `b${n}`, `${n}`).waitForClient(100);
    expect(memory.used).toBe(1_500);
    sweepAfter(9_000);
    expect(brokenOff).toEqual([]);
    sweepAfter(1_000);
    expect([memory.used, brokenOff]).toEqual([1_200, ['0', '1', '2']]);
  });
});

import { procedure, rest, router } from '@coffer/api';
import { mapInTurns } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testServer, type TestServer } from '../harness/test-server.ts';

// Requests with long work whose clients disconnect.

let steps = 0;
let isOver = false;
function* endless(): Generator<number> {
  while (!isOver) yield steps;
}
const TURN = 1e9;
const work = async () => {
  await mapInTurns(endless(), TURN, () => {
    const end = performance.now() + 6;
    while (performance.now() < end);
    steps++;
  });
  return {};
};
const declared = (path: `/${string}`) => procedure.meta(rest('POST', path, 'public', 'Work')).input(z.object({}));
const long = router({ test: router({ long: declared('/long').output(z.object({})).mutation(work) }) });

let test: TestServer;
let origin: string;
beforeAll(async () => {
  test = await testServer({}, { router: long });
  origin = await test.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  isOver = true;
  await test.close();
});

const PATHS = ['/long', '/api/trpc/test.long', '/api/trpc/test.long,test.long?batch=1'];

describe('the work of a request whose client disconnects', () => {
  it.each(PATHS)('ends: %s', async (path) => {
    const before = steps;
    const client = new AbortController();
    const body = path.includes('batch') ? '{"0":{},"1":{}}' : '{}';
    const headers = { 'content-type': 'application/json' };
    const asked = fetch(origin + path, { method: 'POST', headers, body, signal: client.signal });
    await expect.poll(() => steps).toBeGreaterThan(before + 2);
    client.abort();
    await expect(asked).rejects.toThrow(/abort/);
    await expect
      .poll(async () => {
        const had = steps;
        for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
        return steps - had;
      })
      .toBe(0);
  });
});

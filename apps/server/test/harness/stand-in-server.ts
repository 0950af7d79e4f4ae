import { StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll } from 'vitest';
import { testServer, type TestServer } from './test-server.ts';

/**
 * A server whose calls to other systems are answered by stand-ins: made before the tests of a file, and closed after them.
 *
 * @param take Gets the server.
 */
export function besideStandIns(
  take: (test: TestServer) => void,
  options: Parameters<typeof testServer>[0] = {},
): StandIns {
  const standIns = new StandIns();
  let test: TestServer | undefined;
  beforeAll(async () => {
    test = await testServer({ fetch: standIns.fetch, ...options });
    take(test);
  });
  afterAll(async () => {
    await test?.close();
    await standIns.close();
  });
  return standIns;
}

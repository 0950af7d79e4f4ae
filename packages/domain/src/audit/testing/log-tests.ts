import { afterAll, beforeAll } from 'vitest';
import { testCoffer, type TestCoffer } from '../../testing/index.ts';
import { logWorld, type LogWorld } from './log.ts';

/** Opens a database with a sealer for the tests of a file, and closes both after them. */
export function logTests(use: (test: TestCoffer, log: LogWorld) => void): void {
  let test: TestCoffer;
  let log: LogWorld;
  beforeAll(async () => {
    test = await testCoffer();
    log = await logWorld(test);
    use(test, log);
  });
  afterAll(async () => {
    await log.stop();
    await test.close();
  });
}

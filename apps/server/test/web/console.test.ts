import { afterAll, beforeAll, describe } from 'vitest';
import { access } from './flows/access.ts';
import { accessibility } from './flows/accessibility.ts';
import { apiReference } from './flows/api-reference.ts';
import { connections } from './flows/connections.ts';
import { firstRun } from './flows/first-run.ts';
import { secrets } from './flows/secrets.ts';
import { signingIn } from './flows/signing-in.ts';
import { consoleWorld, hasBrowser, type ConsoleWorld } from './harness.ts';

// One server and one browser for all flows. Each has its own people and projects.
describe.skipIf(!hasBrowser)('the console, in Chromium (Debian package chromium)', () => {
  let world: ConsoleWorld;
  const shared = () => world;

  beforeAll(async () => {
    world = await consoleWorld();
  });
  afterAll(() => world?.close());

  firstRun();
  signingIn(shared);
  secrets(shared);
  access(shared);
  connections(shared);
  apiReference(shared);
  accessibility(shared);
});

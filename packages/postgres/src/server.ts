import type { Binaries } from './binaries.ts';
import type { Home } from './home.ts';
import type { Identity } from './program.ts';
import type { Log } from './options.ts';

/** All that is needed to start a server process, again and again. */
export interface Server {
  readonly home: Home;
  readonly binaries: Binaries;
  readonly identity: Identity;
  readonly settings: Record<string, string>;
  readonly log: Log;
}

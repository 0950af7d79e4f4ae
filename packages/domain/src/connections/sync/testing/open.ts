import type { StandIns } from '../../../identities/auth-method/testing/stand-ins.ts';
import { NO_APP_SETTINGS } from '../../../kernel/index.ts';
import type { Remote } from '../../connection/index.ts';
import { openSession, type Outcome, type Session } from '../session.ts';
import type { Sync } from '../sync.ts';
import { credentialsAt, type DestinationExample, type SyncTarget } from './example.ts';

const ORGANIZATION = 'organization';
const SITE = 'https://coffer.example.com';

interface Given {
  readonly config?: object;
  readonly options?: object;
  readonly credentials?: object;
  /** Of Coffer. */
  readonly siteUrl?: string;
  /** Default: a new one. */
  readonly target?: SyncTarget;
}

/** A target, opened as by the engine, with other fields where they are given. */
export interface OpenTarget {
  readonly session: Session;
  readonly held: SyncTarget['held'];
  readonly put: SyncTarget['put'];
  /** The number of calls of some work. */
  readonly callsOf: (work: () => Promise<unknown>) => Promise<number>;
  /** Lists these names, and writes and removes as the engine does. */
  readonly write: (values: Readonly<Record<string, string>>, removals?: readonly string[]) => Promise<Outcome>;
}

/** Opens a destination of an example. @throws DomainError as the engine would show it. */
export async function openExample(
  standIns: StandIns,
  sync: Sync,
  example: DestinationExample,
  { config = {}, options = {}, credentials = {}, siteUrl = SITE, target = example.target() }: Given = {},
): Promise<OpenTarget> {
  await target.serve(standIns);
  const remote: Remote = {
    ...{ fetch: standIns.fetch, connect: () => Promise.reject(new Error('It is called by HTTP')), now: new Date() },
    ...{ externalId: 'project', organizationId: ORGANIZATION, siteUrl },
    settings: { ...NO_APP_SETTINGS, ...example.settings },
    hide: () => undefined,
  };
  const client = await sync.connector.connect({ ...credentialsAt(target, ORGANIZATION), ...credentials }, remote);
  const session = await openSession(sync.configure({ ...target.config, ...config }, options), client);
  return {
    session,
    held: target.held,
    put: target.put,
    async callsOf(work) {
      const before = standIns.called.length;
      await work();
      return standIns.called.length - before;
    },
    async write(values, removals = []) {
      const present = await session.list([...Object.keys(values), ...removals]);
      const puts = Object.entries(values).map(([name, value]) => ({ name, value, exists: present.has(name) }));
      return session.carryOut({ found: [], puts, removals, dropped: [] });
    },
  };
}

// @long: kills processes
import { runs, SEARCH_SEED, searchTime } from '@coffer/domain/testing';
import type { Pool } from 'pg';
import { expect, it, vi } from 'vitest';
import { withKilledServer } from '../harness/killed-server.ts';
import type { KilledWork } from '../harness/killed-work.ts';
import { logsIn } from '../harness/rotated-postgres.ts';

// The server is killed while it takes over the password of a login: before the database gets the statement, or before its answer.

const KILLS = runs(1, 20);
const PATIENCE = 240_000;
const CONNECTIONS = '/api/v1/app-connections/postgres';
const WORK: KilledWork = {
  ...{ table: 'app_connections', key: 'app_connection_check' },
  ...{ due: 'check_due_at', claimedUntil: 'check_claimed_until' },
};

it(
  'knows the password of each login that it has taken over, however often the server is killed',
  () =>
    withKilledServer(WORK, async ({ gate, there, database, addLogin, ask, kill, restart, settle }) => {
      for (let i = 0; i < KILLS; i++) {
        const login = { username: await addLogin('taken', 'given'), password: 'given' };
        const isHeard = (SEARCH_SEED + i) % 2 === 0;
        const caught = gate.stallAt('alter role', isHeard);
        const { host, port } = gate;
        const created = ask('POST', CONNECTIONS, {
          ...{ name: `taken-${i}`, method: 'username-and-password', isPlatformManagedCredentials: true },
          credentials: { host, port, database: there.database, ...login, sslEnabled: false },
        }).catch(() => undefined);
        await caught;
        await kill();
        await created;
        await restart();
        await settle('next_credentials is not null');
        expect([i, isHeard, await logsIn(there, login)]).toEqual([i, isHeard, false]);
        // It logs in with the stored one.
        const id = await idOf(database, `taken-${i}`);
        const isAccepted = () =>
          ask('POST', `${CONNECTIONS}/${id}/check`).then(
            (answer) => answer.isAccepted,
            () => false,
          );
        await vi.waitUntil(isAccepted, { timeout: PATIENCE, interval: 200 });
      }
    }),
  searchTime(2 * PATIENCE + KILLS * 20_000),
);

async function idOf(database: Pool, name: string): Promise<string> {
  const { rows } = await database.query<{ id: string }>('select id from app_connections where name = $1', [name]);
  return rows[0]!.id;
}

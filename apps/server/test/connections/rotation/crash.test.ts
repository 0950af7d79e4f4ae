// @long: kills processes
import { setTimeout as sleep } from 'node:timers/promises';
import { runs, SEARCH_SEED, searchTime } from '@coffer/domain/testing';
import { expect, it } from 'vitest';
import { withKilledServer, type KilledServer } from '../../harness/killed-server.ts';
import type { KilledWork } from '../../harness/killed-work.ts';
import { logsIn } from '../../harness/rotated-postgres.ts';

// The server is killed between the intention to replace a credential, doing it, trying it, and switching to it. `pnpm
// rotations` does this fifty times; here it is done a few times.

const KILLS = runs(1, 50);
const ROTATIONS = 3;
const PATIENCE = 300_000;
const WORK: KilledWork = {
  ...{ table: 'secret_rotations', key: 'secret_rotation' },
  ...{ due: 'due_at', claimedUntil: 'claimed_until' },
};
/** Its last attempt has failed, or was interrupted. */
const IS_LEFT = `status = 'failed' or exists (
  select from secret_rotation_credentials c where c.rotation_id = secret_rotations.id and c.state = 'pending')`;
const PATH = '/api/v2/secret-rotations/postgres-credentials';

/** When: at the first statement with this text, before or after the target gets it. Without a text: at any time. */
const MOMENTS = [
  ['alter role', false],
  ['alter role', true],
  ['select 1', false],
  ['select 1', true],
  [undefined, true],
] as const;

interface Rotating {
  readonly id: string;
  readonly username: string;
  readonly password: string;
}

it(
  `has one active credential that works for each rotation, however often the server is killed`,
  () =>
    withKilledServer(WORK, async (server) => {
      const { gate, there, database, ask, kill, restart, settle } = server;
      const { rotations, projectId } = await setUp(server);
      const secrets = async (): Promise<Map<string, string>> => {
        const query = `projectId=${projectId}&environment=dev&secretPath=/`;
        const { secrets: all } = await ask('GET', `/api/v4/secrets?${query}`);
        return new Map(all.map((one: { secretKey: string; secretValue: string }) => [one.secretKey, one.secretValue]));
      };
      const active = async ({ username, password }: Rotating) => {
        const values = await secrets();
        return { username: values.get(username)!, password: values.get(password)! };
      };
      for (let i = 0; i < KILLS; i++) {
        const [text, isHeard] = MOMENTS[(SEARCH_SEED + i) % MOMENTS.length]!;
        const caught = text === undefined ? sleep(Math.random() * 300) : gate.stallAt(text, isHeard);
        let isOver = false;
        const callers = rotations.map(async ({ id }) => {
          while (!isOver) await ask('POST', `${PATH}/${id}/rotate-secrets`).catch(() => undefined);
        });
        await caught;
        await sleep(Math.random() * 10);
        await kill();
        isOver = true;
        await Promise.all(callers);
        await restart();
        // Whatever was under way: what the secrets are works.
        for (const one of rotations) expect([i, await logsIn(there, await active(one))]).toEqual([i, true]);
      }
      await settle(IS_LEFT);
      const { rows } = await database.query(
        `select r.status, count(*) filter (where c.state = 'active')::int as active,
           count(*) filter (where c.state = 'pending')::int as pending
         from secret_rotations r join secret_rotation_credentials c on c.rotation_id = r.id group by r.id, r.status`,
      );
      expect(rows).toEqual(rotations.map(() => ({ status: 'success', active: 1, pending: 0 })));
      for (const { id, ...names } of rotations) {
        const { generatedCredentials, activeIndex } = await ask('GET', `${PATH}/${id}/generated-credentials`);
        expect(generatedCredentials[activeIndex]).toEqual(await active({ id, ...names }));
        for (const credential of generatedCredentials) expect(await logsIn(there, credential)).toBe(true);
      }
    }),
  searchTime(PATIENCE + KILLS * 20_000),
);

async function setUp({ gate, there, owner, addLogin, ask }: KilledServer) {
  const projectId: string = (await ask('POST', '/api/v1/projects', { projectName: 'Shop' })).project.id;
  const credentials = {
    ...{ host: gate.host, port: gate.port, database: there.database, ...owner, sslEnabled: false },
  };
  const connection = { name: 'target', projectId, method: 'username-and-password', credentials };
  const { appConnection } = await ask('POST', '/api/v1/app-connections/postgres', connection);
  const rotations: Rotating[] = [];
  for (let i = 0; i < ROTATIONS; i++) {
    const [username1, username2] = [await addLogin('crash'), await addLogin('crash')];
    const names = { username: `USERNAME_${i}`, password: `PASSWORD_${i}` };
    const { secretRotation } = await ask('POST', PATH, {
      ...{ name: `rotation-${i}`, projectId, connectionId: appConnection.id, environment: 'dev', secretPath: '/' },
      ...{ rotationInterval: 30, parameters: { username1, username2 }, secretsMapping: names },
    });
    rotations.push({ id: secretRotation.id, ...names });
  }
  return { projectId, rotations };
}

// @long: many worlds
import { runs, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { HOSTS } from '../harness/ssh-hosts.ts';
import { SSH_CA, SSH_CERTIFICATES, SSH_TEMPLATES } from '../harness/ssh.ts';
import { EVERYTHING, worlds, type World } from '../harness/ssh-worlds/arbitrary.ts';
import { Play, type Meddling } from '../harness/ssh-worlds/play.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';
import { expectNoObjections, expectObjections, Players } from '../harness/worlds.ts';

const WORLDS = runs(3, 1_000);

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
});
afterAll(() => test.close());

const objectionsIn = async (world: World, meddling?: Meddling): Promise<string[]> =>
  new Play(await Players.in(test, EVERYTHING, world.callers)).objections(world, meddling);

describe('SSH certificates of generated worlds', () => {
  it(
    'are issued to whom templates, mappings and rules allow it, and accepted by OpenSSH for nothing else and no longer',
    () => expectNoObjections(worlds, (world) => objectionsIn(world), WORLDS),
    searchTime(60_000),
  );

  const change = async (all: readonly { readonly id: string }[], url: string, body: object) => {
    for (const { id } of all) await test.admin('PATCH', `${url}/${id}`, body);
  };
  it.each<[string, Meddling]>([
    [
      'templates allow more',
      {
        atFirst: ({ templates }) => change(templates, SSH_TEMPLATES, { ttl: '9d', maxTTL: '90d', allowedUsers: ['*'] }),
      },
    ],
    [
      'authorities issue nothing',
      { atFirst: ({ authorities }) => change(authorities, SSH_CA, { status: 'disabled' }) },
    ],
    ['certificates are valid for longer', { atFirst: ({ hosts }) => change(hosts, HOSTS, { userCertTtl: '9d' }) }],
    ['hosts have no logins', { atLast: ({ hosts }) => change(hosts, HOSTS, { loginMappings: [] }) }],
    [
      'certificates are revoked',
      {
        atLast: async ({ certificates }) => {
          for (const { serialNumber } of certificates)
            await test.admin('POST', `${SSH_CERTIFICATES}/${serialNumber}/revoke`);
        },
      },
    ],
    [
      'keys are not trusted any more',
      {
        atLast: async ({ authorities }) => {
          for (const { id } of authorities) await test.admin('POST', `${SSH_CA}/${id}/rotate`, { overlap: '1s' });
        },
      },
    ],
  ])('are objected to where %s', (_, meddling) => expectObjections(worlds, (world) => objectionsIn(world, meddling)));
});

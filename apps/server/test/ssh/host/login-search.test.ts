import { reportSearch, runs, SEARCH_SEED, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dice } from '../../harness/granting/dice.ts';
import { ok } from '../../harness/certificates.ts';
import { SSH_CA, SSH_TEMPLATES, templateOf } from '../../harness/ssh.ts';
import { HOSTS } from '../../harness/ssh-hosts.ts';
import {
  changedLogins,
  loginsOf,
  makeLoginWorld,
  reportedLogins,
  someChange,
  withoutReasons,
} from '../../harness/ssh-login-search.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

const STEPS = runs(60, 10_000);
const STEPS_IN_A_WORLD = 50;
const LONG = searchTime(300_000);

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

describe('random changes of who may log in, by callers who may edit some hosts', () => {
  it('give and take logins on no other hosts, and are what the access report says', { timeout: LONG }, async () => {
    const dice = new Dice(SEARCH_SEED);
    const counts = { accepted: 0, changing: 0, refused: 0 };
    for (let steps = 0; steps < STEPS;) {
      const world = await makeLoginWorld(test, dice);
      const path: string[] = [];
      for (let i = 0; i < STEPS_IN_A_WORLD && steps < STEPS; i++, steps++) {
        // Now and then an administrator changes something, so that there is more than what the attackers made.
        const by = dice.is(30) ? undefined : dice.one(world.attackers);
        const before = await loginsOf(world);
        const { what, answer } = await someChange(world, by?.call ?? test.admin, dice);
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
        const changed = changedLogins(before, await loginsOf(world));
        if (answer.status === 200) path.push(`${by ? world.attackers.indexOf(by) : 'admin'} ${what}`);
        if (!by) continue;
        counts[answer.status === 200 ? 'accepted' : 'refused']++;
        if (changed.length > 0) counts.changing++;
        // Whoever registers a host decides which certificates it accepts.
        const isNew = ({ hostname, isByItself }: (typeof changed)[number]) =>
          what.startsWith(`POST ${HOSTS} `) && what.includes(hostname) && !isByItself;
        // Whoever may delete a host ends its logins.
        const isDeleted = ({ hostname }: (typeof changed)[number]) =>
          what.startsWith(`DELETE ${HOSTS}/`) && answer.body.hostname === hostname;
        const found = changed.filter((login) => !by.mayEdit(login.hostname) && !isNew(login) && !isDeleted(login));
        expect({ seed: SEARCH_SEED, path: found.length > 0 ? path : [], found }).toEqual({
          seed: SEARCH_SEED,
          path: [],
          found: [],
        });
      }
      expect(await reportedLogins(world)).toEqual(withoutReasons(await loginsOf(world)));
    }
    reportSearch(counts);
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(STEPS / 20);
    expect(counts.changing).toBeGreaterThan(0);
  });

  it('are found if they are made by somebody else: most ways, planted', { timeout: LONG }, async () => {
    const dice = new Dice(SEARCH_SEED);
    const world = await makeLoginWorld(test, dice);
    const ways = new Set<string>();
    for (let i = 0; i < 100; i++) {
      const before = await loginsOf(world);
      const { what } = await someChange(world, test.admin, dice);
      const found = changedLogins(before, await loginsOf(world));
      const [, way] = /^(\w+ \/api\/v1\/[a-z/-]+)/.exec(what)!;
      if (found.some(({ hostname }) => !world.attackers[0]!.mayEdit(hostname))) ways.add(way!);
    }
    expect(ways.size).toBeGreaterThan(4);
    const { ssh } = world;
    const { ca } = ok(await test.admin('POST', SSH_CA, { projectId: ssh.projectId, friendlyName: 'planted' }));
    await ssh.host({ hostname: 'h.prod.example.com', principalMode: 'login-user', userSshCaId: ca.id });
    const before = await loginsOf(world);
    ok(await test.admin('POST', SSH_TEMPLATES, templateOf(ca.id, { allowedUsers: ['r*'] })));
    expect(changedLogins(before, await loginsOf(world))).toEqual([
      { hostname: 'h.prod.example.com', isByItself: false, isByTemplate: true },
    ]);
  });
});

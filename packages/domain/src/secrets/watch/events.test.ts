import { describe, expect, it } from 'vitest';
import { compile } from '../../access/index.ts';
import { restsSoFar } from '../../kernel/index.ts';
import { secretPermissions } from '../secret/index.ts';
import type { Side } from './commits.ts';
import { eventsOf, wantedBy } from './events.ts';
import { WATCHED } from './watch.ts';

describe('the events of a commit', () => {
  it('rest while the folders that import what has changed are compared with long globs', async () => {
    const side: Side = {
      ...{ environmentId: 'dev', environment: 'dev', environmentThen: 'dev', path: '/src', isReserved: false },
      ...{ key: 'KEY', tags: [], tagsThen: [] },
    };
    const deep = `/p${`/${'a'.repeat(255)}`.repeat(7)}`;
    const importers = Array.from({ length: 60 }, (_, n) => ({
      environment: 'dev',
      path: `${deep}/${'a'.repeat(100)}${n}`,
    }));
    const patterns = Array.from({ length: 10 }, (_, n) => `/**/${'*a'.repeat(240)}b${n}*`);
    const wanted = wantedBy({
      register: [...patterns, '/**/*7'].map((secretPath) => ({
        event: 'secret:import-mutation',
        conditions: { environmentSlug: 'dev', secretPath },
      })),
    });
    const asked = [...Object.values(WATCHED), secretPermissions.describeSecret];
    const ability = compile(asked.map(({ subject, action }) => ({ subject, action })));
    const before = restsSoFar();
    const commit = {
      revision: 1n,
      actor: { type: 'platform' } as never,
      changes: [{ before: undefined, after: side }],
    };
    const events = await eventsOf(commit, () => importers, ability, wanted);
    expect(events.map(({ data }) => data.eventType)).toEqual(Array(6).fill('secret:import-mutation'));
    expect(restsSoFar() - before).toBeGreaterThanOrEqual(5);
  });
});

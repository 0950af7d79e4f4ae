import { describe, expect, it } from 'vitest';
import { compile } from '../../access/index.ts';
import { restsSoFar } from '../../kernel/index.ts';
import { secretPermissions } from '../secret/index.ts';
import type { Side } from './commits.ts';
import { eventsOf, wantedBy } from './events.ts';
import { WATCHED } from './watch.ts';

const side: Side = {
  ...{ environmentId: 'dev', environment: 'dev', environmentThen: 'dev', path: '/src', isReserved: false },
  ...{ key: 'KEY', tags: [], tagsThen: [] },
};
const commit = { revision: 1n, actor: { type: 'platform' } as never, changes: [{ before: undefined, after: side }] };
const all = [...Object.values(WATCHED), secretPermissions.describeSecret].map(({ subject, action }) => ({
  subject,
  action,
}));

describe('the events of a commit', () => {
  it('name no importing folder that a rule hides from the caller', async () => {
    const importers = ['/hidden', '/open'].map((path) => ({ environment: 'dev', path }));
    const hiding = { subject: 'secret-folders', action: 'read', inverted: true, conditions: { secretPath: '/hidden' } };
    const wanted = wantedBy({ register: [{ event: 'secret:import-mutation' }] });
    const eventsFor = (...rules: Parameters<typeof compile>[0]) =>
      eventsOf(commit, () => importers, compile([...all, ...rules]), wanted);
    expect(await eventsFor()).toHaveLength(2);
    expect((await eventsFor(hiding)).map(({ data }) => data.payload)).toEqual([
      { environment: 'dev', secretPath: '/open' },
    ]);
  });

  it('rest while the folders that import what has changed are compared with long globs', async () => {
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
    const before = restsSoFar();
    const events = await eventsOf(commit, () => importers, compile(all), wanted);
    expect(events.map(({ data }) => data.eventType)).toEqual(Array(6).fill('secret:import-mutation'));
    expect(restsSoFar() - before).toBeGreaterThanOrEqual(5);
  });
});

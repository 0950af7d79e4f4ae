import { kmsPermissions, type Coffer } from '@coffer/domain';
import type { NaiveRequest } from '@coffer/domain/testing';
import { turnsOf, type Holdings } from './holdings.ts';

/** The keys of the KMS by id: rules know them by their names. */
export type Keys = ReadonlyMap<string, { readonly projectId: string; readonly name: string }>;

export async function readKeys({ pool }: Coffer, organizationId: string): Promise<Keys> {
  const { rows } = await pool.query<{ id: string; projectId: string; name: string }>(
    'select id, project_id as "projectId", name from kms_keys where organization_id = $1',
    [organizationId],
  );
  return new Map(rows.map(({ id, ...key }) => [id, key]));
}

interface Moment {
  readonly actual: Holdings;
  readonly potential: Holdings;
  readonly keys: Keys;
}

const ACTIONS = Object.values(kmsPermissions).map(({ action }) => action);

/**
 * What somebody may do with a key under its new name, and could not under the former one, nor could the caller who renamed it:
 * whoever may edit a key must not open it to others, or to itself.
 */
export function keyGains(callerId: string, before: Moment, after: Moment, now: number): unknown[] {
  const found: unknown[] = [];
  const times = [...new Set([now, ...turnsOf(before.actual.world, now), ...turnsOf(after.actual.world, now)])];
  for (const [id, { projectId, name }] of before.keys) {
    const renamed = after.keys.get(id)?.name ?? name;
    if (renamed === name) continue;
    for (const action of ACTIONS) {
      const asked = (keyName: string): NaiveRequest => ['cmek', action, { keyName }];
      const mayCaller = (time: number) => before.actual.may(callerId, projectId, time, asked(name));
      for (const time of times.filter((one) => !mayCaller(now) || !mayCaller(one))) {
        for (const how of ['actual', 'potential'] as const) {
          for (const { id: actorId } of after.actual.world.actors) {
            const isGained =
              after[how].may(actorId, projectId, time, asked(renamed)) &&
              !before[how].may(actorId, projectId, time, asked(name));
            if (isGained)
              found.push({ how: `${how} rights to a key`, id, name, renamed, actorId, action, later: time - now });
          }
        }
      }
    }
  }
  return found;
}

import { randomUUID } from 'node:crypto';
import type { Rule } from '@coffer/domain';
import { naiveCan, reportSearch } from '@coffer/domain/testing';
import fc from 'fast-check';
import { expect } from 'vitest';
import { ok } from './certificates.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';

// Searches in generated worlds: each world is played over HTTP, and a reading of its own, which knows the guide and the rules and
// not the services, objects to what was answered.

/** Few of them, also none. */
export const some = <T>(of: readonly T[], maxLength = 2): fc.Arbitrary<T[]> =>
  fc.uniqueArray(fc.constantFrom(...of), { maxLength });

export const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined });

/** Without what is absent. */
export const present = <T extends object>(of: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  of.map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T);

/** Which of `Players`, strangers least often. */
export const anyPlayer = fc.constantFrom(...[0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5]);

/** The rules of a privilege, and those of another one of an hour, which come after them. */
export interface Rights {
  readonly lasting: readonly Rule[];
  readonly temporary: readonly Rule[];
}

/** Expects that nothing is objected to in any of so many worlds. */
export async function expectNoObjections<World>(
  worlds: fc.Arbitrary<World>,
  objectionsIn: (world: World) => Promise<readonly string[]>,
  numRuns: number,
): Promise<void> {
  const search = fc.asyncProperty(worlds, async (world) => {
    expect(await objectionsIn(world)).toEqual([]);
  });
  await fc.assert(search, { numRuns });
  reportSearch({ worlds: numRuns, ...answered });
}

/** Expects that something is objected to in one of a few worlds, in which something happens that is not known to the reading. */
export async function expectObjections<World>(
  worlds: fc.Arbitrary<World>,
  objectionsIn: (world: World) => Promise<readonly string[]>,
): Promise<void> {
  for (const world of fc.sample(worlds, 20)) if ((await objectionsIn(world)).length > 0) return;
  expect.fail('Nothing is objected to');
}

const HOUR = 3_600_000;
export const PRIVILEGES = '/api/v2/identity-project-additional-privilege';

/** A caller with these rights in the project of a world, or a stranger to it. */
export class Player {
  readonly id: string;
  readonly call: Caller;
  /** To whom everything in the project is unknown. */
  readonly isStranger: boolean;
  rights: Rights;
  /** When the temporary privilege ends. */
  until = 0;
  denied = 0;
  privileges: string[] = [];

  constructor(id: string, call: Caller, rights: Rights, isStranger = false) {
    this.id = id;
    this.call = call;
    this.rights = rights;
    this.isStranger = isStranger;
  }

  rulesAt(at: number): readonly Rule[] {
    return at < this.until ? [...this.rights.lasting, ...this.rights.temporary] : this.rights.lasting;
  }

  can(at: number, subject: string, action: string, fields: Readonly<Record<string, string>> = {}): boolean {
    return naiveCan(this.rulesAt(at), subject, action, fields);
  }

  /** Whether the right does not end. */
  canAlways(at: number, ...right: [string, string, Readonly<Record<string, string>>?]): boolean {
    return [at, Math.max(at, this.until)].every((instant) => this.can(instant, ...right));
  }
}

/** Who asks in a world: an administrator, machine identities, and two strangers. */
export class Players {
  readonly test: TestServer;
  readonly projectId: string;
  readonly all: Player[] = [];

  private constructor(test: TestServer, projectId: string) {
    this.test = test;
    this.projectId = projectId;
  }

  static async in(test: TestServer, everything: readonly Rule[], given: readonly Rights[]): Promise<Players> {
    const { id: projectId } = await test.project();
    const players = new Players(test, projectId);
    players.all.push(new Player(test.adminIdentity.id, test.admin, { lasting: everything, temporary: [] }));
    for (const rights of given) {
      const { id, call } = await test.identity({ projectId });
      const player = new Player(id, call, { lasting: [], temporary: [] });
      await players.give(player, rights);
      players.all.push(player);
    }
    for (const call of await strangersTo(test))
      players.all.push(new Player(randomUUID(), call, { lasting: everything, temporary: [] }, true));
    return players;
  }

  get now(): number {
    return this.test.coffer.now().getTime();
  }

  /** Gives other rights; those of the administrator and of strangers stay. */
  async give(player: Player, rights: Rights): Promise<void> {
    if (player.isStranger || player === this.all[0]) return;
    for (const id of player.privileges) ok(await this.test.admin('DELETE', `${PRIVILEGES}/${id}`));
    player.privileges = [];
    const temporaryAccessStartTime = this.test.coffer.now().toISOString();
    const anHour = { isTemporary: true, temporaryMode: 'relative', temporaryRange: '1h', temporaryAccessStartTime };
    for (const [permissions, type] of [
      [rights.lasting, { isTemporary: false }],
      [rights.temporary, anHour],
    ] as const) {
      if (permissions.length === 0) continue;
      const given = { projectId: this.projectId, identityId: player.id, permissions, type };
      player.privileges.push(ok(await this.test.admin('POST', PRIVILEGES, given)).privilege.id);
    }
    Object.assign(player, { rights, until: this.now + HOUR });
  }

  /** What is wrong with the log of what was denied; ends the project. */
  async end(): Promise<string[]> {
    this.test.advance(61_000);
    await this.test.coffer.refusals.sweep();
    const { rows } = await this.test.coffer.pool.query<{ id: string; count: number }>(
      `select actor_id as id, sum((data ->> 'count')::int)::int as count from audit_events
       where type = 'request.denied' and actor_id = any($1) group by 1`,
      [this.all.map(({ id }) => id)],
    );
    ok(await this.test.admin('DELETE', `/api/v1/projects/${this.projectId}`));
    return this.all.slice(1).flatMap(({ id, denied }) => {
      const noted = rows.find((row) => row.id === id)?.count ?? 0;
      return noted === denied ? [] : [`the log: ${noted} refusals instead of ${denied}`];
    });
  }
}

const strangers = new WeakMap<TestServer, Promise<Caller[]>>();
/** An administrator of another project, and one of another organization. */
function strangersTo(test: TestServer): Promise<Caller[]> {
  const make = async () => {
    const elsewhere = { projectId: (await test.project()).id, projectRole: 'admin' };
    return [(await test.identity(elsewhere)).call, (await test.foreign()).call];
  };
  const made = strangers.get(test) ?? make();
  strangers.set(test, made);
  return made;
}

/** Where something is asked, over REST and over tRPC. */
export interface Asked {
  readonly method: Parameters<Caller>[0];
  readonly url: string;
  readonly procedure: string;
  /** What the path names. */
  readonly named?: object;
  readonly body?: object;
}

/** How often each procedure was answered with each status. */
const answered: Record<string, Record<number, number>> = {};

/** Asks over REST, or the same over tRPC, whose answer is brought into the form of REST. */
export async function ask(player: Player, isTrpc: boolean, asked: Asked): Promise<Answer> {
  const answer = await sent(player.call, isTrpc, asked);
  if (answer.status === 403) player.denied++;
  const counts = (answered[asked.procedure] ??= {});
  counts[answer.status] = (counts[answer.status] ?? 0) + 1;
  return answer;
}

async function sent(call: Caller, isTrpc: boolean, asked: Asked): Promise<Answer> {
  const { method, url, procedure, named, body = {} } = asked;
  const isRead = method === 'GET';
  if (!isTrpc && isRead) {
    const query = Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`));
    return call(method, `${url}?${query.join('&')}`);
  }
  if (!isTrpc) return call(method, url, body);
  const input = { ...named, ...body };
  const query = isRead ? `?input=${encodeURIComponent(JSON.stringify(input))}` : '';
  const answer = await call(isRead ? 'GET' : 'POST', `/api/trpc/${procedure}${query}`, isRead ? undefined : input);
  const { result, error } = answer.body;
  return { ...answer, body: result ? result.data : { ...error?.data, message: error?.message } };
}

/** Statuses with which a request has to be refused, and others with which it may be. */
export interface Refusals {
  readonly must: readonly number[];
  readonly may?: readonly number[];
}

export const objectionsToStatus = ({ status, body }: Answer, { must, may = [] }: Refusals): string[] => {
  const right = [...(must.length === 0 ? [200] : must), ...may];
  return right.includes(status) ? [] : [`${status} instead of ${right.join(' or ')}: ${body.message}`];
};

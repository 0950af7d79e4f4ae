import { randomUUID } from 'node:crypto';
import { ANYONE, appRouter, openApiDocument, operationsOf, type Operation } from '@coffer/api';
import { inTransaction, statement } from '@coffer/domain';
import { makeIdentity, makeUser, runs, SEARCH_SEED, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withKey } from './harness/api-keys.ts';
import { ask, comparable, fingerprintsOf, nameOf, unknownLike, without } from './harness/matrix-answers.ts';
import { Sample } from './harness/matrix-sample.ts';
import { makeWorld, type Thing, type World } from './harness/matrix-world.ts';
import { RecordedLocks } from './harness/recorded-locks.ts';
import { locksOfOthers, RefusedCallers } from './harness/refused-locks.ts';
import { testServer, type Answer, type Caller, type TestServer } from './harness/test-server.ts';

// Every operation of the product against every kind of caller and input that it must reject. It grows automatically: an
// operation that it cannot place fails it, with what is missing.

const BODY_LIMIT = 100_000;
const PATIENCE = searchTime(300_000);
const SECRET = 'zvictimz';

let test: TestServer;
let victim: World;
let attacker: World;
let samples: Sample[];
let locks: RecordedLocks;
beforeAll(async () => {
  // One connection: code that takes a second one while it holds the first waits forever.
  test = await testServer({ poolSize: 1 }, { bodyLimit: BODY_LIMIT });
  locks = new RecordedLocks(test.coffer);
  victim = await makeWorld(test, SECRET);
  attacker = await makeWorld(test, 'zattackerz');
  const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  samples = operationsOf(appRouter).map((operation) => new Sample(operation, document));
}, PATIENCE);
afterAll(() => test.close());

const isPublic = ({ meta }: Operation) => meta.needs === 'public';

/** The actors of a world who may call the operation. */
function callerOf(world: World, { meta }: Operation): Caller {
  const { actors } = meta.rest ?? {};
  if (!actors || actors.includes('identity')) return world.machine;
  return actors.includes('user') ? world.person : world.service;
}

/** The problems that a check finds in any operation, under the operation's name. */
async function problems(check: (sample: Sample) => Promise<unknown>): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const sample of samples) {
    const problem = await check(sample);
    if (problem !== undefined) found[nameOf(sample.operation)] = problem;
  }
  return found;
}

describe('every operation', () => {
  it('is in the matrix', async () => {
    expect(samples.length).toBeGreaterThan(100);
    const unknown = await problems(async (sample) =>
      sample.unknownParameters().length > 0 ? sample.unknownParameters() : undefined,
    );
    expect(unknown, 'give these parameters a line in FIELDS (harness/matrix-world.ts)').toEqual({});
  });

  it('has an example that fits its own input', async () => {
    const misfits = await problems(async (sample) => {
      const input = sample.input((thing) => victim.has[thing]);
      const faults = (sample.operation.procedure._def.inputs ?? []).flatMap(
        (schema) => schema.safeParse(input).error?.issues ?? [],
      );
      return faults.length > 0
        ? { input, faults: faults.map(({ path, message }) => `${path.join('.')}: ${message}`) }
        : undefined;
    });
    expect(
      misfits,
      'give their schemas examples (.meta({ examples: [...] })), or FITTING (harness/matrix-sample.ts) a value',
    ).toEqual({});
  });
});

describe('every operation that is not public', () => {
  const refused = (answer: Answer) => {
    const isRight =
      answer.status === 401 &&
      answer.body.error === 'UnauthorizedError' &&
      answer.headers['www-authenticate'] === 'Bearer';
    const hasShape =
      /^req-\w{14}$/.test(answer.body.reqId) &&
      answer.body.statusCode === 401 &&
      typeof answer.body.message === 'string';
    return isRight && hasShape ? undefined : without(answer);
  };
  /** The short form gives each operation a few of them in turn. */
  let turn = SEARCH_SEED;
  const some = (callers: readonly Caller[]): Caller[] =>
    Array.from({ length: runs(3, callers.length) }, () => callers[turn++ % callers.length]!);
  const wrong = () => [
    'nonsense',
    `${victim.machineToken}x`,
    victim.machineToken.slice(0, -1),
    victim.machineToken.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    `st.${randomUUID()}.${'0'.repeat(32)}`,
    victim.personToken.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
  ];

  const wrongKeys = () => [
    '',
    'ak.nonsense',
    `${victim.apiKey}x`,
    `${victim.apiKey}.x`,
    victim.apiKey.toUpperCase(),
    victim.apiKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    `ak.${randomUUID()}.${'0'.repeat(64)}`,
    victim.personToken,
  ];

  it('answers 401 without a token', async () => {
    expect(
      await problems(async (sample) =>
        isPublic(sample.operation)
          ? undefined
          : refused(
              await ask(
                test.as(),
                sample,
                sample.input((thing) => victim.has[thing]),
              ),
            ),
      ),
    ).toEqual({});
  });

  it('returns 401 for text that is neither a token nor an API key', async () => {
    const found = await problems(async (sample) => {
      if (isPublic(sample.operation)) return undefined;
      const callers = [...wrong().map((token) => test.as(token)), ...wrongKeys().map((key) => withKey(test, key))];
      const answers = await Promise.all(
        some(callers).map((caller) =>
          ask(
            caller,
            sample,
            sample.input((thing) => victim.has[thing]),
          ),
        ),
      );
      return answers.map(refused).find((problem) => problem !== undefined);
    });
    expect(found).toEqual({});
  });
});

describe('an invalidated token', () => {
  const HOUR = 3600;

  /** Tokens of a full administrator, each invalidated in another way. */
  async function endedTokens(): Promise<Record<string, { machine: string; person: string }>> {
    const { machine, organizationId, has } = victim;
    const { identity } = (await machine('POST', '/api/v1/identities', { name: 'x', organizationId, role: 'admin' }))
      .body;
    await machine('POST', `/api/v1/projects/${has.project}/memberships/identities/${identity.id}`, { role: 'admin' });
    const methods = '/api/v1/auth/token-auth';
    await machine('POST', `${methods}/identities/${identity.id}`, { accessTokenTTL: HOUR, accessTokenMaxTTL: HOUR });
    const made = async () => (await machine('POST', `${methods}/identities/${identity.id}/tokens`, {})).body;
    const [expired, revoked] = [await made(), await made()];
    await machine('POST', `${methods}/tokens/${revoked.tokenData.id}/revoke`);
    const user = () => makeUser(test.coffer, { organizationId, role: 'admin' });
    const [expiredUser, loggedOut] = [await user(), await user()];
    await test.as(loggedOut.token)('POST', '/api/v1/auth/logout');
    await test.coffer.pool.query('update user_access_tokens set expires_at = $2 where user_id = $1', [
      expiredUser.id,
      test.coffer.now(),
    ]);
    test.advance(HOUR * 1000);
    return {
      expired: { machine: expired.accessToken, person: expiredUser.token },
      revoked: { machine: revoked.accessToken, person: loggedOut.token },
    };
  }

  it(
    'is refused by every operation that is not public',
    async () => {
      for (const [how, tokens] of Object.entries(await endedTokens())) {
        const found = await problems(async (sample) => {
          if (isPublic(sample.operation)) return undefined;
          const { actors } = sample.operation.meta.rest ?? {};
          const token = actors && !actors.includes('identity') ? tokens.person : tokens.machine;
          const answer = await ask(
            test.as(token),
            sample,
            sample.input((thing) => victim.has[thing]),
          );
          return answer.status === 401 ? undefined : without(answer);
        });
        expect({ how, found }).toEqual({ how, found: {} });
      }
    },
    PATIENCE,
  );
});

describe('a temporary administrator of everything', () => {
  const HOUR = 3_600_000;

  /** Replaces all roles of an actor by the administrator's, for the second hour from now. */
  const forTheSecondHour = (actorId: string) =>
    test.coffer.pool.query(
      `update membership_roles r set role = 'admin', custom_role_id = null, is_temporary = true, temporary_mode = 'relative',
         temporary_range = '1h', temporary_access_start_time = $2, temporary_access_end_time = $3
       from memberships m where m.id = r.membership_id and m.actor_id = $1`,
      [actorId, new Date(test.coffer.now().getTime() + HOUR), new Date(test.coffer.now().getTime() + 2 * HOUR)],
    );

  it(
    'may do nothing before, everything inside, and nothing after',
    async () => {
      const world = await makeWorld(test, 'zwindowz');
      const { organizationId, has } = world;
      const machine = await makeIdentity(test.coffer, { organizationId, projectId: has.project });
      const person = await makeUser(test.coffer, { organizationId });
      const added = await world.machine('POST', `/api/v2/workspace/${has.project}/memberships`, {
        usernames: [person.email],
        emails: [],
      });
      expect(added.status).toBe(200);
      await forTheSecondHour(machine.id);
      await forTheSecondHour(person.id);
      const asked = samples
        .filter(({ operation }) => typeof operation.meta.needs === 'object')
        // Deletions come last.
        .toSorted((a, b) => Number(a.operation.method === 'DELETE') - Number(b.operation.method === 'DELETE'));
      const statuses = async () => {
        const found = new Map<string, number>();
        for (const sample of asked) {
          const { actors } = sample.operation.meta.rest ?? {};
          const caller = test.as((actors && !actors.includes('identity') ? person : machine).token);
          const { status: answered, body } = await ask(
            caller,
            sample,
            sample.input((thing) => has[thing]),
          );
          // It is admitted, but grants nothing that outlasts its own right.
          const status = body.details?.heldUntil ? 200 : answered;
          const isEmpty = sample.operation.method === 'GET' && !JSON.stringify(body).includes('zwindowz');
          found.set(nameOf(sample.operation), status === 200 && isEmpty ? 204 : status);
        }
        return found;
      };
      const those = (found: Map<string, number>, fit: (status: number) => boolean) =>
        Object.fromEntries([...found].filter(([, status]) => fit(status)));
      const isLetIn = (status: number) => ![204, 403, 404].includes(status);

      expect(those(await statuses(), isLetIn)).toEqual({});
      test.advance(1.5 * HOUR);
      const inside = await statuses();
      expect(those(inside, (status) => status === 401 || status === 403 || status >= 500)).toEqual({});
      const reads = [...inside].filter(([name]) => name.startsWith('GET'));
      expect(reads.filter(([, status]) => status < 300).length).toBeGreaterThan(reads.length * 0.8);
      test.advance(HOUR);
      expect(those(await statuses(), isLetIn)).toEqual({});
    },
    PATIENCE,
  );
});

describe('HEAD of every operation with GET', () => {
  /** What only the first of two equal requests records: refusals are counted by the minute, and a list is issued once. */
  const ONCE = ['request.denied', 'revocation_list.issued'];

  /** How often each other kind of event is in the log. */
  async function eventsOf(): Promise<Map<string, number>> {
    const { rows } = await test.coffer.pool.query<{ type: string; times: number }>(
      'select type, count(*)::integer as times from audit_events where organization_id = $1 and type <> all($2) group by type',
      [victim.organizationId, ONCE],
    );
    return new Map(rows.map(({ type, times }) => [type, times]));
  }

  /** What the answer is, and the events of the request. */
  async function traceOf(method: 'GET' | 'HEAD', url: string, token: string) {
    const before = await eventsOf();
    const headers = { authorization: `Bearer ${token}`, 'cache-control': 'no-cache' };
    const answer = await test.app.inject({ method, url, headers });
    const type = answer.headers['content-type'];
    const made = [...(await eventsOf())].filter(([name, times]) => times !== before.get(name));
    const events = made.map(([name, times]) => `${name} ${times - (before.get(name) ?? 0)}`).toSorted();
    return { length: answer.rawPayload.length, trace: { status: answer.statusCode, type, events } };
  }

  it(
    'has its status, its type and its events, and no body',
    async () => {
      const statuses: number[] = [];
      const found = await problems(async (sample) => {
        const { method, meta } = sample.operation;
        if (method !== 'GET') return undefined;
        const token = meta.rest?.actors?.includes('identity') === false ? victim.personToken : victim.machineToken;
        const { url } = sample.request(sample.input((thing) => victim.has[thing]));
        const get = await traceOf('GET', url, token);
        const head = await traceOf('HEAD', url, token);
        statuses.push(head.trace.status);
        const isSame = JSON.stringify(head.trace) === JSON.stringify(get.trace);
        return isSame && head.length === 0 ? undefined : { get: get.trace, head: head.trace, length: head.length };
      });
      expect(found).toEqual({});
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(statuses.length * 0.8);
    },
    PATIENCE,
  );

  it('is refused as GET is', async () => {
    const found = await problems(async (sample) => {
      const { method, url: pattern } = sample.operation;
      if (method !== 'GET' || isPublic(sample.operation)) return undefined;
      const { url } = sample.request(sample.input((thing) => victim.has[thing]));
      const { statusCode, body } = await test.app.inject({ method: 'HEAD', url });
      return statusCode === 401 && body === '' ? undefined : { pattern, statusCode, body };
    });
    expect(found).toEqual({});
  });
});

describe('every operation that takes a body', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  const bodyFaults = async (sample: Sample, payload: string, type: string, expected: number) => {
    const { method, meta } = sample.operation;
    if (method === 'GET') return undefined;
    const { url } = sample.request(sample.input((thing) => attacker.has[thing]));
    const headers = {
      'content-type': type,
      authorization: `Bearer ${meta.rest?.actors?.includes('identity') === false ? attacker.personToken : attacker.machineToken}`,
    };
    const answer = await test.app.inject({ method, url, headers, payload });
    const { statusCode, reqId } = answer.json<{ statusCode: number; reqId: string }>();
    return answer.statusCode === expected && statusCode === expected && reqId.startsWith('req-')
      ? undefined
      : `${answer.statusCode} ${answer.body}`;
  };

  it('returns 400 for invalid JSON', async () => {
    expect(await problems((sample) => bodyFaults(sample, '{"a":', JSON_TYPE['content-type'], 400))).toEqual({});
  });

  it('returns 415 for another type, and for unsupported forms', async () => {
    expect(await problems((sample) => bodyFaults(sample, 'a', 'text/plain', 415))).toEqual({});
    const forms = (sample: Sample) =>
      sample.operation.meta.rest?.form
        ? Promise.resolve(undefined)
        : bodyFaults(sample, 'a=b', 'application/x-www-form-urlencoded', 415);
    expect(await problems(forms)).toEqual({});
  });

  it('returns 413 for a too large body', async () => {
    const large = JSON.stringify({ a: 'x'.repeat(BODY_LIMIT) });
    expect(await problems((sample) => bodyFaults(sample, large, JSON_TYPE['content-type'], 413))).toEqual({});
  });
});

/** Every row of the victim, table by table. */
const fingerprints = () => fingerprintsOf(test, 'organization_id', victim.organizationId);

describe('a member without any right', () => {
  it(
    'sees and changes nothing, in its own organization and project',
    async () => {
      const role = 'no-access';
      const place = {
        organizationId: victim.organizationId,
        organizationRole: role,
        projectId: victim.has.project,
        projectRole: role,
      };
      const machine = test.as((await makeIdentity(test.coffer, place)).token);
      const person = test.as((await makeUser(test.coffer, { organizationId: victim.organizationId, role })).token);
      // Its own token counts its uses.
      const rows = async () => ({ ...(await fingerprints()), identity_access_tokens: '' });
      const before = await rows();
      const found = await problems(async (sample) => {
        const { meta } = sample.operation;
        if (typeof meta.needs !== 'object') return undefined;
        const caller = meta.rest?.actors && !meta.rest.actors.includes('identity') ? person : machine;
        const input = sample.input((thing) => victim.has[thing]);
        const { status, body } = await ask(caller, sample, input);
        const sent = Object.values(input).flat().map(String);
        const shows = sent.reduce((text, one) => text.replaceAll(one, ''), JSON.stringify(body)).includes(SECRET);
        const isRefused = status === 403 || status === 404;
        // A list omits what may not be seen, and so may be empty.
        const isEmpty = sample.operation.method === 'GET' && status === 200;
        return (isRefused || isEmpty) && !shows ? undefined : { status, body };
      });
      expect(found).toEqual({});
      expect(await rows()).toEqual(before);
    },
    PATIENCE,
  );
});

describe('denials in a project', () => {
  const isOfProject = ({ operation, things }: Sample) =>
    [operation.meta.needs].flat().every((needs) => typeof needs === 'object' && needs.scope === 'project') ||
    [...things.values()].some((thing) => thing === 'project' || thing === 'projectSlug');

  it(
    'is on the log of the project, whatever it was',
    async () => {
      const { organizationId, has } = victim;
      const place = { organizationId, projectId: has.project, projectRole: 'no-access' };
      const machine = await makeIdentity(test.coffer, place);
      const user = await makeUser(test.coffer, { organizationId });
      const add = { usernames: [user.email], emails: [], roleSlugs: ['no-access'] };
      expect((await victim.machine('POST', `/api/v1/projects/${has.project}/memberships`, add)).status).toBe(200);
      const denied: string[] = [];
      for (const sample of samples.filter(isOfProject)) {
        const { actors } = sample.operation.meta.rest ?? {};
        const caller = test.as(actors && !actors.includes('identity') ? user.token : machine.token);
        const input = sample.input((thing) => victim.has[thing]);
        // Each is the first of its minute, and so an event of its own.
        test.advance(61_000);
        await test.coffer.refusals.sweep();
        if ((await ask(caller, sample, input)).status === 403) denied.push(nameOf(sample.operation));
      }
      const { rows } = await test.coffer.pool.query<{ project_id: string | null; details: string[] }>(
        `select project_id, data -> 'details' as details from audit_events
         where published = 'denied-request' and organization_id = $1 and actor_id = any($2::uuid[]) order by created_at`,
        [organizationId, [machine.id, user.id]],
      );
      expect(denied.length).toBeGreaterThan(150);
      expect(rows).toHaveLength(denied.length);
      expect(rows.filter((row) => row.project_id !== has.project)).toEqual([]);
    },
    PATIENCE,
  );
});

describe('another organization', () => {
  /** What its members may name: their own organization and project, where the rest is foreign. */
  const PLACES: ReadonlySet<Thing> = new Set(['organization', 'project', 'projectSlug']);

  const unknownThings = () => {
    const made = new Map<Thing, string>();
    return (thing: Thing): string => {
      if (!made.has(thing)) made.set(thing, unknownLike(victim, SECRET, thing));
      return made.get(thing)!;
    };
  };

  async function attack(sample: Sample, isOwn: (thing: Thing) => boolean): Promise<unknown> {
    const unknown = unknownThings();
    const foreign = sample.input((thing) => (isOwn(thing) ? attacker.has[thing] : victim.has[thing]));
    const absent = sample.input((thing) => (isOwn(thing) ? attacker.has[thing] : unknown(thing)));
    const caller = callerOf(attacker, sample.operation);
    const [answer, expected] = [await ask(caller, sample, foreign), await ask(caller, sample, absent)];
    const got = comparable(answer, foreign);
    if (got.includes(SECRET)) return `it shows what is foreign: ${got}`;
    if (got !== comparable(expected, absent)) return { foreign: got, absent: comparable(expected, absent) };
    return undefined;
  }

  it(
    'learns and changes nothing, whatever it names',
    async () => {
      const before = await fingerprints();
      expect(Object.keys(before).length).toBeGreaterThan(10);
      const found = await problems(async (sample) => {
        if (isPublic(sample.operation) || sample.things.size === 0) return undefined;
        return attack(sample, () => false);
      });
      expect(found).toEqual({});
      expect(await fingerprints()).toEqual(before);
    },
    PATIENCE,
  );

  it(
    'cannot reach foreign resources through its own',
    async () => {
      const before = await fingerprints();
      const found = await problems(async (sample) => {
        const things = [...sample.things.values()];
        if (
          isPublic(sample.operation) ||
          things.every((thing) => PLACES.has(thing)) ||
          !things.some((thing) => PLACES.has(thing))
        )
          return undefined;
        return attack(sample, (thing) => PLACES.has(thing));
      });
      expect(found).toEqual({});
      expect(await fingerprints()).toEqual(before);
    },
    PATIENCE,
  );
});

describe('a service token', () => {
  it(
    'reaches only its own project, and no operations for others',
    async () => {
      const before = await fingerprints();
      const found = await problems(async (sample) => {
        const { meta } = sample.operation;
        if (isPublic(sample.operation)) return undefined;
        const takesServices = meta.rest?.actors?.includes('service') ?? false;
        const { status, body } = await ask(
          attacker.service,
          sample,
          sample.input((thing) => victim.has[thing]),
        );
        if (JSON.stringify(body).includes(`${SECRET} value`)) return body;
        if (!takesServices) return status === 403 && body.error === 'ForbiddenError' ? undefined : { status, body };
        return status === 404 || sample.things.size === 0 ? undefined : { status, body };
      });
      expect(found).toEqual({});
      expect(await fingerprints()).toEqual(before);
    },
    PATIENCE,
  );
});

describe('an API key', () => {
  const takesKeys = ({ meta }: Operation) => (meta.rest?.actors ?? ANYONE).includes('apiKey');

  it(
    'is refused by every operation that needs a session, and shows nothing of another organization',
    async () => {
      const before = await fingerprints();
      const found = await problems(async (sample) => {
        if (isPublic(sample.operation)) return undefined;
        const input = sample.input((thing) => victim.has[thing]);
        const { status, body } = await ask(attacker.keyholder, sample, input);
        const sent = Object.values(input).flat().map(String);
        const shown = sent.reduce((text, one) => text.replaceAll(one, ''), JSON.stringify(body));
        if (shown.includes(SECRET)) return body;
        if (takesKeys(sample.operation)) return status === 401 ? body : undefined;
        return status === 403 && body.error === 'ForbiddenError' ? undefined : { status, body };
      });
      expect(found).toEqual({});
      expect(await fingerprints()).toEqual(before);
      expect(samples.filter(({ operation }) => !isPublic(operation) && !takesKeys(operation)).length).toBeGreaterThan(
        15,
      );
    },
    PATIENCE,
  );

  it(
    'reads what its user reads with a session',
    async () => {
      const found = await problems(async (sample) => {
        const { operation } = sample;
        if (isPublic(operation) || operation.method !== 'GET' || !takesKeys(operation)) return undefined;
        const input = sample.input((thing) => attacker.has[thing]);
        const [key, session] = [
          await ask(attacker.keyholder, sample, input),
          await ask(attacker.person, sample, input),
        ];
        return key.status === session.status ? undefined : { key: without(key), session: without(session) };
      });
      expect(found).toEqual({});
    },
    PATIENCE,
  );
});

describe('what an API key reads', () => {
  const takesKeys = ({ meta }: Operation) => (meta.rest?.actors ?? ANYONE).includes('apiKey');
  const reads = () => samples.filter(({ operation }) => operation.method === 'GET' && !isPublic(operation));
  const textFor = async (call: Caller, sample: Sample, input: Record<string, unknown>) =>
    JSON.stringify(without(await ask(call, sample, input)));

  it(
    'has nothing that is named to sessions alone',
    async () => {
      const things = Object.entries(attacker.has);
      // Operations that take a key may take these, too.
      const named = new Set(samples.flatMap((one) => (takesKeys(one.operation) ? [...one.things.values()] : [])));
      const ofSessions = new Map<string, string>();
      for (const sample of reads().filter(({ operation }) => !takesKeys(operation))) {
        const text = await textFor(
          attacker.person,
          sample,
          sample.input((thing) => attacker.has[thing]),
        );
        for (const [thing, id] of things)
          if (!named.has(thing as Thing) && text.includes(id)) ofSessions.set(thing, id);
      }
      expect([...ofSessions.keys()]).toEqual(expect.arrayContaining(['apiKey', 'session']));
      const found = await problems(async (sample) => {
        const { operation } = sample;
        // The log names the key of each call.
        if (!reads().includes(sample) || !takesKeys(operation) || operation.url.includes('audit-log')) return undefined;
        // With all of its input, and with no more than its path.
        const whole = sample.input((thing) => attacker.has[thing]);
        const path = Object.fromEntries(
          Object.entries(whole).filter(([field]) => operation.url.includes(`{${field}}`)),
        );
        for (const input of [whole, path]) {
          const text = await textFor(attacker.keyholder, sample, input);
          const shown = [...ofSessions].filter(([, id]) => text.includes(id));
          if (shown.length > 0) return shown;
        }
        return undefined;
      });
      expect(found).toEqual({});
    },
    PATIENCE,
  );
});

describe('a refused call', () => {
  it(
    'locks and writes nothing for which others would wait',
    async () => {
      const callers = new RefusedCallers(test, victim, locks);
      // Deletions come last.
      const ordered = samples.toSorted(
        (a, b) => Number(a.operation.method === 'DELETE') - Number(b.operation.method === 'DELETE'),
      );
      const found: Record<string, string[]> = {};
      for (const sample of ordered) {
        const taken = isPublic(sample.operation) ? [] : await callers.locksOf(sample);
        if (taken.length > 0) found[nameOf(sample.operation)] = taken;
      }
      expect(found, 'ask for the right before the lock, by `beforeLock` or `authorizeAnywhere`').toEqual({});
      expect(callers.refused).toBeGreaterThan(5000);
    },
    2 * PATIENCE,
  );

  it.each([
    ['a row', "select from projects where id = '%' for update"],
    ['a row that is kept', "select from projects where id = '%' for key share"],
    ['an advisory lock', "select pg_advisory_xact_lock_shared(hashtextextended('%', 17))"],
    ['an update', "update projects set name = name where id = '%'"],
  ])('is found if it locks first: %s', async (_, text) => {
    const { organizationId, has } = victim;
    const { actor } = await makeIdentity(test.coffer, { organizationId, projectId: has.project });
    const planted = statement(`test.refused ${text}`, text.replace('%', has.project));
    const call = () =>
      inTransaction(test.coffer.contextFor(actor), async (tx) => {
        await tx.sql(planted, []);
        return { status: 403, body: {}, headers: {} };
      });
    expect(await new RefusedCallers(test, victim, locks).taken(call)).toEqual([planted.name]);
  });

  it('is found if it locks what belongs to others beside what belongs to itself', () => {
    const taken = ['tags.lock', 'secrets.lock_few', 'test.refused select'];
    const own = locksOfOthers('DELETE /api/v4/secrets/{secretName}', { type: 'personal' }, taken);
    expect(own).toEqual(['tags.lock', 'test.refused select']);
    expect(locksOfOthers('DELETE /api/v4/secrets/{secretName}', {}, taken)).toEqual(taken);
  });
});

describe('no input', () => {
  const HOSTILE: readonly unknown[] = [
    '',
    '\0',
    'x'.repeat(20_000),
    '\u{1f4a5}%00../../{{7*7}}\'"--',
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER + 1,
    true,
    null,
    [],
    [null],
    {},
    { $ne: null },
  ];

  // The short form gives each field a few of them in turn.
  let turn = SEARCH_SEED;
  const someHostile = () => Array.from({ length: runs(1, HOSTILE.length) }, () => HOSTILE[turn++ % HOSTILE.length]);

  it(
    'causes no internal error',
    async () => {
      // Deletions come last.
      const ordered = samples.toSorted(
        (a, b) => Number(a.operation.method === 'DELETE') - Number(b.operation.method === 'DELETE'),
      );
      const found: Record<string, unknown> = {};
      for (const sample of ordered) {
        const caller = isPublic(sample.operation) ? test.as() : callerOf(attacker, sample.operation);
        const good = sample.input((thing) => attacker.has[thing]);
        const inputs = [
          good,
          ...sample.fields.flatMap((field) => someHostile().map((value) => ({ ...good, [field]: value }))),
        ];
        for (const input of inputs) {
          const answer = await ask(caller, sample, input);
          if (answer.status >= 500) {
            found[nameOf(sample.operation)] = { input, answer: without(answer) };
            break;
          }
        }
      }
      expect(found).toEqual({});
    },
    2 * PATIENCE,
  );
});

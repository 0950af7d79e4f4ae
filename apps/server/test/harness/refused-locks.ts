import { makeIdentity, makeUser, sampleOf } from '@coffer/domain/testing';
import { ok } from './groups.ts';
import { ask, nameOf } from './matrix-answers.ts';
import type { Sample } from './matrix-sample.ts';
import type { World } from './matrix-world.ts';
import type { RecordedLocks } from './recorded-locks.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';

/** Statements of refused calls that lock or write, and for which nobody waits who may do something. */
const FOR_ANYBODY: readonly RegExp[] = [
  // Shared: only the deletion of an organization or project waits for it.
  /^places\.hold$/,
  // The log of refusals, which counts those of some time together.
  /^audit_events\.insert$/,
  // The uses of tokens and API keys, which are counted beside the calls.
  /\.add_uses$/,
];
/** The same of what belongs to the caller itself. */
const OWN: readonly RegExp[] = [
  /^POST \/api\/v1\/auth\/command-line\/(?:authorize|session) .* users\.lock_credentials$/,
  /^DELETE \/api\/v2\/users\/me\/sessions\/.* delete from "user_sessions" where .*"user_id" = '[\w-]+'$/,
  /^DELETE \/api\/v2\/users\/me\/api-keys\/.* user_api_keys\.delete$/,
  /^DELETE \/api\/v[34]\/secrets\/.*"type":"personal".* secrets\.lock_few$/,
];

type Changes = Readonly<Record<string, unknown>>;

/** Of the statements of a call, those of more than what belongs to the caller itself. */
export const locksOfOthers = (operation: string, changes: Changes, taken: readonly string[]): string[] =>
  taken.filter((name) => !OWN.some((one) => one.test(`${operation} ${JSON.stringify(changes)} ${name}`)));

interface Kind {
  readonly organizationRole: string;
  readonly projectRole?: string;
  /** Whether it may read, so that a 404 may be about what there is not. */
  readonly isReader?: boolean;
}

/** Members of an organization who may change nothing in a project of it. */
const KINDS = {
  'a member of the project without rights': { organizationRole: 'no-access', projectRole: 'no-access' },
  'a member of the project who may read': { organizationRole: 'member', projectRole: 'viewer', isReader: true },
  'a member of the organization alone': { organizationRole: 'member' },
  'a member of the organization alone without rights': { organizationRole: 'no-access' },
} as const satisfies Readonly<Record<string, Kind>>;

interface Attempt {
  readonly kind: keyof typeof KINDS;
  readonly who: 'machine' | 'person';
  /** What it sends in place of the example. */
  readonly changes: Changes;
}

/** Members of each kind, to whom most operations are refused. */
export class RefusedCallers {
  readonly #test: TestServer;
  readonly #world: World;
  readonly #locks: RecordedLocks;
  readonly #made = new Map<string, Caller>();
  #turn = 0;
  /** How many calls were refused. */
  refused = 0;

  constructor(test: TestServer, world: World, locks: RecordedLocks) {
    this.#test = test;
    this.#world = world;
    this.#locks = locks;
  }

  /** What refused calls of an operation lock or write. */
  async locksOf(sample: Sample): Promise<string[]> {
    const base = sample.input((thing) => this.#world.has[thing]);
    const found = new Map<string, string>();
    for (const attempt of this.#attempts(sample)) {
      const { kind, who, changes } = attempt;
      const { isReader = false }: Kind = KINDS[kind];
      const all = await this.taken(async () => {
        const answer = await ask(await this.#caller(attempt), sample, { ...base, ...changes });
        if (answer.status !== 401) return answer;
        // An operation has ended what it logs in with.
        this.#made.delete(`${kind} ${who}`);
        return ask(await this.#caller(attempt), sample, { ...base, ...changes });
      }, isReader);
      const taken = locksOfOthers(nameOf(sample.operation), changes, all);
      const text = `${JSON.stringify(changes)} by ${kind} (${who}): ${taken.join(', ')}`;
      if (taken.length > 0) found.set(taken.join(), text);
    }
    return [...found.values()];
  }

  /** What a call locks or writes; nothing if it is not refused. */
  async taken(call: () => Promise<Answer>, isReader = false): Promise<string[]> {
    this.#locks.taken();
    const { status } = await call();
    const taken = this.#locks.taken().filter((name) => !FOR_ANYBODY.some((one) => one.test(name)));
    if (isReader ? status !== 403 : status < 400) return [];
    this.refused++;
    return taken;
  }

  /** Each changed input is sent by each caller, alone and with another change; the short form draws who sends it. */
  #attempts(sample: Sample): Attempt[] {
    const { actors } = sample.operation.meta.rest ?? {};
    const callers = (Object.keys(KINDS) as Attempt['kind'][]).flatMap((kind) => [
      ...(!actors || actors.includes('identity') ? [{ kind, who: 'machine' } as const] : []),
      ...(!actors || actors.includes('user') ? [{ kind, who: 'person' } as const] : []),
    ]);
    const some = (share: number) => sampleOf(callers, share, this.#turn++);
    const variants = sample.variants();
    return [
      ...some(2).map((caller) => ({ ...caller, changes: {} })),
      ...variants.flatMap((changes) => some(callers.length).map((caller) => ({ ...caller, changes }))),
      ...variants.flatMap((one, index) => {
        const changes = { ...variants[(this.#turn * 7 + index) % variants.length], ...one };
        return some(3 * callers.length).map((caller) => ({ ...caller, changes }));
      }),
    ];
  }

  async #caller({ kind, who }: Attempt): Promise<Caller> {
    const key = `${kind} ${who}`;
    const made = this.#made.get(key) ?? this.#test.as(await this.#tokenOf(KINDS[kind], who));
    this.#made.set(key, made);
    this.#locks.taken();
    return made;
  }

  async #tokenOf({ organizationRole, projectRole }: Kind, who: Attempt['who']): Promise<string> {
    const { organizationId, machine, has } = this.#world;
    const { coffer } = this.#test;
    const inProject = projectRole === undefined ? {} : { projectId: has.project, projectRole };
    if (who === 'machine')
      return (await makeIdentity(coffer, { organizationId, organizationRole, ...inProject })).token;
    const person = await makeUser(coffer, { organizationId, role: organizationRole });
    const member = { usernames: [person.email], emails: [], roleSlugs: [projectRole] };
    if (projectRole !== undefined) await ok(machine('POST', `/api/v1/projects/${has.project}/memberships`, member));
    return person.token;
  }
}

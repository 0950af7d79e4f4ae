import type { Dice } from '../granting/dice.ts';
import { ok } from '../groups.ts';
import { NAMES, PLACES, projectOf, randomRights, type Place, type RightsByPlace, type Values } from './oracle.ts';
import type { AuthChange, Kind } from './systems.ts';
import { isOk, type Actor, type Credentials, type Made, type Sequence } from './world.ts';

/** What a planted fault does to the database, around the steps that it concerns. */
export interface Fault {
  /** These steps are taken more often. */
  readonly kinds: readonly StepKind[];
  /** Of the first sequence: it is found soon after this one. */
  readonly seed: number;
  /** The only kind of system that it concerns. */
  readonly system?: Kind;
  aroundRun?(sequence: Sequence, made: Made, run: () => Promise<void>): Promise<void>;
  aroundChange?(auth: Credentials, change: () => Promise<void>, given: AuthChange): Promise<void>;
  beforeStep?(sequence: Sequence): Promise<void>;
}

export interface Counts {
  steps: number;
  done: number;
  written: number;
  imported: number;
}

const KINDS = [
  ...[
    'make',
    'make',
    'make',
    'make',
    'patch',
    'patch',
    'off',
    'auth',
    'auth',
    'duplicate',
    'duplicate',
    'end',
    'endAuth',
  ],
  ...['write', 'deleteSecret', 'deleteFolder', 'makeFolder', 'import', 'failing'],
  ...['rights', 'rights', 'rights', 'rights', 'sync', 'sync', 'sync', 'sync'],
] as const;
type StepKind = (typeof KINDS)[number];

/** A random sequence of steps by random actors, and everything that these should not have been able to do. */
export async function violationsOf(
  sequence: Sequence,
  dice: Dice,
  length: number,
  { fault = { kinds: [], seed: 0 }, counts }: { fault?: Fault; counts: Counts },
): Promise<string[]> {
  const steps = new Steps(sequence, dice, fault, counts);
  for (let n = 0; n < length && steps.violations.length === 0; n++)
    await steps.take((dice.is(70) ? dice.maybeOne(fault.kinds) : undefined) ?? dice.one(KINDS));
  sequence.world.systems.failing = 'nothing';
  return steps.violations.length > 0 ? [...steps.log, ...steps.violations] : [];
}

class Steps {
  readonly violations: string[] = [];
  readonly log: string[] = [];
  readonly #sequence: Sequence;
  readonly #dice: Dice;
  readonly #fault: Fault;
  readonly #counts: Counts;

  constructor(sequence: Sequence, dice: Dice, fault: Fault, counts: Counts) {
    this.#sequence = sequence;
    this.#dice = dice;
    this.#fault = fault;
    this.#counts = counts;
  }

  async take(kind: StepKind): Promise<void> {
    this.#counts.steps++;
    const { actors } = this.#sequence.world;
    const by = this.#dice.one(kind === 'rights' || this.#dice.is(40) ? actors.slice(1) : actors);
    const place = this.#dice.one(PLACES);
    const made = this.#dice.maybeOne(this.#sequence.integrations);
    const auth = this.#dice.maybeOne(this.#sequence.credentials);
    await this.#fault.beforeStep?.(this.#sequence);
    const isDone = await this.#take(kind, by, { place, made, auth });
    if (isDone) this.#counts.done++;
    this.log.push(`${by.name} ${kind} ${place} ${made ? this.#name(made) : ''}: ${isDone}`);
  }

  async #take(
    kind: StepKind,
    by: Actor,
    { place, made, auth }: { place: (typeof PLACES)[number]; made: Made | undefined; auth: Credentials | undefined },
  ): Promise<boolean> {
    const [sequence, dice] = [this.#sequence, this.#dice];
    switch (kind) {
      case 'make':
        return auth !== undefined && this.#make(by, auth);
      case 'patch':
        return made !== undefined && this.#patch(by, made);
      case 'off':
        return made !== undefined && this.#off(by, made);
      case 'auth':
        return auth !== undefined && this.#change(by, auth);
      case 'duplicate':
        return auth !== undefined && this.#duplicate(by, auth);
      case 'end':
        return made !== undefined && this.#end(by, made);
      case 'endAuth':
        return auth !== undefined && dice.is(30) && this.#endAuth(by, auth);
      case 'write':
        return sequence.write(by, place, dice.one(NAMES));
      case 'deleteSecret':
        return sequence.deleteSecret(by, place, dice.one(NAMES));
      case 'deleteFolder':
        return dice.is(50) && sequence.deleteFolder(by, place);
      case 'makeFolder':
        return sequence.makeFolder(sequence.world.actors[0]!, place);
      case 'import':
        return sequence.import(by, dice.is(70));
      case 'rights':
        return this.#rights(by);
      case 'failing':
        sequence.world.systems.failing = dice.one(['nothing', 'nothing', 'nothing', 'writes', 'all'] as const);
        return true;
      case 'sync':
        return made !== undefined && this.#sync(made);
    }
  }

  /** Other rights, and a sync of what the actor configured with those before. */
  async #rights(by: Actor): Promise<boolean> {
    const { world, integrations } = this.#sequence;
    await world.give(by, randomRights(this.#dice));
    const made = this.#dice.maybeOne(integrations.filter((one) => one.actor === by));
    if (!made) return true;
    await this.#sequence.write(world.actors[0]!, made.place, this.#dice.one(NAMES));
    await this.#sync(made);
    return true;
  }

  async #make(by: Actor, auth: Credentials): Promise<boolean> {
    const there = PLACES.filter((one) => projectOf(one) === auth.project);
    const place = this.#dice.maybeOne(there.filter((one) => by.rights[one].reads === 'all')) ?? this.#dice.one(there);
    const path = this.#sequence.pathOf(this.#dice.one(['x', 'x', 'x', 'y']));
    const isActive = this.#dice.is(85);
    const isHeld = Object.keys(this.#sequence.held({ auth, path })).length > 0;
    const { status, body } = await by.call('POST', '/api/v1/integration', {
      ...{ integrationAuthId: auth.id, isActive },
      ...this.#sequence.world.systems.targetOf(auth.kind, path),
      ...this.#source(place),
      metadata: this.#dice.is(isHeld ? 75 : 30) ? { initialSyncBehavior: 'prefer-target' } : {},
    });
    if (!isOk({ status, body, headers: {} })) return false;
    this.#sequence.integrations.push({ id: body.integration.id, auth, place, path, actor: by, isActive });
    if (this.#dice.is(60)) await this.#sync(this.#sequence.integrations.at(-1)!);
    return true;
  }

  #source(place: (typeof PLACES)[number]) {
    return { sourceEnvironment: place.split('/')[1], secretPath: `/${this.#sequence.folder}` };
  }

  async #patch(by: Actor, made: Made): Promise<boolean> {
    const dice = this.#dice;
    const place = dice.is(40) ? dice.one(PLACES.filter((one) => projectOf(one) === made.auth.project)) : made.place;
    const path = dice.is(40) ? this.#sequence.pathOf(dice.one(['x', 'y'])) : made.path;
    const before = { ...made, held: this.#sequence.held(made) };
    const change = {
      ...(place !== made.place && { environment: place.split('/')[1] }),
      ...(path !== made.path && this.#sequence.world.systems.targetOf(made.auth.kind, path)),
      ...(dice.is(30) && { isActive: true }),
      ...(dice.is(30) && { metadata: { initialSyncBehavior: 'prefer-target' } }),
    };
    if (!isOk(await by.call('PATCH', `/api/v1/integration/${made.id}`, change))) return false;
    if (place !== made.place || path !== made.path) this.#left(by, before);
    Object.assign(made, { place, path, actor: by, isActive: made.isActive || change.isActive === true });
    return true;
  }

  async #off(by: Actor, made: Made): Promise<boolean> {
    if (!isOk(await by.call('PATCH', `/api/v1/integration/${made.id}`, { isActive: false }))) return false;
    made.isActive = false;
    return true;
  }

  async #change(by: Actor, auth: Credentials): Promise<boolean> {
    const change = this.#sequence.world.systems.change(auth.kind, this.#dice, by.name === 'admin', auth.system);
    const { fields, system } = change;
    const users = this.#sequence.integrations.filter((made) => made.auth === auth);
    const before = users.map((made) => ({ ...made, held: this.#sequence.held(made) }));
    let isDone = false;
    const send = async () => {
      isDone = isOk(await by.call('PATCH', `/api/v1/integration-auth/${auth.id}`, fields));
    };
    await (this.#fault.aroundChange ? this.#fault.aroundChange(auth, send, change) : send());
    if (!isDone) return false;
    if (system !== auth.system) for (const made of before) this.#left(by, made);
    auth.system = system;
    // Whoever gives them can reach the system without those of another project.
    if (change.isGivenAgain) auth.projects = new Set([auth.project]);
    for (const made of users) made.actor = by;
    if (users.length > 0 && this.#dice.is(60)) await this.#rights(by);
    return true;
  }

  async #duplicate(by: Actor, auth: Credentials): Promise<boolean> {
    const project = this.#dice.one(['first', 'second', 'second'] as const);
    const { id: projectId } = this.#sequence.world.projects[project];
    const answer = await by.call('POST', `/api/v1/integration-auth/${auth.id}/duplicate`, { projectId });
    if (!isOk(answer)) return false;
    const projects = new Set([...auth.projects, project]);
    const copy: Credentials = { ...auth, id: answer.body.integrationAuth.id, project, projects };
    this.#sequence.credentials.push(copy);
    if (this.#dice.is(60)) await this.#make(this.#dice.one(this.#sequence.world.actors), copy);
    return true;
  }

  async #end(by: Actor, made: Made): Promise<boolean> {
    const isRemoving = this.#dice.is(50);
    const held = this.#sequence.held(made);
    const at = `/api/v1/integration/${made.id}?shouldDeleteIntegrationSecrets=${isRemoving}`;
    const isDone = isOk(await by.call('DELETE', at));
    // Also if that failed, some may have been removed.
    this.#wrote(by, made, held);
    if (!isDone) {
      made.isActive = (await this.#sequence.world.projects[made.auth.project].status(made.id)).isActive;
      return false;
    }
    this.#left(by, { ...made, held: this.#sequence.held(made) });
    this.#sequence.integrations = this.#sequence.integrations.filter((one) => one !== made);
    return true;
  }

  async #endAuth(by: Actor, auth: Credentials): Promise<boolean> {
    const users = this.#sequence.integrations.filter((made) => made.auth === auth);
    if (!isOk(await by.call('DELETE', `/api/v1/integration-auth/${auth.id}`))) return false;
    for (const made of users) this.#left(by, { ...made, held: this.#sequence.held(made) });
    this.#sequence.integrations = this.#sequence.integrations.filter((made) => made.auth !== auth);
    this.#sequence.credentials = this.#sequence.credentials.filter((one) => one !== auth);
    return true;
  }

  async #sync(made: Made): Promise<boolean> {
    if (!made.isActive) return false;
    const { world } = this.#sequence;
    const project = world.projects[made.auth.project];
    const [held, contents] = [this.#sequence.held(made), await this.#sequence.contents(made.place)];
    let status: { isSynced: boolean; syncMessage: string | null } | undefined;
    const run = async () => {
      await ok(world.test.admin('POST', `/api/v1/integration/${made.id}/sync`));
      status = await project.run(made.id);
    };
    await (this.#fault.aroundRun ? this.#fault.aroundRun(this.#sequence, made, run) : run());
    this.#wrote(made.actor, made, held);
    await this.#imported(made, contents);
    const isHeldBack = status!.syncMessage?.includes('uses the same target') === true;
    if (isHeldBack && made.actor.name === 'admin') this.#violated(made.actor, made, 'is held back');
    return status!.isSynced;
  }

  /** The target of an integration was changed by an actor, if it was: what others publish there, what it may read. */
  #wrote({ rights, name }: Actor, made: Made, before: Readonly<Record<string, string>>): void {
    const held = this.#sequence.held(made);
    const changed = Object.keys({ ...before, ...held }).filter((key) => held[key] !== before[key]);
    if (changed.length === 0) return;
    this.#counts.written++;
    for (const other of this.#sequence.othersAt(made).filter(isKnownTo(made)))
      if (!rights[other.place].writes) this.#violated({ name }, made, `writes where ${this.#name(other)} publishes`);
    this.#requireRead(
      { rights, name },
      made,
      'publishes',
      changed.flatMap((key) => held[key] ?? []),
    );
  }

  async #imported(made: Made, before: Readonly<Record<string, string>>): Promise<void> {
    const { place, actor } = made;
    const after = await this.#sequence.contents(place);
    for (const [name, value] of Object.entries(after)) {
      if (before[name] === value || this.#sequence.values.isAt(value, place, name)) continue;
      this.#counts.imported++;
      this.#requireRead(actor, made, 'imports', [value]);
      this.#sequence.values.put(value, place, name);
    }
  }

  /** An integration no longer has its target: anybody may use that now. */
  #left(by: Actor, made: Made & { readonly held: Readonly<Record<string, string>> }): void {
    if (!by.rights[made.place].writes) this.#violated(by, made, 'frees its target without writing its source');
    const { values: known } = this.#sequence;
    const values = Object.values(made.held);
    if (this.#sequence.othersAt(made).length > 0) {
      // What others have there is read by their rules; what only this one has written, by whoever leaves it there.
      const own = Object.entries(made.held).filter(([name, value]) => mayHaveWritten(made.place, known, name, value));
      for (const [, value] of own) if (known.mayRead(by.rights, value)) known.free(value);
      return;
    }
    this.#requireRead(by, made, 'frees', values);
    for (const value of values) known.free(value);
  }

  #requireRead(by: { rights: RightsByPlace; name: string }, made: Made, how: string, values: readonly string[]): void {
    const { values: known } = this.#sequence;
    for (const value of values)
      if (known.isOf(value, made.auth.projects) && !known.mayRead(by.rights, value))
        this.#violated(by, made, `${how} unread ${value}`);
  }

  #violated({ name }: { readonly name: string }, made: Made, what: string): void {
    this.violations.push(`${name}, by ${this.#name(made)}: ${what}`);
  }

  #name = ({ id, place, path, actor }: Made): string => `${id.slice(-4)} (${place} → ${path} as ${actor.name})`;
}

/** Whether an integration of this place may have written a value: `first/dev` may import `first/prod`. */
const mayHaveWritten = (place: Place, known: Values, name: string, value: string): boolean =>
  known.isAt(value, place, name) || (place === 'first/dev' && known.isAt(value, 'first/prod', name));

/** Whether an integration has credentials of the same project as another one, given or copied. */
const isKnownTo =
  ({ auth: { projects } }: Made) =>
  (other: Made): boolean =>
    [...other.auth.projects].some((project) => projects.has(project));

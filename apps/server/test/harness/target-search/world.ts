import { ok } from '../groups.ts';
import type { Dice } from '../granting/dice.ts';
import { SyncedProject } from '../integrations.ts';
import type { Answer, Caller, TestServer } from '../test-server.ts';
import {
  environmentOf,
  EVERYTHING,
  NAMES,
  PLACES,
  projectOf,
  randomRights,
  rulesFor,
  Values,
  type Name,
  type Place,
  type RightsByPlace,
} from './oracle.ts';
import type { Kind, Systems } from './systems.ts';

type ProjectName = 'first' | 'second';
const PROJECTS: readonly ProjectName[] = ['first', 'second'];
export interface Actor {
  readonly name: string;
  readonly call: Caller;
  rights: RightsByPlace;
  /** The privileges that hold its rights; none for the administrator. */
  readonly privileges?: Readonly<Record<ProjectName, string>>;
}

export interface Credentials {
  readonly id: string;
  readonly kind: Kind;
  readonly project: ProjectName;
  /** The projects in which they were given, or from which they were copied. */
  projects: ReadonlySet<ProjectName>;
  /** What they reach. */
  system: string;
}

/** An integration as it was configured, by whom it was last. */
export interface Made {
  readonly id: string;
  readonly auth: Credentials;
  place: Place;
  path: string;
  actor: Actor;
  isActive: boolean;
}

/** In all worlds: they have the same systems. */
let sequences = 0;

/** Two projects and some actors, which sequences of steps use one after another, each with folders of its own. */
export class TargetWorld {
  readonly test: TestServer;
  readonly systems: Systems;
  readonly projects: Readonly<Record<ProjectName, SyncedProject>>;
  readonly actors: readonly Actor[];
  #value = 0;

  private constructor(
    test: TestServer,
    systems: Systems,
    projects: Readonly<Record<ProjectName, SyncedProject>>,
    actors: readonly Actor[],
  ) {
    this.test = test;
    this.systems = systems;
    this.projects = projects;
    this.actors = actors;
  }

  static async make(test: TestServer, systems: Systems): Promise<TargetWorld> {
    const projects = { first: await SyncedProject.make(test), second: await SyncedProject.make(test) };
    const actors: Actor[] = [{ name: 'admin', call: test.admin, rights: EVERYTHING }];
    for (const name of ['one', 'two']) {
      const { id, call } = await test.identity({ projectId: projects.first.id, rules: [] });
      const at = `/api/v2/workspace/${projects.second.id}/identity-memberships/${id}`;
      await ok(test.admin('POST', at, { role: 'no-access' }));
      const privilege = async (project: ProjectName) => {
        const of = { projectId: projects[project].id, identityId: id, slug: `search-${project}` };
        const given = { ...of, permissions: rulesFor(EVERYTHING, project), type: { isTemporary: false } };
        const made = await ok(test.admin('POST', '/api/v2/identity-project-additional-privilege', given));
        return made.privilege.id as string;
      };
      const privileges = { first: await privilege('first'), second: await privilege('second') };
      actors.push({ name, call, rights: EVERYTHING, privileges });
    }
    return new TargetWorld(test, systems, projects, actors);
  }

  /** Gives an actor other rights. */
  async give(actor: Actor, rights: RightsByPlace): Promise<void> {
    if (!actor.privileges) return;
    actor.rights = rights;
    for (const project of PROJECTS) {
      const at = `/api/v2/identity-project-additional-privilege/${actor.privileges[project]}`;
      await ok(this.test.admin('PATCH', at, { permissions: rulesFor(rights, project) }));
    }
  }

  /** Folders of their own with secrets, two credentials of the administrator for one system, and actors with random rights. */
  async sequence(dice: Dice, kind: Kind = dice.is(65) ? 'vault' : 'aws'): Promise<Sequence> {
    const name = `s${++sequences}`;
    for (const actor of this.actors) await this.give(actor, dice.is(40) ? EVERYTHING : randomRights(dice));
    const sequence = new Sequence(this, name);
    for (const { integration, system, fields } of this.systems.twoOf(kind)) {
      const id = await this.projects.first.authorize(integration, fields);
      sequence.credentials.push({ id, kind, project: 'first', projects: new Set(['first'] as const), system });
    }
    for (const place of PLACES) {
      await sequence.makeFolder(this.actors[0]!, place);
      for (const secret of NAMES) await sequence.write(this.actors[0]!, place, secret);
    }
    return sequence;
  }

  newValue(place: Place, name: Name): string {
    return `${place} ${name} ${++this.#value}`;
  }
}

/** One sequence: what exists in it, and the calls that make it. Calls answer whether they succeeded. */
export class Sequence {
  readonly world: TargetWorld;
  readonly folder: string;
  readonly values = new Values();
  credentials: Credentials[] = [];
  integrations: Made[] = [];

  constructor(world: TargetWorld, folder: string) {
    this.world = world;
    this.folder = folder;
  }

  #at(place: Place) {
    return { projectId: this.world.projects[projectOf(place)].id, environment: environmentOf(place) };
  }

  async makeFolder(by: Actor, place: Place): Promise<boolean> {
    const folder = { ...this.#at(place), path: '/', name: this.folder };
    return isOk(await by.call('POST', '/api/v2/folders', folder));
  }

  async deleteFolder(by: Actor, place: Place): Promise<boolean> {
    return isOk(await by.call('DELETE', `/api/v2/folders/${this.folder}`, { ...this.#at(place), path: '/' }));
  }

  async write(by: Actor, place: Place, name: Name): Promise<boolean> {
    const secretValue = this.world.newValue(place, name);
    const body = { ...this.#at(place), secretPath: `/${this.folder}`, mode: 'upsert' };
    const secrets = [{ secretKey: name, secretValue }];
    const isWritten = isOk(await by.call('PATCH', '/api/v4/secrets/batch', { ...body, secrets }));
    if (isWritten) this.values.put(secretValue, place, name);
    return isWritten;
  }

  async deleteSecret(by: Actor, place: Place, name: Name): Promise<boolean> {
    const body = { ...this.#at(place), secretPath: `/${this.folder}` };
    return isOk(await by.call('DELETE', `/api/v4/secrets/${name}`, body));
  }

  /** Imports a place into the other one of its project, or ends that. */
  async import(by: Actor, isMade: boolean): Promise<boolean> {
    const at = { ...this.#at('first/dev'), path: `/${this.folder}` };
    if (isMade) {
      const source = { environment: 'prod', path: `/${this.folder}` };
      return isOk(await by.call('POST', '/api/v2/secret-imports', { ...at, import: source }));
    }
    const query = new URLSearchParams(at).toString();
    const { body } = await this.world.test.admin('GET', `/api/v2/secret-imports?${query}`);
    const [found] = (body.secretImports ?? []) as { id: string }[];
    return found !== undefined && isOk(await by.call('DELETE', `/api/v2/secret-imports/${found.id}`, at));
  }

  async contents(place: Place): Promise<Readonly<Record<string, string>>> {
    const { projectId, environment } = this.#at(place);
    const query = `projectId=${projectId}&environment=${environment}&secretPath=/${this.folder}`;
    const { status, body } = await this.world.test.admin('GET', `/api/v4/secrets?${query}`);
    const secrets = status === 200 ? (body.secrets as { secretKey: string; secretValue: string }[]) : [];
    return Object.fromEntries(secrets.map(({ secretKey, secretValue }) => [secretKey, secretValue]));
  }

  pathOf(path: string): string {
    return `${this.folder}/${path}`;
  }

  held({ auth: { system }, path }: { auth: { system: string }; path: string }): Readonly<Record<string, string>> {
    return this.world.systems.held(system, path);
  }

  /** The other integrations at the target of one. */
  othersAt({ id, auth: { system }, path }: Made): Made[] {
    return this.integrations.filter((one) => one.id !== id && one.auth.system === system && one.path === path);
  }
}

export const isOk = ({ status, body }: Answer): boolean => {
  if (status >= 500) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return status === 200;
};

import { randomUUID } from 'node:crypto';
import type { Rule } from '@coffer/domain';
import { identityUrl, ok, projectUrl } from '../groups.ts';
import type { Answer, Caller, TestServer } from '../test-server.ts';
import type { Dice } from './dice.ts';

/**
 * Further rights, with so many rules that the limit of an actor is reached, by somebody without authority over who gets
 * them. Nothing may be taken by that. `NaiveAccess` knows no limit, so the actors themselves are asked what they see.
 */

const LARGE = 1_000;

/** Of rules with globs that stand for a thousand characters each: about as many as one request may have. */
const SHORT = 60;

const ATTACKER: Rule[] = [
  { subject: 'member', action: ['read', 'create', 'edit', 'grant-privileges'] },
  { subject: 'identity', action: ['read', 'create', 'edit', 'grant-privileges'] },
  { subject: 'groups', action: ['read', 'create'] },
  { subject: 'role', action: ['read', 'create', 'edit'] },
  { subject: 'dynamic-secrets', action: ['lease'] },
  { subject: 'secrets', action: ['describeSecret'] },
];
const IN_ORGANIZATION: Rule[] = [{ subject: 'groups', action: ['read', 'create', 'add-members', 'add-identities'] }];
/** Rights that all have conditions, besides those that the attacker lacks. */
const VICTIM: Rule[] = [
  { subject: 'secrets', action: ['describeSecret', 'readValue'], conditions: { environment: 'dev' } },
  { subject: 'secrets', action: ['describeSecret'], conditions: { environment: { $glob: 'st*' } } },
  { subject: 'member', action: ['read', 'delete'] },
  { subject: 'role', action: ['read', 'delete'] },
];

export interface Victim {
  readonly id: string;
  readonly call: Caller;
}

export interface AdditiveWorld {
  readonly projectId: string;
  readonly attacker: Caller;
  readonly victims: readonly Victim[];
}

const slug = () => `r-${randomUUID().slice(0, 8)}`;
const assigned = (slugs: readonly string[]) => ({ roles: slugs.map((role) => ({ role, isTemporary: false })) });

/** A project with an attacker and two actors: with a role of its own, and by a group. */
export async function makeAdditiveWorld(test: TestServer): Promise<AdditiveWorld> {
  const { id: projectId } = await test.project();
  for (const environment of ['dev', 'staging'])
    await ok(test.admin('POST', '/api/v4/secrets/KEY', { projectId, environment, secretPath: '/', secretValue: 'x' }));
  const { call: attacker } = await test.identity({ projectId, rules: ATTACKER, organizationRules: IN_ORGANIZATION });
  const role = { slug: 'victim', name: 'victim', permissions: VICTIM };
  await ok(test.admin('POST', `/api/v1/projects/${projectId}/roles`, role));
  const [own, grouped] = [await test.identity(), await test.identity()];
  const victims = [own, grouped];
  const members = `/api/v1/projects/${projectId}/memberships`;
  await ok(test.admin('POST', `${members}/identities/${own.id}`, { role: 'victim' }));
  const group = await ok(test.admin('POST', '/api/v1/groups', { name: slug() }));
  await ok(test.admin('POST', identityUrl(group, grouped)));
  await ok(test.admin('POST', projectUrl({ id: projectId }, group), { role: 'victim' }));
  return { projectId, attacker, victims };
}

/** What each of them sees, one thing a line. */
export async function seenBy({ projectId, victims }: AdditiveWorld): Promise<Map<string, ReadonlySet<string>>> {
  const project = `/api/v1/projects/${projectId}`;
  const places = ['dev', 'staging'].map((one) => `projectId=${projectId}&environment=${one}&secretPath=/`);
  const urls = [project, `${project}/memberships`, ...places.map((at) => `/api/v4/secrets?${at}`)];
  const seen = new Map<string, ReadonlySet<string>>();
  for (const { id, call } of victims) {
    const lines = new Set<string>();
    for (const url of urls) {
      const { status, body } = await call('GET', url);
      if (status !== 200) continue;
      lines.add(url);
      for (const one of body.secrets ?? []) lines.add(`${url} ${one.secretKey} ${one.secretValueHidden}`);
    }
    seen.set(id, lines);
  }
  return seen;
}

/** What somebody saw before, and does not see after. */
export const unseen = (before: ReadonlyMap<string, ReadonlySet<string>>, after: typeof before): string[] =>
  [...before].flatMap(([id, lines]) =>
    [...lines].filter((line) => !after.get(id)!.has(line)).map((line) => `${id} ${line}`),
  );

/** What the attacker does: each step gives somebody rules. */
export class Giving {
  readonly #world: AdditiveWorld;
  readonly #dice: Dice;
  readonly #roles: { id: string; slug: string }[] = [];

  private constructor(world: AdditiveWorld, dice: Dice) {
    [this.#world, this.#dice] = [world, dice];
  }

  /** With roles that the attacker made. */
  static async in(world: AdditiveWorld, dice: Dice): Promise<Giving> {
    const giving = new Giving(world, dice);
    for (const size of [1, 1, ...Array<number>(7).fill(LARGE)]) await giving.#makeRole(size);
    return giving;
  }

  get #few(): string[] {
    return this.#dice.few(this.#roles, 60).map((one) => one.slug);
  }

  #rules(size: number): Rule[] {
    const name = slug();
    if (this.#dice.is(50))
      return Array.from({ length: size }, (_, n) => ({
        ...{ subject: 'dynamic-secrets', action: ['lease'], conditions: { environment: `${name}-${n}` } },
      }));
    const secretName = (n: number) => ({ $glob: `${'{a,b}'.repeat(7)}${name}-${n}`.slice(0, 39) });
    return Array.from({ length: Math.min(size, SHORT) }, (_, n) => ({
      ...{ subject: 'secrets', action: ['describeSecret'], conditions: { secretName: secretName(n) } },
    }));
  }

  /** Takes a step; the last of its answers. */
  step(): Promise<Answer> {
    const group = () => this.#giveByGroup();
    return this.#dice.one([
      group,
      group,
      () => this.#growRole(),
      () => this.#givePrivilege(),
      () => this.#giveRoles(),
    ])();
  }

  get #project(): string {
    return `/api/v1/projects/${this.#world.projectId}`;
  }

  async #makeRole(size: number): Promise<void> {
    const name = slug();
    const body = { slug: name, name, permissions: this.#rules(size) };
    const { role } = await ok(this.#world.attacker('POST', `${this.#project}/roles`, body));
    this.#roles.push({ id: role.id, slug: name });
  }

  /** A group that somebody is added to before or after it gets roles. */
  async #giveByGroup(): Promise<Answer> {
    const { attacker, victims, projectId } = this.#world;
    const group = await ok(attacker('POST', '/api/v1/groups', { name: slug() }));
    const url = identityUrl(group, this.#dice.one(victims));
    const join = () => attacker('POST', url);
    const give = () => attacker('POST', projectUrl({ id: projectId }, group), assigned(this.#few));
    const [first, second] = this.#dice.is(50) ? [join, give] : [give, join];
    await ok(first());
    return second();
  }

  #growRole(): Promise<Answer> {
    const permissions = this.#rules(LARGE);
    return this.#world.attacker('PATCH', `${this.#project}/roles/${this.#dice.one(this.#roles).id}`, { permissions });
  }

  #givePrivilege(): Promise<Answer> {
    const { projectId, victims, attacker } = this.#world;
    const { id: identityId } = this.#dice.one(victims);
    const body = { projectId, identityId, permissions: this.#rules(LARGE), type: { isTemporary: false } };
    return attacker('POST', '/api/v2/identity-project-additional-privilege', body);
  }

  /** To somebody who is in the project only by a group: a 400 for the others. */
  #giveRoles(): Promise<Answer> {
    const { id } = this.#dice.one(this.#world.victims);
    return this.#world.attacker('POST', `${this.#project}/memberships/identities/${id}`, assigned(this.#few));
  }
}

/** Gives the first victim as many rules as it may have, without a check, and as if they had been given first. */
export async function plantLostOrder(test: TestServer, { projectId, victims: [victim] }: AdditiveWorld): Promise<void> {
  const rules = Array.from({ length: 10 * LARGE }, (_, n) => ({
    ...{ subject: 'dynamic-secrets', action: ['lease'], conditions: { environment: `planted-${n}` } },
  }));
  await test.coffer.pool.query(
    `with planted as (
       insert into roles (id, organization_id, project_id, slug, name, permissions, created_at, updated_at)
       select gen_random_uuid(), organization_id, id, 'planted', 'planted', $2, 'epoch', 'epoch' from projects where id = $1
       returning id, organization_id)
     insert into membership_roles (id, organization_id, membership_id, role, custom_role_id, is_temporary, created_at)
     select gen_random_uuid(), p.organization_id, m.id, 'custom', p.id, false, 'epoch'
     from planted p join memberships m on m.project_id = $1 and m.actor_id = $3`,
    [projectId, JSON.stringify(rules), victim!.id],
  );
  // Whoever is a member of the project is asked again.
  const { body } = await test.admin('GET', `/api/v1/projects/${projectId}/roles/slug/victim`);
  await ok(test.admin('PATCH', `/api/v1/projects/${projectId}/roles/${body.role.id}`, { name: 'Victim' }));
}

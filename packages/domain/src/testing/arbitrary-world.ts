import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { hasGoodTemplates, templatedGlob } from '../access/template.ts';
import type { Rule } from '../kernel/index.ts';
import { request, type Request } from './arbitrary-rules.ts';
import { templatedRule } from './arbitrary-templates.ts';

/** A validity period: permanent, or from a start to an end; milliseconds. */
type Window = { readonly start: number; readonly end: number } | null;

export interface WorldActor {
  readonly id: string;
  readonly type: 'user' | 'identity';
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
}

export interface WorldRole {
  readonly id: string;
  readonly slug: string;
  /** `null`: a role of the organization. */
  readonly projectId: string | null;
  readonly rules: readonly Rule[];
}

export interface WorldAssignment {
  readonly id: string;
  readonly createdAt: number;
  /** A built-in role by its slug, or a custom one. */
  readonly role: string | WorldRole;
  readonly window: Window;
}

export interface WorldPrivilege {
  readonly id: string;
  readonly createdAt: number;
  readonly rules: readonly Rule[];
  readonly window: Window;
}

export interface WorldMembership {
  readonly id: string;
  readonly projectId: string | null;
  readonly holder: { readonly actorId: string } | { readonly groupId: string };
  readonly status: 'invited' | 'accepted';
  readonly isActive: boolean;
  readonly roles: readonly WorldAssignment[];
  readonly privileges: readonly WorldPrivilege[];
}

/** An organization with two projects, users, machine identities and groups, and everything that grants them rights. */
export interface AccessWorld {
  readonly organizationId: string;
  readonly projectIds: readonly [string, string];
  readonly actors: readonly WorldActor[];
  /** Members of the organization, including invited ones, may be in groups. */
  readonly groups: readonly { readonly id: string; readonly members: readonly string[] }[];
  readonly memberships: readonly WorldMembership[];
}

export const HOUR = 3_600_000;
/** The initial time of worlds. Windows begin and end at whole hours from there. */
export const BEGINNING = Date.UTC(2030, 0, 1);
export const HOURS = 6;

export const projectSubjects = ['secrets', 'dynamic-secrets', 'identity', 'tags'];
const organizationSubjects = ['identity', 'tags'];
const isGood = (given: string, isPattern: boolean) =>
  isPattern ? templatedGlob(given) !== undefined : hasGoodTemplates(given);

// Rules of organizations have no conditions, and other subjects; `tags` and conditions do no harm there.
const projectRule = templatedRule(projectSubjects, isGood).map(plain);
const organizationRule = templatedRule(organizationSubjects, isGood).map(plain);
const values = ['A', 'DB_URL', 'a', '/a', '*', '{a,b}', '{{identity.id}}', 'dev', 'prod', ''];

/**
 * Several operators with templates on one field are read more strictly if values are missing (see `template.test.ts`);
 * here each field has one.
 */
function plain({ conditions, ...rule }: Rule): Rule {
  if (!conditions) return rule;
  const oneEach = Object.entries(conditions).map(([field, condition]) => {
    const isTemplated = JSON.stringify(condition).includes('{{');
    const operators = typeof condition === 'object' && condition !== null ? Object.entries(condition) : [];
    return [field, isTemplated && operators.length > 1 ? Object.fromEntries(operators.slice(0, 1)) : condition];
  });
  return { ...rule, conditions: Object.fromEntries(oneEach) as Record<string, unknown> };
}

/** Each with its own IDs, so that many can be in one database. */
export const accessWorld = (): fc.Arbitrary<AccessWorld> => fc.gen().map(drawWorld);

const chance = () => fc.integer({ min: 0, max: 99 });
const hours = () => fc.integer({ min: -2, max: HOURS });
const created = () => fc.integer({ min: 1, max: 4 });
const value = () => fc.constantFrom(...values);
const projectRules = () => fc.array(projectRule, { maxLength: 4 });
const organizationRules = () => fc.array(organizationRule, { maxLength: 3 });
const some = () => fc.integer({ min: 1, max: 3 });
const builtInOfProject = () => fc.constantFrom('admin', 'member', 'viewer', 'no-access');
const builtInOfOrganization = () => fc.constantFrom('admin', 'member', 'no-access');

function drawWorld(g: fc.GeneratorValue): AccessWorld {
  const [id, is] = [randomUUID, (percent: number) => g(chance) < percent];
  const projectIds = [id(), id()] as const;
  const list = <T>(length: number, make: (index: number) => T): T[] =>
    Array.from({ length }, (_, index) => make(index));
  const actors = list(5, (index): WorldActor => ({
    id: id(),
    type: index < 2 ? 'user' : 'identity',
    metadata: [
      ...(is(60) ? [{ key: 'team', value: g(value) }] : []),
      ...(is(30) ? [{ key: 'a/b c', value: g(value) }] : []),
    ],
  }));
  const roles = [null, null, ...projectIds, ...projectIds].map((projectId): WorldRole => {
    const roleId = id();
    return {
      id: roleId,
      slug: `role-${roleId}`,
      projectId,
      rules: projectId === null ? g(organizationRules) : g(projectRules),
    };
  });
  const drawWindow = (): Window => {
    if (is(55)) return null;
    const [one, other] = [g(hours), g(hours)];
    return { start: BEGINNING + Math.min(one, other) * HOUR, end: BEGINNING + Math.max(one, other) * HOUR };
  };
  const drawRole = (projectId: string | null): string | WorldRole => {
    const own = roles.filter((role) => role.projectId === projectId);
    if (is(75)) return own[g(chance) % own.length]!;
    return projectId === null ? g(builtInOfOrganization) : g(builtInOfProject);
  };
  const draw = (projectId: string | null, holder: WorldMembership['holder']): WorldMembership => ({
    id: id(),
    projectId,
    holder,
    status: is(93) ? 'accepted' : 'invited',
    isActive: is(93),
    roles: list(g(some), () => ({
      id: id(),
      createdAt: g(created),
      role: drawRole(projectId),
      window: drawWindow(),
    })),
    privileges:
      projectId !== null && 'actorId' in holder && is(50)
        ? list(g(some), () => ({ id: id(), createdAt: g(created), rules: g(projectRules), window: drawWindow() }))
        : [],
  });
  const belonging = actors.filter(() => is(92));
  const groups = list(3, () => ({
    id: id(),
    members: belonging.filter(() => is(45)).map((actor) => actor.id),
  }));
  const memberships = [
    ...belonging.map((actor) => draw(null, { actorId: actor.id })),
    ...projectIds.flatMap((projectId) =>
      actors.filter(() => is(60)).map((actor) => draw(projectId, { actorId: actor.id })),
    ),
    ...[null, ...projectIds].flatMap((projectId) =>
      groups.filter(() => is(50)).map((group) => draw(projectId, { groupId: group.id })),
    ),
  ];
  return { organizationId: id(), projectIds, actors, groups, memberships };
}

/** The permissions of a place. */
export const worldRequest = (projectId: string | null): fc.Arbitrary<Request> =>
  request(projectId === null ? organizationSubjects : projectSubjects);

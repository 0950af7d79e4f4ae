import { unknownLike } from './matrix-answers.ts';
import type { Sample } from './matrix-sample.ts';
import type { Thing, World } from './matrix-world.ts';

interface HiddenSubject {
  /** What its things are that operations take. */
  readonly things: readonly Thing[];
  /** The paths at which they are changed. */
  readonly changes: RegExp;
}

/** What members of an organization may not be permitted to see. */
export const HIDDEN_SUBJECTS: Readonly<Record<string, HiddenSubject>> = {
  role: { things: ['organizationRole'], changes: /\/organization\/.*roles/ },
  groups: { things: ['group'], changes: /\/v1\/groups/ },
  identity: {
    things: ['identity', 'accessToken', 'client', 'clientSecret'],
    changes: /\/v1\/identities|\/auth\/.*identities/,
  },
  member: { things: ['organizationMembership', 'username'], changes: /organizations\/.*memberships|invite-org/ },
  'project-templates': { things: ['projectTemplate'], changes: /project-templates/ },
  'app-connections': { things: ['appConnection'], changes: /app-connections/ },
  'incident-contact': { things: ['incidentContact'], changes: /incidentContact/ },
  // A project is hidden from whoever is not in it, and may not enter all. The rest is about projects.
  'organization-admin-console': { things: ['project', 'projectSlug'], changes: /(?:)/ },
};

/** Whether a path is one at which things of a subject are changed: the first that fits. */
export const isAbout = (subject: string, url: string): boolean =>
  Object.entries(HIDDEN_SUBJECTS).find(([, { changes }]) => changes.test(url))?.[0] === subject;

/** The name of a connection of the organization. */
export const connectionOfAll = (mark: string): string => `${mark}-of-all`;

/** Fields that take names, which no thing of a world is. */
const NAMED: readonly (readonly [subject: string, field: RegExp, name: (mark: string) => unknown])[] = [
  ['groups', /#groupId$|\/v1\/groups\/\{id\}.*#id$/, (mark) => `${mark} group`],
  ['groups', /#groupId$|\/v1\/groups\/\{id\}.*#id$/, (mark) => `${mark}-group`],
  ['project-templates', /\/(?:projects|workspace)#template$/, (mark) => `${mark}-template`],
  ['member', /#(?:emails|inviteeEmails)$/, (mark) => [`${mark}@example.com`]],
  ['app-connections', /#connectionName$/, connectionOfAll],
];

/** A field of an operation that can name something hidden, or nothing. */
export interface Naming {
  readonly sample: Sample;
  readonly field: string;
  readonly hidden: unknown;
  readonly absent: unknown;
}

/** All of a subject. `hidden` and `absent` begin names in a world, and names of nothing. */
export function namingsOf(
  samples: readonly Sample[],
  subject: string,
  { world, hidden, absent }: { world: World; hidden: string; absent: string },
): Naming[] {
  const { things } = HIDDEN_SUBJECTS[subject]!;
  return samples.flatMap((sample) =>
    sample.fields.flatMap((field): Naming[] => {
      const thing = sample.things.get(field);
      const isHidden = thing !== undefined && things.includes(thing);
      const names = NAMED.filter(([of, pattern]) => of === subject && pattern.test(`${sample.operation.url}#${field}`));
      return [
        ...(isHidden ? [{ sample, field, hidden: world.has[thing], absent: unknownLike(world, hidden, thing) }] : []),
        ...names.map(([, , name]) => ({ sample, field, hidden: name(hidden), absent: name(absent) })),
      ];
    }),
  );
}

/** The input of an operation that gives roles, with these of the project and of the organization. */
export const roleFields = (
  sample: Sample,
  { project, projectRoleSlug, organizationRoleSlug }: World['has'],
): Record<string, unknown> =>
  Object.fromEntries(
    sample.fields.flatMap((field): [string, unknown][] => {
      if (field === 'role')
        return [[field, sample.fields.includes('projectId') ? projectRoleSlug : organizationRoleSlug]];
      if (field === 'roles') return [[field, [{ role: projectRoleSlug, isTemporary: false }]]];
      if (field === 'roleSlugs') return [[field, [projectRoleSlug]]];
      if (/^(?:organization|defaultMembership)RoleSlug$/.test(field)) return [[field, organizationRoleSlug]];
      if (field === 'projects') return [[field, [{ id: project, projectRoleSlug: [projectRoleSlug] }]]];
      return [];
    }),
  );

import type { Rule } from '@coffer/domain';
import type { NaiveRequest } from '@coffer/domain/testing';
import type { Dice } from './dice.ts';
import type { Asked } from './holdings.ts';

const CRUD = ['read', 'create', 'edit', 'delete'];
const ENVIRONMENTS = ['dev', 'prod'];
const PATHS = ['/', '/app'];
export const NAMES = ['KEY', 'DB_URL'];
/** The existing secret, at the root of dev and prod of the first project. */
export const SECRET = 'DB_URL';
/** Names of keys; the first two exist in the first project. */
export const KEY_NAMES = ['key-plain', 'key-open', 'other'];

const IN_PROJECT: Readonly<Record<string, readonly string[]>> = {
  secrets: ['describeSecret', 'readValue', 'create', 'edit'],
  'secret-folders': ['read', 'create'],
  role: CRUD,
  member: [...CRUD, 'grant-privileges', 'assign-role', 'assign-additional-privileges'],
  identity: [
    ...CRUD,
    'grant-privileges',
    'create-token',
    'get-token',
    'revoke-auth',
    'assign-role',
    'assign-additional-privileges',
  ],
  groups: [...CRUD, 'grant-privileges', 'assign-role'],
  'service-tokens': CRUD,
  tags: ['read', 'create'],
  'secret-approval': CRUD,
  settings: ['read', 'edit'],
  workspace: ['edit'],
  cmek: [...CRUD, 'encrypt', 'decrypt', 'export-private-key', 'import'],
};
const IN_ORGANIZATION: Readonly<Record<string, readonly string[]>> = {
  role: CRUD,
  member: CRUD,
  identity: [...CRUD, 'grant-privileges', 'create-token', 'get-token', 'revoke-auth'],
  groups: [...CRUD, 'grant-privileges', 'add-members', 'remove-members', 'add-identities', 'remove-identities'],
  settings: ['read', 'edit'],
  'project-templates': CRUD,
  project: ['create'],
  workspace: ['create'],
  'organization-admin-console': ['access-all-projects'],
};

/** Every right that the search grants and checks, including `identityIds`. */
export const askedWith = (identityIds: readonly string[]): Asked => ({
  inProject: Object.entries(IN_PROJECT).flatMap(([subject, actions]) =>
    actions.flatMap((action): NaiveRequest[] => {
      if (subject === 'identity')
        return [...identityIds, 'another'].map((identityId) => [subject, action, { identityId }]);
      if (subject === 'cmek') return KEY_NAMES.map((keyName) => [subject, action, { keyName }]);
      if (subject !== 'secrets' && subject !== 'secret-folders') return [[subject, action, {}]];
      return ENVIRONMENTS.flatMap((environment) =>
        PATHS.flatMap((secretPath): NaiveRequest[] =>
          subject === 'secrets'
            ? NAMES.map((secretName) => [
                subject,
                action,
                { environment, secretPath, secretName, secretTags: secretName === 'KEY' ? ['red'] : [] },
              ])
            : [[subject, action, { environment, secretPath }]],
        ),
      );
    }),
  ),
  inOrganization: Object.entries(IN_ORGANIZATION).flatMap(([subject, actions]) =>
    actions.map((action): NaiveRequest => [subject, action, {}]),
  ),
});

function conditions(dice: Dice, subject: string, identityIds: readonly string[]): Rule['conditions'] {
  if (subject === 'identity')
    return dice.is(40) && identityIds.length > 0 ? { identityId: { $in: dice.few(identityIds) } } : undefined;
  if (subject === 'cmek')
    return dice.is(50) ? { keyName: dice.one<unknown>([...KEY_NAMES, { $glob: 'key-*' }]) } : undefined;
  if (subject !== 'secrets' && subject !== 'secret-folders') return undefined;
  const place = {
    ...(dice.is(60) && { environment: dice.one<unknown>([...ENVIRONMENTS, { $ne: 'prod' }, { $glob: '*' }]) }),
    ...(dice.is(40) && { secretPath: dice.one<unknown>([...PATHS, { $glob: '/**' }, { $glob: '/a*' }]) }),
    ...(subject === 'secrets' &&
      dice.is(40) && {
        secretName: dice.is(50) ? '{{identity.metadata.team}}' : dice.one<unknown>([...NAMES, { $glob: 'DB_*' }]),
      }),
    ...(subject === 'secrets' && dice.is(15) && { secretTags: { $in: ['red'] } }),
  };
  return Object.keys(place).length > 0 ? place : undefined;
}

/** A few rules of a project, or of an organization; some forbid. */
export function randomRules(
  dice: Dice,
  scope: 'project' | 'organization',
  identityIds: readonly string[] = [],
  percent = 35,
): Rule[] {
  const subjects = Object.entries(scope === 'project' ? IN_PROJECT : IN_ORGANIZATION).filter(
    // An actor with access to every project holds everything in each of them.
    ([subject]) => subject !== 'organization-admin-console',
  );
  return dice.some(subjects, percent).map(([subject, actions]) => {
    const limits = scope === 'project' ? conditions(dice, subject, identityIds) : undefined;
    return {
      subject,
      action: dice.is(75) ? [...actions] : dice.few(actions),
      ...(limits && { conditions: limits }),
      ...(dice.is(8) && { inverted: true }),
    };
  });
}

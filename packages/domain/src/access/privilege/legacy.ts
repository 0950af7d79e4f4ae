import { z } from 'zod';
import { badRequest, type Rule } from '../../kernel/index.ts';
import { subjectsOf } from '../catalogue.ts';
import { RuleGlob, RuleText } from '../rule.ts';
import type { HeldPrivilege } from './privilege.ts';

/**
 * Legacy rules: one action, and only the conditions environment and path. Parsed strictly, like current ones: unknown
 * keys are rejected.
 */
const ACTIONS = ['read', 'create', 'edit', 'delete'] as const;
type Action = (typeof ACTIONS)[number];

const place = {
  secretPath: z.strictObject({ $glob: RuleGlob }).optional(),
};
const Conditions = z.strictObject({ environment: RuleText.optional(), ...place });

const CREDENTIAL_ACTIONS: Readonly<Record<Action, readonly string[]>> = {
  read: ['read-root-credential'],
  create: ['create-root-credential'],
  edit: ['edit-root-credential', 'lease'],
  delete: ['delete-root-credential'],
};

/**
 * The stored form of a rule. A rule on secrets also applies to imports, folders (which legacy clients read without a
 * permission) and dynamic secrets.
 */
function widened(subject: string, action: Action, conditions: Rule['conditions']): Rule[] {
  const rule = (about: string, ...actions: readonly string[]): Rule => ({
    subject: about,
    action: [...actions],
    ...(conditions && Object.keys(conditions).length > 0 && { conditions }),
  });
  const onCredentials = rule('dynamic-secrets', ...CREDENTIAL_ACTIONS[action]);
  if (subject === 'dynamic-secrets') return [onCredentials];
  if (subject !== 'secrets') return [rule(subject, action)];
  const onFolders = action === 'read' ? [] : [rule('secret-folders', action)];
  return [rule('secrets', action), rule('secret-imports', action), ...onFolders, onCredentials];
}

const LegacyRule = z
  .strictObject({
    action: z.enum(ACTIONS),
    subject: z.string().describe('One of the published subjects of projects'),
    conditions: Conditions.nullish(),
  })
  .transform(({ subject, action, conditions }, ctx): Rule[] => {
    const subjects = subjectsOf('project');
    const known = Object.hasOwn(subjects, subject) ? subjects[subject] : undefined;
    const refuse = (field: string, message: string) => {
      ctx.addIssue({ code: 'custom', path: [field], message });
      return z.NEVER;
    };
    if (!known) return refuse('subject', `Use one of: ${Object.keys(subjects).join(', ')}`);
    if (subject !== 'dynamic-secrets' && !known.actions.includes(action))
      return refuse('action', `Use one of: ${ACTIONS.filter((one) => known.actions.includes(one)).join(', ')}`);
    return widened(subject, action, conditions ?? undefined);
  });

const SecretsRule = z
  .strictObject({
    actions: z.array(z.enum(ACTIONS)).min(1).max(50),
    subject: z.literal('secrets'),
    conditions: z.strictObject({ environment: RuleText, ...place }),
  })
  .transform(({ actions, subject, conditions }): Rule[] =>
    [...new Set(actions)].flatMap((action) => widened(subject, action, conditions)),
  );

/** Rules in one of the two legacy forms; if both are sent, `privilegePermission` is used. */
export const LegacyPermissions = z.object({
  permissions: z.array(LegacyRule).max(250).optional(),
  privilegePermission: SecretsRule.optional().describe('Takes precedence over permissions'),
});

/** The rules that were sent in either form, if any. */
export const sentLegacyRules = ({
  permissions,
  privilegePermission,
}: z.output<typeof LegacyPermissions>): Rule[] | undefined => privilegePermission ?? permissions?.flat();

/** @throws DomainError 400 `privilege.no_permissions` where neither form was sent. */
export function legacyRules(sent: z.output<typeof LegacyPermissions>): Rule[] {
  const rules = sentLegacyRules(sent);
  if (!rules) throw badRequest('privilege.no_permissions', 'Send permissions or privilegePermission');
  return rules;
}

/** Rules that legacy clients do not get: they did not create them. */
const HIDDEN = new Set(['dynamic-secrets', 'secret-imports', 'secret-folders']);

/** The legacy published form of a privilege. */
export const toLegacyPrivilege = (privilege: HeldPrivilege): HeldPrivilege => ({
  ...privilege,
  permissions: privilege.permissions.filter(({ subject }) => !HIDDEN.has(subject)),
});

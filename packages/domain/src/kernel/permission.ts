/**
 * What may be asked of a subject. Subjects, actions and condition fields are the published strings: users keep them in
 * roles and privileges, so they are data and are never renamed.
 */
export type PermissionScope = 'organization' | 'project';

export interface Permission {
  readonly scope: PermissionScope;
  readonly subject: string;
  readonly action: string;
  /** `project:secrets:readValue`: what a procedure declares and a call is granted. */
  readonly key: string;
}

/** The values that the conditions of rules are compared with (`environment`, `secretPath`, …). */
export type Fields = Readonly<Record<string, unknown>>;

export type PermissionSet<Action extends string> = { readonly [A in Action]: Permission };

/** `definePermissions('project', 'tags', ['read', 'create'])` → `{read, create}`, each with its subject and action. */
export function definePermissions<Action extends string>(
  scope: PermissionScope,
  subject: string,
  actions: readonly Action[],
): PermissionSet<Action> {
  const one = (action: Action): [Action, Permission] => [
    action,
    { scope, subject, action, key: `${scope}:${subject}:${action}` },
  ];
  return Object.fromEntries(actions.map(one)) as PermissionSet<Action>;
}

/** One rule as stored and published. `inverted` forbids; a later rule overrides an earlier one. */
export interface Rule {
  subject: string;
  action: string | string[];
  conditions?: Record<string, unknown> | undefined;
  inverted?: boolean | undefined;
}

/** The compiled rules of one actor in one organization or project. */
export interface Ability {
  /** May this be done to a thing with these fields? */
  can(permission: Permission, fields?: Fields): boolean;
  /** The rules that speak of this subject and action, in order: what a 403 shows its own caller. */
  rulesFor(permission: Permission): Rule[];
  /** All rules, in order. */
  readonly rules: readonly Rule[];
  /** What each of them was granted by, in the same order; empty where they were granted by nothing of its own. */
  readonly sources: readonly RuleSource[];
  /** The caller's own rules, where those of somebody else limit them: a refusal shows these and not the other's. */
  readonly own?: Ability | undefined;
}

/** A role or an additional privilege, the actor's own or a group's, by which it is under a rule. */
export interface RuleSource {
  readonly kind: 'role' | 'privilege';
  /** Of the role's assignment, or of the privilege. */
  readonly id: string;
  /** A built-in role, or the slug of the custom role or privilege. */
  readonly slug: string;
  /** The group by which the actor has it. */
  readonly groupId: string | null;
}

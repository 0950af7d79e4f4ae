/**
 * A permission on a subject. Subjects, actions and condition fields are the published strings: users store them in
 * roles and privileges, so they are data and are never renamed.
 */
export type PermissionScope = 'organization' | 'project';

export interface Permission {
  readonly scope: PermissionScope;
  readonly subject: string;
  readonly action: string;
  /** `project:secrets:readValue`: what a procedure declares and a call checks. */
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

/** A rule in its stored and published form. `inverted` forbids; a later rule overrides an earlier one. */
export interface Rule {
  subject: string;
  action: string | string[];
  conditions?: Record<string, unknown> | undefined;
  inverted?: boolean | undefined;
}

/** The compiled rules of one actor in one organization or project. */
export interface Ability {
  /** Whether the permission is granted on a resource with these fields. */
  can(permission: Permission, fields?: Fields): boolean;
  /** The rules for this subject and action, in order: a 403 shows them to their own caller. */
  rulesFor(permission: Permission): readonly Rule[];
  /** All rules, in order. */
  readonly rules: readonly Rule[];
  /** All lists of rules by which something is decided; `rules` is one of them, and may allow less than `can`. */
  readonly decidedBy: readonly (readonly Rule[])[];
  /** The rules of each grant and when it begins and ends, if any of them begins later or ends; otherwise empty. */
  readonly windows: readonly unknown[];
  /** The source of each rule, in the same order; empty if there are no individual sources. */
  readonly sources: readonly RuleSource[];
  /** The caller's own rules, if those of another actor limit them: a refusal shows only these. */
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
  /** When it was given, or its rules last changed; milliseconds. */
  readonly given?: number | undefined;
}

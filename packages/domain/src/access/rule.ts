import { z } from 'zod';
import { badRequest, type PermissionScope, type Rule } from '../kernel/schema.ts';
import { subjectsOf } from './catalogue.ts';
import { MAX_CONDITION_TEXT } from './condition.ts';
import { hasGoodTemplates, templatedGlob } from './template.ts';

/**
 * Rules as callers write them: `{subject, action, conditions?, inverted?}` (the published shape). Read strictly: a
 * subject, action, field or operator that Coffer does not know is refused, since a rule that lost a part would allow
 * more, or forbid less, than its author meant. For what conditions mean see `condition.ts`, for templates in their texts
 * `template.ts`.
 */
const plainText = z.string().min(1).max(MAX_CONDITION_TEXT, { abort: true });
export const RuleText = plainText.refine((given) => requireGoodTemplates(given));
export const RuleGlob = plainText.refine(
  (pattern) => requireGoodTemplates(pattern, { $glob: pattern }) && isAffordableGlob(pattern),
  'Not a valid glob pattern. Use *, **, ?, [set] and {a,b}; escape other special characters with a backslash',
);
const [text, glob] = [RuleText, RuleGlob];

const operators = { $eq: text, $ne: text, $in: z.array(text).min(1).max(1000), $glob: glob };
const oneText = z.union([text, atLeastOne(z.strictObject(operators).partial())]);
const path = text.refine(
  (value) => value === '/' || /^(?:\/|\{\{).*[^/]$/s.test(value),
  'A path must begin with / and must not end with /',
);
const onePath = z.union([
  path,
  atLeastOne(z.strictObject({ $eq: path, $ne: path, $in: z.array(path).min(1).max(1000), $glob: glob }).partial()),
]);
const oneOfSome = z.strictObject({ $in: operators.$in });
const onePair = z.strictObject({ $elemMatch: atLeastOne(z.strictObject({ key: oneText, value: oneText }).partial()) });

function atLeastOne<Shape extends z.ZodType<object>>(shape: Shape) {
  return shape.refine((given) => Object.keys(given).length > 0, 'Must not be empty');
}

/** The schemas of fields with restricted values; other fields accept any text. */
const CONDITIONS: Readonly<Record<string, z.ZodType>> = {
  secretPath: onePath,
  secretTags: oneOfSome,
  metadata: onePair,
};

/** @throws DomainError 400 `rule.template` if a condition has unknown templates (see `template.ts`). */
function requireGoodTemplates(given: string, condition: unknown = given): true {
  countRead(0, given.length);
  if (hasGoodTemplates(condition)) return true;
  throw badRequest(
    'rule.template',
    'Unknown template. Known templates: {{identity.id}}, {{identity.name}}, {{identity.username}}, {{identity.email}}, {{identity.metadata.<key>}}, {{identity.auth.<claim of the login>}}',
  );
}

/** The maximum size of the rules of one request: characters and values, with the alternatives of globs expanded. */
const MAX_GLOBS = 100_000;
const MAX_CONDITIONS = 300_000;
/** The cost of one value of any type, in characters. */
const COST_OF_VALUE = 10;
let [globsRead, conditionsRead] = [0, 0];

/**
 * Counts the size of the rules that are read in one turn of the event loop, which are all rules of one request. Beyond
 * the limit the rest is not read, because rules are parsed before the caller is authenticated.
 *
 * @throws DomainError 400 `rule.too_complicated` beyond the limit.
 */
function countRead(globs: number, conditions: number): void {
  if (globsRead + conditionsRead === 0) process.nextTick(() => void ([globsRead, conditionsRead] = [0, 0]));
  globsRead += globs;
  conditionsRead += conditions;
  if (globsRead > MAX_GLOBS)
    throw badRequest(
      'rule.too_complicated',
      'The glob patterns of these rules are too long in total; use fewer rules or shorter patterns',
    );
  if (conditionsRead > MAX_CONDITIONS)
    throw badRequest(
      'rule.too_complicated',
      'The conditions of these rules are too long in total; use fewer rules, or globs instead of lists',
    );
}

/** The maximum depth of values in conditions: field, $elemMatch, key, $in, text. */
const MAX_DEPTH = 5;

/** Counts the values of conditions as received, of any type. */
function countConditions(sent: unknown, depth = 0): void {
  countRead(0, COST_OF_VALUE);
  if (typeof sent !== 'object' || sent === null || depth > MAX_DEPTH) return;
  if (Array.isArray(sent)) for (const one of sent) countConditions(one, depth + 1);
  else for (const key in sent) countConditions(sent[key as keyof typeof sent], depth + 1);
}

/**
 * Whether a text is a glob.
 *
 * @throws DomainError 400 `rule.too_complicated` beyond the limit.
 */
function isAffordableGlob(pattern: string): boolean {
  const read = templatedGlob(pattern);
  countRead(1 + (read?.size ?? pattern.length), 0);
  return read !== undefined;
}

/** Maximum number of faults that are reported for one condition. */
const MAX_ISSUES = 10;

const LEGACY_READ = ['describeSecret', 'readValue'];

const ruleSchema = (scope: PermissionScope) =>
  z
    .strictObject({
      subject: z.string().describe('One of the published subjects'),
      action: z.union([z.string(), z.array(z.string()).min(1).max(50)]).describe('One action or a list of actions'),
      conditions: z
        .record(z.string(), z.unknown())
        .nullish()
        .describe('By field: a text, or {$eq, $ne, $in, $glob}. All conditions must match'),
      inverted: z.boolean().optional().describe('true: the rule forbids. The last rule that matches decides'),
    })
    .transform((rule, ctx): Rule => {
      const actions = [rule.action].flat();
      const refuse = (at: PropertyKey[], message: string) => {
        ctx.addIssue({ code: 'custom', path: at, message });
        return z.NEVER;
      };
      const subjects = subjectsOf(scope);
      const entry = Object.hasOwn(subjects, rule.subject) ? subjects[rule.subject] : undefined;
      if (!entry) return refuse(['subject'], `Use one of: ${Object.keys(subjects).join(', ')}`);
      if (!actions.every((action) => entry.actions.includes(action)))
        return refuse(['action'], `Use one of: ${entry.actions.join(', ')}`);
      if (
        rule.subject === 'secrets' &&
        actions.includes('read') &&
        actions.some((action) => LEGACY_READ.includes(action))
      ) {
        throw badRequest(
          'rule.mixed_read',
          'A rule on secrets uses either the legacy action read, or describeSecret and readValue',
        );
      }
      countConditions(rule.conditions);
      const conditions: Record<string, unknown> = {};
      for (const [field, condition] of Object.entries(rule.conditions ?? {})) {
        if (!entry.conditions?.includes(field)) {
          return refuse(
            ['conditions', field],
            entry.conditions ? `Use one of: ${entry.conditions.join(', ')}` : 'This subject takes no conditions',
          );
        }
        const read = (CONDITIONS[field] ?? oneText).safeParse(condition);
        for (const issue of read.error?.issues.slice(0, MAX_ISSUES) ?? [])
          ctx.addIssue({ code: 'custom', path: ['conditions', field, ...issue.path], message: issue.message });
        conditions[field] = read.data;
      }
      return {
        subject: rule.subject,
        action: actions,
        ...(Object.keys(conditions).length > 0 && { conditions }),
        ...(rule.inverted !== undefined && { inverted: rule.inverted }),
      };
    });

/** Rules of project roles and privileges. */
export const ProjectRules = z.array(ruleSchema('project')).max(1000);
/** Rules of organization roles. */
export const OrganizationRules = z.array(ruleSchema('organization')).max(1000);

/** A rule in an answer. */
export const PublishedRule = z.object({
  subject: z.string(),
  action: z.union([z.string(), z.array(z.string())]),
  conditions: z.unknown().optional(),
  inverted: z.boolean().optional(),
});
export type PublishedRule = z.output<typeof PublishedRule>;

/** Rules as published: `action` is always a list. */
export const publishRules = (rules: readonly Rule[]): PublishedRule[] =>
  rules.map((rule) => ({ ...rule, action: [rule.action].flat() }));

/** What publishing some rules costs, as of `WorkBudget`. */
export const publishingCost = (rules: readonly Rule[]): number => 2 * rules.length;

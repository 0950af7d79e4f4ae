import { z } from 'zod';
import { badRequest, type PermissionScope, type Rule } from '../kernel/index.ts';
import { subjectsOf } from './catalogue.ts';
import { MAX_CONDITION_TEXT } from './condition.ts';
import { hasGoodTemplates, templatedGlob } from './template.ts';

/**
 * Rules as callers write them: `{subject, action, conditions?, inverted?}` (the published shape). Read strictly: a
 * subject, action, field or operator that Coffer does not know is refused, since a rule that lost a part would allow
 * more, or forbid less, than its author meant. For what conditions mean see `condition.ts`, for templates in their texts
 * `template.ts`.
 */
const plainText = z.string().min(1).max(MAX_CONDITION_TEXT);
export const RuleText = plainText.refine(requireGoodTemplates);
export const RuleGlob = plainText.refine(
  (pattern) => requireGoodTemplates({ $glob: pattern }) && isAffordableGlob(pattern),
  'Not a glob pattern: use *, **, ?, [set] and {a,b}; a backslash before any other special character',
);
const [text, glob] = [RuleText, RuleGlob];

const operators = { $eq: text, $ne: text, $in: z.array(text).min(1).max(1000), $glob: glob };
const oneText = z.union([text, atLeastOne(z.strictObject(operators).partial())]);
const path = text.refine(
  (value) => value === '/' || /^(?:\/|\{\{).*[^/]$/s.test(value),
  'A path begins with / and has none at its end',
);
const onePath = z.union([
  path,
  atLeastOne(z.strictObject({ $eq: path, $ne: path, $in: z.array(path).min(1).max(1000), $glob: glob }).partial()),
]);
const oneOfSome = z.strictObject({ $in: operators.$in });
const onePair = z.strictObject({ $elemMatch: atLeastOne(z.strictObject({ key: oneText, value: oneText }).partial()) });

function atLeastOne<Shape extends z.ZodType<object>>(shape: Shape) {
  return shape.refine((given) => Object.keys(given).length > 0, 'This cannot be empty');
}

/** What may be said about a field; any text may be where nothing is said here. */
const CONDITIONS: Readonly<Record<string, z.ZodType>> = {
  secretPath: onePath,
  secretTags: oneOfSome,
  metadata: onePair,
};

/** @throws DomainError 400 `rule.template` where a condition has templates that stand for nothing (see `template.ts`). */
function requireGoodTemplates(condition: unknown): true {
  if (hasGoodTemplates(condition)) return true;
  throw badRequest(
    'rule.template',
    'Rules know these templates: {{identity.id}}, {{identity.name}}, {{identity.username}}, {{identity.email}}, {{identity.metadata.<key>}}, {{identity.auth.<what the login proved>}}',
  );
}

/** How long all globs of one role may be together: characters, with each alternative in braces written out. */
const MAX_GLOBS = 100_000;
let readNow = 0;

/**
 * Whether a text is a glob. Counted together is what is read without a pause, as all rules of one request are: beyond the
 * limit the rest is not even read.
 *
 * @throws DomainError 400 `rule.too_complicated` beyond that.
 */
function isAffordableGlob(pattern: string): boolean {
  if (readNow === 0) queueMicrotask(() => void (readNow = 0));
  const read = templatedGlob(pattern);
  readNow += 1 + (read?.size ?? 0);
  if (readNow > MAX_GLOBS)
    throw badRequest(
      'rule.too_complicated',
      'The glob patterns of these rules are too long together: use fewer rules or shorter patterns',
    );
  return read !== undefined;
}

const LEGACY_READ = ['describeSecret', 'readValue'];

const ruleSchema = (scope: PermissionScope) =>
  z
    .strictObject({
      subject: z.string().describe('One of the published subjects'),
      action: z.union([z.string(), z.array(z.string()).min(1).max(50)]).describe('One action or a list of them'),
      conditions: z
        .record(z.string(), z.unknown())
        .nullish()
        .describe('By field: a text, or {$eq, $ne, $in, $glob}; all must hold'),
      inverted: z.boolean().optional().describe('true forbids; the last rule that speaks of a thing decides'),
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
          'A rule on secrets has either the older action read, or describeSecret and readValue',
        );
      }
      const conditions: Record<string, unknown> = {};
      for (const [field, condition] of Object.entries(rule.conditions ?? {})) {
        if (!entry.conditions?.includes(field)) {
          return refuse(
            ['conditions', field],
            entry.conditions ? `Use one of: ${entry.conditions.join(', ')}` : 'This subject takes no conditions',
          );
        }
        const read = (CONDITIONS[field] ?? oneText).safeParse(condition);
        for (const issue of read.error?.issues ?? [])
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

/** Rules as they are answered: `action` is a list, however it was sent. */
export const publishRules = (rules: readonly Rule[]): PublishedRule[] =>
  rules.map((rule) => ({ ...rule, action: [rule.action].flat() }));

import { z } from 'zod';
import type { PermissionScope, Rule } from '../kernel/index.ts';
import { subjectsOf } from './catalogue.ts';
import { isGlob, MAX_CONDITION_TEXT } from './condition.ts';

/**
 * Rules as callers write them: `{subject, action, conditions?, inverted?}` (the published shape). A condition's fields
 * must all match; a plain text means `$eq`.
 */
const text = z.string().min(1).max(MAX_CONDITION_TEXT);

const operators = z
  .strictObject({
    $eq: text,
    $ne: text,
    $in: z.array(text).min(1).max(1000),
    $glob: text.refine(isGlob, 'Not a glob pattern'),
    $all: z.array(text).min(1).max(1000),
    $elemMatch: z.record(text, z.unknown()),
  })
  .partial()
  .refine((condition) => Object.keys(condition).length > 0, 'A condition needs an operator');

const ONLY_IN = new Set(['secretTags']);
const PATHS = new Set(['secretPath']);

function conditionsOf(fields: readonly string[]) {
  return z.record(z.string(), z.union([text, operators])).superRefine((conditions, ctx) => {
    for (const [field, condition] of Object.entries(conditions)) {
      const fault = conditionFault(fields, field, condition);
      if (fault) ctx.addIssue({ code: 'custom', path: [field], message: fault });
    }
  });
}

function conditionFault(fields: readonly string[], field: string, condition: unknown): string | undefined {
  if (!fields.includes(field)) return fields.length ? `Use one of: ${fields.join(', ')}` : 'This subject takes no conditions';
  const given = typeof condition === 'string' ? { $eq: condition } : (condition as Record<string, unknown>);
  if (ONLY_IN.has(field) && Object.keys(given).some((operator) => operator !== '$in')) return 'Use $in with a list';
  if (PATHS.has(field)) {
    const paths = [given['$eq'], given['$ne'], ...((given['$in'] as unknown[] | undefined) ?? [])];
    if (paths.some((path) => typeof path === 'string' && !path.startsWith('/'))) return 'A path starts with /';
  }
  return undefined;
}

const ruleSchema = (scope: PermissionScope) =>
  z
    .object({
      subject: z.string().describe('One of the published subjects'),
      action: z.union([z.string(), z.array(z.string()).min(1).max(50)]).describe('One action or a list of them'),
      conditions: z.record(z.string(), z.unknown()).nullish(),
      inverted: z.boolean().optional().describe('true forbids'),
    })
    .transform((rule, ctx): Rule => {
      const entry = subjectsOf(scope)[rule.subject];
      if (!entry) {
        ctx.addIssue({ code: 'custom', path: ['subject'], message: `No such subject: ${rule.subject.slice(0, 100)}` });
        return z.NEVER;
      }
      for (const action of [rule.action].flat()) {
        if (entry.actions.includes(action)) continue;
        ctx.addIssue({ code: 'custom', path: ['action'], message: `Use one of: ${entry.actions.join(', ')}` });
        return z.NEVER;
      }
      const conditions = conditionsOf(entry.conditions ?? []).optional().safeParse(rule.conditions ?? undefined);
      if (!conditions.success) {
        for (const issue of conditions.error.issues) ctx.addIssue({ code: 'custom', path: ['conditions', ...issue.path], message: issue.message });
        return z.NEVER;
      }
      return {
        subject: rule.subject,
        action: rule.action,
        ...(conditions.data && Object.keys(conditions.data).length > 0 && { conditions: conditions.data }),
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

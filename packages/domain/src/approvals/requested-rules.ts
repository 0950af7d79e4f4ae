import { z } from 'zod';
import { ProjectRules } from '../access/rule.ts';
import { excessOf, OF_CALLERS, type JsonLimits } from '../kernel/json-extent.ts';
import type { Rule } from '../kernel/schema.ts';

/**
 * Requested rules in one of three forms: an object (`{subject, action, conditions}`), the packed form of published
 * clients (`["read,create", "secrets", {"environment": "dev"}]`), or the JSON text of either. Parsed strictly, like all
 * rules; forbidding rules are rejected.
 */
export const RequestedRules = z
  .array(z.unknown())
  .max(100)
  .refine(
    (given) => isWithin(textsIn(given), OF_CALLERS),
    `The JSON texts hold more than ${OF_CALLERS.values} values, of which each may have an equal part, or thousands of distinct keys, or are nested deeper than ${OF_CALLERS.depth} times`,
  )
  .transform((given, ctx): Rule[] => {
    const { data, error } = ProjectRules.safeParse(given.map((one) => unpacked(one)));
    for (const issue of error?.issues ?? []) ctx.addIssue({ code: 'custom', path: issue.path, message: issue.message });
    const forbidding = data?.findIndex(({ inverted }) => inverted) ?? -1;
    if (forbidding !== -1)
      ctx.addIssue({
        code: 'custom',
        path: [forbidding, 'inverted'],
        message: 'Forbidding rules cannot be requested',
      });
    return data ?? z.NEVER;
  })
  .meta({
    override: { type: 'array', items: {} },
    examples: [
      [{ subject: 'secrets', action: ['readValue'], conditions: { environment: 'prod', secretPath: '/app' } }],
    ],
  })
  .describe('Rules: as objects, packed ([action, subject, conditions]), or either as JSON text');

/** The limits of a body do not count what is in its texts. */
const textsIn = (given: readonly unknown[]): string[] => given.filter((one) => typeof one === 'string');

/** Whether texts that are parsed one by one are within limits together. Each is counted alone: a part of one may be what ends another. */
const isWithin = (texts: readonly string[], { values, depth, keys }: JsonLimits): boolean =>
  texts.every(
    (text) => excessOf(text, { values: values / texts.length, depth, keys: keys / texts.length }) === undefined,
  );

/** A rule as an object; other values are left for the parser of rules to reject. */
function unpacked(given: unknown): unknown {
  const one = typeof given === 'string' ? parsed(given) : given;
  if (!Array.isArray(one)) return one;
  const [action, subject, conditions, inverted, fields, ...rest] = one as unknown[];
  if (fields || rest.some(Boolean)) return undefined;
  return {
    action: typeof action === 'string' ? action.split(',') : action,
    subject,
    ...(conditions ? { conditions } : {}),
    ...(inverted ? { inverted: true } : {}),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A rule in the packed form. */
export const packed = ({ action, subject, conditions }: Rule): unknown[] => [
  [action].flat().join(','),
  subject,
  ...(conditions ? [conditions] : []),
];

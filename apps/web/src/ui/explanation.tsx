import type { PublishedRule } from '@coffer/client';
import { Link } from '@tanstack/react-router';
import { useProjectId } from '../app/project.ts';
import { ruleText } from './rule.ts';
import { texts } from './texts.ts';

/** The reason of a refusal (403), as the API has it. */
interface Explained {
  readonly reason: 'forbidden' | 'not_allowed' | 'undisclosed';
  readonly decidedBy: {
    readonly rule: number;
    readonly source: {
      readonly kind: 'role' | 'privilege';
      readonly slug: string;
      readonly groupId: string | null;
    } | null;
  } | null;
  readonly smallestGrant: PublishedRule | null;
}

const isExplained = (given: unknown): given is Explained =>
  typeof given === 'object' && given !== null && 'reason' in given && 'smallestGrant' in given;

const REASONS = {
  not_allowed: texts.noneOfYourRules,
  undisclosed: texts.reasonIsNotGiven,
} as const;

/** Why something was refused, and the smallest grant that would allow it. */
export function Explanation({ explanation, details }: { readonly explanation: unknown; readonly details: unknown }) {
  if (!isExplained(explanation)) return null;
  const { reason, decidedBy, smallestGrant } = explanation;
  const rules = Array.isArray(details) ? (details as PublishedRule[]) : [];
  return (
    <>
      <p>{reason === 'forbidden' ? forbiddenBy(decidedBy, rules) : REASONS[reason]}</p>
      {smallestGrant && (
        <p>
          {texts.askAdministratorForRole(<strong>{ruleText(smallestGrant)}</strong>)} <AskLink grant={smallestGrant} />
        </p>
      )}
    </>
  );
}

/** For what an access policy may cover: secrets of an environment. */
function AskLink({ grant: { subject, action, conditions } }: { readonly grant: PublishedRule }) {
  const projectId = useProjectId();
  const { environment, secretPath, secretName } = (conditions ?? {}) as Record<string, string | undefined>;
  if (!projectId || subject !== 'secrets' || typeof environment !== 'string') return null;
  const search = { tab: 'access', ask: 'secrets', environment, path: secretPath, name: secretName };
  return (
    <Link
      to="/projects/$projectId/inbox"
      params={{ projectId }}
      search={{ ...search, actions: [action].flat().join(',') }}
    >
      {texts.askForItHere}
    </Link>
  );
}

function forbiddenBy(decidedBy: Explained['decidedBy'], rules: readonly PublishedRule[]): string {
  const rule = decidedBy ? rules[decidedBy.rule] : undefined;
  const source = decidedBy?.source;
  const which = source
    ? source.groupId
      ? texts.ruleByGroup(source.kind, source.slug)
      : texts.ruleOf(source.kind, source.slug)
    : texts.rule;
  return rule ? texts.ruleDoes(which, ruleText(rule)) : texts.ruleForbidsIt(which);
}

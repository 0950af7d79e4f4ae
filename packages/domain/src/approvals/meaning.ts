import { badRequest, statement, type Rule, type Transaction } from '../kernel/index.ts';
import { isSameMeaning, lockNames, meaningOf, type Meaning, type Names } from '../secrets/meaning/index.ts';
import { EvaluationCost, organizationOf, matchConditions, factsOf, filledRule, widestRule } from '../access/index.ts';
import { isExactPath, type ApprovalPolicy } from '../access/approval-policy/index.ts';
import type { RequestRow } from './row.ts';

/**
 * What the environments, folders and tags are that an access request names. Approvals are given for these: a name that
 * another one has taken since is approved by nobody.
 *
 * - A path stands for its folder. So does `/app/**` for `/app`, and no path at all for the root of the environment: what is
 *   created below belongs to it, and folders do not leave the one that they are in.
 * - Any other pattern stands for the folders that match it. One that comes to match later, new or renamed, was not asked for.
 * - A path or slug that nothing has stands for nothing, and has to go on doing so.
 */
const EVERYTHING_BELOW = '/**';

const KEEP = statement('access_approvals.keep_places', 'update access_approval_requests set places = $2 where id = $1');
const KEPT = statement('access_approvals.kept_places', 'select places from access_approval_requests where id = $1');

/** Notes what the names in a request stand for, which nobody changes until the transaction ends. */
export async function keepMeaning(tx: Transaction, row: RequestRow, policy: ApprovalPolicy): Promise<void> {
  await tx.sql(KEEP, [row.id, JSON.stringify(await meaningNow(tx, row, policy))]);
}

/**
 * Refuses a request whose names stand for something else than when it was made. They go on standing for the same until
 * the transaction ends. A request of an earlier release has nothing to compare.
 *
 * @throws DomainError 400 `access_approval.renamed`.
 */
export async function requireSameMeaning(tx: Transaction, row: RequestRow, policy: ApprovalPolicy): Promise<void> {
  const [kept] = await tx.sql<{ places: Meaning | null }>(KEPT, [row.id]);
  if (!kept?.places || isSameMeaning(kept.places, await meaningNow(tx, row, policy))) return;
  throw badRequest(
    'access_approval.renamed',
    'A folder, environment or tag that this request names was created or renamed after the request was made. Reject the request and create a new one',
  );
}

async function meaningNow(tx: Transaction, row: RequestRow, { environment }: ApprovalPolicy): Promise<Meaning> {
  const [organizationId, projectId] = [organizationOf(tx), row.project_id];
  await lockNames(tx, 'exclusive', { projectId });
  const facts = (await factsOf(tx, organizationId, [row.requested_by_user_id])).get(row.requested_by_user_id) ?? {};
  // Where a template has no value yet, the rule names whatever it may come to name.
  const rules = row.permissions.flatMap((rule) => filledRule(rule, facts) ?? widestRule(rule) ?? []);
  return meaningOf(tx, projectId, namesOf(rules, environment.slug));
}

/** The names in rules, which are all limited to one environment: that of their policy. */
function namesOf(rules: readonly Rule[], environment: string): Names {
  const cost = new EvaluationCost();
  const paths = rules.map(({ conditions }) => pathsIn(conditions?.['secretPath']));
  return {
    places: paths.flatMap((some) => (some ?? []).map((path) => ({ environment, path }))),
    patterns: rules.flatMap(({ conditions }, index) =>
      paths[index] ? [] : { environment, matches: matcherOf(conditions?.['secretPath'], cost) },
    ),
    tags: { slugs: rules.flatMap(({ conditions }) => textsIn(conditions?.['secretTags']) ?? []) },
  };
}

function matcherOf(secretPath: unknown, cost: EvaluationCost): (path: string) => boolean {
  const matches = matchConditions({ secretPath }, cost);
  return (path) => matches({ secretPath: path });
}

/** The folders that a condition names; `undefined` where it is another pattern. */
function pathsIn(condition: unknown): readonly string[] | undefined {
  if (condition === undefined) return ['/'];
  const texts = textsIn(condition);
  if (texts) return texts;
  const pattern = onlyOperand(condition, '$glob');
  if (typeof pattern !== 'string' || !pattern.endsWith(EVERYTHING_BELOW)) return undefined;
  const path = pattern.slice(0, -EVERYTHING_BELOW.length) || '/';
  return isExactPath(path) ? [path] : undefined;
}

/** The texts one of which a condition asks for; `undefined` where it asks for something else. */
function textsIn(condition: unknown): readonly string[] | undefined {
  if (typeof condition === 'string') return [condition];
  const texts = onlyOperand(condition, '$eq') ?? onlyOperand(condition, '$in');
  return texts === undefined ? undefined : ([texts].flat() as string[]);
}

/** The operand of a condition that has this operator and no other. */
function onlyOperand(condition: unknown, operator: string): unknown {
  if (typeof condition !== 'object' || condition === null) return undefined;
  const [first, ...others] = Object.entries(condition);
  return first?.[0] === operator && others.length === 0 ? first[1] : undefined;
}

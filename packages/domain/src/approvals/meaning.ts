import { badRequest, statement, type Rule, type Transaction } from '../kernel/index.ts';
import { isSameMeaning, lockNames, meaningOf, type Meaning, type Names } from '../secrets/meaning/index.ts';
import { EvaluationCost, organizationOf, matchConditions, factsOf, filledRule, widestRule } from '../access/index.ts';
import { isExactPath, type ApprovalPolicy } from '../access/approval-policy/index.ts';
import type { RequestRow } from './row.ts';

/**
 * The environments, folders and tags that the names in an access request refer to. Approvals are for these: a resource
 * that takes such a name later is not approved.
 * - A path refers to its folder. So does `/app/**` for `/app`, and a missing path for the root of the environment: what
 *   is created below belongs to it, and folders do not leave their parent.
 * - Any other pattern refers to the folders that match it. Folders that match later, new or renamed, were not
 *   requested.
 * - An unused path or slug refers to nothing, and must stay unused.
 */
const EVERYTHING_BELOW = '/**';

const KEEP = statement('access_approvals.keep_places', 'update access_approval_requests set places = $2 where id = $1');
const KEPT = statement('access_approvals.kept_places', 'select places from access_approval_requests where id = $1');

/**
 * Records what the names in a request refer to, which no renaming changes until the transaction ends. Every member may request: it waits
 * for nobody else who does.
 */
export async function keepMeaning(tx: Transaction, row: RequestRow, policy: ApprovalPolicy): Promise<void> {
  await lockNames(tx, 'shared', row);
  await tx.sql(KEEP, [row.id, JSON.stringify(await meaningNow(tx, row, policy))]);
}

/**
 * Rejects a request whose names refer to something else than when it was made. They are locked until the transaction
 * ends. A request of an earlier release has no record to compare.
 *
 * @throws DomainError 400 `access_approval.renamed`.
 */
export async function requireSameMeaning(tx: Transaction, row: RequestRow, policy: ApprovalPolicy): Promise<void> {
  const [kept] = await tx.sql<{ places: Meaning | null }>(KEPT, [row.id]);
  if (!kept?.places) return;
  await lockNames(tx, 'exclusive', row);
  if (isSameMeaning(kept.places, await meaningNow(tx, row, policy))) return;
  throw badRequest(
    'access_approval.renamed',
    'A folder, environment or tag that this request names was created or renamed after the request was made. Reject the request and create a new one',
  );
}

async function meaningNow(tx: Transaction, row: RequestRow, { environment }: ApprovalPolicy): Promise<Meaning> {
  const [organizationId, projectId] = [organizationOf(tx), row.projectId];
  const facts = (await factsOf(tx, organizationId, [row.requestedByUserId])).get(row.requestedByUserId) ?? {};
  // If a template has no value yet, the rule refers to everything that it may match.
  const rules = row.permissions.flatMap((rule) => filledRule(rule, facts) ?? widestRule(rule) ?? []);
  return meaningOf(tx, projectId, namesOf(rules, environment.slug));
}

/** The names in rules, which are all limited to the environment of their policy. */
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

/** The folders that a condition refers to; `undefined` if it is another pattern. */
function pathsIn(condition: unknown): readonly string[] | undefined {
  if (condition === undefined) return ['/'];
  const texts = textsIn(condition);
  if (texts) return texts;
  const pattern = onlyOperand(condition, '$glob');
  if (typeof pattern !== 'string' || !pattern.endsWith(EVERYTHING_BELOW)) return undefined;
  const path = pattern.slice(0, -EVERYTHING_BELOW.length) || '/';
  return isExactPath(path) ? [path] : undefined;
}

/** The texts that a condition lists; `undefined` for other operators. */
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

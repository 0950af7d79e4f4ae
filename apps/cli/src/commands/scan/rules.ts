import { readFileSync } from 'node:fs';
import { usage } from '../../exit.ts';
import { pathOf, readText } from '../../files.ts';
import { allowlist, type Allowlist } from './allowlist.ts';
import { expression, knownExpression, type Expression } from './expression.ts';
import { Keywords } from './keywords.ts';
import { parseRuleFile, type RuleFile, type RuleSource } from './rule-file.ts';

/** A rule that is ready to search. */
export interface Rule {
  readonly id: string;
  readonly description: string;
  readonly regex?: Expression | undefined;
  readonly secretGroup: number;
  readonly entropy: number;
  readonly path?: Expression | undefined;
  readonly tags: readonly string[];
  readonly allowlists: readonly Allowlist[];
}

export interface Rules {
  readonly all: readonly Rule[];
  /** Those of which a text has a keyword, or that have none. */
  of(text: string): Rule[];
  readonly allowlists: readonly Allowlist[];
}

/** As many files may extend one another. */
const DEPTH = 2;

/** Their file. */
export const defaultRuleFile = (): RuleFile =>
  parseRuleFile(readFileSync(new URL('rules.toml', import.meta.url), 'utf8'), 'rules.toml');

/** Reads a file of rules, with those that it extends. @throws CommandError that says where a file is wrong. */
export function readRules(path: string, cwd: string): Rules {
  return compileRules(extended(parseRuleFile(readText(path), path), cwd, DEPTH));
}

/** The rules that come with Coffer. Their expressions are compiled where a text has their keywords. */
export const defaultRules = (): Rules => compileRules(defaultRuleFile(), knownExpression);

function extended(file: RuleFile, cwd: string, depth: number): RuleFile {
  const { useDefault, path, disabledRules } = file.extend;
  if (!useDefault && !path) return file;
  if (!depth) throw usage(`Files of rules can extend one another ${DEPTH} times, not more often`);
  const base = useDefault ? defaultRuleFile() : parseRuleFile(readText(pathOf(path!, cwd)), path!);
  const { rules, allowlists } = extended(base, cwd, depth - 1);
  const kept = rules.filter(({ id }) => !disabledRules.includes(id));
  return { ...file, rules: merged(kept, file.rules), allowlists: [...allowlists, ...file.allowlists] };
}

/** Rules of the same ID become one: what the later one says holds, and both lists of what is allowed. */
function merged(base: readonly RuleSource[], own: readonly RuleSource[]): RuleSource[] {
  const byId = new Map(base.map((rule) => [rule.id, rule]));
  for (const rule of own) {
    const before = byId.get(rule.id);
    const said = Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined)) as typeof rule;
    byId.set(rule.id, { ...before, ...said, allowlists: [...(before?.allowlists ?? []), ...rule.allowlists] });
  }
  return [...byId.values()];
}

/** Makes rules ready to search. @throws CommandError for a wrong expression that `make` compiles, or a rule without one. */
export function compileRules({ rules, allowlists }: RuleFile, make = expression): Rules {
  const ids = new Set<string>();
  for (const { id } of rules) if (ids.size === ids.add(id).size) throw usage(`Two rules have the ID ${id}`);
  const limited = allowlists.filter(({ targetRules }) => targetRules.length);
  const compiled = rules.map((rule) =>
    compileRule(
      {
        ...rule,
        allowlists: [...rule.allowlists, ...limited.filter(({ targetRules }) => targetRules.includes(rule.id))],
      },
      make,
    ),
  );
  const keywords = new Keywords(rules.map((rule) => rule.keywords ?? []));
  return {
    all: compiled,
    of: (text) => keywords.in(text).map((index) => compiled[index]!),
    allowlists: allowlists
      .filter(({ targetRules }) => !targetRules.length)
      .map((one) => allowlist(one, 'all rules', make)),
  };
}

function compileRule(
  { id, description = id, regex, path, secretGroup = 0, entropy = 0, tags = [], allowlists }: RuleSource,
  make: typeof expression,
): Rule {
  if (!regex && !path) throw usage(`The rule ${id} has neither regex nor path`);
  return {
    id,
    description,
    regex: regex ? make(regex, `The rule ${id}`) : undefined,
    path: path ? make(path, `The path of the rule ${id}`) : undefined,
    secretGroup,
    entropy,
    tags,
    allowlists: allowlists.map((one) => allowlist(one, `the rule ${id}`, make)),
  };
}

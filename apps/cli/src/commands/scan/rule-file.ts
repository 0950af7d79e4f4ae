import { parse, TomlError, type TomlTable } from 'smol-toml';
import { usage, type CommandError } from '../../exit.ts';
import type { AllowlistSource } from './allowlist.ts';

/** A rule as files have it. What a file leaves out comes from the rule of the same ID in the file that it extends. */
export interface RuleSource {
  readonly id: string;
  readonly description?: string | undefined;
  readonly regex?: string | undefined;
  /** Of the group that is the secret. */
  readonly secretGroup?: number | undefined;
  /** Secrets with at most this are none. */
  readonly entropy?: number | undefined;
  /** Of the path. A rule without `regex` finds files. */
  readonly path?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly allowlists: readonly AllowlistSource[];
}

/** A file of rules, in the published format. */
export interface RuleFile {
  readonly extend: {
    readonly useDefault: boolean;
    readonly path?: string | undefined;
    readonly disabledRules: readonly string[];
  };
  readonly rules: readonly RuleSource[];
  readonly allowlists: readonly AllowlistSource[];
}

/** Reads a file of rules. @throws CommandError that says where it is wrong; the file itself is not shown, as it may be any. */
export function parseRuleFile(text: string, name: string): RuleFile {
  const root = new Table(tomlOf(text, name), name);
  const extend = root.table('extend');
  if (extend?.text('url')) throw extend.fault('url', 'is not read from the network; use path');
  const given = {
    useDefault: extend?.value('useDefault', 'boolean') ?? false,
    path: extend?.text('path'),
    disabledRules: extend?.texts('disabledRules') ?? [],
  };
  if (given.useDefault && given.path) throw extend!.fault('path', 'cannot be combined with useDefault');
  return { extend: given, rules: root.tables('rules').map(ruleOf), allowlists: allowlistsOf(root) };
}

function tomlOf(text: string, name: string): TomlTable {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) throw usage(`${name} is no TOML: see line ${error.line}, column ${error.column}`);
    throw error;
  }
}

function ruleOf(table: Table): RuleSource {
  const id = table.text('id');
  if (!id) throw table.fault('id', 'is missing');
  return {
    id,
    description: table.text('description'),
    regex: table.text('regex'),
    secretGroup: table.value('secretGroup', 'number'),
    entropy: table.value('entropy', 'number'),
    path: table.text('path'),
    keywords: table.texts('keywords'),
    tags: table.texts('tags'),
    allowlists: allowlistsOf(table),
  };
}

/** One in the older form, `[allowlist]`, or several, `[[allowlists]]`. */
const allowlistsOf = (table: Table): AllowlistSource[] =>
  [table.table('allowlist') ?? [], ...table.tables('allowlists')].flat().map((one) => ({
    description: one.text('description') ?? '',
    condition: one.oneOf('condition', { OR: 'OR', '||': 'OR', AND: 'AND', '&&': 'AND' }) ?? 'OR',
    commits: one.texts('commits') ?? [],
    paths: one.texts('paths') ?? [],
    regexes: one.texts('regexes') ?? [],
    regexTarget: one.oneOf('regexTarget', { SECRET: 'secret', MATCH: 'match', LINE: 'line' }) ?? 'secret',
    stopwords: one.texts('stopwords') ?? [],
    targetRules: one.texts('targetRules') ?? [],
  }));

interface Kinds {
  string: string;
  number: number;
  boolean: boolean;
}

/** A table of a file, read by the kinds that its values should have. */
class Table {
  readonly #values: TomlTable;
  readonly #where: string;

  constructor(values: TomlTable, where: string) {
    this.#values = values;
    this.#where = where;
  }

  fault(key: string, problem: string): CommandError {
    return usage(`${this.#where}: ${key} ${problem}`);
  }

  value<Kind extends keyof Kinds>(key: string, kind: Kind): Kinds[Kind] | undefined {
    const value = this.#values[key];
    if (value !== undefined && typeof value !== kind) throw this.fault(key, `has to be a ${kind}`);
    return value as Kinds[Kind] | undefined;
  }

  text(key: string): string | undefined {
    return this.value(key, 'string');
  }

  texts(key: string): readonly string[] | undefined {
    const value = this.#values[key];
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
      throw this.fault(key, 'has to be a list of strings');
    return value;
  }

  oneOf<Value>(key: string, values: Readonly<Record<string, Value>>): Value | undefined {
    const given = this.text(key);
    if (!given) return undefined;
    const value = values[given.toUpperCase()];
    if (value === undefined) throw this.fault(key, `can be ${Object.keys(values).join(', ')}`);
    return value;
  }

  table(key: string): Table | undefined {
    const value = this.#values[key];
    return value === undefined ? undefined : this.#child(key, value);
  }

  tables(key: string): Table[] {
    const value = this.#values[key] ?? [];
    if (!Array.isArray(value)) throw this.fault(key, 'has to be written in double brackets');
    return value.map((one, index) => this.#child(`${key}[${index}]`, one));
  }

  #child(key: string, value: unknown): Table {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.fault(key, 'has to be a table');
    return new Table(value as TomlTable, `${this.#where}: ${key}`);
  }
}

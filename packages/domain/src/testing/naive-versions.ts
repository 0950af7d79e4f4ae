import type { Rule } from '../kernel/index.ts';
import { naiveCan } from './naive-rules.ts';

/** What rules see of a secret. */
export interface NaiveFields {
  readonly environment: string;
  readonly secretPath: string;
  readonly secretName: string;
  readonly secretTags: readonly string[];
}

/** An environment, folder or tag: its name, and since which step. */
export class Named {
  readonly #names: { readonly since: number; readonly name: string }[];
  isGone = false;

  constructor(name: string, since = 0) {
    this.#names = [{ since, name }];
  }

  get name(): string {
    return this.#names.at(-1)!.name;
  }

  rename(name: string, since: number): void {
    this.#names.push({ since, name });
  }

  nameAt(step: number): string {
    return this.#names.findLast(({ since }) => since <= step)!.name;
  }
}

/** A folder at the root of an environment. */
export interface NaiveFolder {
  readonly environment: Named;
  readonly folder: Named;
  /** The step in which it was deleted. */
  goneAt?: number;
}

export interface NaiveVersion {
  /** In which it was written. */
  readonly step: number;
  readonly at: NaiveFolder;
  readonly key: string;
  readonly value: string;
  tags: readonly Named[];
}

/** A requested change: the version that it writes, or would have written. */
export interface NaiveChange extends NaiveVersion {
  /** What it changes, or has created, */
  secret?: NaiveSecret;
  /** and the number of the version that it replaces. */
  readonly base?: number;
}

/** Whether the values of a requested change are visible: as they were requested, and as all of it is now. */
export function mayOnChange(rules: readonly Rule[], action: string, change: NaiveChange): boolean {
  const { secret, base, step } = change;
  const asked = [fieldsThen(change), fieldsNow(change)];
  if (secret) asked.push(fieldsNow(secret.last));
  if (secret && base !== undefined) {
    const version = secret.versions[base - 1]!;
    if (!secret.may(rules, action, base)) return false;
    // Shown where it was then, with its current tags.
    asked.push({ ...fieldsShown(version, step), environment: version.at.environment.nameAt(step) });
  }
  return asked.every((fields) => naiveCan(rules, 'secrets', action, { ...fields }));
}

/** A secret with all of its versions: which of them are visible, by a naive reading of its history. */
export class NaiveSecret {
  readonly id: string;
  readonly versions: NaiveVersion[] = [];
  deletedAt: number | undefined;

  constructor(id: string) {
    this.id = id;
  }

  get last(): NaiveVersion {
    return this.versions.at(-1)!;
  }

  /** The number of the version that stood after a step. */
  standingAt(step: number): number | undefined {
    if (this.deletedAt !== undefined && step >= this.deletedAt) return undefined;
    const number = this.versions.findLastIndex((version) => version.step <= step) + 1;
    return number === 0 ? undefined : number;
  }

  may(rules: readonly Rule[], action: string, number: number, shownAt?: number): boolean {
    const version = this.versions[number - 1]!;
    const asked: NaiveFields[] = [];
    const isStanding = this.deletedAt === undefined && version === this.last;
    if (!isStanding) asked.push(fieldsThen(version), fieldsNow(version));
    // A deleted secret has its last state.
    asked.push(fieldsNow(this.last));
    if (shownAt !== undefined) asked.push(fieldsShown(version, shownAt));
    return asked.every((fields) => naiveCan(rules, 'secrets', action, { ...fields }));
  }
}

/** A deleted resource has its last name; a folder also the name that its environment had then. */
const fieldsNow = ({ at, key: secretName, tags }: NaiveVersion): NaiveFields => ({
  environment: at.goneAt === undefined ? at.environment.name : at.environment.nameAt(at.goneAt - 1),
  secretPath: `/${at.folder.name}`,
  secretName,
  secretTags: tags.map((tag) => tag.name),
});

/** As in a tree: with the current tags. */
const fieldsShown = ({ at, key: secretName, tags }: NaiveVersion, step: number): NaiveFields => ({
  environment: at.environment.name,
  secretPath: `/${at.folder.nameAt(step)}`,
  secretName,
  secretTags: tags.filter((tag) => !tag.isGone).map((tag) => tag.name),
});

const fieldsThen = ({ at, key: secretName, tags, step }: NaiveVersion): NaiveFields => ({
  environment: at.environment.nameAt(step),
  secretPath: `/${at.folder.nameAt(step)}`,
  secretName,
  secretTags: tags.map((tag) => tag.nameAt(step)),
});

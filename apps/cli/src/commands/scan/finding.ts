/** A commit, as far as reports name it. */
export interface Commit {
  readonly id: string;
  readonly author: string;
  readonly email: string;
  /** ISO 8601, UTC, to the second. */
  readonly date: string;
  readonly message: string;
}

/** Text that is searched as one: a file, added lines of a commit, standard input. */
export interface Fragment {
  readonly text: string;
  /** Of the file, as reports name it; empty for standard input. */
  readonly path: string;
  /** The link by which the file was found. */
  readonly link?: string | undefined;
  /** The number of its first line. */
  readonly firstLine: number;
  readonly commit?: Commit | undefined;
}

/** What was found, with the published names of reports. Lines and columns count from 1, and ends are included. */
export interface Finding {
  readonly RuleID: string;
  readonly Description: string;
  readonly StartLine: number;
  readonly EndLine: number;
  readonly StartColumn: number;
  readonly EndColumn: number;
  readonly Match: string;
  readonly Secret: string;
  readonly File: string;
  readonly SymlinkFile: string;
  readonly Commit: string;
  readonly Link?: string;
  /** Bits for each character. */
  readonly Entropy: number;
  readonly Author: string;
  readonly Email: string;
  readonly Date: string;
  readonly Message: string;
  readonly Tags: readonly string[];
  readonly Fingerprint: string;
}

/** Shannon entropy of a text in bits for each character: 0 for one that is repeated, 6 for random base64. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  let length = 0;
  for (const character of text) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
    length++;
  }
  return [...counts.values()].reduce((sum, count) => sum - (count / length) * Math.log2(count / length), 0);
}

const REDACTED = 'REDACTED';

/** The finding without its secret. */
export const redact = (finding: Finding): Finding => ({
  ...finding,
  Secret: REDACTED,
  Match: finding.Secret ? finding.Match.replaceAll(finding.Secret, REDACTED) : finding.Match,
});

export const isRedacted = ({ Secret }: Pick<Finding, 'Secret'>): boolean => Secret === REDACTED;

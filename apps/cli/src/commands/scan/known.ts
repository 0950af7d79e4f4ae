import { join } from 'node:path';
import { usage } from '../../exit.ts';
import { pathOf, readIfThere, readText } from '../../files.ts';
import { isRedacted, type Finding } from './finding.ts';

const IGNORE_FILES = ['.cofferignore', '.infisicalignore'];

/** The fingerprints that ignore files of a directory name. */
export const ignoredIn = (directory: string): ReadonlySet<string> =>
  new Set(
    IGNORE_FILES.flatMap((name) => (readIfThere(join(directory, name)) ?? '').split('\n'))
      .map((line) => line.trim())
      .filter((line) => line && !line.startsWith('#')),
  );

/** Whether a finding is in an earlier report. A finding that has only moved within its file is. */
export type Baseline = (finding: Finding) => boolean;

/** @throws CommandError for what is no report in JSON. */
export function readBaseline(given: string, cwd: string): Baseline {
  const path = pathOf(given, cwd);
  const left = new Map<string, number>();
  for (const finding of reportOf(path, readText(path))) {
    const key = keyOf(finding, isRedacted(finding));
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  return (finding) => {
    for (const key of [keyOf(finding, false), keyOf(finding, true)]) {
      const count = left.get(key);
      if (!count) continue;
      left.set(key, count - 1);
      return true;
    }
    return false;
  };
}

/** What makes two findings the same. Without its secret, a finding is known by its line. */
const keyOf = ({ RuleID, File, Commit, Secret, StartLine }: Finding, isSecretUnknown: boolean): string =>
  JSON.stringify([RuleID, File, Commit, ...(isSecretUnknown ? [StartLine] : ['', Secret])]);

function reportOf(path: string, text: string): readonly Finding[] {
  try {
    const report = JSON.parse(text) as readonly Finding[];
    if (Array.isArray(report) && report.every((one) => typeof one === 'object' && one !== null)) return report;
  } catch {
    // Said below.
  }
  throw usage(`${path} is no report in JSON`, 'Make one: coffer scan --report-path leaks.json');
}

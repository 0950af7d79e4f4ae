import { printable } from '../../format/printable.ts';
import { csvField } from '../../format/quote.ts';
import { VERSION } from '../../version.ts';
import type { Finding } from './finding.ts';
import type { Rule } from './rules.ts';

/** Reports of findings, by their published names. */
export const REPORTS: Readonly<Record<string, (findings: readonly Finding[], rules: readonly Rule[]) => string>> = {
  json: (findings) => `${JSON.stringify(findings, undefined, 1)}\n`,
  csv: (findings) => [COLUMNS, ...findings.map(rowOf)].map((row) => `${row.map(csvField).join(',')}\n`).join(''),
  sarif: (findings, rules) => `${JSON.stringify(sarifOf(findings, rules), undefined, 1)}\n`,
};

const COLUMNS = [
  'RuleID',
  'Commit',
  'File',
  'SymlinkFile',
  'Secret',
  'Match',
  'StartLine',
  'EndLine',
  'StartColumn',
  'EndColumn',
  'Author',
  'Message',
  'Date',
  'Email',
  'Fingerprint',
] as const satisfies (keyof Finding)[];

const rowOf = (finding: Finding): string[] => COLUMNS.map((column) => String(finding[column]));

/** https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
const sarifOf = (findings: readonly Finding[], rules: readonly Rule[]) => ({
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'coffer',
          semanticVersion: VERSION,
          rules: rules.map(({ id, description, tags }) => ({
            id,
            shortDescription: { text: description },
            ...(tags.length && { properties: { tags } }),
          })),
        },
      },
      results: findings.map(resultOf),
    },
  ],
});

function resultOf(finding: Finding) {
  const { RuleID, Description, File, Commit, Author, Email, Date: date, Message, Secret, Fingerprint } = finding;
  const region = {
    startLine: finding.StartLine,
    startColumn: finding.StartColumn,
    endLine: finding.EndLine,
    // SARIF does not include the end.
    endColumn: finding.EndColumn + 1,
    snippet: { text: Secret },
  };
  return {
    ruleId: RuleID,
    message: { text: `${Description} in ${File || 'standard input'}${Commit && `, commit ${Commit}`}` },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(finding.SymlinkFile || File) }, region } }],
    partialFingerprints: {
      fingerprint: Fingerprint,
      ...(Commit && { commitSha: Commit, author: Author, email: Email, date, commitMessage: Message }),
    },
  };
}

const uriOf = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** A finding for people, as the published command line writes it. */
export function describe(finding: Finding): string {
  const {
    Match,
    Secret,
    RuleID,
    Entropy,
    File,
    StartLine,
    Commit,
    Author,
    Email,
    Date: date,
    Fingerprint,
    Link,
  } = finding;
  const facts = {
    Finding: Match,
    Secret,
    RuleID,
    Entropy: Entropy.toFixed(6),
    File,
    Line: StartLine,
    ...(Commit && { Commit, Author, Email, Date: date }),
    Fingerprint,
    ...(Link && { Link }),
  };
  return Object.entries(facts)
    .map(([name, value]) => `${`${name}:`.padEnd(12)} ${printable(String(value))}\n`)
    .join('')
    .concat('\n');
}

// Rejects retired words in code, documents and tests: `node scripts/glossary.mjs`. The words are in docs/glossary.md,
// in its column "Retired", in backticks. They match as words, and as parts of camelCase names.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const ALWAYS = [
  ...['for ever', 'at the least', 'at the most', 'of which nobody', "somebody else's word", 'show me', 'in the clear'],
  ...['what came of', 'of no use', 'who is to', 'where absent', 'where nothing is said', 'asks for the right'],
];
/** Migrations stay as they were written; the glossary itself names the words. */
const EXEMPT = /^docs\/(glossary\.md|decisions\/)|\/migrations\/|^packages\/client\/src\/contract\/|^scripts\/glossary/;

/** The retired words of a glossary. */
export const retiredWords = (glossary) => [
  ...ALWAYS,
  ...glossary
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((line) => Array.from((line.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g), ([, word]) => word)),
];

/** The retired words in a text: `line: word`. */
export function findRetired(text, words) {
  const patterns = words.map((word) => {
    const spaced = word.replaceAll(' ', '[\\s_-]+');
    const camel = word.replace(/ (\w)/g, (_, letter) => letter.toUpperCase());
    const capital = camel[0].toUpperCase() + camel.slice(1);
    return [
      word,
      new RegExp(`(?<![A-Za-z])${spaced}(?![a-z])|(?<![A-Za-z])${camel}(?![a-z])|(?<=[a-z])${capital}(?![a-z])`),
      new RegExp(`(?<![A-Za-z])${spaced}(?![A-Za-z])`, 'i'),
    ];
  });
  return text.split('\n').flatMap((line, index) => {
    return patterns.flatMap(([word, ...forms]) =>
      forms.some((form) => form.test(line)) ? [`${index + 1}: ${word}`] : [],
    );
  });
}

if (import.meta.main) {
  const words = retiredWords(readFileSync('docs/glossary.md', 'utf8'));
  const files = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mjs', '*.md'],
    { encoding: 'utf8' },
  )
    .trim()
    .split('\n')
    .filter((file) => !EXEMPT.test(file));
  const problems = files.flatMap((file) =>
    findRetired(readFileSync(file, 'utf8'), words).map((found) => `${file}:${found}`),
  );
  if (words.length < 10 || files.length < 500)
    problems.push(
      `Only ${words.length} words and ${files.length} files were found: the check looks in the wrong place`,
    );
  for (const problem of problems) console.error(problem);
  console.log(`${words.length} retired words, ${files.length} files`);
  if (problems.length > 0) process.exitCode = 1;
}

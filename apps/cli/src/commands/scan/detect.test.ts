import { describe, expect, it } from 'vitest';
import { detect } from './detect.ts';
import { expression } from './expression.ts';
import { compileRules } from './rules.ts';
import { parseRuleFile } from './rule-file.ts';

const rulesOf = (toml: string) => compileRules(parseRuleFile(toml, 'rules.toml'));
const WORD = String.raw`
[[rules]]
id = "word"
regex = '(?i)word-([a-z0-9]+)(?:-([a-z]+))?'
keywords = ["word"]
`;
const find = (text: string, toml = WORD, more: object = {}) =>
  detect({ text, path: 'a.txt', firstLine: 1, ...more }, rulesOf(toml));
const secretsIn = (...args: Parameters<typeof find>) => find(...args).map(({ Secret }) => Secret);

describe('a rule', () => {
  it('finds each place, with lines and columns that count from 1', () => {
    expect(find('first\n  WORD-one, word-two')).toMatchObject([
      { Secret: 'one', Match: 'WORD-one', StartLine: 2, StartColumn: 3, EndLine: 2, EndColumn: 10 },
      { Secret: 'two', StartColumn: 13 },
    ]);
    expect(find('word-one', WORD, { firstLine: 40 })[0]).toMatchObject({ StartLine: 40, Fingerprint: 'a.txt:word:40' });
  });

  it('takes the group that it names as the secret, and the first one else', () => {
    expect(secretsIn('word-one-two')).toEqual(['one']);
    expect(secretsIn('word-one-two', `${WORD}secretGroup = 2`)).toEqual(['two']);
  });

  it('leaves out secrets that are not random enough', () => {
    expect(secretsIn('word-aaaa word-abcd', `${WORD}entropy = 1.5`)).toEqual(['abcd']);
  });

  it('is limited to paths, and finds files where it has no expression for text', () => {
    expect(secretsIn('word-one', `${WORD}path = '\\.md$'`)).toEqual([]);
    expect(secretsIn('', `[[rules]]\nid = "notes"\npath = '\\.txt$'`)).toEqual(['a.txt']);
  });

  it('is asked where one of its keywords is, in whichever case, and always without any', () => {
    expect(secretsIn('sword-one', `[[rules]]\nid = "w"\nregex = 'word-(\\w+)'\nkeywords = ["WORDS"]`)).toEqual([]);
    expect(secretsIn('sword-one', `[[rules]]\nid = "w"\nregex = 'word-(\\w+)'`)).toEqual(['one']);
    const overlapping = `[[rules]]\nid = "a"\nregex = 'x(she)'\nkeywords = ["she"]\n[[rules]]\nid = "b"\nregex = '(he)rs'\nkeywords = ["hers", "he"]`;
    expect(secretsIn('xshers', overlapping)).toEqual(['she', 'he']);
  });

  it.each(['coffer-scan:ignore', 'infisical-scan:ignore', 'gitleaks:allow'])('leaves out lines with %s', (mark) => {
    expect(secretsIn(`word-one # ${mark}\nword-two`)).toEqual(['two']);
  });
});

describe('what is allowed', () => {
  const allowing = (list: string) => `${WORD}[[rules.allowlists]]\n${list}`;
  const commit = { id: 'c0ffee', author: '', email: '', date: '', message: '' };

  it('is a value, by expression or by what it contains', () => {
    expect(secretsIn('word-one word-two', allowing(`regexes = ['^one$']`))).toEqual(['two']);
    expect(secretsIn('word-one word-two', allowing(`stopwords = ['ONE']`))).toEqual(['two']);
    expect(secretsIn('word-one word-two', allowing(`regexTarget = "match"\nregexes = ['^word-one$']`))).toEqual([
      'two',
    ]);
    expect(secretsIn('word-one ok\nword-two', allowing(`regexTarget = "line"\nregexes = ['ok']`))).toEqual(['two']);
  });

  it('is a path or a commit', () => {
    expect(secretsIn('word-one', allowing(`paths = ['^a']`))).toEqual([]);
    expect(secretsIn('word-one', allowing(`commits = ['c0ffee']`), { commit })).toEqual([]);
    expect(secretsIn('word-one', allowing(`commits = ['c0ffee']`))).toEqual(['one']);
  });

  it('needs all that a list names with the condition AND', () => {
    const both = allowing(`condition = "AND"\npaths = ['^a']\nstopwords = ['one']`);
    expect(secretsIn('word-one word-two', both)).toEqual(['two']);
    expect(secretsIn('word-one', both, { path: 'b.txt' })).toEqual(['one']);
  });

  it('is for all rules at the top of a file, or for those that it names', () => {
    const two = `${WORD}\n[[rules]]\nid = "other"\nregex = 'other-(\\w+)'\n`;
    expect(secretsIn('word-one other-one', `${two}[allowlist]\nstopwords = ['one']`)).toEqual([]);
    expect(
      secretsIn('word-one other-one', `${two}[[allowlists]]\ntargetRules = ["other"]\nstopwords = ['one']`),
    ).toEqual(['one']);
  });
});

describe('expressions', () => {
  it('take linear time, whatever they are', () => {
    // With a backtracking engine this would not end.
    const evil = expression('^(?:(?:a+)+)+$', 'evil');
    expect(evil.test(`${'a'.repeat(100_000)}!`)).toBe(false);
    expect([...expression('(x+x+)+y', 'evil').matches('x'.repeat(50_000))]).toEqual([]);
  });

  it('refuse what RE2 does not have', () => {
    expect(() => expression('(?=a)', 'The rule a')).toThrow(/^The rule a: error parsing regexp/);
    expect(() => expression('(a{1000}){1000}', 'The rule a')).toThrow(/invalid repeat count/);
  });
});

describe('a file of rules', () => {
  it.each([
    ['[[rules]]\nid = 1', 'rules.toml: rules[0]: id has to be a string'],
    ['[[rules]]\nregex = "a"', 'rules.toml: rules[0]: id is missing'],
    ['[[rules]]\nid = "a"', 'The rule a has neither regex nor path'],
    ['[[rules]]\nid = "a"\nregex = "a"\n[[rules]]\nid = "a"\nregex = "b"', 'Two rules have the ID a'],
    ['[[rules]]\nid = "a"\nregex = "a"\nkeywords = "a"', 'keywords has to be a list of strings'],
    ['[rules]\nid = "a"', 'rules has to be written in double brackets'],
    ['[[allowlists]]\ncondition = "XOR"', 'condition can be OR, ||, AND, &&'],
    ['[extend]\nurl = "https://example.com"', 'is not read from the network'],
    ['[extend]\nuseDefault = true\npath = "a"', 'cannot be combined with useDefault'],
    ['secret = hunter2', 'rules.toml is no TOML: see line 1, column'],
  ])('that is wrong is refused, and is not shown: %j', (text, message) => {
    expect(() => rulesOf(text)).toThrow(message);
    expect(() => rulesOf(text)).not.toThrow(/hunter2/);
  });
});

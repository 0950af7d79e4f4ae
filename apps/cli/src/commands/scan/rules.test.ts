import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { detect } from './detect.ts';
import { compileRules, defaultRuleFile, defaultRules } from './rules.ts';
import { SAMPLES } from './rules.samples.ts';

const rules = defaultRules();

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const CLASSES: Readonly<Record<string, string>> = {
  x: 'x',
  num: DIGITS,
  hex: `${DIGITS}abcdef`,
  HEX: `${DIGITS}ABCDEF`,
  hexi: `${DIGITS}abcdefABCDEF`,
  low: LETTERS,
  alpha: LETTERS + LETTERS.toUpperCase(),
  lower: LETTERS + DIGITS,
  UPPER: LETTERS.toUpperCase() + DIGITS,
  alnum: LETTERS + LETTERS.toUpperCase() + DIGITS,
  dash: `${LETTERS}${LETTERS.toUpperCase()}${DIGITS}-_`,
  b64: `${LETTERS}${LETTERS.toUpperCase()}${DIGITS}+/`,
  b32: `${LETTERS.toUpperCase()}234567`,
  bech32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
};

/** The text of a sample: the same for the same seed. */
function written(sample: string, seed: string): string {
  let count = 0;
  const random = (letters: string, length: number) =>
    Array.from({ length }, () => {
      const hash = createHash('sha256').update(`${seed} ${count++}`).digest();
      return letters[hash.readUInt32BE() % letters.length];
    }).join('');
  return sample
    .replaceAll('{-}', '')
    .replaceAll('{uuid}', '{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}')
    .replaceAll(/\{(\w+):(\d+)\}/g, (_, name: string, length: string) => random(CLASSES[name]!, Number(length)));
}

const SEEDS = ['one', 'two', 'three', 'four', 'five'];
const found = (text: string, id: string, path = pathFor(id)) => {
  const rule = rules.all.find((one) => one.id === id)!;
  const only = { ...rules, of: (given: string) => rules.of(given).filter((one) => one === rule) };
  return detect({ text, path, firstLine: 1 }, only).map(({ Secret }) => Secret);
};

/** Rules for files of some names have these. */
const PATHS: Readonly<Record<string, string>> = {
  'kubernetes-secret': 'deploy/secret.yaml',
  'netrc-password': 'home/.netrc',
  'htpasswd-hash': 'etc/htpasswd',
};
const pathFor = (id: string): string => PATHS[id] ?? 'src/settings.txt';

describe('the rules of coffer scan', () => {
  it('are at least a hundred, and each that looks at text has samples', () => {
    const ids = defaultRuleFile()
      .rules.filter(({ regex }) => regex)
      .map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(100);
    expect(Object.keys(SAMPLES).toSorted()).toEqual(ids.toSorted());
    for (const { finds, passes } of Object.values(SAMPLES))
      expect([finds.length > 0, passes.length > 0]).toEqual([true, true]);
  });

  it('are expressions, all of them', () => {
    expect(compileRules(defaultRuleFile()).all).toHaveLength(rules.all.length);
  });

  it.each(Object.entries(SAMPLES))('%s finds what it should, and nothing else', (id, { finds, passes }) => {
    for (const seed of SEEDS) {
      for (const sample of finds) {
        const marked = written(sample, seed);
        const secrets = [...marked.matchAll(/«([^»]*)»/g)].map(([, secret]) => secret);
        expect([sample, found(marked.replaceAll(/[«»]/g, ''), id)]).toEqual([sample, secrets]);
      }
      for (const sample of passes) expect([sample, found(written(sample, seed), id)]).toEqual([sample, []]);
    }
  });

  it('find nothing in their own samples, nor in the file that they are in', async () => {
    const { readFileSync } = await import('node:fs');
    for (const name of ['rules.samples.ts', 'rules.toml', 'rules.test.ts']) {
      const text = readFileSync(new URL(name, import.meta.url), 'utf8');
      expect(detect({ text, path: `src/${name}.txt`, firstLine: 1 }, rules)).toEqual([]);
    }
  });

  it('find files that are secrets by their names', () => {
    expect(detect({ text: '', path: 'certs/server.p12', firstLine: 1 }, rules)).toMatchObject([
      { RuleID: 'pkcs12-file', File: 'certs/server.p12' },
    ]);
  });

  it('say what a value is rather than that it looks like a secret', () => {
    const text = written('GITHUB_TOKEN = "ghp_{alnum:36}"', 'one');
    expect(detect({ text, path: 'a.txt', firstLine: 1 }, rules).map(({ RuleID }) => RuleID)).toEqual([
      'github-personal-access-token',
    ]);
  });
});

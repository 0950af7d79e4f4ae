import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT, failure } from '../../exit.ts';
import { pathOf, readIfThere, writeWhole } from '../../files.ts';
import type { Io } from '../../io.ts';
import type { Action, Invocation } from '../../table/command.ts';
import { detect } from './detect.ts';
import { filesIn } from './files.ts';
import { redact, type Finding, type Fragment } from './finding.ts';
import type { changesFlags, scanFlags, searchFlags } from './flags.ts';
import { askGit, changesOf, historyOf } from './git.ts';
import { ignoredIn, readBaseline } from './known.ts';
import { linkAt } from './link.ts';
import { describe, REPORTS } from './report.ts';
import { defaultRules, readRules, type Rules } from './rules.ts';

type Search = Pick<Invocation<typeof searchFlags>, 'flags' | 'io'>;
type Texts = AsyncIterable<Fragment> | Iterable<Fragment>;

export const scan: Action<typeof scanFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const source = sourceOf(flags, io);
  const remote = flags.platform === 'none' ? undefined : await askGit(source, 'remote', 'get-url', 'origin');
  return search(await textsOf(invocation, source), invocation, source, linkAt(flags.platform, remote));
};

export const scanChanges: Action<typeof changesFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const source = sourceOf(flags, io);
  return search(changesOf(source, flags.staged, bytesOf(flags), io), invocation, source);
};

/** @throws CommandError for a path at which there is nothing. */
function sourceOf(flags: Search['flags'], { cwd }: Pick<Io, 'cwd'>): string {
  const source = pathOf(flags.source, cwd);
  if (existsSync(source)) return source;
  throw failure(`${source} does not exist`);
}

/** What is searched: standard input, the history of a repository, or files. */
async function textsOf({ flags, io }: Invocation<typeof scanFlags>, source: string): Promise<Texts> {
  if (flags.pipe) return [{ text: await io.readInput(), path: '', firstLine: 1 }];
  const limits = { maxBytes: bytesOf(flags), followsLinks: flags['follow-symlinks'] };
  if (flags['no-git']) return filesIn(source, limits, io);
  const isRepository = (await askGit(directoryOf(source), 'rev-parse', '--git-dir')) !== undefined;
  if (isRepository) return historyOf(source, flags['log-opts'], limits.maxBytes, io);
  io.say('info', `${source} is no repository of git: its files are searched`);
  return filesIn(source, limits, io);
}

/** Searches texts, and reports. Returns the exit code. */
async function search(
  texts: Texts,
  { flags, io }: Search,
  source: string,
  link: (finding: Finding) => Finding = (finding) => finding,
): Promise<number> {
  const rules = rulesFor({ flags, io }, source);
  const ignored = ignoredIn(directoryOf(source));
  const isKnown = flags['baseline-path'] ? readBaseline(flags['baseline-path'], io.cwd) : () => false;
  const findings: Finding[] = [];
  for await (const text of texts)
    for (const found of detect(text, rules)) {
      if (ignored.has(found.Fingerprint) || isKnown(found)) continue;
      const finding = link(flags.redact ? redact(found) : found);
      findings.push(finding);
      if (flags.verbose && !flags.json) io.write(describe(finding));
    }
  const render = (format: string) => REPORTS[format]!(findings, rules.all);
  if (flags.json) io.write(render('json'));
  if (flags['report-path']) writeWhole(pathOf(flags['report-path'], io.cwd), render(flags['report-format']));
  if (!findings.length) io.say('info', 'no leaks found');
  else
    io.say('warn', `leaks found: ${findings.length}${flags.verbose || flags.json ? '' : '; see them with --verbose'}`);
  return findings.length ? flags['exit-code'] : EXIT.done;
}

/** Files of rules that are found beside what is searched. */
const RULE_FILES = ['.coffer-scan.toml', '.infisical-scan.toml'];

function rulesFor({ flags, io }: Search, source: string): Rules {
  if (flags.config) return readRules(pathOf(flags.config, io.cwd), io.cwd);
  const beside = RULE_FILES.map((name) => join(directoryOf(source), name));
  const path = beside.find((one) => readIfThere(one) !== undefined);
  return path ? readRules(path, io.cwd) : defaultRules();
}

const directoryOf = (source: string): string =>
  statSync(source, { throwIfNoEntry: false })?.isFile() ? dirname(source) : source;

/** 0 is no limit. */
const bytesOf = (flags: Search['flags']): number => flags['max-target-megabytes'] * 1e6 || Infinity;

import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { measureAuditVolume, showAuditVolume } from './measure/audit-volume.ts';
import { measureCommandLine, showCommandLine } from './measure/command-line.ts';
import { measureFairness, showFairness } from './measure/fairness.ts';
import { chartOf } from './measure/growth/chart.ts';
import { dimensionOf, growthNames, measureGrowth, TARGET, type DimensionGrowth } from './measure/growth/index.ts';
import { lines, seed, seedCoffer } from './measure/lines/index.ts';
import { hottest } from './measure/profile.ts';
import { measureAgainst, measureLine, type LineResult, type WorkBudget } from './measure/rounds.ts';
import { sample } from './measure/sample.ts';
import { showLine } from './measure/show.ts';
import { measureStart, showStart } from './measure/start.ts';
import { measureSyncs, showSyncs } from './measure/syncs.ts';
import { tableOf } from './measure/table.ts';
import { measureWorkers, showWorkers } from './measure/workers.ts';
import { memoryOf } from './subject/processes.ts';
import { Run } from './subject/stage.ts';

const HELP = `pnpm bench [options]
  --only NAMES     of ${lines.map(({ name }) => name).join(', ')}, start, fairness, audit-volume, syncs, command-line; with commas between them
  --quick          three rounds of 1.5 s instead of seven of 4 s
  --rounds N       how often each program has its turn
  --against DIR    the same work of another checkout, installed in DIR, in place of the floors
  --growth         the cost of a work beside more and more ${growthNames.join(', ')} (--only chooses), in place of the table
  --sizes NUMBERS  of what grows, the smallest first, such as 1000,100000,10000000
  --charts DIR     the charts of --growth, as SVG
  --workers N      N processes against one (COFFER_WORKERS): reads and logins, memory; in place of the table
  --json FILE      all figures
  --table FILE     the lines as a table for docs/performance.md
  --profile DIR    profiles the server under the load of each line, in place of the table`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    against: { type: 'string' },
    growth: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    charts: { type: 'string' },
    workers: { type: 'string' },
    json: { type: 'string' },
    table: { type: 'string' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** Milliseconds after the last line before the memory of the server is measured. */
const AFTER_LOAD = 60_000;
const pace: WorkBudget = {
  ...(values.quick ? { rounds: 3, seconds: 1.5, warmUp: 2 } : { rounds: 7, seconds: 4, warmUp: 4 }),
  ...(values.rounds && { rounds: Number(values.rounds) }),
};
const wanted = values.only?.split(',');
const chosen = lines.filter(({ name }) => !wanted || wanted.includes(name));

const run = new Run();
run.endOnSignals();
try {
  if (values.help) console.log(HELP);
  else if (values.growth) await keep({ growth: await growth() });
  else if (
    wanted?.some(
      (name) =>
        !['start', 'fairness', 'audit-volume', 'syncs', 'command-line'].includes(name) &&
        !lines.some((line) => line.name === name),
    )
  )
    throw new Error(HELP);
  else if (values.profile) await profile(values.profile);
  else if (values.against) await keep({ lines: await against(values.against) });
  else if (values.workers) await keep({ workers: await measureAndShowWorkers(Number(values.workers)) });
  else await keep(await table());
} finally {
  await run.close();
}

async function keep(figures: object): Promise<void> {
  if (values.json) await writeFile(values.json, `${JSON.stringify(figures, undefined, 2)}\n`);
}

async function table() {
  const commandLine = !wanted || wanted.includes('command-line') ? await measureCommandLineAlone() : undefined;
  if (commandLine) console.log(showCommandLine(commandLine));
  const start =
    !wanted || wanted.includes('start') ? await measureStart(run, values.quick ? 5_000 : 20_000) : undefined;
  if (start) console.log(showStart(start));
  const results: LineResult[] = [];
  let memoryAfterLoadBytes: number | undefined;
  if (chosen.length > 0) {
    const stage = await run.stage('coffer');
    const floor = await run.floor(stage);
    await seed(stage.world, floor.url);
    console.log(
      'CPU times are microseconds of one request; 32 connections; medians of rounds, ratios with their extremes\n',
    );
    for (const line of chosen) {
      const result = await measureLine(line, stage, floor, pace);
      results.push(result);
      console.log(showLine(result));
    }
    await sleep(AFTER_LOAD);
    memoryAfterLoadBytes = memoryOf(stage.server.pid);
    console.log(`memory a minute after the load: ${Math.round(memoryAfterLoadBytes / 1e6)} MB (at most 220 MB)\n`);
    if (values.table) await writeFile(values.table, tableOf(results));
  }
  const fairness = !wanted || wanted.includes('fairness') ? await measureFairnessAfter() : undefined;
  const auditVolume = !wanted || wanted.includes('audit-volume') ? await measureAuditVolumeAfter() : undefined;
  const syncs = !wanted || wanted.includes('syncs') ? await measureSyncsAfter() : undefined;
  const others = { ...(fairness && { fairness }), ...(auditVolume && { auditVolume }), ...(syncs && { syncs }) };
  return { ...start, ...(commandLine && { commandLine }), lines: results, memoryAfterLoadBytes, ...others };
}

async function measureCommandLineAlone() {
  const start = await measureCommandLine(run);
  await run.close();
  return start;
}

/** Both checkouts serve at the same time, and have their turns. */
async function against(directory: string): Promise<LineResult[]> {
  const stage = await run.stage('coffer');
  const other = await run.stage('other', { program: resolve(directory, 'apps/server/src/main.ts') });
  for (const { world } of [stage, other]) await seedCoffer(world);
  const results: LineResult[] = [];
  for (const line of chosen) {
    const result = await measureAgainst(line, stage, other, pace);
    results.push(result);
    console.log(showLine(result));
  }
  return results;
}

/** Without concurrent work of this run. */
async function measureFairnessAfter() {
  await run.close();
  const fairness = await measureFairness(run, pace.seconds * 2);
  console.log(showFairness(fairness));
  return fairness;
}

async function measureAuditVolumeAfter() {
  await run.close();
  const volume = await measureAuditVolume(run, pace.seconds);
  console.log(showAuditVolume(volume));
  return volume;
}

async function measureSyncsAfter() {
  await run.close();
  const syncs = await measureSyncs(run, pace.seconds * 2);
  console.log(showSyncs(syncs));
  return syncs;
}

async function growth(): Promise<DimensionGrowth[]> {
  const results: DimensionGrowth[] = [];
  for (const name of wanted ?? growthNames) {
    const sizes = values.sizes?.split(',').map(Number);
    const result = await measureGrowth(run, dimensionOf(name), pace, sizes);
    results.push(result);
    if (!values.charts) continue;
    await mkdir(values.charts, { recursive: true });
    await writeFile(`${values.charts}/growth-${name}.svg`, chartOf(result, TARGET));
  }
  return results;
}

async function measureAndShowWorkers(count: number) {
  const results = await measureWorkers(run, count, pace);
  console.log(showWorkers(results));
  return results;
}

/** A separate server for each line, so that its profile contains only the start and this work. */
async function profile(directory: string): Promise<void> {
  for (const line of chosen) {
    const into = `${directory}/${line.name}`;
    const stage = await run.stage(`profile-${line.name}`, {
      nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${into}`],
    });
    const floor = await run.floor(stage);
    await seed(stage.world, floor.url);
    const { cpu } = await sample(
      stage.measured,
      await line.prepare(stage.world, stage.databaseUrl),
      pace.seconds * pace.rounds,
    );
    await run.close();
    console.log(`${line.title}: ${cpu.toFixed(0)} µs of CPU (profiled)\n${(await hottest(into, 40)).join('\n')}\n`);
  }
}

/**
 * Runs the agent over many changes with several templates, tokens and leases that end, and checks that its memory stays flat and that each
 * change arrives in time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { AgentUnderLoad } from './measure/agent.ts';
import { memorySeries, showGrowth, showSample, growthOf } from './measure/memory-series.ts';
import { median } from './measure/sample.ts';
import { Run } from './subject/stage.ts';

const HELP = `pnpm agent-memory [options]
  --changes N    of secrets that templates read (3600)
  --interval MS  between changes (1000)
  --bytes N      of the value that changes (4000)
  --heap MB      limit of the agent's old space (none)
  --growth MB    that the heap may grow from the second to the last fifth (3)`;

const { values } = parseArgs({
  options: {
    changes: { type: 'string', default: '3600' },
    interval: { type: 'string', default: '1000' },
    bytes: { type: 'string', default: '4000' },
    heap: { type: 'string' },
    growth: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});
/** Samples that a line of the series is of. */
const LINES = 60;
/** Milliseconds within which a change is in the files. */
const IN_TIME = 2000;

const run = new Run();
run.endOnSignals();
try {
  if (values.help) console.log(HELP);
  else process.exitCode = (await observe(Number(values.changes), Number(values.interval))) ? 0 : 1;
} finally {
  await run.close();
}

/** Whether memory is flat, and all changes have arrived in time. */
async function observe(changes: number, interval: number): Promise<boolean> {
  const { world } = await run.stage('agent');
  const nodeFlags = values.heap ? [`--max-old-space-size=${values.heap}`] : [];
  const agent = run.adopt(await AgentUnderLoad.start(world, await run.directory('agent-home'), nodeFlags));
  const series = memorySeries(Math.max(1, Math.round(changes / LINES)));
  const delays: number[] = [];
  const started = performance.now();
  for (let change = 1; change <= changes; change++) {
    delays.push(await agent.change(change, Number(values.bytes)));
    const line = series.add({ change, seconds: (performance.now() - started) / 1000, ...(await agent.memory()) });
    if (line) console.log(showSample(line));
    await sleep(Math.max(0, started + change * interval - performance.now()));
  }
  const late = delays.filter((delay) => delay > IN_TIME).length;
  const worst = Math.max(...delays);
  console.log(
    `${changes} changes: in the file after ${median(delays).toFixed(0)} ms (median), ${worst.toFixed(0)} ms (longest), ${late} after more than ${IN_TIME} ms`,
  );
  const growth = growthOf(series.samples);
  console.log(showGrowth(growth));
  console.log(`leases: ${agent.leases.size} orders seen, tokens: ${agent.tokens.size}`);
  return growth.heap <= Number(values.growth) * 1e6 && late <= changes / 100;
}

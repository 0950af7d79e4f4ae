// The plans of statements: `pnpm plans [PART OF A NAME]`. With a part of a name, all plans of these statements; without, the
// costliest of all. The statistics that they are made with are in packages/domain/src/testing/query-plans.ts.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outlive } from './task.mjs';

const COSTLIEST = 40;
const [part] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), 'coffer-plans-'));
const file = join(directory, 'plans.json');
try {
  const env = { ...process.env, COFFER_PLANS: file };
  const test = spawn('vitest', ['run', 'apps/server/test/query-plans.test.ts'], { stdio: 'inherit', env });
  process.exitCode = await outlive(test);
  const all = Object.entries(JSON.parse(readFileSync(file, 'utf8'))).map(([name, about]) => ({ name, ...about }));
  if (part === undefined) showCostliest(all);
  else for (const one of all.filter(({ name }) => name.includes(part))) showPlans(one);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function showCostliest(all) {
  const costOf = ({ plans }) => Math.max(...Object.values(plans).map((plan) => plan['Total Cost']));
  for (const one of all.toSorted((a, b) => costOf(b) - costOf(a)).slice(0, COSTLIEST))
    console.log(`${String(Math.round(costOf(one))).padStart(14)}  ${one.name.slice(0, 120)}`);
}

function showPlans({ name, text, plans }) {
  console.log(`\n${name}\n${text}`);
  for (const [statistics, plan] of Object.entries(plans)) {
    console.log(`\n${statistics}:`);
    show(plan, 1);
  }
}

function show(node, depth) {
  const {
    'Node Type': type,
    'Relation Name': table,
    'Index Name': index,
    'Index Cond': condition,
    Filter: filter,
  } = node;
  const parts = [type, table, index && `by ${index}`, condition && `for ${condition}`, filter && `filter ${filter}`];
  const figures = `(cost ${Math.round(node['Total Cost'])}, rows ${node['Plan Rows']})`;
  console.log(`${'  '.repeat(depth)}${[...parts, figures].filter(Boolean).join(' ')}`);
  for (const next of node.Plans ?? []) show(next, depth + 1);
}

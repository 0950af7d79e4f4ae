// Compares who may do what with a plain reading of it, at length: `pnpm oracle [--cases N] [--steps N] [--plans N] [--policies N]`.
// The same tests run in `npm test`, with fewer cases.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { outlive } from './task.mjs';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '2000000' },
    steps: { type: 'string', default: '20000' },
    plans: { type: 'string', default: '1000' },
    policies: { type: 'string', default: '5000' },
    seed: { type: 'string' },
  },
});

const files = [
  'packages/domain/src/access/oracle',
  'packages/domain/src/secrets/approval/policy-search',
  'apps/server/src/access.escalation',
  'apps/server/src/access.plan',
];
const env = {
  ...process.env,
  COFFER_ORACLE_CASES: values.cases,
  COFFER_SEARCH_STEPS: values.steps,
  COFFER_PLAN_STEPS: values.plans,
  COFFER_POLICY_RUNS: values.policies,
  ...(values.seed && { COFFER_SEARCH_SEED: values.seed }),
};
process.exitCode = await outlive(spawn('vitest', ['run', ...files], { stdio: 'inherit', env }));

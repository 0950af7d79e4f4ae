import { defineCommand } from '../../table/command.ts';
import { agentFlags } from './flags.ts';

export const agentCommand = defineCommand({
  name: 'agent',
  summary: 'keep files with secrets and tokens up to date',
  description:
    'Logs in as a machine identity, keeps its token valid, writes it to files, and renders templates with secrets, anew whenever these change. The configuration may also be in COFFER_AGENT_CONFIG_BASE64. See docs/agent.md.',
  flags: agentFlags,
  examples: ['coffer agent --config agent.yaml', 'coffer agent --config agent.yaml --once'],
  load: async () => (await import('./agent.ts')).runAgent,
});

import { defineCommand } from '../../table/command.ts';
import { certificateAgentFlags } from './flags.ts';

export const certificateManagerCommand = defineCommand({
  name: 'cert-manager',
  summary: 'keep certificates up to date',
  commands: [
    defineCommand({
      name: 'agent',
      summary: 'issue and renew certificates in files',
      description:
        'Logs in as a machine identity, issues certificates by profiles, writes them to files, renews them before they end, and runs commands after that. The configuration may also be in COFFER_AGENT_CONFIG_BASE64. See docs/agent.md.',
      flags: certificateAgentFlags,
      examples: ['coffer cert-manager agent --config certificates.yaml'],
      load: async () => (await import('./agent.ts')).runCertificateAgent,
    }),
  ],
});

import { accessCommand } from '../commands/access/command.ts';
import { agentCommand } from '../commands/agent/command.ts';
import { bootstrapCommand } from '../commands/bootstrap/command.ts';
import { certificateManagerCommand } from '../commands/cert-manager/command.ts';
import { completionCommand } from '../commands/completion/command.ts';
import { doctorCommand } from '../commands/doctor/command.ts';
import { dynamicSecretsCommand } from '../commands/dynamic-secrets/command.ts';
import { exportCommand } from '../commands/export/command.ts';
import { initCommand } from '../commands/init/command.ts';
import { loginCommand } from '../commands/login/command.ts';
import { manCommand } from '../commands/man/command.ts';
import { runCommand } from '../commands/run/command.ts';
import { scanCommand } from '../commands/scan/command.ts';
import { secretsCommand } from '../commands/secrets/command.ts';
import { serverCommand } from '../commands/server/command.ts';
import { serviceTokenCommand } from '../commands/service-token/command.ts';
import { sshCommand } from '../commands/ssh/command.ts';
import { tokenCommand } from '../commands/token/command.ts';
import { typesCommand } from '../commands/types/command.ts';
import { resetCommand, userCommand } from '../commands/user/command.ts';
import { vaultCommand } from '../commands/vault/command.ts';
import { defineCommand, toggle, type Command } from './command.ts';

const notYet = (name: string, summary: string): Command =>
  defineCommand({ name, summary, notOffered: 'this command of the published command line is not offered yet' });

/** All commands: parser, help, completions, manual and docs/cli.md are made from this. */
export const table: Command = {
  name: 'coffer',
  summary: 'Reads and manages secrets in Coffer, and runs programs with them',
  flags: { version: toggle(false, 'print the version', { short: 'v' }) },
  commands: [
    loginCommand,
    initCommand,
    runCommand,
    exportCommand,
    secretsCommand,
    dynamicSecretsCommand,
    accessCommand,
    typesCommand,
    sshCommand,
    scanCommand,
    bootstrapCommand,
    userCommand,
    vaultCommand,
    tokenCommand,
    serviceTokenCommand,
    resetCommand,
    agentCommand,
    certificateManagerCommand,
    doctorCommand,
    serverCommand,
    completionCommand,
    manCommand,
    notYet('gateway', 'reach private networks'),
    notYet('kmip', 'serve KMIP'),
    notYet('pam', 'open privileged sessions'),
    notYet('relay', 'relay connections of gateways'),
    notYet('proxy', 'serve cached secrets'),
  ],
};

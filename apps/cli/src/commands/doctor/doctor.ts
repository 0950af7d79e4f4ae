import { CommandError, EXIT, notLoggedIn } from '../../exit.ts';
import { explain } from '../../explain.ts';
import { tableOf } from '../../format/table.ts';
import { readConfig } from '../../home.ts';
import { environmentOf, findProjectFile } from '../../project-file.ts';
import { clientFor } from '../../client.ts';
import { authenticate, domainOf } from '../../session.ts';
import type { Action, Invocation } from '../../table/command.ts';
import { openVault } from '../../vault/vault.ts';
import { VERSION } from '../../version.ts';
import { whoIs } from '../../who.ts';

interface Finding {
  readonly check: string;
  readonly isInOrder: boolean;
  readonly finding: string;
}

/** Seconds that clocks may differ before short-lived credentials fail. */
const SKEW = 30;

/** Each check, with what it finds. One that throws is out of order. */
const CHECKS: Readonly<Record<string, (invocation: Invocation) => Promise<string>>> = {
  'command line': async () => `coffer ${VERSION}, Node ${process.versions.node}, ${process.platform} ${process.arch}`,
  server: async (invocation) => {
    const domain = domainOf(invocation, readConfig(invocation.io.env));
    const { date } = await clientFor(invocation.io, domain).instance.status.query();
    const skew = Math.round((Date.parse(date) - Date.now()) / 1000);
    if (Math.abs(skew) > SKEW)
      throw new CommandError(`${domain} answers, but its clock and this machine's differ by ${Math.abs(skew)} seconds`);
    return `${domain} answers`;
  },
  credentials: async ({ io }) => `kept in ${(await openVault(io.env, readConfig(io.env))).place}`,
  login: async (invocation) => {
    const { domain, source, options } = await authenticate(invocation);
    const who = await whoIs(clientFor(invocation.io, domain, options));
    if (!who) throw notLoggedIn('The login or token is not accepted', 'Run coffer login');
    return `${who.type} ${who.name}, from ${source === 'profile' ? 'the login that is kept' : 'the environment'}`;
  },
  project: async ({ io }) => {
    const file = findProjectFile(io.cwd);
    return file
      ? `${file.path}: ${file.projectId ?? 'no project'}, ${environmentOf(file) ?? 'dev'}`
      : 'no project file here';
  },
};

export const diagnose: Action = async (invocation) => {
  const { io, flags } = invocation;
  const findings: Finding[] = [];
  for (const [check, look] of Object.entries(CHECKS)) findings.push(await find(check, look, invocation));
  const rows = findings.map(({ check, isInOrder, finding }) => [check, isInOrder ? 'ok' : 'not ok', finding]);
  io.write(flags.json ? `${JSON.stringify(findings, undefined, 2)}\n` : tableOf(['CHECK', '', 'FINDING'], rows));
  return findings.every(({ isInOrder }) => isInOrder) ? EXIT.done : EXIT.failure;
};

async function find(
  check: string,
  look: (invocation: Invocation) => Promise<string>,
  invocation: Invocation,
): Promise<Finding> {
  try {
    return { check, isInOrder: true, finding: await look(invocation) };
  } catch (error) {
    const { message, hint } = error instanceof CommandError ? error : explain(error);
    return { check, isInOrder: false, finding: hint ? `${message}. ${hint}` : message };
  }
}

import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startSystem, untilOpen, type Program } from './programs.ts';

const GUIDE = fileURLToPath(new URL('../../docs/scaling.md', import.meta.url));
export const HAPROXY = '/usr/sbin/haproxy';

/** Which of the configurations in docs/scaling.md. */
export type Guided = 'coffer' | 'postgres';

/**
 * HAProxy with a configuration as docs/scaling.md shows it, so that what operators copy is what is tested. `addresses`
 * replaces those of the page; `file` gets the configuration, and `file`.log the output; `socket`: where it takes
 * commands.
 */
export async function startHaproxy(
  guided: Guided,
  addresses: Readonly<Record<string, string>>,
  file: string,
  socket?: string,
): Promise<Program> {
  const guide = await readFile(GUIDE, 'utf8');
  const [, shown] = new RegExp(`\`\`\`haproxy ${guided}\\n([^]*?)\`\`\``).exec(guide) ?? [];
  if (shown === undefined) throw new Error(`docs/scaling.md has no configuration of HAProxy for ${guided}`);
  let configuration = shown;
  for (const [address, own] of Object.entries(addresses)) {
    if (!configuration.includes(address)) throw new Error(`The configuration does not have ${address}`);
    configuration = configuration.replaceAll(address, own);
  }
  if (socket !== undefined)
    configuration = configuration.replace('global\n', `global\n  stats socket ${socket} level admin\n`);
  await writeFile(file, configuration);
  const haproxy = await startSystem({ program: HAPROXY, args: ['-db', '-f', file], logFile: `${file}.log` });
  const [, port] = /bind \S+:(\d+)/.exec(configuration)!;
  await untilOpen(Number(port), haproxy);
  return haproxy;
}

/** A command of its runtime API. @throws Error with what it says */
export async function commandHaproxy(socket: string, command: string): Promise<void> {
  const said = await text(connect(socket).end(`${command}\n`));
  if (said.trim() !== '') throw new Error(`${command}: ${said.trim()}`);
}

import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports CPU time of processes in hundredths of a second, whatever the kernel's tick is. */
const TICK_US = 10_000;

interface Stat {
  readonly parent: number;
  readonly own: number;
  readonly endedChildren: number;
}

/** `undefined` if the process does not exist (any more). */
function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name may hold blanks and brackets; the fields after it do not.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0] = fields.slice(1);
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11);
    return { parent, own: (user + system) * TICK_US, endedChildren: (childUser + childSystem) * TICK_US };
  } catch {
    return undefined;
  }
}

/** CPU time (user and system) that a process has used so far, in microseconds. */
export function cpuOf(pid: number): number {
  const stat = statOf(pid);
  if (!stat) throw new Error(`Process ${pid} is gone`);
  return stat.own;
}

/** The same for a process and all of its descendants, including ended ones. */
export function cpuOfTree(root: number): number {
  const top = statOf(root);
  if (!top) throw new Error(`Process ${root} is gone`);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const running = children.map(statOf).filter((stat) => stat?.parent === root);
  return running.reduce((sum, stat) => sum + (stat?.own ?? 0), top.own + top.endedChildren);
}

/** Resident memory of a process, in bytes. */
export function memoryOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

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
  return childrenOf(root).reduce((sum, pid) => sum + (statOf(pid)?.own ?? 0), top.own + top.endedChildren);
}

/** The processes that another one has started and that still run. */
export function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => statOf(pid)?.parent === parent);
}

/** Memory of a process that it shares with no other, in bytes. */
export function privateMemoryOf(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...rollup.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm)].map(([, figure]) => Number(figure));
  return kilobytes.reduce((sum, one) => sum + one, 0) * 1024;
}

/** Resident memory of a process, in bytes. */
export function memoryOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

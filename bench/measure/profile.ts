import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface CpuProfile {
  readonly nodes: readonly { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The functions in which a program spent most time itself, with their share of all time that it was not idle. */
export async function hottest(directory: string, count: number): Promise<string[]> {
  const [file] = (await readdir(directory)).filter((name) => name.endsWith('.cpuprofile'));
  if (!file) throw new Error(`There is no profile in ${directory}`);
  const { nodes, samples, timeDeltas } = JSON.parse(await readFile(join(directory, file), 'utf8')) as CpuProfile;
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || '(anonymous)'} ${short(url)}${url && `:${lineNumber + 1}`}`,
    ]),
  );
  const times = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of samples.entries()) {
    const name = names.get(id)!;
    if (name.startsWith('(idle)')) continue;
    const time = timeDeltas[index] ?? 0;
    times.set(name, (times.get(name) ?? 0) + time);
    busy += time;
  }
  const sorted = [...times].toSorted(([, a], [, b]) => b - a);
  return sorted.slice(0, count).map(([name, time]) => `${((100 * time) / busy).toFixed(1).padStart(5)} %  ${name}`);
}

/** A place in the code as a reader knows it: below the repository, or the package. */
const short = (url: string): string =>
  url
    .replace(/^.*\/node_modules\/(?!.*\/node_modules\/)/, '')
    .replace(/^file:\/\/.*?\/(?=(?:apps|packages|bench)\/)/, '');

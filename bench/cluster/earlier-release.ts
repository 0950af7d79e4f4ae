import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Writes the sources of a commit to a new folder, with the dependencies that are installed here. Returns its main program. */
export function checkOut(commit: string, folder: string): string {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1024 ** 3 });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const links of globSync('{packages,apps}/*/node_modules', { cwd: ROOT }))
    cpSync(join(ROOT, links), join(folder, links), { recursive: true, verbatimSymlinks: true });
  return join(folder, 'apps/server/src/main.ts');
}

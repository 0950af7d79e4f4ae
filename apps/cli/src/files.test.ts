import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeWhole } from './files.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'coffer-files-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('a file that is written whole', () => {
  it('removes what killed processes have left of it, and no file of others', () => {
    const put = (name: string, isOld: boolean) => {
      const path = join(directory, name);
      writeFileSync(path, 'SECRET=1');
      if (isOld) utimesSync(path, 0, 0);
      return path;
    };
    const id = '0b6f3a52-92f5-4d0c-8f6e-3a1d2c4b5e6f';
    const left = put(`.env.${id}.tmp`, true);
    const others = [
      put(`.env.${id.replaceAll('0b6f', '0b70')}.tmp`, false),
      put('.env.backup.tmp', true),
      put(`.env.local.${id}.tmp`, true),
      put(`.env.${id}.tmp.gz`, true),
    ];
    writeWhole(join(directory, '.env'), 'A=1');
    expect(readFileSync(join(directory, '.env'), 'utf8')).toBe('A=1');
    expect([existsSync(left), ...others.map((path) => existsSync(path))]).toEqual([false, true, true, true, true]);
  });
});

import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DeliveredFile } from './delivered-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'coffer-delivered-'));
afterAll(() => rmSync(directory, { recursive: true }));

const rightsOf = (path: string) => {
  const { mode, uid } = lstatSync(path);
  return [mode & 0o777, uid];
};
const own = process.getuid!();

describe('a delivered file', () => {
  it('has the mode of the own file that it replaces, else 0600', () => {
    const path = join(directory, 'own');
    new DeliveredFile(path).write('1');
    expect(rightsOf(path)).toEqual([0o600, own]);
    chmodSync(path, 0o640);
    new DeliveredFile(path).write('2');
    expect([...rightsOf(path), readFileSync(path, 'utf8')]).toEqual([0o640, own, '2']);
  });

  it('takes nothing from a link that was laid there', () => {
    const [path, target] = [join(directory, 'link'), join(directory, 'target')];
    writeFileSync(target, 'theirs');
    chmodSync(target, 0o666);
    symlinkSync(target, path);
    new DeliveredFile(path).write('ours');
    expect([...rightsOf(path), readFileSync(target, 'utf8')]).toEqual([0o600, own, 'theirs']);
  });

  it.runIf(own === 0)('takes neither owner nor mode from a file of somebody else', () => {
    const path = join(directory, 'foreign');
    writeFileSync(path, '');
    chmodSync(path, 0o666);
    chownSync(path, 65_534, 65_534);
    new DeliveredFile(path).write('ours');
    expect(rightsOf(path)).toEqual([0o600, 0]);
  });
});

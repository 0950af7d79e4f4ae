import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs, { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { withLock } from './lock.ts';

let directory: string;
let lock: string;
let counter: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'coffer-lock-'));
  [lock, counter] = [join(directory, 'lock'), join(directory, 'counter')];
  writeFileSync(counter, '0');
  return () => rmSync(directory, { recursive: true });
});

/** A process that counts: it reads, waits, and writes. */
async function count(times: number): Promise<unknown> {
  const program = `
    import { readFileSync, writeFileSync } from 'node:fs';
    import { setImmediate } from 'node:timers/promises';
    const { withLock } = await import(${JSON.stringify(join(import.meta.dirname, 'lock.ts'))});
    for (let i = 0; i < ${times}; i++)
      await withLock(${JSON.stringify(lock)}, async () => {
        const before = Number(readFileSync(${JSON.stringify(counter)}, 'utf8'));
        await setImmediate();
        writeFileSync(${JSON.stringify(counter)}, String(before + 1));
      });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
  return (await once(child, 'exit'))[0];
}

describe('a lock', () => {
  it('lets one process at a time read and write, also where the one before was killed', async () => {
    writeFileSync(lock, String(spawnSync('true').pid));
    expect(await Promise.all([count(20), count(20), count(20)])).toEqual([0, 0, 0]);
    expect([readFileSync(counter, 'utf8'), readdirSync(directory)]).toEqual(['60', ['counter']]);
  });

  it('of another machine is taken over after a while, and then not released by its former holder', async () => {
    await withLock(lock, async () => {
      writeFileSync(lock, '1 elsewhere');
      utimesSync(lock, 0, 0);
      await withLock(lock, () => rmSync(counter));
      writeFileSync(lock, '1 elsewhere');
    });
    expect(readdirSync(directory)).toEqual(['lock']);
  });

  it.each([[undefined], ['EPERM'], ['EISDIR']])(
    'is there with the ID of its process at once, also after a kill (%s)',
    async (code) => {
      const { linkSync, writeSync } = fs;
      const isThere: boolean[] = [];
      const written = vi.spyOn(fs, 'writeSync').mockImplementation((file, text) => {
        isThere.push(fs.existsSync(lock));
        return writeSync(file, text);
      });
      const linked = vi.spyOn(fs, 'linkSync').mockImplementation((from, to) => {
        if (code !== undefined) throw Object.assign(new Error('no links'), { code });
        linkSync(from, to);
      });
      syncBuiltinESMExports();
      try {
        await withLock(lock, () => expect(readFileSync(lock, 'utf8')).toContain(String(process.pid)));
      } finally {
        written.mockRestore();
        linked.mockRestore();
        syncBuiltinESMExports();
      }
      // A file system without hard links writes it where it is.
      expect(isThere).toEqual(code === undefined ? [false] : [false, true]);
      expect(readdirSync(directory)).toEqual(['counter']);
    },
  );

  it('leaves no file of a process that was killed while it wrote one', async () => {
    const { linkSync } = fs;
    const killed = vi.spyOn(fs, 'linkSync').mockImplementationOnce((from, to) => {
      writeFileSync(String(from).replaceAll(/[\da-f]{8}-/g, 'aaaaaaaa-'), '');
      linkSync(from, to);
    });
    syncBuiltinESMExports();
    try {
      await withLock(lock, () => undefined);
    } finally {
      killed.mockRestore();
      syncBuiltinESMExports();
    }
    const [left] = readdirSync(directory).filter((name) => name !== 'counter');
    utimesSync(join(directory, left!), 0, 0);
    await withLock(lock, () => undefined);
    expect(readdirSync(directory)).toEqual(['counter']);
  });

  it('leaves no file where the disk is full', async () => {
    const full = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    });
    syncBuiltinESMExports();
    try {
      await expect(withLock(lock, () => undefined)).rejects.toThrow('cannot be made (ENOSPC)');
    } finally {
      full.mockRestore();
      syncBuiltinESMExports();
    }
    expect(readdirSync(directory)).toEqual(['counter']);
  });

  it.runIf(process.platform === 'linux')(
    'names the container of its process, which may have the name of the machine',
    () => withLock(lock, () => expect(readFileSync(lock, 'utf8')).toContain(readlinkSync('/proc/self/ns/pid'))),
  );

  it('is released after an error', async () => {
    await expect(withLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(readdirSync(directory)).toEqual(['counter']);
  });
});

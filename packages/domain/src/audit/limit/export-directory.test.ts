import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chunksOfFile } from '../verify.ts';
import { DirectoryExports } from './export-directory.ts';

const NAME = 'audit-x-1-2.jsonl.zst';
let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'coffer-exports-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const read = (content: AsyncIterable<Uint8Array>) => text(Readable.from(content));
const verify = async (content: AsyncIterable<Uint8Array>) => (await read(content)).length;

describe('a directory for exports', () => {
  it('has a whole file, though another export of the same blocks begins before it is there', async () => {
    const exports = new DirectoryExports(directory);
    const begun = Promise.withResolvers<void>();
    const more = Promise.withResolvers<void>();
    const lines = async function* () {
      yield 'the first lines';
      begun.resolve();
      await more.promise;
      throw new Error('The blocks are gone');
    };
    let other: Promise<unknown> | undefined;
    const stored = await exports.store(NAME, Readable.from(['the whole log']), async (content) => {
      const length = await verify(content);
      other = exports.store(NAME, lines(), verify);
      await begun.promise;
      return length;
    });
    expect(stored).toMatchObject({ name: NAME, events: 'the whole log'.length });
    more.resolve();
    await expect(other).rejects.toThrow('The blocks are gone');
    expect(readdirSync(directory)).toEqual([NAME]);
    expect(await read(chunksOfFile(join(directory, NAME)))).toBe('the whole log');
  });

  it('keeps no drafts of processes that were killed, and leaves those that are being written', async () => {
    const drafts = ['.audit-y-1-9.jsonl.zst.77.part', '.audit-z-3-4.jsonl.zst.78.part', 'others.part'];
    for (const draft of drafts) writeFileSync(join(directory, draft), 'half');
    const earlier = Date.now() / 1000 - 2 * 3600;
    for (const old of [drafts[0]!, drafts[2]!]) utimesSync(join(directory, old), earlier, earlier);
    await new DirectoryExports(directory).store(NAME, Readable.from(['the whole log']), verify);
    expect(readdirSync(directory).toSorted()).toEqual([drafts[1], NAME, drafts[2]]);
  });
});

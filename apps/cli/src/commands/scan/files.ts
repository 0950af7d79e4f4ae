import { readdirSync, readFileSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import { failure } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Fragment } from './finding.ts';

export interface Limits {
  /** Larger texts are left out, with a warning. In bytes. */
  readonly maxBytes: number;
  readonly followsLinks: boolean;
}

/** The texts below a path, or of one file. Directories of git, and what is no text, are left out. */
export function* filesIn(source: string, limits: Limits, io: Pick<Io, 'say' | 'cwd'>): Generator<Fragment> {
  const stat = statSync(source, { throwIfNoEntry: false });
  if (!stat) throw failure(`${source} does not exist`);
  const files = stat.isDirectory() ? below(source, limits, io) : [{ path: source, link: undefined }];
  for (const { path, link } of files) {
    const text = textOf(path, limits, io);
    if (text === undefined) continue;
    yield { text, path: relative(io.cwd, path), link: link && relative(io.cwd, link), firstLine: 1 };
  }
}

interface Found {
  readonly path: string;
  readonly link: string | undefined;
}

function* below(directory: string, limits: Limits, io: Pick<Io, 'say'>): Generator<Found> {
  for (const entry of entriesOf(directory, io)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && entry.name !== '.git') yield* below(path, limits, io);
    else if (entry.isFile()) yield { path, link: undefined };
    else if (entry.isSymbolicLink() && limits.followsLinks) {
      // A link to a directory may lead to itself.
      const isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
      if (isFile) yield { path: realpathSync(path), link: path };
    }
  }
}

function entriesOf(directory: string, io: Pick<Io, 'say'>): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    io.say('warn', `${directory} is left out: it cannot be read (${(error as NodeJS.ErrnoException).code})`);
    return [];
  }
}

function textOf(path: string, { maxBytes }: Limits, io: Pick<Io, 'say'>): string | undefined {
  try {
    const { size } = statSync(path);
    if (size > maxBytes) {
      io.say('warn', `${path} is left out: it has ${Math.ceil(size / 1e6)} MB; see --max-target-megabytes`);
      return undefined;
    }
    return decode(readFileSync(path));
  } catch (error) {
    io.say('warn', `${path} is left out: it cannot be read (${(error as NodeJS.ErrnoException).code})`);
    return undefined;
  }
}

/** As much is read to see whether it is text, as git does. */
const START = 8000;

/** The text of bytes: UTF-8, or UTF-16 with a byte order mark. `undefined` for what is no text. */
function decode(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return bytes.subarray(0, START).includes(0) ? undefined : bytes.toString('utf8');
}

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { usage } from './exit.ts';
import { printable, printableLines } from './format/printable.ts';
import type { Io } from './io.ts';

/** Asks a question on the terminal. @throws CommandError where nobody can answer; `instead` says what to pass. */
export async function ask(io: Io, question: string, instead: string): Promise<string> {
  return prompt(io, question, instead, process.stderr);
}

/** Asks without showing what is typed. */
export async function askHidden(io: Io, question: string, instead: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(printableLines(question));
  const answer = await prompt(io, '', instead, silent);
  process.stderr.write('\n');
  return answer;
}

async function prompt(io: Io, question: string, instead: string, output: NodeJS.WritableStream): Promise<string> {
  if (!io.isInteractive) throw usage(`There is no terminal to ask on: ${instead}`);
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await lines.question(printableLines(question));
  } finally {
    lines.close();
  }
}

/** Asks for one of several things by its number. */
export async function choose<Item>(
  io: Io,
  question: string,
  items: readonly Item[],
  nameOf: (item: Item) => string,
  instead: string,
): Promise<Item> {
  if (!io.isInteractive) throw usage(`There is no terminal to ask on: ${instead}`);
  for (const [index, item] of items.entries()) process.stderr.write(`  ${index + 1}) ${printable(nameOf(item))}\n`);
  for (;;) {
    const answer = await ask(io, `${question} [1-${items.length}] `, instead);
    const item = /^\d+$/.test(answer.trim()) ? items[Number(answer) - 1] : undefined;
    if (item !== undefined) return item;
  }
}

#!/usr/bin/env node
// Starts the command line: from its bundle where it is installed, from its sources in a checkout. Node keeps the compiled form.
import { existsSync } from 'node:fs';
// Older versions have no compile cache to import by its name, and get the message below.
import module from 'node:module';

const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  process.stderr.write(`coffer needs Node 24 or newer; this is ${process.versions.node}\n`);
  process.exit(1);
}
module.enableCompileCache();
const sources = new URL('../src/main.ts', import.meta.url);
await import(existsSync(sources) ? sources.href : new URL('../dist/bundle/main.mjs', import.meta.url).href);

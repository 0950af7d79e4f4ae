import { globSync, readFileSync } from 'node:fs';
import { eventTypes } from '@coffer/domain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const SCREENS = new URL('../../../web/src/', import.meta.url).pathname;

/** The names by which screens find the events of a thing: `about: { syncId }`, `aboutOf: ({ id }) => ({ keyId: id })`. */
const ABOUT = /\babout(?:Of)?(?:: |=\{)(?:\([^)]*\) => \()?\{ (\w+)/g;

const linksIn = (file: string): string[] =>
  Array.from(readFileSync(SCREENS + file, 'utf8').matchAll(ABOUT), ([, name = '']) => name);

const fieldsOf = (data: z.ZodType): string[] => (data instanceof z.ZodObject ? Object.keys(data.shape) : []);

describe('links of the console to events', () => {
  it('name what events have', () => {
    const links = globSync('**/*.tsx', { cwd: SCREENS }).flatMap(linksIn);
    const fields = new Set([...eventTypes().values()].flatMap(({ data }) => fieldsOf(data)));
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((name) => !fields.has(name))).toEqual([]);
  });
});

import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Family } from '../index.ts';
import { examplesOf } from './examples.ts';

const GUIDES = new URL('../../../../../docs/', import.meta.url);

interface FamilyCase<Member> {
  readonly family: Family<Member>;
  readonly nameOf: (member: Member) => string;
  /** The folder of the members' folders. */
  readonly folder: URL;
  /** The page of docs/ that explains its members, or one of them. */
  readonly guide: string | ((member: Member) => string);
  /** The heading of its section; default: its title. */
  readonly headingOf?: (member: Member) => string;
  /** Names that the section about a member must contain in backticks: fields, and what it returns. */
  readonly fieldsOf: (member: Member) => readonly string[];
  /** Texts that it must contain literally. */
  readonly sayingsOf: (member: Member) => readonly string[];
}

/** What the tests of one member get. */
export interface ConformingMember<Member, Example> {
  readonly name: string;
  readonly member: Member;
  readonly example: Example;
  /** Its section in the user documentation. */
  readonly guide: string;
  /** The tests in its folder: their texts by the names of their files. */
  readonly tests: ReadonlyMap<string, string>;
}

/** Registers the tests of all families for each member, and those of its own family. */
export async function describeFamily<Member extends { readonly title: string }, Example>(
  given: FamilyCase<Member>,
  describeMember: (one: ConformingMember<Member, Example>) => void,
): Promise<void> {
  const { family, nameOf, folder, guide: pageOf, headingOf = ({ title }) => title, fieldsOf, sayingsOf } = given;
  const examples = await examplesOf<Example>(folder, family.names);

  it('has unique titles', () => {
    expect(new Set(family.members.map(({ title }) => title)).size).toBe(family.members.length);
  });

  it('has a member in every folder', () => {
    const folders = globSync('*/index.ts', { cwd: folder }).map((file) => file.replace('/index.ts', ''));
    expect(folders.toSorted()).toEqual(family.names.toSorted());
  });

  describe.each(family.members.map((member) => ({ name: nameOf(member), member })))('$name', ({ name, member }) => {
    const at = new URL(`${name}/`, folder);
    const guide = readFileSync(new URL('guide.md', at), 'utf8');
    const files = globSync('*.test.ts', { cwd: at });
    const tests = new Map(files.map((file) => [file, readFileSync(new URL(file, at), 'utf8')]));

    it('is documented for administrators: each of its fields, and what its family requires', () => {
      expect(guide.startsWith(`## ${headingOf(member)}\n`)).toBe(true);
      expect(fieldsOf(member).filter((field) => !guide.includes(`\`${field}\``))).toEqual([]);
      expect(sayingsOf(member).filter((text) => !guide.includes(text))).toEqual([]);
    });

    it('is explained on the page of its family', () => {
      const page = typeof pageOf === 'string' ? pageOf : pageOf(member);
      const pageText = readFileSync(new URL(page, GUIDES), 'utf8');
      expect(pageText.includes(guide), `docs/${page} is not up to date: run pnpm pages`).toBe(true);
    });

    describeMember({ name, member, example: examples[name]!, guide, tests });
  });
}

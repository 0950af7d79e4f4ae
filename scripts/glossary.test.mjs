import { describe, expect, it } from 'vitest';
import { findRetired, retiredWords } from './glossary.mjs';

const GLOSSARY = `
| Term | Meaning | Source | Retired |
| --- | --- | --- | --- |
| rule set | compiled rules | | \`rulebook\` |
| reap | to end | Vault | \`look after\`, older |
`;

describe('the check of retired words', () => {
  it('reads the marked words of the glossary', () => {
    expect(retiredWords(GLOSSARY)).toEqual(expect.arrayContaining(['for ever', 'rulebook', 'look after']));
  });

  it('always refuses constructions that have a standard form', () => {
    const always = retiredWords('');
    expect(findRetired('Stores what came of a sync; 7 where absent, 9 at the most', always)).toEqual([
      '1: at the most',
      '1: what came of',
      '1: where absent',
    ]);
    expect(findRetired('The outcome of a sync; default 7, at most 9', always)).toEqual([]);
  });

  it.each([
    ['a rulebook of one actor', ['1: rulebook']],
    ['const rulebook = 1;', ['1: rulebook']],
    ['class OwnRulebook {}', ['1: rulebook']],
    ['// Rulebook', ['1: rulebook']],
    ['lookAfter(lease);\nlook_after', ['1: look after', '2: look after']],
    ['It lives for ever', ['1: for ever']],
    ['It lives forever; a look after that is rare', ['1: look after']],
    ['rulebooks_of, overlook afternoon', []],
  ])('in %j finds %j', (text, found) => {
    expect(findRetired(text, ['for ever', 'rulebook', 'look after'])).toEqual(found);
  });
});

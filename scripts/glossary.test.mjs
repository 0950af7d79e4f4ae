import { describe, expect, it } from 'vitest';
import { findRetired, retiredWords } from './glossary.mjs';

const GLOSSARY = `
| Term | Meaning | Source | Retired |
| --- | --- | --- | --- |
| rule set | compiled rules | | \`rulebook\` |
| reap | to end | Vault | \`look after\`, older |
`;

describe('the check of retired words', () => {
  it('reads the words that the glossary marks', () => {
    expect(retiredWords(GLOSSARY)).toEqual(expect.arrayContaining(['for ever', 'rulebook', 'look after']));
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

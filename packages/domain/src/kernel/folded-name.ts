/** Letters that no normalization takes apart, and that other systems take for these. */
const TAKEN_FOR: Readonly<Record<string, string>> = {
  ς: 'σ',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  đ: 'd',
  ø: 'o',
  ł: 'l',
  ħ: 'h',
};
const LETTERS = new RegExp(`[${Object.keys(TAKEN_FOR).join('')}]`, 'g');
/** From katakana to hiragana, which some do not distinguish. */
const KANA = 0x60;

/** Without marks and invisible characters. The iota below a letter is a letter of its own in capitals. */
const withoutMarks = (text: string): string =>
  text.replaceAll('\u0345', 'ι').replaceAll(/[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/gu, '');

/**
 * One form for all spellings that directories (RFC 4518; MS-ADTS, section 3.1.1.2.2.4) and databases, by their usual
 * collations, may take for one name: they ignore case and width, some ignore accents and the kind of kana, all ignore
 * invisible characters. It is for names of which no two may be the same: two of them that a system does distinguish are taken
 * for one here.
 *
 * Marks are removed before normalization, too: it sorts those of one letter, which takes seconds for a hundred thousand of them.
 */
export const foldedName = (name: string): string =>
  withoutMarks(withoutMarks(name).normalize('NFKD'))
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(LETTERS, (letter) => TAKEN_FOR[letter]!)
    .replaceAll(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - KANA));

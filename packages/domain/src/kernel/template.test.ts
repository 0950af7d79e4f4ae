import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addText,
  bracesAt,
  fillTemplate,
  oneOf,
  placeholdersIn,
  readTemplate,
  renderTemplate,
  type Braces,
  type TextTemplate,
} from './template.ts';

const refuse = (why: string) => new Error(why);
const strict = oneOf(['user', 'password'], refuse);
/** Replaces known names and leaves the rest. */
const lenient = ({ expression }: Braces) => (expression === 'user' ? ({ name: 'user' } as const) : undefined);

const parts = fc.constantFrom('{', '}', '{{', '}}', '{{user}}', '{{ user\n}}', 'a', '\\', '[', ']', '\n', '😀');
const texts = fc.array(parts, { maxLength: 14 }).map((some) => some.join(''));

describe('a template', () => {
  it('is the text itself without values', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const seen = readTemplate(text, ({ end }) => (end === undefined ? undefined : { end }));
        expect(
          fillTemplate(
            readTemplate(text, () => undefined),
            String,
          ),
        ).toBe(text);
        let at = 0;
        const again = seen.map((piece) => {
          const written = typeof piece === 'string' ? piece : text.slice(at, piece.end);
          at += written.length;
          return written;
        });
        expect(again.join('')).toBe(text);
      }),
    );
  });

  it('has its placeholders where the shortest pairs of braces are', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const template = readTemplate(text, ({ end, expression }) => (end === undefined ? undefined : { expression }));
        const expected = text
          .split(/(\{\{.*?\}\})/s)
          .map((part, i) => (i % 2 === 1 ? { expression: part.slice(2, -2).trim() } : part))
          .filter((part) => part !== '');
        expect(template).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves text that its parser rejects, and finds later placeholders', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const expected = text.replaceAll(/\{\{\s*user\s*\}\}/g, () => '<>');
        expect(renderTemplate(readTemplate(text, lenient), { user: '<>' }, (value) => value)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('has none where its grammar has literal text', () => {
    const template = readTemplate('\\{{user}}{{user}}[{{user}}]{{user}}', lenient, /\\[^]|\[[^\]]*\]/y);
    // A backslash escapes one brace: the remaining one does not begin a placeholder.
    expect(fillTemplate(template, () => '_')).toBe('\\{{user}}_[{{user}}]_');
  });

  it('inserts each escaped value, and parses none of them again', () => {
    const hostile = fc.oneof(fc.string({ unit: 'grapheme' }), texts, fc.constantFrom('$&', "$'", '{{password}}', '\0'));
    const pieces = fc.array(fc.oneof(fc.constantFrom('{{user}}', '{{ password }}'), fc.stringMatching(/^[^{}]+$/)));
    fc.assert(
      fc.property(pieces, hostile, hostile, (written, user, password) => {
        const values = { user, password };
        const expected = written.map((part) =>
          part === '{{user}}' ? `<user ${user}>` : part === '{{ password }}' ? `<password ${password}>` : part,
        );
        const escape = (value: string, { name }: { name: string }) => `<${name} ${value}>`;
        expect(renderTemplate(readTemplate(written.join(''), strict), values, escape)).toBe(expected.join(''));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['{{users}}', 'it does not know {{users}}, but {{user}}, {{password}}'],
    ['{{User}}', 'it does not know {{User}}'],
    ['{{constructor}}', 'it does not know {{constructor}}'],
    ['{{{user}}}', 'it does not know {{{user}}'],
    ['{{}}', 'it does not know {{}}'],
    ['a {{user', 'it does not know {{user'],
    [`{{${'x'.repeat(1000)}}}`, `it does not know {{${'x'.repeat(38)}, but`],
  ])('with unknown names is rejected: %s', (text, why) => {
    expect(() => readTemplate(text, strict)).toThrow(why);
  });

  it('reports that there are no placeholders if none are known', () => {
    expect(() => readTemplate('{{user}}', oneOf([], refuse))).toThrow('it does not know {{user}} here, nor any other');
  });

  it('accepts names in any case if its grammar does', () => {
    const template = readTemplate('{{USER}}{{Password}}', oneOf(['user', 'password'], refuse, { ignoreCase: true }));
    expect(placeholdersIn(template)).toEqual([{ name: 'user' }, { name: 'password' }]);
  });

  it('is not rendered without a value, not even an inherited one', () => {
    const template = readTemplate('{{toString}}', oneOf(['toString'], refuse));
    expect(() => renderTemplate(template, {}, (value) => value)).toThrow('There is no toString');
  });

  it('is read in linear time, however many braces are open', () => {
    const text = '{{'.repeat(1_000_000);
    expect(readTemplate(text, lenient)).toEqual([text]);
    expect(readTemplate(`${text}}}`, ({ end }) => (end === undefined ? undefined : { end }))).toHaveLength(1);
    expect(() => readTemplate(text, strict)).toThrow('it does not know {{{{');
  });
});

describe('a custom parser', () => {
  it('requests braces at its position and collects text', () => {
    const text = `'it''s {{ user }}'`;
    const pieces: (string | { name: string })[] = [];
    for (let at = 0; at < text.length;) {
      const braces = text.startsWith('{{', at) ? bracesAt(text, at) : undefined;
      if (braces) pieces.push(strict(braces));
      else addText(pieces, text[at]!);
      at = braces?.end ?? at + 1;
    }
    expect(pieces satisfies TextTemplate<{ name: string }>).toEqual([`'it''s `, { name: 'user' }, `'`]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compose, escapeHtml, oneLine } from './message-text.ts';

/** Text with many special characters. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('<', '>', '&', '"', "'", '\r', '\n', '\0', '\t', '\u2028', '\u202e', ':', '=', '<br>', '<script>'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

describe('compose', () => {
  it('keeps text escaped in the HTML', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (subject, paragraph, label) => {
        const { html } = compose('a@example.com', {
          subject,
          paragraphs: [paragraph],
          action: { label, url: 'https://coffer.example.com/?a="b"&c' },
        });
        const bare = html
          .replace(/<\/?(?:html|body|p|br|a)(?: style="[^"<>]*")?>/g, '')
          .replace(/<!doctype html>|<body style="[^"<>]*">|<a href="[^"<>]*" style="[^"<>]*">/g, '');
        expect(bare).not.toMatch(/[<>]/);
        expect(html).toContain(escapeHtml(paragraph.replaceAll('\r', '')).replaceAll('\n', '<br>'));
      }),
    );
  });

  it('has a subject of one line, for any input', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { subject } = compose('a@example.com', { subject: text, paragraphs: [] });
        expect(subject).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(subject.length).toBeLessThanOrEqual(200);
        expect(subject.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('oneLine', () => {
  it('keeps ordinary text, and truncates long text', () => {
    expect(oneLine('Payments & Söhne (EU)')).toBe('Payments & Söhne (EU)');
    expect(oneLine(' a\r\nBcc: evil@example.com\t ')).toBe('a Bcc: evil@example.com');
    expect(oneLine('abcdef', 4)).toBe('abc…');
    expect(oneLine('a😀😀', 4)).toBe('a😀…');
    expect(oneLine('😀😀😀', 4)).toBe('😀…');
  });
});

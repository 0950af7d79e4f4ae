import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { count, plural } from './count.ts';
import { rich } from './rich.ts';

describe('count', () => {
  it('takes the form of the language for a number', () => {
    const secrets = (n: number) => count(n, { one: 'secret', other: 'secrets' });
    expect([0, 1, 2, 1000].map(secrets)).toEqual(['0 secrets', '1 secret', '2 secrets', '1000 secrets']);
    expect(plural(1, { other: 'always' })).toBe('always');
  });
});

describe('rich', () => {
  it('puts elements into a text, and never reads a text as HTML', () => {
    const name = createElement('strong', null, '<i>');
    expect(renderToStaticMarkup(rich`Ask ${name} for ${2} <b>.`)).toBe(
      'Ask <strong>&lt;i&gt;</strong> for 2 &lt;b&gt;.',
    );
  });
});

import { createElement, Fragment, type ReactNode } from 'react';

/** A text with elements in it: the texts name them, so that each language puts them where it wants. */
export const rich = (strings: TemplateStringsArray, ...nodes: readonly ReactNode[]): ReactNode =>
  createElement(Fragment, null, ...strings.flatMap((text, index) => [text, nodes[index]]));

import { Filter, FilterParser } from 'ldapts';
import { fillTemplate, readTemplate, renderTemplate, type Placeholder, type TextTemplate } from '../kernel/index.ts';

type FilterTemplate = TextTemplate<Placeholder<'username'>>;

/** Other braces are text: a filter may hold them. */
const readFilter = (text: string): FilterTemplate =>
  readTemplate(text, ({ shown }) => (shown === '{{username}}' ? ({ name: 'username' } as const) : undefined));

/** Whether a text is a filter (RFC 4515) that contains the user name, and only as a value. */
export function isFilterTemplate(template: string): boolean {
  const pieces = readFilter(template);
  const places = pieces.flatMap((piece, i) => (typeof piece === 'string' ? [] : [i]));
  const isValue = (place: number) => /=[^()]*$/.test(fillTemplate(pieces.slice(0, place), () => 'x'));
  if (places.length === 0 || !places.every(isValue)) return false;
  try {
    FilterParser.parseString(fillFilter(template, 'x'));
    return true;
  } catch {
    return false;
  }
}

/** The filter for one user. The name is escaped as a value. */
export const fillFilter = (template: string, username: string): string =>
  renderTemplate(readFilter(template), { username }, (value) => Filter.escape(value));

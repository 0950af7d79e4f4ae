import { Filter, FilterParser } from 'ldapts';

const USERNAME = '{{username}}';

/** Whether a text is a filter (RFC 4515) in which the username stands, and stands only where a value does. */
export function isFilterTemplate(template: string): boolean {
  const pieces = template.split(USERNAME);
  const isValue = pieces.slice(1).every((_, i) => /=[^()]*$/.test(pieces.slice(0, i + 1).join('x')));
  if (pieces.length < 2 || !isValue) return false;
  try {
    FilterParser.parseString(fillFilter(template, 'x'));
    return true;
  } catch {
    return false;
  }
}

/** The filter for one user. Whatever the name holds, it stays the value that it is put in for. */
export const fillFilter = (template: string, username: string): string => {
  const escaped = Filter.escape(username);
  // A function: in a text, `$&` and its like would mean something.
  return template.replaceAll(USERNAME, () => escaped);
};

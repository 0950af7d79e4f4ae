import { failure } from '../../exit.ts';
import { printable } from '../../format/printable.ts';
import { dotenvValue } from '../../format/quote.ts';
import { placeOfCommand } from '../../place.ts';
import { connect } from '../../session.ts';
import type { Action } from '../../table/command.ts';
import { settable, variableOf } from '../../variables.ts';
import type { exampleFlags } from './flags.ts';

/** Names with their comments, grouped by tag, without values. */
export const writeExample: Action<typeof exampleFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const client = await connect(invocation);
  const place = await placeOfCommand(invocation, client);
  const { secrets } = await client.secrets.list.query({
    ...place,
    viewSecretValue: false,
    ...(flags.tags && { tagSlugs: flags.tags }),
  });
  const examples = secrets.map((one) => {
    const { comment, value } = partsOf(one.secretComment);
    return { ...one, secretValue: value, secretComment: comment };
  });
  const toKeep = 'To have it all the same, write its line by hand';
  const groups = Map.groupBy(
    settable(examples, { keepsLoaders: false, toKeep }, io).toSorted((a, b) => (a.secretKey < b.secretKey ? -1 : 1)),
    ({ tags }) =>
      tags
        .map(({ name }) => name)
        .toSorted()
        .join(', '),
  );
  const sections = [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([tags, members]) => {
      const lines = members.flatMap(({ secretKey, secretValue, secretComment }) => [
        ...remarks(secretComment),
        `${variableOf(secretKey)}=${secretValue && exampleOf(secretKey, secretValue)}`,
      ]);
      return [...remarks(tags), ...(tags ? [''] : []), ...lines, ''].join('\n');
    });
  io.write(sections.join('\n'));
};

/** Readers of dotenv files end a line at each of these, and would take the next one for a variable. */
const remarks = (text: string): string[] =>
  text ? text.split(/\r\n|[\r\n]/).map((line) => `# ${printable(line)}`) : [];

/** A value without quotes where every reader takes it as it is, else in quotes. @throws CommandError */
function exampleOf(secretKey: string, value: string): string {
  const written = /^[\w.:/@+-]*$/.test(value) ? value : dotenvValue(value);
  if (written === undefined || /[\r\n]/.test(value))
    throw failure(`The DEFAULT: in the comment of ${secretKey} cannot be the value of one line of a dotenv file`);
  return written;
}

/** `DEFAULT:` in a comment begins the value for the example. */
function partsOf(written: string): { comment: string; value: string } {
  const at = written.lastIndexOf('DEFAULT:');
  if (at < 0) return { comment: written, value: '' };
  return { comment: written.slice(0, at).trim(), value: written.slice(at + 'DEFAULT:'.length).trim() };
}

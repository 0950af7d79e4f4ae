import { usage } from '../../exit.ts';
import { isOffered } from '../../help.ts';
import { flagsOf } from '../../parse.ts';
import type { Action, Command } from '../../table/command.ts';

export const printCompletion: Action = async ({ args: [shell = ''], io, root }) => {
  const script = { bash, zsh, fish }[shell];
  if (!script) throw usage(`There is no completion for ${shell}`, 'Shells: bash, zsh, fish');
  io.write(script(placesIn([root])));
};

interface Place {
  /** The words of the command, without the program. */
  readonly words: string;
  readonly commands: readonly (readonly [name: string, summary: string])[];
  readonly flags: readonly (readonly [name: string, summary: string, short: string | undefined])[];
}

/** Each command, with what can follow it. */
function placesIn(path: readonly Command[]): Place[] {
  const offered = (path.at(-1)!.commands ?? []).filter(isOffered);
  const words = path
    .slice(1)
    .map(({ name }) => name)
    .join(' ');
  const flags = Object.entries(flagsOf(path)).map(([name, { summary, short }]) => [name, summary, short] as const);
  const place = { words, commands: offered.map(({ name, summary }) => [name, summary] as const), flags };
  return [place, ...offered.flatMap((one) => placesIn([...path, one]))];
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** What can follow each command, as an associative array of bash and zsh has it: `-` is the program itself. */
const known = (places: readonly Place[], pair: (key: string, value: string) => string): string =>
  places
    .map(({ words, commands, flags }) => {
      const next = [...commands.map(([name]) => name), ...flags.map(([name]) => `--${name}`)];
      return `\n    ${pair(quoted(words || '-'), quoted(next.join(' ')))}`;
    })
    .join('');

/** Finds the longest known command in the words before the cursor, and offers what follows it. */
const bash = (places: readonly Place[]): string => `_coffer() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place='' word
  local -A known=(${known(places, (key, value) => `[${key}]=${value}`)}
  )
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -- ]] && { COMPREPLY=($(compgen -c -- "$current")); return; }
    [[ -n \${known["\${place:+$place }$word"]} ]] && place="\${place:+$place }$word"
  done
  COMPREPLY=($(compgen -W "\${known["\${place:--}"]}" -- "$current"))
}
complete -o default -F _coffer coffer
`;

const zsh = (places: readonly Place[]): string => `#compdef coffer
_coffer() {
  local place='' word
  typeset -A known
  known=(${known(places, (key, value) => `${key} ${value}`)}
  )
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -- ]] && { _normal; return }
    [[ -n \${known[\${place:+$place }$word]} ]] && place="\${place:+$place }$word"
  done
  compadd -- \${=known[\${place:--}]}
  _files
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _coffer "$@"; else compdef _coffer coffer; fi
`;

const fish = (places: readonly Place[]): string =>
  [
    'complete -c coffer -f',
    ...places.flatMap(({ words, commands, flags }) => {
      const condition = quoted(words ? `__fish_seen_subcommand_from ${words.split(' ').at(-1)}` : 'true');
      const at = words ? condition : quoted('__fish_use_subcommand');
      return [
        ...commands.map(([name, summary]) => `complete -c coffer -n ${at} -a ${name} -d ${quoted(summary)}`),
        ...flags.map(
          ([name, summary, short]) =>
            `complete -c coffer -n ${condition} -l ${name}${short ? ` -s ${short}` : ''} -d ${quoted(summary)}`,
        ),
      ];
    }),
    '',
  ].join('\n');

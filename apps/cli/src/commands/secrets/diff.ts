import { EXIT, usage } from '../../exit.ts';
import { pathOf, readText } from '../../files.ts';
import { formOf, render } from '../../format/output.ts';
import { parseDotenv } from '../../format/parse-dotenv.ts';
import { tableOf } from '../../format/table.ts';
import { projectOf } from '../../place.ts';
import { readSecrets } from '../../secrets.ts';
import { connect } from '../../session.ts';
import type { Action, Invocation } from '../../table/command.ts';
import type { diffFlags } from './flags.ts';

type Values = ReadonlyMap<string, string>;

interface Difference {
  readonly secretKey: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly from?: string;
  readonly to?: string;
}

export const diffSecrets: Action<typeof diffFlags> = async (invocation) => {
  const { flags, io, args } = invocation;
  const [from, to] = await Promise.all(args.map((side) => valuesAt(side, invocation)));
  const differences = compare(from!, to!, flags['show-values']);
  const form = formOf(flags);
  if (form)
    io.write(
      await render(
        form,
        differences.map((one) => ({ ...one })),
        io,
        { pair: ['secretKey', 'change'] },
      ),
    );
  else if (differences.length) io.write(shown(differences, flags['show-values'], args));
  io.say('info', `${differences.length} differ, of ${new Set([...from!.keys(), ...to!.keys()]).size}`);
  return differences.length ? EXIT.failure : EXIT.done;
};

/** What is at one side: a file where it is a path, else an environment with or without a folder. */
async function valuesAt(side: string, invocation: Invocation<typeof diffFlags>): Promise<Values> {
  const { flags, io } = invocation;
  if (/^(?:~|\.{0,2})\//.test(side)) return parseDotenv(readText(pathOf(side, io.cwd)));
  const [, environment, secretPath = '/'] = /^([^:/]+)(?::(\/.*))?$/.exec(side) ?? [];
  if (!environment) throw usage(`${side} is no place: write prod, prod:/folder, or ./file`);
  const client = await connect(invocation);
  const projectId = await projectOf(invocation, client);
  const secrets = await readSecrets(client, [{ projectId, environment, secretPath }], flags, io);
  return new Map(secrets.map(({ secretKey, secretValue }) => [secretKey, secretValue]));
}

function compare(from: Values, to: Values, showsValues: boolean): Difference[] {
  const names = [...new Set([...from.keys(), ...to.keys()])].toSorted();
  return names.flatMap((secretKey): Difference[] => {
    const [before, after] = [from.get(secretKey), to.get(secretKey)];
    if (before === after) return [];
    const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    const values = { ...(before !== undefined && { from: before }), ...(after !== undefined && { to: after }) };
    return [{ secretKey, change, ...(showsValues && values) }];
  });
}

const shown = (differences: readonly Difference[], showsValues: boolean, [from, to]: readonly string[]): string =>
  tableOf(
    ['SECRET NAME', 'CHANGE', ...(showsValues ? [from!, to!] : [])],
    differences.map((one) => [one.secretKey, one.change, ...(showsValues ? [one.from ?? '', one.to ?? ''] : [])]),
  );

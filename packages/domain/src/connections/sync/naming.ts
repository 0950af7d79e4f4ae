import { nameAtTarget, type Naming } from './difference.ts';
import type { ConfiguredSync, SyncOptions } from './sync.ts';

interface Named extends Pick<ConfiguredSync, 'sync' | 'options'> {
  /** What `{{environment}}` stands for: the slug when the sync was saved. Which names are its own changes with nothing else. */
  readonly environment: string;
}

/** How a sync names its items. */
export const namingOf = ({ sync, options, environment }: Named): Naming => ({
  ...affixesOf(options, environment),
  nameOf: sync.nameOf?.bind(sync),
  ignoresCase: sync.ignoresCase,
});

function affixesOf({ keySchema, prefix, suffix }: SyncOptions, environment: string) {
  if (!keySchema) return { prefix, suffix };
  const [before = '', after = ''] = keySchema.replaceAll('{{environment}}', environment).split('{{secretKey}}');
  return { prefix: before, suffix: after };
}

/** What all names of a sync at the target begin and end with. */
export function endsOf(named: Named): { readonly prefix: string; readonly suffix: string } {
  const { prefix, suffix, nameOf } = namingOf(named);
  const end = (text: string) => nameAtTarget(text, { prefix: '', suffix: '', nameOf });
  return { prefix: end(prefix), suffix: end(suffix) };
}

import { CheckField } from '../../ui/field.tsx';
import type { Overview } from './pages.ts';
import { words } from '../../ui/words.texts.ts';

interface EnvironmentsProps {
  readonly environments: Overview['environments'];
  /** Slugs. */
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (next: ReadonlySet<string>) => void;
}

/** In which environments something is made. */
export const Environments = ({ environments, chosen, onChange }: EnvironmentsProps) => (
  <fieldset>
    <legend>{words.environments}</legend>
    {environments.map(({ slug, name }) => (
      <CheckField
        key={slug}
        label={name}
        checked={chosen.has(slug)}
        onChange={({ target }) => onChange(toggled(chosen, slug, target.checked))}
      />
    ))}
  </fieldset>
);

function toggled(all: ReadonlySet<string>, one: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(all);
  if (isIn) next.add(one);
  else next.delete(one);
  return next;
}

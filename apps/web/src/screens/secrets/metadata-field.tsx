import { Plus, X } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.tsx';
import { CheckField, inputClass, Row } from '../../ui/field.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

export interface Pair {
  readonly key: string;
  readonly value?: string;
  readonly isEncrypted?: boolean;
}

/** Names with values. Encrypted ones are stored like values of secrets. */
export function MetadataField({
  pairs,
  onChange,
}: {
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: Pair[]) => void;
}) {
  const set = (index: number, change: Partial<Pair>) =>
    onChange(pairs.map((pair, i) => (i === index ? { ...pair, ...change } : pair)));
  const input = { className: inputClass(true), spellCheck: false, autoComplete: 'off' } as const;
  return (
    <fieldset>
      <legend>{words.metadata}</legend>
      {pairs.map(({ key, value = '', isEncrypted = false }, index) => (
        <Row key={index}>
          <input
            {...input}
            aria-label={texts.nameOfPair(index + 1)}
            value={key}
            onChange={({ target }) => set(index, { key: target.value })}
          />
          <input
            {...input}
            aria-label={texts.valueOfPair(index + 1)}
            value={value}
            onChange={({ target }) => set(index, { value: target.value })}
          />
          <CheckField
            label={texts.encrypted}
            checked={isEncrypted}
            onChange={({ target }) => set(index, { isEncrypted: target.checked })}
          />
          <IconButton label={texts.removePair(index + 1)} onClick={() => onChange(pairs.filter((_, i) => i !== index))}>
            <X size={14} />
          </IconButton>
        </Row>
      ))}
      <Button onClick={() => onChange([...pairs, { key: '', value: '' }])}>
        <Plus size={14} aria-hidden /> {texts.addPair}
      </Button>
    </fieldset>
  );
}

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import type { Catalogue } from './catalogue.ts';
import { checkRules, type Checked } from './check.ts';
import { RuleForm } from './rule-form.tsx';
import { toText, type Rule } from './rule.ts';
import styles from './rules.module.css';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** Rules that are edited, as text: the form is another view of the same. */
export interface RulesState extends Checked {
  readonly text: string;
  readonly setText: (text: string) => void;
}

export function useRules(initial: readonly Rule[], catalogue: Catalogue): RulesState {
  const [text, setText] = useState(() => toText(initial));
  return { text, setText, ...checkRules(text, catalogue) };
}

/** Rules as a form or as text. Both show the same, and are checked while one types. */
export function RulesField({ rules: state, catalogue }: { readonly rules: RulesState; readonly catalogue: Catalogue }) {
  const [isText, setText] = useState(false);
  return (
    <section className={styles['editor']} aria-label={words.rules}>
      <div className={styles['head']}>
        <h2>{words.rules}</h2>
        <Button aria-pressed={isText} onClick={() => setText(!isText)}>
          {isText ? texts.editAsForm : texts.editAsText}
        </Button>
      </div>
      <p>{texts.theyAreReadInOrder}</p>
      {isText ? <AsText state={state} /> : <AsForm state={state} catalogue={catalogue} />}
    </section>
  );
}

function Faults({ faults }: Pick<Checked, 'faults'>) {
  return (
    <div role="status">
      {faults.length > 0 && (
        <ul className={styles['faults']}>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function AsText({ state: { text, setText, faults } }: { readonly state: RulesState }) {
  return (
    <>
      <TextArea
        label={texts.rulesAsJson}
        rows={Math.min(28, Math.max(12, text.split('\n').length + 1))}
        aria-invalid={faults.length > 0}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Faults faults={faults} />
    </>
  );
}

/** What can be shown as a form, even if a part is missing yet; `undefined` for anything else. */
function shapeOf(text: string): Rule[] | undefined {
  try {
    const given: unknown = JSON.parse(text);
    const isShaped = (one: Partial<Rule> | null) =>
      typeof one?.subject === 'string' && one.action !== undefined && typeof (one.conditions ?? {}) === 'object';
    return Array.isArray(given) && given.every(isShaped)
      ? (given as Rule[]).map((rule) => ({ ...rule, action: [rule.action].flat() }))
      : undefined;
  } catch {
    return undefined;
  }
}

function AsForm({
  state: { text, setText, faults },
  catalogue,
}: {
  readonly state: RulesState;
  readonly catalogue: Catalogue;
}) {
  const rules = shapeOf(text);
  if (!rules) return <Note kind="warn">{texts.textIsNotComplete(faults.join('; '))}</Note>;
  const set = (next: readonly Rule[]) => setText(toText(next));
  const move = (from: number, to: number) => set(rules.toSpliced(from, 1).toSpliced(to, 0, rules[from]!));
  const [subject = '', entry] = [...catalogue][0] ?? [];
  return (
    <>
      {rules.map((rule, index) => (
        <RuleForm
          key={index}
          rule={rule}
          number={index + 1}
          isFirst={index === 0}
          isLast={index === rules.length - 1}
          catalogue={catalogue}
          onChange={(next) => set(rules.with(index, next))}
          onRemove={() => set(rules.toSpliced(index, 1))}
          onMove={(by) => move(index, index + by)}
        />
      ))}
      <Faults faults={faults} />
      <Button disabled={!entry} onClick={() => set([...rules, { subject, action: [] }])}>
        <Plus size={16} aria-hidden /> {texts.addRule}
      </Button>
    </>
  );
}
